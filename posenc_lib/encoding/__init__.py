"""What an encoding may do to attention, and what attention needs to know of it."""

from posenc_lib.encoding.interface import AddedEncoding, Encoding, Positions, Term, Tile

__all__ = ["AddedEncoding", "Encoding", "Positions", "Term", "Tile"]
