"""Modules that add an encoding to embeddings: sinusoidal (frequencies fixed or trained), learned, linear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from posenc_lib._aliases import knows_names
from posenc_lib._allocation import check_room
from posenc_lib._checks import (
    FURTHEST,
    MAX_WIDTH,
    Layout,
    check_finite,
    check_flag,
    check_floating,
    check_int,
    check_layout,
    check_local,
    check_no_offset,
    check_positions,
    check_same,
    check_tensor,
)
from posenc_lib._torch_state import concrete
from posenc_lib._typing import called_as
from posenc_lib.additive.functions import linear_positions, sinusoidal_of
from posenc_lib.angles.double import arithmetic
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.trainable import TrainableFrequencies
from posenc_lib.encoding.interface import AddedEncoding


def _positions_for(x: Tensor, position_ids: Tensor | None, offset: int, dim: int) -> Tensor:
    check_local("x", check_floating("x", x))
    if x.ndim < 2 or x.shape[-1] != dim:
        raise ValueError(f"x must have shape [..., seq, {dim}], got {list(x.shape)}")
    if position_ids is None:
        check_int("offset", offset, maximum=FURTHEST)
        return torch.arange(offset, offset + x.shape[-2], device=x.device)
    check_positions(position_ids)
    check_same("position_ids", position_ids, "x", x, dtype=False)
    check_no_offset(offset)
    if position_ids.shape not in (x.shape[:-1], x.shape[-2:-1]):
        raise ValueError(
            f"position_ids must have shape {list(x.shape[-2:-1])} or {list(x.shape[:-1])}, "
            f"got {list(position_ids.shape)}"
        )
    return position_ids


@knows_names
class SinusoidalEncoding(AddedEncoding):
    """``x + PE``, :func:`sinusoidal`; with ``learnable`` its frequencies train
    (:class:`TrainableFrequencies`).

    Args:
        dim, base, layout: as :func:`sinusoidal`.
        learnable: train the frequencies.

    Raises:
        TypeError, ValueError: as :func:`sinusoidal`; at call time x that is not ``[..., seq, dim]``.

    Example:
        >>> SinusoidalEncoding(4)(torch.zeros(1, 2, 4))
        tensor([[[0.0000, 1.0000, 0.0000, 1.0000],
                 [0.8415, 0.5403, 0.0100, 0.9999]]])

    Source:
        Vaswani et al. 2017, section 3.5; the PyTorch article, section 1; trainable frequencies: Su's article.
    """

    def __init__(
        self, dim: int, base: float = 10000.0, layout: Layout = "interleaved", *, learnable: bool = False
    ):
        super().__init__()
        check_layout(layout)
        check_flag("learnable", learnable)
        inv_freq(dim, base)  # refuses a bad dim or base now, not at the first call
        self.dim, self.base, self.layout = dim, base, layout
        self.frequencies = TrainableFrequencies(dim // 2) if learnable else None

    def forward(self, x: Tensor, position_ids: Tensor | None = None, offset: int = 0) -> Tensor:
        """x ``[..., seq, dim]`` plus its encoding in the dtype of x; positions default to ``offset, …``."""
        positions = _positions_for(x, position_ids, offset, self.dim)
        theta = inv_freq(self.dim, self.base)
        if self.frequencies is not None:
            theta = self.frequencies(theta)
        dtype = arithmetic(x)
        return (x.to(dtype) + sinusoidal_of(theta, positions, layout=self.layout, dtype=dtype)).to(x.dtype)

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...


@knows_names
class LearnedEncoding(AddedEncoding):
    """``x + E[position]`` with a trained table of ``num_positions`` rows: there is nothing beyond its last
    row.

    Args:
        num_positions: rows of the table.
        dim: width.
        std: of the normal distribution that the table starts from.

    Raises:
        TypeError, ValueError: not ints ≥ 1; a table that no memory holds; ``std`` negative, not finite, or so
            large that rows would not be; at call time positions outside
            the table (values of ``position_ids`` are looked at on the CPU in eager mode; a device checks for
            itself), or floating ones.

    Example:
        >>> LearnedEncoding(512, 4)(torch.zeros(1, 3, 4)).shape
        torch.Size([1, 3, 4])

    Source:
        the rotation-matrix article, section 1.3; Gehring et al. 2017.
    """

    def __init__(self, num_positions: int, dim: int, *, std: float = 0.02):
        super().__init__()
        check_int("num_positions", num_positions, minimum=1)
        check_int("dim", dim, 1, MAX_WIDTH)
        check_finite("std", std)
        if std < 0:
            raise ValueError(f"std must not be negative, got {std}")
        check_room("num_positions", num_positions, num_positions, dim)
        most = torch.finfo(torch.get_default_dtype()).max / 16  # no number of a normal draw is 16 std away
        if std > most:
            raise ValueError(f"std must be at most {most:.4g} for finite rows, got {std}")
        self.std, self.dim = std, dim
        self.weight = nn.Parameter(torch.empty(num_positions, dim))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, std=self.std)

    def forward(self, x: Tensor, position_ids: Tensor | None = None, offset: int = 0) -> Tensor:
        """x ``[..., seq, dim]`` plus its rows of the table, in the dtype of x."""
        rows, dim = self.weight.shape
        check_local("x", check_tensor("x", x))
        check_local("weight", self.weight)
        check_same("x", x, "weight", self.weight, dtype=False)
        positions = _positions_for(x, position_ids, offset, dim)
        if positions.is_floating_point():
            raise TypeError(f"position_ids must be integers to index a table, got {positions.dtype}")
        if position_ids is None:
            last = offset + x.shape[-2] - 1
            if last >= rows:
                raise ValueError(f"positions must be below num_positions = {rows}, got {offset}..{last}")
            return (x + self.weight[offset : last + 1]).to(x.dtype)
        if concrete(positions) and positions.numel():
            low, high = (int(v) for v in positions.aminmax())
            if low < 0 or high >= rows:
                raise ValueError(f"position_ids must be in [0, num_positions = {rows}), got {low}..{high}")
        return (x + nn.functional.embedding(positions.long(), self.weight)).to(x.dtype)

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...


@knows_names
class LinearEncoding(AddedEncoding):
    """``x + p`` in every channel, :func:`linear_positions`; the naive encoding, for comparison.

    Args:
        dim: width.
        length: divide positions by it.

    Example:
        >>> LinearEncoding(2)(torch.zeros(1, 3, 2))
        tensor([[[0., 0.],
                 [1., 1.],
                 [2., 2.]]])

    Source:
        the rotation-matrix article, section 1.3.
    """

    def __init__(self, dim: int, length: int | None = None):
        super().__init__()
        check_int("dim", dim, 1, MAX_WIDTH)
        if length is not None:
            check_int("length", length, minimum=1)
        self.dim, self.length = dim, length

    def forward(self, x: Tensor, position_ids: Tensor | None = None, offset: int = 0) -> Tensor:
        """x ``[..., seq, dim]`` plus its position."""
        positions = _positions_for(x, position_ids, offset, self.dim)
        return x + linear_positions(positions, self.dim, length=self.length).to(x.dtype)

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...
