"""Named inequalities: each is shown by its rule, in its own form and nowhere else."""

import pytest
from attempts import outcome, proved, refused
from sympy import (
    Abs,
    Ci,
    EulerGamma,
    I,
    Integral,
    Rational,
    Si,
    Sum,
    conjugate,
    cos,
    exp,
    expand,
    log,
    pi,
    prod,
    sin,
)

from posenc_lib.proofs import *
from posenc_lib.proofs.rules.bounds import Bound

n = integers("n")
N, i, j, k = naturals("N i j k")
COUNT, d = counts("n d")
a, b, s, t, x, y = reals("a b s t x y")
factor, one, two = positives("q one two")
z = complexes("z")
theta = real_sequence("theta")
S, h = complex_sequence("S"), complex_sequence("h")


def bound(length):
    jump = Abs(h[i + 1] - h[i])
    return (
        Abs(Sum(S[i + 1] * (h[i + 1] - h[i]), (i, 0, length - 1))),
        Sum(Abs(S[i + 1]) * jump, (i, 0, length - 1)),
        MaxOver(jump, (i, 0, length - 1)) * Sum(Abs(S[i + 1]), (i, 0, length - 1)),
    )


SAID = {
    triangle: (r"|a + b + \dots| \le |a| + |b| + \dots", Abs(a + b + s), Abs(a) + Abs(b) + Abs(s)),
    maximum: (
        r"\sum_i a_i b_i \le \left(\max_i b_i\right) \sum_i a_i",
        Sum(Abs(h[i]) * theta[i], (i, 0, N)),
        MaxOver(theta[i], (i, 0, N)) * Sum(Abs(h[i]), (i, 0, N)),
    ),
    cauchy_schwarz: (
        r"\left|\sum_i a_i b_i\right|^2 \le \sum_i |a_i|^2 \sum_i |b_i|^2",
        Abs(Sum(S[i] * h[i], (i, 0, N))) ** 2,
        Sum(Abs(S[i]) ** 2, (i, 0, N)) * Sum(Abs(h[i]) ** 2, (i, 0, N)),
    ),
    exponential_tangent: (r"1 + x \le e^x", 1 + x, exp(x)),
    sine_chord: (r"|\sin x| \le |x|", Abs(sin(x)), Abs(x)),
    trigonometric_integrals: (
        r"\left|\mathrm{Ci}(x) + i\left(\mathrm{Si}(x) - \tfrac\pi2\right)\right| \le \tfrac2x",
        Abs(Ci(factor) + I * (Si(factor) - pi / 2)),
        2 / factor,
    ),
    one_term: (r"a_k \le \sum_i a_i", Abs(h[k]), Sum(Abs(h[i]), (i, 0, N))),
}
MORE = [
    (trigonometric_integrals, r"\left|\mathrm{Ci}(x) + i\,\mathrm{Si}(x) - \ln x - \gamma\right| \le x",
     Abs(Ci(factor) + I * Si(factor) - log(factor) - EulerGamma), factor),
    (triangle, r"\left|\sum_i a_i\right| \le \sum_i |a_i|",
     Abs(Sum(h[i], (i, 0, N))), Sum(Abs(h[i]), (i, 0, N))),
    (triangle, r"\left|\int_a^b f\right| \le \int_a^b |f|",
     Abs(Integral(sin(t) * cos(3 * t), (t, 0, 2))), Integral(Abs(sin(t) * cos(3 * t)), (t, 0, 2))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "formula", "left", "right"), [*((rule, *said) for rule, said in SAID.items()), *MORE]
)
def test_each_rule_says_the_inequality_that_it_shows(rule, formula, left, right):
    assert f":math:`{formula}`" in " ".join(rule.__doc__.split())
    where = [k <= N] if rule is one_term else []
    result = Derivation("said").prove("eq-x", left, le(right, "as its description says", rule), where=where)
    assert result.verdict.status == "proved" and result.verdict.method == rule.method()


