"""The bias of T5: one learned number for each head and each bucket of distances."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from posenc_lib._aliases import knows_names
from posenc_lib._checks import check_flag, check_int, check_integers, check_local
from posenc_lib.bias.distance import DistanceBias

_MOST_BUCKETS, _FARTHEST = 2**16, 2**32
_LARGEST_TABLE = 2**24  # of a module, which keeps the bucket of every distance up to D while it is evaluated
# Relative, of e·(D/e)^(j/N) in doubles: with D/e up to 2³² a rounded exponent counts 23 times, 3e-15 in all.
_ERROR = 1e-14


def t5_boundaries(num_buckets: int, max_distance: int) -> list[int]:
    r"""The smallest distance of buckets 1, 2, …, S−1 on one side, exactly.

    The first :math:`e = \lfloor S/2\rfloor` buckets hold one distance each; after them bucket e + j begins at
    the smallest n with :math:`\lfloor N\ln(n/e)/\ln(D/e)\rfloor \ge j`, :math:`N = S - e`, which is
    :math:`n^N e^j \ge D^j e^N` without any logarithm to round.
    """
    exact = num_buckets // 2
    rest = num_buckets - exact
    return [*range(1, exact + 1), *(_first(j, rest, exact, max_distance) for j in range(1, rest))]


def _first(j: int, rest: int, exact: int, far: int) -> int:
    """The smallest n with n^rest ≥ far^j exact^(rest − j): by doubles, by integers where those may err."""
    about = exact * (far / exact) ** (j / rest)
    low, high = math.ceil(about * (1 - _ERROR)), math.ceil(about * (1 + _ERROR))
    if low < high:
        common = math.gcd(j, rest)
        j, rest = j // common, rest // common
        bound = far**j * exact ** (rest - j)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if middle**rest >= bound else (middle + 1, high)
    return low


def t5_buckets(
    relative_position: Tensor, bidirectional: bool = True, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    r"""Bucket of each relative position, key − query.

    On a side with S buckets the distances n below :math:`e = \lfloor S/2\rfloor` have one each, larger ones
    share logarithmically wider buckets :math:`e + \lfloor (S-e)\,\ln(n/e)/\ln(D/e)\rfloor`, and everything
    from D on shares the last. Bidirectional: half of the buckets for keys at or before the query, half for
    keys after it. Otherwise all are for the former, and all keys after the query fall into bucket 0.

    Args:
        relative_position: integers of any shape, key − query.
        bidirectional: True in encoders, False in causal decoders.
        num_buckets: S, or 2S if bidirectional; at most 2¹⁶.
        max_distance: D, at least e + 1 and at most 2³².

    Returns:
        int64, the shape of ``relative_position``, in 0 … num_buckets − 1.

    Raises:
        TypeError: ``relative_position`` is not an integer tensor; counts that are not integers.
        ValueError: too few or too many buckets, an odd number on two sides, or ``max_distance`` too small or
            too large.

    Example:
        >>> t5_buckets(torch.tensor([-200, -20, -3, 0, 3, 20]))
        tensor([15, 10,  3,  0, 19, 26])

    Source:
        Raffel et al. 2020, section 2.1.
    """
    check_local("relative_position", check_integers("relative_position", relative_position))
    side = _check_buckets(bidirectional, num_buckets, max_distance)
    # as int64 and clamped, because the negative of the least integer of a type is no number of it
    relative_position = relative_position.long().clamp(-max_distance, max_distance)
    edges = torch.tensor(t5_boundaries(side, max_distance), device=relative_position.device)
    behind = torch.bucketize(relative_position.neg().clamp_min(0), edges, right=True)
    if not bidirectional:
        return behind
    ahead = torch.bucketize(relative_position.clamp_min(0), edges, right=True)
    return torch.where(relative_position > 0, ahead + side, behind)


def _check_buckets(
    bidirectional: bool, num_buckets: int, max_distance: int, farthest: int = _FARTHEST
) -> int:
    """Buckets on one side."""
    check_flag("bidirectional", bidirectional)
    check_int("num_buckets", num_buckets, 4 if bidirectional else 2, _MOST_BUCKETS)
    if bidirectional and num_buckets % 2:
        raise ValueError(f"num_buckets must be even, half for each side, got {num_buckets}")
    side = num_buckets // 2 if bidirectional else num_buckets
    check_int("max_distance", max_distance, side // 2 + 1, farthest)
    return side


@knows_names
class T5Bias(DistanceBias):
    r""":math:`b_h(m, n) = W_{\mathrm{bucket}(n-m),\,h}`, W learned.

    T5 itself does not scale its scores: pass ``scale=1.0`` to :func:`attention` to reproduce it.
    The parameter ``weight`` is ``[num_buckets, num_heads]``, laid out as ``relative_attention_bias.weight``
    in released checkpoints.

    Args:
        num_heads: H, the number of heads.
        bidirectional, num_buckets, max_distance: see :func:`t5_buckets`; here D is at most 2²⁴.

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
        _check_buckets(bidirectional, num_buckets, max_distance, _LARGEST_TABLE)
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
