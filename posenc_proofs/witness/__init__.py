"""SymPy, as a witness: what it says of a theorem by itself. Nothing rests on it."""
