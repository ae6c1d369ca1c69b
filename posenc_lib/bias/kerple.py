"""KERPLE: biases from conditionally positive definite kernels, logarithm and power."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

from posenc_lib._aliases import knows_names
from posenc_lib.bias.base import positive_raw
from posenc_lib.bias.distance import DistanceBias


class _Kerple(DistanceBias):
    """Two positive numbers a head, stored without a constraint; heads start spread over a range."""

    def __init__(self, num_heads: int) -> None:
        super().__init__(num_heads)
        self.raw_1 = nn.Parameter(torch.empty(num_heads))
        self.raw_2 = nn.Parameter(torch.empty(num_heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        raise NotImplementedError

    def _moved(self, dtype: torch.dtype, device: torch.device) -> list[Tensor]:
        return [raw.to(device=device, dtype=dtype) for raw in (self.raw_1, self.raw_2)]


def _spread(num_heads: int, high: float) -> list[float]:
    """Midpoints of ``num_heads`` equal parts of (0, high)."""
    return [high * (h + 0.5) / num_heads for h in range(num_heads)]


@knows_names
class KerpleLog(_Kerple):
    r""":math:`b_h(m, n) = -r_1\ln(1 + r_2|m - n|)` with learned :math:`r_1, r_2 > 0` for each head.

    Positivity by softplus, so no step of an optimiser leaves the domain. Heads start with r₁ and r₂ spread
    evenly over (0, 2) and (0, 1).

    Args:
        num_heads: H, the number of heads.

    Example:
        >>> KerpleLog(num_heads=1).bias(torch.arange(1, 2), torch.arange(2)).detach()
        tensor([[[-0.4055, -0.0000]]])

    Source:
        Chi et al. 2022, equation for the logarithmic variant (definition 4 and section 4).
    """

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.raw_1.copy_(torch.tensor([positive_raw(r) for r in _spread(self.num_heads, 2.0)]))
            self.raw_2.copy_(torch.tensor([positive_raw(r) for r in _spread(self.num_heads, 1.0)]))

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        raw_1, raw_2 = self._moved(dtype, device)
        return softplus(raw_1), softplus(raw_2)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        r1, r2 = tables
        return -r1[head] * torch.log1p(r2[head] * (n - m).abs().to(r2.dtype))


@knows_names
class KerplePower(_Kerple):
    r""":math:`b_h(m, n) = -r_1|m - n|^{r_2}` with learned :math:`r_1 > 0` and :math:`0 < r_2 < 2` for each
    head.

    r₁ by softplus, r₂ as twice a sigmoid: above 2 the kernel would no longer be conditionally positive
    definite. Heads start with r₁ and r₂ spread evenly over (0, 1) and (0, 2). r₂ = 1 is ALiBi with learned
    slopes.

    Args:
        num_heads: H, the number of heads.

    Example:
        >>> KerplePower(num_heads=1).bias(torch.arange(2, 3), torch.arange(3)).detach()
        tensor([[[-1.0000, -0.5000, -0.0000]]])

    Source:
        Chi et al. 2022, the power variant.
    """

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.raw_1.copy_(torch.tensor([positive_raw(r) for r in _spread(self.num_heads, 1.0)]))
            self.raw_2.copy_(torch.logit(torch.tensor(_spread(self.num_heads, 2.0)) / 2))

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        raw_1, raw_2 = self._moved(dtype, device)
        return softplus(raw_1), 2 * torch.sigmoid(raw_2)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        r1, r2 = tables
        distance = (n - m).abs().to(r2.dtype)
        # 0^r is 0, but its logarithm has no derivative: keep distance 0 out of the power
        power = torch.exp(r2[head] * torch.log(distance.clamp_min(torch.finfo(r2.dtype).tiny)))
        return -r1[head] * torch.where(distance == 0, torch.zeros_like(power), power)
