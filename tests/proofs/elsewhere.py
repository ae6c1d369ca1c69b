"""Derivations that have nothing to do with positions: fifteen that a reader of papers meets, with slips.

A derivation is a list of rows: what is shown, by which rule, and a wrong right side. ``engine`` says what
``Derivation.prove`` makes of it today: "both" where it proves all rows, "search" where it refuses one, and
the certificate that the search finds is the only proof. That is left for Sherman and Morrison: that 1 + V U
is not 0 is a condition on sequences, of which the author would have to give a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sympy import Abs, Derivative, I, KroneckerDelta, Rational, Sum, exp, log, pi, sqrt

from posenc_lib.proofs import *

i, j, k, l, t = naturals("i j k l t")
d, n, N, A, B, r = counts("d n N A B r")
m = integers("m")
x, y, z, c0, u1, u2, m0, m1, mu1, mu2 = reals("x y z c0 u1 u2 m0 m1 mu1 mu2")
beta, sigma1, sigma2, a, b, c, eps, v1, v2 = positives("beta sigma1 sigma2 a b c eps v1 v2")
g, h, S, K1, K2, X, Y, U, V, score = (
    real_sequence(name) for name in ("g", "h", "S", "K1", "K2", "X", "Y", "U", "V", "score")
)
value, other = complex_sequence("value"), complex_sequence("other")
F, G = complex_function("F"), real_function("G")
delta = KroneckerDelta


@dataclass(frozen=True)
class At:
    """An earlier row or hypothesis with some letters replaced."""

    label: str
    values: dict[Any, Any]


@dataclass(frozen=True)
class Row:
    label: str
    left: Any
    right: Any
    slip: Any
    rule: str = "identity"
    using: tuple[Any, ...] = ()
    over: Any = None
    first: int = 0
    relation: str = "="
    weights: dict[str, Any] = field(default_factory=dict)
    rest: Any = 0
    where: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Elsewhere:
    name: str
    rows: tuple[Row, ...]
    hypotheses: tuple[tuple[str, Any, Any, tuple[Any, ...]], ...] = ()  # label, left, right, for all of these
    model: tuple[tuple[Any, Any], ...] = ()
    constants: tuple[Any, ...] = ()
    engine: str = "both"
    example: tuple[tuple[Any, Any], ...] = ()  # the model for the author's derivation, if it is another


def adam() -> Elsewhere:
    """The mean of gradients by weights beta^(t - i), and why it is divided by 1 - beta^t."""

    def mean(upto, gradient):
        return (1 - beta) * Sum(beta ** (upto - r) * gradient(r), (r, 1, upto))

    constant = mean(n, lambda r: x)
    return Elsewhere(
        "Adam's bias correction",
        (
            Row(
                "eq-step",
                mean(n + 1, lambda r: g[r]),
                beta * mean(n, lambda r: g[r]) + (1 - beta) * g[n + 1],
                beta * mean(n, lambda r: g[r]) + g[n + 1],
            ),
            Row(
                "eq-bias",
                constant,
                (1 - beta**n) * x,
                (1 - beta ** (n + 1)) * x,
                "induction",
                over=n,
                first=1,
            ),
            Row("eq-corrected", constant / (1 - beta**n), x, 2 * x, "follows", ("eq-bias",)),
        ),
    )


def kl() -> Elsewhere:
    """KL(N(mu1, sigma1^2) | N(mu2, sigma2^2)): the log of the ratio is a quadratic, so two moments decide."""
    ratio = log(sigma2 / sigma1) - (x - mu1) ** 2 / (2 * sigma1**2) + (x - mu2) ** 2 / (2 * sigma2**2)
    q0 = log(sigma2 / sigma1) - mu1**2 / (2 * sigma1**2) + mu2**2 / (2 * sigma2**2)
    q1, q2 = mu1 / sigma1**2 - mu2 / sigma2**2, 1 / (2 * sigma2**2) - 1 / (2 * sigma1**2)
    closed = log(sigma2 / sigma1) + (sigma1**2 + (mu1 - mu2) ** 2) / (2 * sigma2**2) - Rational(1, 2)
    return Elsewhere(
        "KL divergence of two Gaussians, as in a VAE",
        (
            Row("eq-quadratic", ratio, q0 + q1 * x + q2 * x**2, q0 - q1 * x + q2 * x**2),
            Row("eq-kl", q0 + q1 * mu1 + q2 * (mu1**2 + sigma1**2), closed, closed + Rational(1, 2)),
        ),
    )


def diffusion() -> Elsewhere:
    """The exponent of q(x | y, z), completed to a square: a^2 = alpha, b^2 = alpha-bar one step before."""
    both = 1 - a**2 * b**2
    mean = (a * (1 - b**2) * y + b * (1 - a**2) * z) / both
    variance = (1 - a**2) * (1 - b**2) / both
    exponent = (y - a * x) ** 2 / (1 - a**2) + (x - b * z) ** 2 / (1 - b**2) - (y - a * b * z) ** 2 / both
    return Elsewhere(
        "mean and variance of the diffusion posterior",
        (Row("eq-posterior", exponent, (x - mean) ** 2 / variance, (x + mean) ** 2 / variance),),
    )


def deltanet() -> Elsewhere:
    """Two steps of the delta rule on one row S of the state, with keys K1 and K2, as two writes."""

    def dot(u, v, index=k):
        return Sum(u(index) * v[index], (index, 0, d - 1))

    def step(state, key, target, rate):
        return lambda at: state(at) - rate * (dot(state, key) - target) * key[at]

    def start(at):
        return S[at]

    w1 = a * (u1 - dot(start, K1))
    w2 = b * (u2 - dot(start, K2) - w1 * dot(lambda at: K1[at], K2))
    twice = step(step(start, K1, u1, a), K2, u2, b)
    return Elsewhere(
        "two steps of DeltaNet as two writes",
        (
            Row("eq-one", step(start, K1, u1, a)(j), S[j] + w1 * K1[j], S[j] - w1 * K1[j]),
            Row("eq-two", twice(j), S[j] + w1 * K1[j] + w2 * K2[j], S[j] + w1 * K1[j] + w2 * K1[j]),
        ),
    )


def dft() -> Elsewhere:
    """The discrete Fourier transform of a shifted periodic sequence; l is the frequency."""

    def transform(shift):
        return Sum(F(j - shift) * exp(-2 * pi * I * l * j / N), (j, 0, N - 1))

    def phase(sign):
        return exp(sign * 2 * pi * I * l * t / N)

    return Elsewhere(
        "shift theorem of the discrete Fourier transform",
        (
            Row(
                "eq-shift",
                transform(t),
                phase(-1) * transform(0),
                phase(1) * transform(0),
                "induction",
                (At("eq-periodic", {m: -1 - t}),),
                over=t,
            ),
        ),
        (("eq-periodic", F(m + N), F(m), (m,)),),
        ((F(m), 1),),
        (N,),
        example=((N, 3), (F(m), exp(2 * pi * I * m / 3) + 2 * exp(4 * pi * I * m / 3) + 5)),
    )


def softmax() -> Elsewhere:
    """The derivative of softmax along U, and its Jacobian: U is 1 at one index."""

    def p(at):
        return exp(X[at] + x * U[at]) / Sum(exp(X[k] + x * U[k]), (k, 0, d - 1))

    def q(at):
        return exp(X[at]) / Sum(exp(X[k]), (k, 0, d - 1))

    along = p(i) * (U[i] - Sum(p(j) * U[j], (j, 0, d - 1)))
    return Elsewhere(
        "Jacobian of softmax",
        (
            Row("eq-along", Derivative(p(i), x), along, p(i) * U[i]),
            Row(
                "eq-jacobian",
                q(i) * (delta(i, l) - Sum(q(j) * delta(j, l), (j, 0, d - 1))),
                q(i) * (delta(i, l) - q(l)),
                q(i) * (1 - q(l)),
                where=(l <= d - 1,),
            ),
        ),
    )


def logsumexp() -> Elsewhere:
    shifted = log(Sum(exp(X[i] - x), (i, 0, d - 1))) + x
    plain = log(Sum(exp(X[i]), (i, 0, d - 1)))
    return Elsewhere("log-sum-exp shifted", (Row("eq-shifted", shifted, plain, plain + x),))


def variance() -> Elsewhere:
    def mean(f, index=j):
        return Sum(f(index), (index, 0, d - 1)) / d

    def covariance(f, h):
        return mean(lambda at: (f(at) - mean(f, k)) * (h(at) - mean(h, k)))

    def xs(at):
        return X[at]

    def ys(at):
        return Y[at]

    def both(at):
        return X[at] + Y[at]

    right = covariance(xs, xs) + covariance(ys, ys)
    return Elsewhere(
        "variance of a sum",
        (
            Row("eq-variance", covariance(both, both), right + 2 * covariance(xs, ys), right),
            Row("eq-moments", covariance(xs, xs), mean(lambda at: X[at] ** 2) - mean(xs) ** 2, mean(xs) ** 2),
        ),
    )


def welford() -> Elsewhere:
    def mean(upto, index=k):
        return Sum(X[index], (index, 1, upto)) / upto

    def spread(upto):
        return Sum((X[j] - mean(upto)) ** 2, (j, 1, upto))

    new = X[n + 1]
    return Elsewhere(
        "Welford's update of mean and variance",
        (
            Row("eq-mean", mean(n + 1), mean(n) + (new - mean(n)) / (n + 1), mean(n) + (new - mean(n)) / n),
            Row(
                "eq-spread",
                spread(n + 1),
                spread(n) + (new - mean(n)) * (new - mean(n + 1)),
                spread(n) + (new - mean(n)) ** 2,
            ),
        ),
    )


def sherman_morrison() -> Elsewhere:
    """(I + U V^T)(I - U V^T / (1 + V U)) = I, entry by entry, for vectors of any length."""
    dot = Sum(U[k] * V[k], (k, 0, d - 1))

    def product(sign):
        return Sum(
            (delta(i, j) + U[i] * V[j]) * (delta(j, l) - U[j] * V[l] / (1 + sign * dot)), (j, 0, d - 1)
        )

    return Elsewhere(
        "Sherman and Morrison's inverse",
        (
            Row(
                "eq-inverse",
                product(1),
                delta(i, l),
                delta(i, l) + U[i] * V[l],
                where=(i <= d - 1, l <= d - 1),
            ),
        ),
        model=((U[j], 0),),
        engine="search",
    )


def layer_norm() -> Elsewhere:
    def normed(scale):
        mean = Sum(scale * X[k], (k, 0, d - 1)) / d
        spread = sqrt(Sum((scale * X[j] - mean) ** 2, (j, 0, d - 1)) / d)
        return (scale * X[i] - mean) / spread

    return Elsewhere(
        "layer norm does not see the scale",
        (Row("eq-scale", normed(c), normed(1), c * normed(1)),),
    )


def cosine() -> Elsewhere:
    """The square of the cosine similarity with eps in its denominator, as it is implemented."""
    dot = Abs(Sum(value[i] * other[i], (i, 0, d - 1)))
    squares = Sum(Abs(value[j]) ** 2, (j, 0, d - 1)) * Sum(Abs(other[k]) ** 2, (k, 0, d - 1))
    return Elsewhere(
        "cosine similarity is at most 1",
        (
            Row("eq-cs", dot**2, squares, squares / 2, "cauchy_schwarz", relation="<="),
            Row(
                "eq-cosine",
                dot**2 / (squares + eps),
                1,
                Rational(1, 2),
                "adding",
                relation="<=",
                weights={"eq-cs": 1 / (squares + eps)},
                rest=eps / (squares + eps),
            ),
        ),
    )


def momentum() -> Elsewhere:
    """v(t + 1) = beta v(t) + g(t + 1) from v(0) = 0 is a geometric average."""
    average = Sum(beta ** (t - r) * g[r], (r, 1, t))
    return Elsewhere(
        "momentum is a geometric average",
        (
            Row(
                "eq-average",
                G(t),
                average,
                beta * average,
                "induction",
                ("eq-start", At("eq-step", {})),
                over=t,
            ),
        ),
        (("eq-start", G(0), 0, ()), ("eq-step", G(t + 1), beta * G(t) + g[t + 1], (t,))),
        ((G(t), 0), (g[j], 0)),
        (beta,),
        example=((beta, Rational(1, 2)), (g[j], j), (G(t), 2 * (t - 1) + 2 ** (1 - t))),
    )


def xavier() -> Elsewhere:
    """The variance of sum w_i x_i, where the mean of w_i w_j is delta_ij v1, and that of x_i^2 is v2."""
    pairs = Sum(Sum(delta(i, j) * v1 * v2, (j, 0, d - 1)), (i, 0, d - 1))
    return Elsewhere(
        "Xavier's variance",
        (Row("eq-fan", pairs, d * v1 * v2, d**2 * v1 * v2), Row("eq-unit", d * (1 / d) * v2, v2, d * v2)),
    )


def online_softmax() -> Elsewhere:
    """Attention over two blocks, each with its own maximum subtracted, merged by a common one."""

    def total(first, last, shift, f=lambda at: 1):
        return Sum(exp(score[j] - shift) * f(j), (j, first, last))

    def values(at):
        return value[at]

    blocks = [(0, A - 1, m0), (A, A + B - 1, m1)]
    sums = [total(*block) for block in blocks]
    outputs = [total(*block, values) / total(*block) for block in blocks]
    scales = [exp(m0 - c0), exp(m1 - c0)]
    merged = sum(e * s * o for e, s, o in zip(scales, sums, outputs, strict=True))
    size = sum(e * s for e, s in zip(scales, sums, strict=True))
    whole = total(0, A + B - 1, 0, values) / total(0, A + B - 1, 0)
    return Elsewhere(
        "two blocks of attention merged",
        (Row("eq-merged", merged / size, whole, (outputs[0] + outputs[1]) / 2),),
    )


MAKERS: list[Callable[[], Elsewhere]] = [
    *(adam, kl, diffusion, deltanet, dft, softmax, logsumexp, variance, welford, sherman_morrison),
    *(layer_norm, cosine, momentum, xavier, online_softmax),
]
ELSEWHERE = [make() for make in MAKERS]