def test_all_named_inequalities_are_described_and_none_as_another():
    import posenc_lib.proofs as proofs

    named = [v for v in (getattr(proofs, name) for name in proofs.__all__) if isinstance(v, Bound)]
    assert set(named) == set(SAID) and len({rule.__doc__ for rule in named}) == len(named) == 7


def test_triangle_and_maximum():
    left, middle, right = bound(counts("n"))
    D = Derivation("bound")
    result = D.prove(
        "eq-37", left, le(middle, "triangle inequality", triangle), le(right, "maximum", maximum)
    )
    assert result.statement().relation == "<="
    assert result.wrong_versions.refuted >= 6


@pytest.mark.parametrize("factor", [Rational(1, 2), Rational(99, 100)])
def test_a_bound_a_little_too_tight_is_refused(factor):
    left, middle, _ = bound(N)
    with pytest.raises(ProofError):
        Derivation("bound").prove("eq-x", left, le(factor * middle, "too tight", triangle))


def test_the_maximum_needs_a_range_that_is_not_empty():
    _, middle, right = bound(N)
    with pytest.raises(ProofError, match="may be empty"):
        Derivation("bound").prove("eq-x", middle, le(right, "N may be 0", maximum))


def test_the_maximum_needs_non_negative_factors():
    n = counts("n")
    left = Sum(theta[i] * Abs(h[i]), (i, 0, n - 1))
    right = MaxOver(theta[i], (i, 0, n - 1)) * Sum(Abs(h[i]), (i, 0, n - 1))
    assert proved(maximum, left, "<=", right), "it holds for negative theta, too"
    minus = MaxOver(-theta[i], (i, 0, n - 1)) * Sum(-Abs(h[i]), (i, 0, n - 1))
    with pytest.raises(ProofError):  # and turns round where the sum is negative
        Derivation("bound").prove("eq-x", left, le(minus, "moduli are not negative", maximum))


SQUARE = le(Sum(theta[i] ** 2, (i, 0, d - 1)), "one of the squares", one_term)


def test_one_term_carries_the_range_of_its_place():
    result = Derivation("one").prove("eq-one", theta[j] ** 2, SQUARE, where=(j < d,))
    assert result.scope == "for all d ∈ ℕ₊, j ∈ ℕ and every real sequence θ, with j < d"


@pytest.mark.parametrize("where", [(), (j <= d,), (j >= d,), (j < d + 1,), (i < d,)])
def test_one_term_of_a_sum_needs_a_place_in_the_range(where):
    with pytest.raises(ProofError):
        Derivation("one").prove("eq-one", theta[j] ** 2, SQUARE, where=where)


def test_one_term_needs_both_ends():
    assert Derivation("one").prove("eq-one", theta[n] ** 2, SQUARE, where=(n < d, n >= 0)).verdict
    with pytest.raises(ProofError):
        Derivation("one").prove("eq-one", theta[n] ** 2, SQUARE, where=(n < d,))


def test_cauchy_schwarz():
    left = Abs(Sum(h[i] * S[i], (i, 0, N - 1))) ** 2
    right = Sum(Abs(h[i]) ** 2, (i, 0, N - 1)) * Sum(Abs(S[i]) ** 2, (i, 0, N - 1))
    assert Derivation("cs").prove("eq-cs", left, le(right, "Cauchy–Schwarz", cauchy_schwarz)).verdict


TOTAL, SQUARES = Sum(h[i] * S[i], (i, 0, N)), (Sum(Abs(h[i]) ** 2, (i, 0, N)), Sum(Abs(S[i]) ** 2, (i, 0, N)))


def taken_out(below, of_max, of_sum, above=COUNT):
    """Σ θᵢ²|hᵢ| ≤ max θᵢ² · Σ |hᵢ| with three ranges, each given by its first index and the same length."""
    ranges = [(first, first + above - 1) for first in (below, of_max, of_sum)]
    left = Sum(theta[i] ** 2 * Abs(h[i]), (i, *ranges[0]))
    return left, MaxOver(theta[i] ** 2, (i, *ranges[1])) * Sum(Abs(h[i]), (i, *ranges[2]))


