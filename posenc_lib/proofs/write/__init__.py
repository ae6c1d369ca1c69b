"""How a derivation is written: definitions, hypotheses, claims, and what a later step may use."""
