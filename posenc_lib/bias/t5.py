"""The bias of T5: one learned number for each head and each bucket of distances."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_lib._checks import MAX_WIDTH, check_flag, check_int, check_integers, check_local
from posenc_lib._words import knows_names
from posenc_lib.bias.distance import DistanceBias


def t5_boundaries(num_buckets: int, max_distance: int) -> list[int]:
    r"""The smallest distance of buckets 1, 2, …, B−1 on one side, in exact integer arithmetic.

    The first :math:`e = \lfloor B/2\rfloor` buckets hold one distance each; after them bucket e + j begins at
    the smallest n with :math:`\lfloor N\ln(n/e)/\ln(D/e)\rfloor \ge j`, :math:`N = B - e`, which is
    :math:`n^N e^j \ge D^j e^N` without any logarithm to round.
    """
    exact = num_buckets // 2
    rest = num_buckets - exact
    boundaries = list(range(1, exact + 1))
    for j in range(1, rest):
        bound = max_distance**j * exact ** (rest - j)
        n = boundaries[-1]
        while n**rest < bound:
            n += 1
        boundaries.append(n)
    return boundaries


def t5_buckets(
    relative_position: Tensor, bidirectional: bool = True, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    r"""Bucket of each relative position, key − query.

    Small distances n have a bucket each, larger ones share logarithmically wider buckets
    :math:`e + \lfloor (B-e)\,\ln(n/e)/\ln(D/e)\rfloor`, and everything from D on shares the last.
    Bidirectional: half of the buckets for keys at or before the query, half for keys after it.
    Otherwise all keys after the query fall into bucket 0.

    Args:
        relative_position: integers of any shape, key − query.
        bidirectional: True in encoders, False in causal decoders.
        num_buckets: B over both sides; even if bidirectional.
        max_distance: D, above the largest distance with a bucket of its own.

    Returns:
        int64, the shape of ``relative_position``, in 0 … num_buckets − 1.

    Raises:
        TypeError: ``relative_position`` is not an integer tensor; counts that are not integers.
        ValueError: too few buckets, an odd number on two sides, or ``max_distance`` too small.

    Example:
        >>> t5_buckets(torch.tensor([-200, -20, -3, 0, 3, 20]))
        tensor([15, 10,  3,  0, 19, 26])

    Source:
        Raffel et al. 2020, section 2.1.
    """
    check_local("relative_position", check_integers("relative_position", relative_position))
    side = _check_buckets(bidirectional, num_buckets, max_distance)
    relative_position = relative_position.long()  # the negative of a narrow integer may wrap around
    edges = torch.tensor(t5_boundaries(side, max_distance), device=relative_position.device)
    behind = torch.bucketize(relative_position.neg().clamp_min(0), edges, right=True)
    if not bidirectional:
        return behind
    ahead = torch.bucketize(relative_position.clamp_min(0), edges, right=True)
    return torch.where(relative_position > 0, ahead + side, behind)


def _check_buckets(bidirectional: bool, num_buckets: int, max_distance: int) -> int:
    """Buckets on one side."""
    check_flag("bidirectional", bidirectional)
    check_int("num_buckets", num_buckets, 4 if bidirectional else 2, MAX_WIDTH)
    if bidirectional and num_buckets % 2:
        raise ValueError(f"num_buckets must be even, half for each side, got {num_buckets}")
    side = num_buckets // 2 if bidirectional else num_buckets
    check_int("max_distance", max_distance, minimum=side // 2 + 1)
    return side


@knows_names
class T5Bias(DistanceBias):
    r""":math:`b_h(m, n) = W_{\mathrm{bucket}(n-m),\,h}`, W learned.

    T5 itself does not scale its scores: pass ``scale=1.0`` to :func:`attention` to reproduce it.
    The parameter ``weight`` is ``[num_buckets, num_heads]``, laid out as ``relative_attention_bias.weight``
    in released checkpoints.

    Args:
        num_heads: H, the number of heads.
        bidirectional, num_buckets, max_distance: see :func:`t5_buckets`.

    Raises:
        TypeError, ValueError: as :func:`t5_buckets`.

    Example:
        >>> T5Bias(num_heads=4).bias(torch.arange(3), torch.arange(5)).shape
        torch.Size([4, 3, 5])

    Source:
        Raffel et al. 2020, section 2.1.
    """

    def __init__(
        self, num_heads: int, bidirectional: bool = True, num_buckets: int = 32, max_distance: int = 128
    ) -> None:
        super().__init__(num_heads)
        _check_buckets(bidirectional, num_buckets, max_distance)
        self.bidirectional, self.num_buckets, self.max_distance = bidirectional, num_buckets, max_distance
        self.weight = nn.Parameter(torch.empty(num_buckets, num_heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.normal_(self.weight, std=0.02)

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        far = self.max_distance
        distances = torch.arange(-far, far + 1, device=device)
        bucket = t5_buckets(distances, self.bidirectional, self.num_buckets, far)
        return bucket, self.weight.to(device=device, dtype=dtype)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        if m.is_floating_point() or n.is_floating_point():
            raise TypeError(f"T5 buckets need integer positions, got {m.dtype} and {n.dtype}")
        bucket, weight = tables
        far = self.max_distance
        return weight[bucket[(n - m).clamp(-far, far) + far], head]

    def extra_repr(self) -> str:
        return (
            f"{super().extra_repr()}, bidirectional={self.bidirectional}, "
            f"num_buckets={self.num_buckets}, max_distance={self.max_distance}"
        )
