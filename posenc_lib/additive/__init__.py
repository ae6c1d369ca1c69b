"""Encodings that are added to the embeddings: sinusoidal, linear and learned."""
