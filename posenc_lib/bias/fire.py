"""FIRE: a small network reads the distance relative to the query's position."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, relu, softplus

from posenc_lib._aliases import knows_names
from posenc_lib._checks import MAX_WIDTH, check_finite, check_int
from posenc_lib._torch_state import as_given
from posenc_lib.bias.base import ScoreBias, positive_raw

_LEAST, _MOST = 2.0**-60, 2.0**60


@knows_names
class FIRE(ScoreBias):
    r""":math:`b(m, n) = f_\theta\!\left(\frac{\psi(|m-n|)}{\psi(\max(L, m))}\right)`,
    :math:`\psi(x) = \ln(1 + cx)`.

    f is a network with one hidden layer of rectified units and one output a head; c > 0 and L > 0 are learned
    through softplus. For a causal model the argument lies in [0, 1] at every length. The paper defines it for
    keys up to the query; for keys after it this class takes the absolute value, and the argument may exceed
    1. It is not a function of n − m alone.

    Args:
        num_heads: H, the number of heads.
        width: units in the hidden layer.
        c: initial value.
        threshold: initial L, in positions.

    Raises:
        TypeError, ValueError: a count that is not a positive integer; c or threshold not a number between
            2⁻⁶⁰ and 2⁶⁰, so that float32 holds their product, and that of c and a position.

    Example:
        >>> FIRE(num_heads=4).bias(torch.arange(3), torch.arange(5)).shape
        torch.Size([4, 3, 5])

    Source:
        Li et al. 2024 (Functional Interpolation for Relative Position Encoding), section 3.
    """

    def __init__(self, num_heads: int, width: int = 32, *, c: float = 0.1, threshold: float = 512.0) -> None:
        super().__init__(num_heads)
        check_int("width", width, 1, MAX_WIDTH)
        for name, value in (("c", c), ("threshold", threshold)):
            check_finite(name, value, positive=True)
            if not _LEAST <= value <= _MOST:
                raise ValueError(f"{name} must lie in [2**-60, 2**60], for float32, got {value}")
        self.width, self.initial_c, self.initial_threshold = width, c, threshold
        self.raw_c = nn.Parameter(torch.empty(1))
        self.raw_threshold = nn.Parameter(torch.empty(1))
        self.hidden = nn.Linear(1, width)
        self.out = nn.Linear(width, num_heads)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.raw_c.fill_(positive_raw(self.initial_c))
            self.raw_threshold.fill_(positive_raw(self.initial_threshold))
        self.hidden.reset_parameters()
        self.out.reset_parameters()

    def _load_from_state_dict(self, state_dict: dict[str, Tensor], prefix: str, *rest: object) -> None:
        """c and L were scalars once, which torch's fully_shard refuses."""
        for name in ("raw_c", "raw_threshold"):
            saved = state_dict.get(prefix + name)
            if isinstance(saved, Tensor) and saved.ndim == 0:
                state_dict[prefix + name] = saved.reshape(1)
        super()._load_from_state_dict(state_dict, prefix, *rest)  # type: ignore[arg-type]

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        """c, L and the weights of both layers."""
        raw = (
            self.raw_c,
            self.raw_threshold,
            self.hidden.weight,
            self.hidden.bias,
            self.out.weight,
            self.out.bias,
        )
        c, threshold, *weights = (p.to(device=device, dtype=dtype) for p in raw)
        return softplus(c[0]), softplus(threshold[0]), *weights

    @staticmethod
    def _ratio(m: Tensor, n: Tensor, c: Tensor, threshold: Tensor) -> Tensor:
        distance, query = (n - m).abs().to(c.dtype), m.to(c.dtype)
        return torch.log1p(c * distance) / torch.log1p(c * torch.maximum(threshold, query))

    def matrices(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        c, threshold, w1, b1, w2, b2 = tables
        ratio = self._ratio(m, n, c, threshold).squeeze(-3)
        served = head.flatten()
        with as_given(ratio):
            return linear(relu(ratio.unsqueeze(-1) * w1[:, 0] + b1), w2[served], b2[served]).movedim(-1, -3)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        c, threshold, w1, b1, w2, b2 = tables
        ratio = self._ratio(m, n, c, threshold)
        total = b2[head]
        for unit in range(self.width):
            total = total + w2[head, unit] * relu(ratio * w1[unit, 0] + b1[unit])
        return total
