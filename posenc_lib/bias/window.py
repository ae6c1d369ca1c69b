"""Biases of a window of an image: a learned number for each offset in height and width (Swin, BEiT)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from posenc_lib._aliases import knows_names
from posenc_lib._allocation import check_device, check_room
from posenc_lib._checks import check_flag, check_floating, check_int, check_integers, check_sequence, shown
from posenc_lib._torch_state import concrete
from posenc_lib.angles.double import arithmetic
from posenc_lib.bias.base import ScoreBias

#: Rows of a table for the class token: from it to patches, from patches to it, to itself.
CLASS_ROWS = 3


def check_window(name: str, value: object) -> tuple[int, int]:
    """Height and width in patches."""
    check_sequence(name, value)
    sides = tuple(cast(Sequence[int], value))
    if len(sides) != 2:
        raise ValueError(f"{name} must be a pair (height, width), got {shown(value)}")
    for side in sides:
        check_int(f"a side of {name}", side, minimum=1)
    return sides


def offsets(window: tuple[int, int]) -> tuple[int, int]:
    """How many offsets there are between two patches of a window, in height and in width."""
    return 2 * window[0] - 1, 2 * window[1] - 1


def relative_position_index(
    window: tuple[int, int], class_token: bool = False, *, device: torch.device | str | None = None
) -> Tensor:
    r"""Row of the table for each pair of tokens of a window h × w.

    Patches are counted row by row: m stands at :math:`(y, x) = (\lfloor m/w\rfloor,\ m \bmod w)`. For a query
    at (y, x) and a key at (y′, x′) the row is :math:`(y - y' + h - 1)(2w - 1) + (x - x' + w - 1)`, query −
    key. A class token stands before the patches and has the last three rows: from it to a patch, from a patch
    to it, to itself.

    Args:
        window: (h, w) in patches.
        class_token: whether there is one.
        device: of the result.

    Returns:
        ``[N, N]`` int64, N = h·w, and one more with a class token; queries in rows.

    Raises:
        TypeError, ValueError: ``window`` is not a pair of ints of at least 1, or its index larger than any
            memory; ``class_token`` not a flag; a ``device`` that is not there.

    Example:
        >>> relative_position_index((1, 2), class_token=True)
        tensor([[5, 3, 3],
                [4, 1, 0],
                [4, 2, 1]])

    Source:
        Liu et al. 2021 (Swin Transformer), section 3.2, equation (4); the class token as in Bao et al. 2022
        (BEiT).
    """
    height, width = check_window("window", window)
    check_flag("class_token", class_token)
    check_device(device)
    check_room("the index of window", window, height * width + class_token, height * width + class_token)
    patch = torch.arange(height * width, device=device)
    y, x = patch // width, patch % width
    index = (y[:, None] - y + height - 1) * (2 * width - 1) + (x[:, None] - x + width - 1)
    if not class_token:
        return index
    rows = (2 * height - 1) * (2 * width - 1)
    whole = index.new_empty(len(patch) + 1, len(patch) + 1)
    whole[1:, 1:] = index
    whole[0], whole[1:, 0], whole[0, 0] = rows, rows + 1, rows + 2
    return whole


def resize_window_table(table: Tensor, window: tuple[int, int], new_window: tuple[int, int]) -> Tensor:
    r"""The table of a window for a window of another size, by bicubic interpolation of its offsets.

    The offset δ of the new table reads the old one at :math:`\delta\,(2h-1)/(2h'-1)`, in height and likewise
    in width: offset 0 stays offset 0. The rows of a class token are kept. It is torch's
    ``interpolate(mode="bicubic", align_corners=False)`` on the offsets, as in timm's
    ``resize_rel_pos_bias_table_simple``. Two others do otherwise: timm's ``resize_rel_pos_bias_table`` reads
    the old table at unevenly spaced offsets, and BEiT of transformers interpolates bilinearly.

    Args:
        table: ``[(2h − 1)(2w − 1), heads]``, or three rows more with a class token; see
            :func:`relative_position_index`.
        window: (h, w), for which the table was made.
        new_window: (h′, w′).

    Returns:
        ``[(2h′ − 1)(2w′ − 1), heads]``, or three rows more; dtype of ``table``.

    Raises:
        TypeError: ``table`` is not floating; windows that are not pairs of ints.
        ValueError: a window below 1, or larger than any memory; a table of another shape.

    Example:
        >>> steps = torch.linspace(-1, 1, 3)[:, None]  # one head, offsets −1, 0, 1 along the width
        >>> resize_window_table(steps, (1, 2), (1, 3)).flatten()
        tensor([-1.0960, -0.6840,  0.0000,  0.6840,  1.0960])

    Source:
        Liu et al. 2021 (Swin Transformer), section 3.2, for bicubic interpolation between windows.
    """
    check_floating("table", table)
    old, new = (
        offsets(check_window(name, value)) for name, value in (("window", window), ("new_window", new_window))
    )
    rows = old[0] * old[1]
    if table.ndim != 2 or table.shape[0] not in (rows, rows + CLASS_ROWS) or table.shape[1] == 0:
        raise ValueError(
            f"table must have shape [{rows}, heads], or [{rows + CLASS_ROWS}, heads] with a class token, for "
            f"window = {tuple(window)}, got {list(table.shape)}"
        )
    check_room("new_window", new_window, *new, table.shape[1])
    grid = table[:rows].T.unflatten(1, old).to(arithmetic(table))
    wide = interpolate(grid[None], size=new, mode="bicubic", align_corners=False)[0]
    return torch.cat([wide.flatten(1).T.to(table.dtype), table[rows:]])


class WindowTable(ScoreBias):
    """A bias that reads a table of offsets within a window. A subclass has it made by :meth:`table`."""

    def __init__(self, num_heads: int, window: tuple[int, int], class_token: bool) -> None:
        super().__init__(num_heads)
        check_flag("class_token", class_token)
        self.window, self.class_token = check_window("window", window), class_token
        check_room("window", window, *offsets(self.window), num_heads)
        self.tokens = self.window[0] * self.window[1] + class_token

    def table(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        """``[rows, heads]``, see :func:`relative_position_index`."""
        raise NotImplementedError

    def check_positions(self, name: str, value: object) -> Tensor:
        """Tokens of the window, by number."""
        value = check_integers(name, super().check_positions(name, value))
        if concrete(value) and value.numel():
            low, high = (int(v) for v in value.aminmax())
            if low < 0 or high >= self.tokens:
                raise ValueError(
                    f"{name} must lie in [0, {self.tokens}), the tokens of window = {self.window}, "
                    f"got {low}..{high}"
                )
        return value

    def check_count(self, length: int) -> None:
        """All tokens of the window: of another number nobody can tell which they are."""
        if length != self.tokens:
            raise ValueError(
                f"position_ids must say which of the {self.tokens} tokens of window = {self.window} they "
                f"are, got {length} tokens without"
            )

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        index = relative_position_index(self.window, self.class_token, device=device)
        return index, self.table(dtype, device)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        index, table = tables
        return table[index[m, n], head]


@knows_names
class WindowBias(WindowTable):
    r""":math:`b_h(m, n) = B_{\mathrm{index}(m, n),\,h}`, B learned: one number for each offset and head.

    Positions are the numbers of tokens in a window, see :func:`relative_position_index`. The parameter
    ``relative_position_bias_table`` is ``[(2h − 1)(2w − 1), num_heads]``, with three rows more for a class
    token, named and laid out as in the checkpoints of Swin and BEiT.

    Args:
        num_heads: H, the number of heads.
        window: (h, w) in patches.
        class_token: whether a class token stands before the patches, as in BEiT.

    Raises:
        TypeError, ValueError: as :func:`relative_position_index`; at call time positions that are not
            integers, or not in the window.

    Example:
        >>> bias = WindowBias(num_heads=4, window=(7, 7))
        >>> bias.bias(torch.arange(49), torch.arange(49)).shape
        torch.Size([4, 49, 49])

    Source:
        Liu et al. 2021 (Swin Transformer), equation (4); Bao et al. 2022 (BEiT).
    """

    def __init__(self, num_heads: int, window: tuple[int, int], class_token: bool = False) -> None:
        super().__init__(num_heads, window, class_token)
        height, width = offsets(self.window)
        rows = height * width + CLASS_ROWS * class_token
        self.relative_position_bias_table = nn.Parameter(torch.empty(rows, num_heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def table(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        return self.relative_position_bias_table.to(device=device, dtype=dtype)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, window={self.window}, class_token={self.class_token}"
