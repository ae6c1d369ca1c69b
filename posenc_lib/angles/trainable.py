"""Frequencies that train."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from posenc_lib._aliases import knows_names
from posenc_lib._checks import MAX_WIDTH, check_int, check_inv_freq, moved
from posenc_lib._typing import called_as
from posenc_lib.angles.double import exact


@knows_names
class TrainableFrequencies(nn.Module):
    r"""Frequencies that train: :math:`\theta_i \, e^{\delta_i}`, parameter δ = ``log_ratio``, zero at first.

    Why the logarithm of a *ratio*: θ stays positive; one step of the optimiser changes every plane by a
    similar factor although the θ span four decades; the numbers are small, so float32 (or even a cast to
    bfloat16) keeps θ far more precisely than it would keep θ itself; and at the start the frequencies are
    exact in any dtype. The exponential is taken in float64, on the CPU if the device has none.

    Args:
        num: N, number of planes.

    Raises:
        TypeError, ValueError: ``num`` is not an int ≥ 1; at call time, frequencies that are not floating,
            finite and ``[N]``.

    Example:
        >>> TrainableFrequencies(2)(torch.tensor([1.0, 0.5], dtype=torch.float64))
        tensor([1.0000, 0.5000], dtype=torch.float64, grad_fn=<MulBackward0>)

    Source:
        Su's article, the remark on trainable θ; here with the change of variable above.
    """

    def __init__(self, num: int):
        super().__init__()
        check_int("num", num, 1, MAX_WIDTH)
        self.log_ratio = nn.Parameter(torch.empty(num))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Back to the given frequencies; call it after ``to_empty``."""
        nn.init.zeros_(self.log_ratio)

    def forward(self, inv_freq: Tensor) -> Tensor:
        check_inv_freq(inv_freq)
        if inv_freq.shape != self.log_ratio.shape:
            raise ValueError(
                f"inv_freq must have shape {list(self.log_ratio.shape)}, got {list(inv_freq.shape)}"
            )
        ratio = exact(self.log_ratio, torch.float64).exp()
        return moved("inv_freq", inv_freq, ratio, inv_freq.dtype) * ratio

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...