def weighted(weight, end=1):
    """|∫ w(t) cos(xt) dt| ≤ ∫ w(t) |cos(xt)| dt."""
    return Abs(Integral(weight * cos(x * t), (t, 0, 1))), Integral(weight * Abs(cos(x * t)), (t, 0, end))


TRUE_BY_RULE = {
    "two factors in front": (
        triangle, one * two * Abs(Sum(h[i], (i, 0, N))), one * two * Sum(Abs(h[i]), (i, 0, N)),
    ),
    "a range that starts at 1": (maximum, *taken_out(1, 1, 1)),
    "a weight that is positive everywhere": (triangle, *weighted(exp(t))),
    "an affine weight, zero at one end": (triangle, *weighted(1 - t)),
    "a weight and a factor in front": (triangle, *(one * side for side in weighted(1 - t))),
    "another letter under the integral": (triangle, weighted(t)[0], Integral(a * Abs(cos(x * a)), (a, 0, 1))),
    "two differences, multiplied out": (
        triangle, Abs(2*h[i] - h[j] - z), 2*Abs(h[i] - h[j]) + Abs(h[j] - z),
    ),
    "a real part": (triangle, Abs(z + conjugate(z)), Abs(z) + Abs(conjugate(z))),
    "weights, and three groups": (
        triangle,
        Abs(expand(one*(h[i] - h[j]) - two*(h[j] - z) + z)),
        one*Abs(h[i] - h[j]) + two*Abs(h[j] - z) + Abs(z),
    ),
    "how Ci and Si end": (trigonometric_integrals, Modulus(Ci(one) + I*(Si(one) - pi/2)), 2/one),
    "how Ci and Si begin": (
        trigonometric_integrals, Modulus(Ci(one*two) + I*Si(one*two) - log(one*two) - EulerGamma), one*two,
    ),
    "groups turned by a right angle": (
        triangle, Abs(I*h[i] - I*h[j] + I*z), Abs(h[i] - h[j]) + Abs(z),
    ),
    "a chord": (sine_chord, Abs(sin(x + y)), Abs(x + y)),
    "one modulus of many": (one_term, Abs(h[j]), Sum(Abs(h[i]), (i, 0, j + k))),
    "one square, multiplied out in the kernel": (
        one_term, (theta[j] - theta[0])**2, Sum((theta[i] - theta[0])**2, (i, 0, j + k)),
    ),
    "a number as the place, and a factor": (
        one_term, 2*Abs(h[1]), 2*Sum(Abs(h[i]), (i, 0, COUNT)),
    ),
    "a place inside a term that is a sum": (
        one_term,
        Sum(Abs(h[k])*sin(x*(j - k))**2, (k, 0, N)),
        Sum(Abs(h[k])*sin(x*(i - k))**2, (k, 0, N), (i, 0, j)),
    ),
    "another letter for an index": (
        cauchy_schwarz, Abs(TOTAL) ** 2, SQUARES[0].xreplace({i: j}) * SQUARES[1],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "left", "right"), TRUE_BY_RULE.values(), ids=TRUE_BY_RULE)
def test_a_named_inequality_is_shown_by_its_rule(rule, left, right):
    verdict = proved(rule, left, "<=", right)
    assert verdict.method == f"bound ({rule.name})"
    assert verdict.scope.startswith("for all n ∈ ℕ₊" if rule is maximum else "for all")
    assert ("every complex sequence" in verdict.scope) == right.has(h)


