"""Encodings of the offset by learned vectors: Shaw, Transformer-XL, DeBERTa."""
