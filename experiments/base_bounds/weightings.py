"""Which weightings save a base? ``python -m experiments.base_bounds weightings``.

A trained head need not weigh its planes alike. For the released configurations whose sum of cosines is
negative within their context: how nearly alike may the planes weigh, if the weighted sum is to be nowhere
negative?

With N planes and L positions this is a linear programme:

    the greatest total of w, 0 ≤ wᵢ ≤ 1, with Σ wᵢ cos mθᵢ ≥ 0 at all distances m < L.

What is missing to N has to be *taken away* from the planes; and N over the total is the least number of
times the mean that the heaviest plane of any weighting must weigh. (Without a cap there is nothing to find:
the planes that make at most a quarter turn in L are enough by themselves.) Multipliers μ_m ≥ 0 at a few
distances bound the total from above: if w serves all distances, then Σ wᵢ ≤ Σ wᵢ (1 + Σ_m μ_m cos mθᵢ) ≤ Σᵢ
max(0, 1 + Σ_m μ_m cos mθᵢ). Weights and multipliers are found in float64 by the simplex method; balls then
certify both, for every frequency within a relative 10⁻¹⁴ of the library's.

Written before the first run, when of the eight configurations only the sums with equal weights had been
seen. Let v be the depth of the most negative one: at least v has to be taken away, since a plane gives a
sum at most what it weighs.

1. What is taken away is at most 1.5 v in each of the eight. So each keeps at least three quarters of its
   weight, and no plane has to weigh more than 4/3 of the mean.
2. It is taken from the planes that begin to turn back: at least three quarters of it from those that make
   between a quarter turn and a whole one in the context; for Llama 2, where v is nearly as large as their
   number, at least half. Nothing is taken from slower planes, which give a sum more the more they weigh.
3. The multipliers stand at eight distances or fewer, none of them nearer than 0.9 of the first failure.
4. The same weights on other planes do not do: of 1000 permutations none saves, in any of the eight, and
   neither does it to take from the fastest planes or from the slowest.
5. Base 10 000 at greater lengths: at 16 384 less than a quarter of all weight is left; at 24 576, nine
   tenths of the half turn that the slowest plane makes, some weighting still saves, with less than 4
   planes' weight; at 28 672 none does, which is a theorem: Σ_m sin(πm/M) cos mθ ≤ 0 over m < M for all
   frequencies from π/M to π.

Refuted as written if it fails in one configuration, and then the page says so.
"""

import math
from typing import Any

import torch
from flint import arb
from torch import Generator, Tensor

from experiments.stored import rounded
from posenc_book.figures.models import RELEASED, first_failure
from posenc_lib import RotarySpec

from .certificate import at_80_bits, sums

MARGIN = 1e-6  # what the sums keep above zero, as a share of the total: rounding has to fit into it
PLACES = 9  # decimals of a stored weight or multiplier
SPREAD = 1e-14  # of the frequencies, relatively
ZERO = 1e-10  # smaller numbers of the simplex method count as none
TRIES, SEED = 1000, 0  # permutations
FARTHER = (8192, 16_384, 20_480, 24_576, 28_672)  # base 10 000; the slowest plane's half turn is at 27 205
OTHERS = {
    "Llama 1": (2048, RotarySpec(128)),
    "Llama 2": (4096, RotarySpec(128)),
    "Qwen2.5": (32_768, RotarySpec(128, 1e6)),
    "Qwen2.5, YaRN": (131_072, RotarySpec(128, 1e6, scaling="yarn", params={
        "factor": 4.0, "original_max_position_embeddings": 32_768})),
}  # fmt: skip


def failing() -> dict[str, tuple[int, RotarySpec]]:
    """Name, context and frequencies of the released configurations that the pages 49 and 61 found to fail."""
    return OTHERS | {model.name: (model.context, model.spec) for model in RELEASED if first_failure(model)}


class Sums:
    """Σ wᵢ cos mθᵢ at all distances, for many weightings of the same frequencies."""

    def __init__(self, theta: Tensor, length: int) -> None:
        side = math.isqrt(length - 1) + 1
        near = torch.arange(side)[:, None] * theta
        far = torch.arange(0, length, side)[:, None] * theta
        self.left, self.right = torch.cat((far.cos(), -far.sin()), 1), torch.cat((near.cos(), near.sin()), 1)
        self.length = length

    def __call__(self, weights: Tensor) -> Tensor:
        return ((self.left * weights.repeat(2)) @ self.right.T).flatten()[: self.length]


