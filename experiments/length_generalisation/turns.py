"""Matrices A_m of a position that queries and keys are multiplied by, in place of RoPE's rotation.

RoPE's A_mᵀA_n depends on n − m alone. These do not; each lacks that, and keeps something else.
"""

import torch
from torch import Generator, Tensor

from posenc_lib import inv_freq
from posenc_lib.encoding import Encoding, Positions


def planes(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """((a, b), (c, d)) for each pair of neighbours: entries ``[positions, n]`` → ``[positions, 2n, 2n]``."""
    found = a.new_zeros(len(a), 2 * a.shape[1], 2 * a.shape[1])
    even, odd = torch.arange(0, found.shape[1], 2), torch.arange(1, found.shape[1], 2)
    for rows, columns, entries in ((even, even, a), (even, odd, b), (odd, even, c), (odd, odd, d)):
        found[:, rows, columns] = entries
    return found


def rotation(angles: Tensor) -> Tensor:
    return planes(angles.cos(), -angles.sin(), angles.sin(), angles.cos())


def repeated(angles: Tensor) -> Tensor:
    """V-JEPA 2's: the list of frequencies written twice, and read by neighbours. It changes lengths."""
    first, second = torch.cat((angles, angles), -1).unflatten(-1, (-1, 2)).unbind(-1)
    return planes(first.cos(), -first.sin(), second.sin(), second.cos())


def twice(angles: Tensor) -> Tensor:
    """Two rotations in a row that do not commute, the second with pairs that begin one coordinate further."""
    turn = rotation(angles)
    return turn @ turn.roll((1, 1), (-2, -1))


def sheared(angles: Tensor) -> Tensor:
    """A shear that stays bounded."""
    one = torch.ones_like(angles)
    return planes(one, angles.sin(), 0 * one, one)


def at_random(angles: Tensor) -> Tensor:
    """Rotations by angles that are drawn for each position and plane: near is as strange as far."""
    draw = Generator().manual_seed(0)
    return rotation(2 * torch.pi * torch.rand(angles.shape, generator=draw, dtype=angles.dtype))


TURNS = {
    "rotation": rotation,
    "list repeated": repeated,
    "two turns": twice,
    "bounded shear": sheared,
    "random turns": at_random,
}


class Turned(Encoding):
    """Queries and keys ``[batch, heads, length, dim]``, each multiplied by the matrix of its position."""

    matrices: Tensor

    def __init__(self, name: str, dim: int, length: int) -> None:
        super().__init__()
        matrices = TURNS[name](torch.arange(length, dtype=torch.float64)[:, None] * inv_freq(dim))
        self.register_buffer("matrices", matrices, persistent=False)

    def turn(self, q: Tensor, k: Tensor, positions: Positions, length: int | None) -> tuple[Tensor, Tensor]:
        turned_q = torch.einsum("lij,bhlj->bhli", self.matrices[positions.q], q)
        return turned_q, torch.einsum("lij,bhlj->bhli", self.matrices[positions.k], k)