NOT_BY_RULE = {
    "a term of unknown sign": (one_term, theta[j], Sum(theta[i], (i, 0, j + k))),
    "the others may be negative": (one_term, Abs(h[j]), Sum(Abs(h[i]) - Abs(S[i]), (i, 0, j + k))),
    "a term behind the range": (one_term, Abs(h[j + 1]), Sum(Abs(h[i]), (i, 0, j))),
    "a term before the range": (one_term, Abs(h[j]), Sum(Abs(h[i]), (i, j + 1, j + k + 1))),
    "a range that may be empty, and its first term": (one_term, Abs(h[0]), Sum(Abs(h[i]), (i, 0, N - 1))),
    "a cube for a square": (one_term, theta[j]**3, Sum(theta[i]**3, (i, 0, j + k))),
    "a term twice": (one_term, 2*Abs(h[j]), Sum(Abs(h[i]), (i, 0, j + k))),
    "two terms": (one_term, Abs(h[0]) + Abs(h[j]), Sum(Abs(h[i]), (i, 0, j + k))),
    "a term of another sum": (one_term, Abs(S[j]), Sum(Abs(h[i]), (i, 0, j + k))),
    "an integral for the sum": (one_term, cos(x)**2, Integral(cos(t)**2, (t, 0, x))),
    "the sum below its term": (one_term, Sum(Abs(h[i]), (i, 0, j + k)), Abs(h[j])),
    "a factor of unknown sign": (triangle, x * Abs(Sum(h[i], (i, 0, N))), x * Sum(Abs(h[i]), (i, 0, N))),
    "a weight negative in the middle": (triangle, *weighted(16 * t**2 - 16 * t + 3)),
    "a weight negative at one end": (triangle, *weighted(1 - 2 * t)),
    "half of the interval": (triangle, weighted(t)[0], weighted(t, Rational(1, 2))[1]),
    "no integral on the right": (triangle, weighted(t)[0], one),
    "another function under the integral": (triangle, weighted(t)[0], weighted(t**2)[1]),
    "half of a difference": (triangle, Abs(2*h[i] - h[j] - z), Abs(h[i] - h[j]) + Abs(h[j] - z)),
    "a sum for a difference": (triangle, Abs(2*h[i] - h[j] - z), 2*Abs(h[i] - h[j]) + Abs(h[j] + z)),
    "groups of unknown weight": (triangle, Abs(x*h[i] - x*h[j] + z), x*Abs(h[i] - h[j]) + Abs(z)),
    "one group taken away": (triangle, Abs(h[i] - h[j] + z), Abs(h[i] - h[j]) - Abs(z)),
    "Ci and Si nearer to their end": (
        trigonometric_integrals, Modulus(Ci(one) + I*(Si(one) - pi/2)), 1/(2*one),
    ),
    "Si alone at another end": (trigonometric_integrals, Modulus(Si(one) - pi), 2/one),
    "Ci and Si at a number of any sign": (trigonometric_integrals, Modulus(Ci(x) + I*(Si(x) - pi/2)), 2/x),
    "Ci and Si with another beginning": (
        trigonometric_integrals, Modulus(Ci(one) + I*Si(one) - log(one)), one,
    ),
    "a cosine for a sine": (sine_chord, Abs(cos(x)), Abs(x)),
    "a complex chord": (sine_chord, Abs(sin(z)), Abs(z)),
    "a chord without modulus": (sine_chord, sin(x), Abs(x)),
    "an integral backwards": (
        triangle, Abs(Integral(cos(x * t), (t, 2, 1))), Integral(Abs(cos(x * t)), (t, 2, 1)),
    ),
    "a sum over two indices": (
        maximum,
        Sum(theta[i] ** 2 * Abs(h[i]), (i, 0, COUNT - 1), (j, 0, 5)),
        taken_out(0, 0, 0)[1],
    ),
    "a maximum over another range": (maximum, *taken_out(0, 1, 0)),
    "a sum over another range": (maximum, *taken_out(0, 0, 1)),
    "a maximum over fewer": (maximum, taken_out(0, 0, 0, COUNT + 1)[0], taken_out(0, 0, 0)[1]),
    "a range that may be empty": (maximum, *taken_out(1, 1, 1, N)),
    "no sum on the left": (maximum, Abs(h[0]), taken_out(0, 0, 0)[1]),
    "no maximum": (maximum, taken_out(0, 0, 0)[0], Sum(Abs(h[i]), (i, 0, COUNT - 1))),
    "summands of another product": (
        cauchy_schwarz, Abs(TOTAL) ** 2, Sum(Abs(h[i]), (i, 0, N)) * Sum(Abs(S[i]), (i, 0, N)),
    ),
    "a third power": (cauchy_schwarz, Abs(TOTAL) ** 3, SQUARES[0] * SQUARES[1]),
    "no modulus": (cauchy_schwarz, TOTAL**2, SQUARES[0] * SQUARES[1]),
    "no sum": (cauchy_schwarz, Abs(z) ** 2, SQUARES[0] * SQUARES[1]),
    "one sum": (cauchy_schwarz, Abs(TOTAL) ** 2, SQUARES[0] * x**2),
    "a longer sum": (
        cauchy_schwarz, Abs(Sum(h[i] * S[i], (i, 0, N + 1))) ** 2, SQUARES[0] * SQUARES[1],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "left", "right"), NOT_BY_RULE.values(), ids=NOT_BY_RULE)
