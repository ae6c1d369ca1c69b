"""The reasons that a row of a derivation may give, and how each is checked."""
