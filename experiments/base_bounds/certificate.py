"""The two halves of a row, in ball arithmetic: no base below is feasible, and a base just above is."""

import math
from itertools import pairwise

from flint import arb, arb_mat, ctx

at_80_bits = ctx.workprec(80)  # within each function: the precision of others is not ours to change


@at_80_bits
def negative_on(low: float, high: float, distance: int, planes: int) -> bool:
    """Whether Σ cos(m e^(−ui/n)) is certainly negative for every u in [low, high].

    >>> negative_on(1.1, 1.7, 5, 64), negative_on(1.1, 2.7, 5, 64)
    (True, False)
    """
    u = arb(low).union(arb(high))
    return bool(sum(((distance * (-u * i / planes).exp()).cos() for i in range(planes)), arb(0)) < 0)


def infeasible(edges: list[float], distances: list[int], planes: int) -> bool:
    """Whether each cell between neighbouring edges is excluded by its distance."""
    cells = zip(edges, edges[1:], distances, strict=False)
    return len(edges) == len(distances) + 1 and all(negative_on(*cell, planes) for cell in cells)


@at_80_bits
def ladder(u: float, planes: int) -> list[arb]:
    """Balls around the frequencies e^(−ui/n)."""
    return [(-arb(u) * i / planes).exp() for i in range(planes)]


@at_80_bits
def sums(theta: list[arb], weights: list[float], length: int) -> list[arb]:
    """Balls around Σ wᵢ cos mθᵢ for m = 0 … length − 1, by one product of matrices."""
    side = math.isqrt(length - 1) + 1
    near = [[a * t for t in theta] for a in range(side)]
    far = [[a * t for t in theta] for a in range(0, length, side)]
    left = arb_mat([[x.cos() for x in row] + [-x.sin() for x in row] for row in far])
    turned = ([*zip(row, weights, strict=True)] for row in near)
    right = arb_mat([[w * x.cos() for x, w in row] + [w * x.sin() for x, w in row] for row in turned])
    return list((left * right.transpose()).entries()[:length])


@at_80_bits
def feasible_on(low: float, high: float, length: int, planes: int) -> bool:
    """Whether all distances below length have a certainly positive sum for every u in [low, high].

    By the mean-value theorem, with the slope m Σ sᵢ e^(−usᵢ), sᵢ = i/n, at the left end of the cell.

    >>> feasible_on(math.log(4294), math.log(4294), 1024, 64), feasible_on(8.364, 8.365, 1024, 64)
    (True, False)
    """
    middle = (low + high) / 2
    half = max(high - middle, middle - low)  # exact: the three are within a factor of two
    left = arb(middle) - half
    slope = sum(((-left * i / planes).exp() * i / planes for i in range(planes)), arb(0)) * half
    return all(
        value > m * slope for m, value in enumerate(sums(ladder(middle, planes), [1] * planes, length))
    )


def feasible(edges: list[float], length: int, planes: int) -> bool:
    """Whether every cell between neighbouring edges, which fall, is feasible."""
    return all(feasible_on(low, high, length, planes) for high, low in pairwise(edges))
