"""Swin V2's bias: a small network reads the offset within a window on a logarithmic scale."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, relu

from posenc_lib._aliases import knows_names
from posenc_lib._allocation import check_device, check_room
from posenc_lib._checks import MAX_WIDTH, check_dtype, check_int
from posenc_lib._torch_state import as_given
from posenc_lib.angles.double import CPU
from posenc_lib.bias.window import WindowTable, check_window, offsets

_REACH = 8.0  # the largest offset of the window of pretraining becomes this, before the logarithm


def relative_log_coordinates(
    window: tuple[int, int],
    pretrained_window: tuple[int, int] | None = None,
    *,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    r"""Offsets of two patches on a logarithmic scale, :math:`\mathrm{sgn}(c)\log_2(1+|c|)/\log_2 8`.

    :math:`c = 8\,\delta/(p - 1)` for the offset δ, query − key, and the side p of the window of pretraining.
    A larger window so reaches a little beyond what was seen, and not far beyond.

    Args:
        window: (h, w) in patches.
        pretrained_window: that of pretraining; by default ``window``.
        dtype: float32 or float64, of the result; worked out in float64.
        device: of the result.

    Returns:
        ``[(2h − 1)(2w − 1), 2]``, height and width, in the order of :func:`relative_position_index`.

    Raises:
        TypeError: windows that are not pairs of ints; ``dtype`` other than float32 or float64.
        ValueError: a side below 1, or a window larger than any memory; a ``pretrained_window`` of one patch,
            which has no offsets, for a larger window; a ``device`` that is not there.

    Example:
        >>> relative_log_coordinates((1, 3))
        tensor([[ 0.0000, -1.0566],
                [ 0.0000, -0.7740],
                [ 0.0000,  0.0000],
                [ 0.0000,  0.7740],
                [ 0.0000,  1.0566]])

    Source:
        Liu et al. 2022 (Swin Transformer V2), equation (4), scaled as in its released code.
    """
    check_dtype("dtype", dtype, (torch.float32, torch.float64))
    check_device(device)
    sides = check_window("window", window)
    check_room("window", window, *offsets(sides), 2)
    axes = []
    for side, old in zip(sides, _seen(sides, pretrained_window), strict=True):
        far = torch.arange(-(side - 1), side, dtype=torch.float64, device=CPU) * (_REACH / max(old - 1, 1))
        axes.append(far.sign() * far.abs().log1p() / math.log(8))
    grid = torch.stack(torch.meshgrid(*axes, indexing="ij"), dim=-1).flatten(0, 1)
    return grid.to(dtype).to(device)


def _seen(window: tuple[int, int], pretrained_window: tuple[int, int] | None) -> tuple[int, int]:
    """The window of pretraining, checked beside ``window``, which is checked already."""
    if pretrained_window is None:
        return window
    seen = check_window("pretrained_window", pretrained_window)
    if any(old == 1 < side for side, old in zip(window, seen, strict=True)):
        raise ValueError(
            f"pretrained_window must have two patches or more where window = {window} has, got {seen}"
        )
    return seen


@knows_names
class LogCPB(WindowTable):
    r""":math:`b_h(m, n) = 16\,\sigma\big(f_\theta(\hat\delta_y, \hat\delta_x)\big)_h`: log-spaced continuous
    position bias.

    f is a network with one hidden layer of rectified units and no offset in its output, :math:`\hat\delta`
    are :func:`relative_log_coordinates`. It reads any window, so a model can be moved to a larger one: give
    it as ``window``, and the one of pretraining as ``pretrained_window``. Swin V2 adds this bias to cosine
    scores.

    Positions are the numbers of tokens in a window, see :func:`relative_position_index`. ``hidden`` and
    ``out`` are the layers 0 and 2 of ``cpb_mlp`` in released checkpoints and of
    ``continuous_position_bias_mlp`` in transformers.

    Args:
        num_heads: H, the number of heads.
        window: (h, w) in patches.
        pretrained_window: see :func:`relative_log_coordinates`.
        width: units in the hidden layer.

    Raises:
        TypeError, ValueError: as :func:`relative_log_coordinates`; ``width`` that is not an int of at least
            1; at call time positions that are not integers, or not in the window.

    Example:
        >>> bias = LogCPB(num_heads=4, window=(12, 12), pretrained_window=(8, 8))
        >>> bias.bias(torch.arange(144), torch.arange(144)).shape
        torch.Size([4, 144, 144])

    Source:
        Liu et al. 2022 (Swin Transformer V2), equations (3) and (4); 16σ as in its released code.
    """

    def __init__(
        self,
        num_heads: int,
        window: tuple[int, int],
        pretrained_window: tuple[int, int] | None = None,
        width: int = 512,
    ) -> None:
        super().__init__(num_heads, window, class_token=False)
        check_int("width", width, 1, MAX_WIDTH)
        self.pretrained_window = _seen(self.window, pretrained_window)
        self.hidden = nn.Linear(2, width)
        self.out = nn.Linear(width, num_heads, bias=False)

    def reset_parameters(self) -> None:
        self.hidden.reset_parameters()
        self.out.reset_parameters()

    def table(self, dtype: torch.dtype, device: torch.device) -> Tensor:
        at = relative_log_coordinates(self.window, self.pretrained_window, dtype=dtype, device=device)
        w1, b1, w2 = (
            p.to(device=device, dtype=dtype) for p in (self.hidden.weight, self.hidden.bias, self.out.weight)
        )
        with as_given(at):
            return 16 * torch.sigmoid(linear(relu(linear(at, w1, b1)), w2))

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, window={self.window}, pretrained_window={self.pretrained_window}"
