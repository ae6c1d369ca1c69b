"""A counterexample is a point of the domain where the statement certainly fails."""

import pytest
from attempts import outcome, proved
from sympy import Abs, Derivative, I, Integer, Ne, Rational, cos, exp, prod, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.refute import corners, counterexample, points, sampled, second_opinion
from posenc_lib.proofs.values.point import Point
from posenc_lib.proofs.write.theorems import Theorems

m, n = integers("m n")
e = evens("e")
N = naturals("N")
c, d = counts("c d")
T, a, x, y = reals("T a x y")
p, positive = positives("p p")
w, z = complexes("w z")
f = real_function("f")
F = complex_function("F")


def test_a_claim_that_is_true_cannot_be_called_false():
    with pytest.raises(ProofError, match="no counterexample"):
        Derivation("d").refute("eq-x", cos(a) ** 2, 1 - sin(a) ** 2, "it is true")


def test_a_sample_is_evidence_only():
    D = Derivation("evidence")
    result = D.sample("eq-s", cos(a), "<=", 1 + a**2, "a weak bound")
    assert result.verdict.status == "sampled"
    assert not result.verdict
    assert "not proof" in result.badge()
    with pytest.raises(Refuted):
        D.sample("eq-x", cos(a), "<=", 1 - a**2, "false")


def test_conditions_restrict_where_a_counterexample_may_lie():
    assert counterexample(Abs(x), "=", x) is not None
    assert counterexample(Abs(x), "=", x, (x >= 0,)) is None
    assert counterexample(Abs(x), "=", x, (x < 0,)) is not None
    assert counterexample(N, ">=", Integer(1)) is not None
    assert counterexample(N, ">=", Integer(1), (Ne(N, 0),)) is None
    assert counterexample(N, ">=", Integer(1), (Ne(1 / N, 7),)) is None, (
        "a condition without a value does not hold"
    )
    assert counterexample((N - 5) ** 2, ">=", Rational(1, 2)) is not None
    assert counterexample((N - 5) ** 2, ">=", Rational(1, 2), (Ne(N, 5),)) is None
    assert check(Abs(x), x, (x >= 0,)).status == outcome(identity, Abs(x), "=", x, (x >= 0,)) == "undecided"
    assert check(Abs(x), x, (x < 0,)).status == "refuted"


def test_a_sample_counts_the_points_at_which_the_relation_certainly_holds():
    tries = len(list(points()))
    assert sampled(cos(a) ** 2 + sin(a) ** 2, "=", Integer(1)) == tries
    assert sampled(cos(a), "<", Integer(2)) == sampled(Integer(2), ">=", cos(a)) == tries
    with_value = sum(point.value(N, "N") != 0 for point in points())
    assert 0 < with_value < tries
    assert sampled(2 / N, "=", 1 / N + 1 / N) == sampled(1 / N, ">", Integer(0)) == with_value
    positive = sum(point.value(x, "x") >= 0 for point in points())
    assert 0 < sampled(Abs(x), "=", x, (x >= 0,)) == positive < tries


def test_equal_numbers_that_may_be_complex_are_not_ordered():
    with pytest.raises(ValueError, match="Identity shows"):
        Derivation("attack").prove("eq-x", (z + w) ** 2, le(z**2 + 2 * z * w + w**2, "", identity))


unknown = Derivative(f(T), T)  # has no value at any point: no second opinion is possible


def test_a_sample_without_points_is_no_evidence():
    with pytest.raises(ProofError):
        Derivation("attack").sample("eq-x", unknown, "=", 7, "")


def test_a_consequence_of_hypotheses_is_not_refuted():
    D = Derivation("attack")
    D.assume("eq-h", f(m), 0, "")
    with pytest.raises(ProofError):
        D.refute("eq-x", f(m), 0, "")
    with pytest.raises(ValueError):
        Derivation("attack").refute("eq-y", I * p, 0, "", relation="!=")


def test_integers_are_not_refuted_between_them():
    with pytest.raises(ValueError):
        outcome(certified((n, 1, 4)), (n - Rational(3, 2)) ** 2, ">", Rational(1, 5))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f(cos(x) ** 2 + sin(x) ** 2), f(1)),
        (F((z * w + z) / (w + 1)), F(z)),
        (f((exp(2 * x) - 1) / (exp(x) - 1)), f(exp(x) + 1)),
    ],
    ids=["identity inside", "complex", "exponential"],
)
def test_equal_arguments_have_equal_values(left, right):
    assert check(left, right).status != "refuted"
    assert check(left, right + 1).status == "refuted"


def test_a_condition_that_a_listed_value_settles_is_no_obstacle():
    row = (d - 1) * (d - 3), "=", Integer(0), (Ne(d, 2),)
    assert outcome(finite(d, [1, 2, 3]), *row) == "undecided"
    assert outcome(finite(d, [1, 3]), *row) == "proved"


def test_numbers_that_are_not_real_have_no_order():
    with pytest.raises(Refuted):
        Derivation("attack").prove("eq-x", z, le(z + 1, "", adding({}, rest=1)))
    with pytest.raises(Refuted, match=r"left side 0\.5 \+ 1i"):
        proved(certified((x, 0, 1)), x + I, "<", 3 + I)
    assert counterexample(x + I, ">=", x + I) is not None


def test_a_number_is_at_least_itself():
    for relation in ("<=", ">="):
        assert counterexample(x, relation, x) is None
    assert Theorems().holds(Statement(x + 1, ">=", x), certified((x, 0, 1)))


def test_a_condition_certainly_holds_where_a_counterexample_lies():
    half = N - Rational(1, 2)
    for condition in (N > 0, N >= 1, Ne(N, 0)):
        assert check(Abs(half), half, (condition,)).status == "undecided"
    assert check(Abs(half), half, (N <= 0,)).status == "refuted"
    assert check(Abs(half), half, (N < 1,)).status == "refuted"


def test_a_rule_that_fails_under_a_condition_does_not_refute_outside_it():
    assert outcome(follows(), Abs(x), "=", x, (x >= 0,)) == "undecided"
    assert outcome(triangle, Abs(x), "<=", x, (x >= 0,)) == "undecided"
    assert outcome(induction(N), N * (N - 1), "=", Integer(0), (N < 2,)) == "undecided"


def test_a_refutation_says_for_which_values():
    assert check(x, x + 1).scope == "for all x ∈ ℝ"
    assert check(cos(x) ** 2, x).method == "identity"
    with pytest.raises(ProofError, match=r"refutes it: at x = .*: left side .*\d, right side .*\d"):
        second_opinion(x, x + 1)
    box = certified((x, 0, 1), (y, 2, 3))
    assert proved(box, x, "<", y).scope == "for all x ∈ [0, 1], y ∈ [2, 3]"
    assert proved(certified(), Integer(1), "<", Integer(2)).scope == "for these numbers"


def test_a_sample_is_also_taken_at_the_corners():
    between = prod([m - r for r in range(-4, 6)])
    with pytest.raises(Refuted):
        Derivation("hole").sample("eq-s", between, "=", 0, "true from −4 to 5")


def test_corners_stay_in_the_domains():
    letters = [x, m, N, c, e, p, z]
    found = [[point.value(letter, letter.name) for letter in letters] for point in corners()]
    zero = [0, 0, 0, 1, 2, Rational(1, 16), (0, 0)]
    assert [str(v) for v in found[0]] == [str(v).replace("(0, 0)", str(found[0][6])) for v in zero]
    assert all(large >= 11 for large in found[2][:6]) and Point(0, "large").values == {}