def test_what_a_named_inequality_does_not_show_is_not_proved(rule, left, right):
    assert outcome(rule, left, "<=", right) in ("refuted", "undecided")


def test_only_known_inequalities_have_a_name():
    with pytest.raises(ValueError, match="name must be one of"):
        Bound("Jensen")


def test_a_weight_stands_under_the_same_integral_and_has_no_jump():
    tenth = Integral(t * Abs(cos(x * t)), (t, 0, 1), (s, 0, Rational(1, 10)))
    left = Abs(Integral(t * cos(x * t), (t, 0, 1)))
    assert outcome(triangle, left, "<=", tenth) != "proved"
    jump = t - I * (log(t) - log(-t)) / pi  # t minus its sign: 0 at −1 and 1, negative between 0 and 1
    for weight, shown in ((jump, False), (1 - t, True)):
        wave = Integral(weight * cos(x * t), (t, -1, 1)), Integral(weight * Abs(cos(x * t)), (t, -1, 1))
        assert (outcome(triangle, Abs(wave[0]), "<=", wave[1]) == "proved") is shown


FREE = 1 + expand(prod([i - r for r in range(6)])) ** 2  # 1 at 0, …, 5, large beyond
EACH = FREE.subs(i, j)


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        (
            Sum(FREE * Abs(h[i]), (i, 0, d - 1)),
            MaxOver(FREE, (j, 0, d - 1)) * Sum(Abs(h[k]), (k, 0, d - 1)),
            maximum,
        ),
        (
            FREE * Sum(Abs(h[i]), (i, 0, d - 1)),
            MaxOver(EACH, (j, 0, d - 1)) * Sum(Abs(h[k]), (k, 0, d - 1)),
            maximum,
        ),
        (
            Abs(Sum(i * h[i], (i, 0, d - 1))) ** 2,
            Sum(i**2, (j, 0, d - 1)) * Sum(Abs(h[k]) ** 2, (k, 0, d - 1)),
            cauchy_schwarz,
        ),
        (
            Modulus(Integral(a * cos(a), (a, 0, Rational(1, 10)))),
            Integral(a * Modulus(cos(b)), (b, 0, Rational(1, 10))),
            triangle,
        ),
        (Abs(Sum(i * h[i], (i, -2, 0))), Sum(i * Abs(h[i]), (i, -2, 0)), triangle),
    ],
    ids=["maximum, right", "maximum, left", "Cauchy–Schwarz", "integral", "outside the domain"],
)
def test_a_bound_does_not_confuse_bound_and_free_letters(left, right, rule):
    assert refused(lambda: proved(rule, left, "<=", right))