def heaviest(theta: Tensor, length: int) -> tuple[Tensor, dict[int, float]]:
    """The weights with the greatest total, and the multipliers by distance, in float64.

    The simplex method on the dual: minimise Σ uᵢ with uᵢ − Σ_m μ_m cos mθᵢ ≥ 1 and u, μ ≥ 0. Its prices are
    the weights. A distance enters where the weighted sum is most negative, uᵢ where a weight is above 1,
    the slack of row i where it is below 0.
    """
    planes, at = len(theta), Sums(theta, length)
    unit = torch.eye(planes, dtype=torch.float64)
    one = unit.sum(0)
    basis, cost, distances = unit.clone(), one.clone(), [0] * planes
    while True:
        weights = torch.linalg.solve(basis.T, cost)
        reduced = torch.cat((at(weights) - MARGIN * weights.sum(), 1 - weights, weights))
        best = int(reduced.argmin())
        values = torch.linalg.solve(basis, one)
        if reduced[best] > -ZERO:
            return weights, {m: x for m, x in zip(distances, values.tolist(), strict=True) if m and x > 0}
        kind, plane = divmod(best - length, planes)
        new = (unit[plane], -unit[plane])[kind] if kind >= 0 else MARGIN - (best * theta).cos()
        step = torch.linalg.solve(basis, new)
        leaves = int(torch.where(step > ZERO, values / step, math.inf).argmin())
        basis[:, leaves], cost[leaves], distances[leaves] = new, float(kind == 0), best if kind < 0 else 0


def balls(theta: Tensor) -> list[arb]:
    """All frequencies near the given ones."""
    return [arb(t, SPREAD * t) for t in theta.tolist()]


def saves(theta: Tensor, weights: list[float], length: int) -> bool:
    """Whether weights from 0 to 1 certainly serve all distances below length."""
    return all(0 <= w <= 1 for w in weights) and all(ball > 0 for ball in sums(balls(theta), weights, length))


@at_80_bits
def at_most(theta: Tensor, distances: list[int], multipliers: list[float]) -> float:
    """No weights from 0 to 1 that serve these distances have a greater total than this."""
    if min(multipliers) < 0:
        raise ValueError(f"multipliers must not be negative, got {multipliers}")
    priced = list(zip(distances, multipliers, strict=True))
    shares = (1 + sum((mu * (m * t).cos() for m, mu in priced), arb(0)) for t in balls(theta))
    total = sum((share.max(0) for share in shares), arb(0)).upper()
    return math.nextafter(float(total), math.inf)


def row(length: int, spec: RotarySpec) -> dict[str, Any]:
    """One configuration: what was found, certified from both sides."""
    theta = spec.inv_freq()
    found, prices = heaviest(theta, length)
    weights = [min(1.0, max(0.0, round(w, PLACES))) for w in found.tolist()]
    distances = sorted(prices)
    multipliers = [round(prices[m], PLACES) for m in distances]
    if sum(weights) and not saves(theta, weights, length):
        raise ArithmeticError(f"not certified: weights for L = {length} of {spec}")
    equal = Sums(theta, length)(torch.ones_like(theta))
    return {
        "length": length,
        "turns": rounded((theta * length / (2 * math.pi)).tolist()),
        "first failure": int((equal < 0).nonzero()[0]),
        "deepest": -float(equal.min()),
        "weights": weights,
        "total": math.fsum(weights),
        "at most": at_most(theta, distances, multipliers),
        "distances": distances,
        "multipliers": multipliers,
    }


def permuted(length: int, spec: RotarySpec, weights: list[float]) -> dict[str, int | bool]:
    """Whether the same weights save on other planes: how many random orders do, and the two sorted ones."""
    at, kept = Sums(spec.inv_freq(), length), torch.tensor(weights, dtype=torch.float64)
    draw = Generator().manual_seed(SEED)
    orders = (kept[torch.randperm(len(kept), generator=draw)] for _ in range(TRIES))
    rising = kept.sort().values

    def serves(order: Tensor) -> bool:
        return bool(at(order).min() >= 0)

    return {
        "permutations that save": sum(map(serves, orders)),
        "from the fastest": serves(rising),
        "from the slowest": serves(rising.flip(0)),
    }


def table() -> dict[str, Any]:
    """Every configuration, and base 10 000 at greater lengths."""
    found = {name: row(*setting) for name, setting in failing().items()}
    null = {name: permuted(*setting, found[name]["weights"]) for name, setting in failing().items()}
    farther = [row(length, RotarySpec(128)) for length in FARTHER]
    return {
        "margin": MARGIN,
        "spread": SPREAD,
        "tries": TRIES,
        "rows": found,
        "permuted": null,
        "farther": farther,
    }
