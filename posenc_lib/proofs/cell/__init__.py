"""A derivation as text: read by Python's parser, never evaluated."""
