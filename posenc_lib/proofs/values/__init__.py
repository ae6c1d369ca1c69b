"""What an expression is worth at an exact point, in ball arithmetic, and what is put for its letters."""
