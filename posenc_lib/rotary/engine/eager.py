"""The arithmetic of the rotation, with no checks: (x, y) → (x cos − y sin, y cos + x sin) in every plane.

Half-precision inputs are computed in float32 and rounded once. All forms below give the same map; which is
fastest depends on whether time goes into calls (small tensors) or into memory traffic (big ones).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import torch
from torch import Tensor

from posenc_lib._torch_state import compiling, is_mere, is_wrapped
from posenc_lib.angles.layout import join_planes, split_planes

# Elements a thread: a tile and its result fill about the second-level cache; calls still cost little.
TILE = 2**18
_WIDE = (torch.float32, torch.float64)


def arithmetic_dtype(x: Tensor, cos: Tensor) -> torch.dtype:
    return torch.float64 if torch.float64 in (x.dtype, cos.dtype) else torch.float32


def rotate_by_formula(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """Differentiable in all three tensors, fused to one pass by torch.compile, few calls in eager mode."""
    width = 2 * cos.shape[-1]
    if width < x.shape[-1]:
        turned = rotate_by_formula(x[..., :width], cos, sin, layout)
        return torch.cat((turned, x[..., width:]), dim=-1)
    if x.dtype == cos.dtype and x.dtype in _WIDE:  # a call that converts nothing still costs a call
        return join_planes(*_turned(*split_planes(x, layout), cos, sin), layout)
    dtype = arithmetic_dtype(x, cos)
    a, b = split_planes(x.to(dtype=dtype), layout)
    first, second = _turned(a, b, cos.to(dtype=dtype), sin.to(dtype=dtype))
    return join_planes(first.to(dtype=x.dtype), second.to(dtype=x.dtype), layout)


def _turned(a: Tensor, b: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    return torch.addcmul(a * cos, b, sin, value=-1), torch.addcmul(b * cos, a, sin)


def rotate_eager(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """In few calls if x is small; otherwise into one new tensor, on the CPU tile by tile."""
    width, kind = 2 * cos.shape[-1], x.device.type
    one_product = layout == "interleaved" and x.dtype == cos.dtype and width == x.shape[-1] and _pairs_up(x)
    if one_product or not (_big(x, cos) and (kind == "cpu" or (kind, layout) == ("cuda", "half"))):
        return rotate_small(x, cos, sin, layout)
    y = torch.empty_like(x)
    if width < x.shape[-1]:
        y[..., width:] = x[..., width:]
    _rotate_into(x[..., :width], y[..., :width], cos, sin, layout)
    return y


def rotate_small(x: Tensor, cos: Tensor, sin: Tensor, layout: str, own: bool = False) -> Tensor:
    """In as few calls as possible: for one token they are what costs.

    An x that is our ``own`` may be overwritten: neighbours are turned where they stand.
    """
    n, dtype = cos.shape[-1], x.dtype
    if dtype is not cos.dtype or dtype not in _WIDE:  # a call that converts nothing still costs a call
        wide = arithmetic_dtype(x, cos)
        if cos.dtype is not wide:
            cos, sin = cos.to(wide), sin.to(wide)
        if dtype is not wide:  # there and back once for all, in place of once for each half
            return rotate_small(x.to(wide), cos, sin, layout, own=True).to(dtype)
    turned = x if 2 * n == x.shape[-1] else x[..., : 2 * n]
    mere = is_mere(x, cos, sin)
    if layout == "interleaved" and _pairs_up(turned):
        turn = torch.complex(cos, sin)
        *outer, last = turned.stride()  # a view asks for even steps along axes of one, too
        if not mere or last != 1 or any(step % 2 for step in outer):
            y = torch.view_as_real(_pairs(turned) * turn).reshape(turned.shape)
        elif own:
            turned.view(turn.dtype).mul_(turn)
            return x
        else:  # two calls fewer than the views that have derivatives
            y = (turned.view(turn.dtype) * turn).view(dtype)
    elif layout == "half" and mere:
        y = turned * torch.cat((cos, cos), -1)
        halves = *turned.split_with_sizes((n, n), -1), *y.split_with_sizes((n, n), -1)
        _add_halves(*halves, sin)  # type: ignore[call-arg]
    else:
        y = rotate_by_formula(turned, cos, sin, layout)
    return y if turned is x else torch.cat((y, x[..., 2 * n :]), dim=-1)


def rotate_(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """In place; the working memory is two tiles where tiling is worth it."""
    rotated = x[..., : 2 * cos.shape[-1]]
    if x.device.type == "cpu" and _big(x, cos):
        _rotate_into(rotated, rotated, cos, sin, layout)
    else:
        rotated.copy_(rotate_eager(rotated, cos, sin, layout))
    return x


def is_small(x: Tensor) -> bool:
    """Whether calls are what costs. A few calls beat tiles on the CPU up to two million numbers."""
    return x.numel() < (8 * TILE if x.is_cpu else TILE)


def _big(x: Tensor, cos: Tensor) -> bool:
    """Whether passes over memory are what costs, and results may be written where they belong."""
    if compiling() or is_small(x):
        return False
    return not (is_wrapped(x) or is_wrapped(cos) or cos.requires_grad)


def _rotate_into(x: Tensor, y: Tensor, cos: Tensor, sin: Tensor, layout: str) -> None:
    """x → y, which on the CPU may be x itself."""
    dtype = arithmetic_dtype(x, cos)
    cos, sin = cos.to(dtype), sin.to(dtype)
    same = x.dtype == dtype
    if layout == "interleaved":
        _multiply_pairs(x, y, torch.complex(cos, sin), same)
        return
    if x.device.type == "cuda":  # its operations convert as they read and write: no float32 copy
        (a, b), (first, second) = split_planes(x, layout), split_planes(y, layout)
        torch.addcmul(a * cos, b, sin, value=-1, out=first)
        torch.addcmul(b * cos, a, sin, out=second)
        return
    if same and x is not y:  # views of all tiles at once cost less than one by one
        for tile in _tiles(x, y, cos, sin, *split_planes(x, layout), *split_planes(y, layout)):
            _turn_halves(*tile)
        return
    for x_tile, y_tile, c, s in _tiles(x, y, cos, sin):
        wide = torch.empty(x_tile.shape, dtype=dtype).copy_(x_tile)
        turned = y_tile if same else torch.empty_like(wide)
        _turn_halves(wide, turned, c, s, *split_planes(wide, layout), *split_planes(turned, layout))
        if not same:
            y_tile.copy_(turned)


def _multiply_pairs(x: Tensor, y: Tensor, turn: Tensor, same: bool) -> None:
    if same and _pairs_up(x) and _pairs_up(y):
        torch.mul(_pairs(x), turn, out=_pairs(y))
        return
    for x_tile, y_tile, turn_tile in _tiles(x, y, turn):
        wide = torch.empty(x_tile.shape, dtype=turn.dtype.to_real()).copy_(x_tile)
        _pairs(wide).mul_(turn_tile)
        y_tile.copy_(wide)


def _turn_halves(
    x: Tensor, y: Tensor, cos: Tensor, sin: Tensor, a: Tensor, b: Tensor, first: Tensor, second: Tensor
) -> None:
    """x → y, with halves a, b and first, second. One product over whole rows is faster than two."""
    torch.mul(x, torch.cat((cos, cos), -1), out=y)
    _add_halves(a, b, first, second, sin)


def _add_halves(a: Tensor, b: Tensor, first: Tensor, second: Tensor, sin: Tensor) -> None:
    first.addcmul_(b, sin, value=-1)
    second.addcmul_(a, sin)


def _pairs(x: Tensor) -> Tensor:
    """Neighbouring channels as complex numbers, a view."""
    return torch.view_as_complex(x.view(*x.shape[:-1], x.shape[-1] // 2, 2))


def _pairs_up(x: Tensor) -> bool:
    """Whether the channels of x, even in number, can be read as complex numbers."""
    if x.is_contiguous():  # one call in place of a loop: in decoding this counts
        return x.storage_offset() % 2 == 0
    *outer, last = x.stride()
    return last == 1 and x.storage_offset() % 2 == 0 and all(s % 2 == 0 for s in outer)


def _tiles(x: Tensor, *others: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Cut x, and what has its rows, along the sequence, the longer of two axes: its heads share tables."""
    if x.ndim < 2:
        yield (x, *others)
        return
    axis = -3 if x.ndim > 2 and x.shape[-3] > x.shape[-2] else -2
    length = x.shape[axis]
    rows = max(1, TILE * torch.get_num_threads() * length // x.numel())
    pieces = (
        t.split(rows, dim=axis) if t.ndim >= -axis and t.shape[axis] == length else repeat(t)
        for t in (x, *others)
    )
    yield from zip(*pieces, strict=False)
