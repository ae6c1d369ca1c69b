"""Attacks on what a derivation concludes: each false or meaningless step below was once accepted."""

import pytest
from sympy import (
    Abs,
    Ci,
    Derivative,
    Dummy,
    Ei,
    I,
    IndexedBase,
    Integer,
    Integral,
    Limit,
    Matrix,
    Ne,
    Product,
    Rational,
    Si,
    Sum,
    conjugate,
    cos,
    exp,
    eye,
    gamma,
    im,
    log,
    nan,
    oo,
    pi,
    sin,
    sqrt,
    tan,
    zoo,
)

from posenc_lib.proofs import (
    BlockDiagonal,
    Derivation,
    Inner,
    MaxOver,
    Modulus,
    ProofError,
    Stacked,
    Statement,
    Undecided,
    adding,
    certified,
    check,
    complex_function,
    complex_sequence,
    complexes,
    counts,
    eq,
    follows,
    induction,
    integers,
    le,
    limit_by,
    naturals,
    positive_function,
    positives,
    real_function,
    real_sequence,
    reals,
    smooth_function,
    termwise,
    triangle,
    two_jet,
    vector_function,
)  # fmt: skip
from posenc_lib.proofs.attack.refute import counterexample, second_opinion
from posenc_lib.proofs.prove.ideal import consequence
from posenc_lib.proofs.rules.bounds import _nonnegative_on
from posenc_lib.proofs.rules.certified import decide_on_box
from posenc_lib.proofs.show.results import Mutation
from posenc_lib.proofs.terms.domains import in_domain
from posenc_lib.proofs.write.claims import Claim

x, y, a, H = reals("x y a H")
t, s = reals("t s")
m = integers("m")
N, i, j = naturals("N i j")
d, k = counts("d k")
p, c = positives("p c")
z, w = complexes("z w")
f, g, K = real_function("f"), real_function("g"), real_function("K")
F, G = complex_function("F"), smooth_function("G")
h, q, r = complex_sequence("h"), real_sequence("q"), real_sequence("r")


def with_models(**bodies):
    """A derivation in which f and g have these models, of a natural letter."""
    D = Derivation("attack")
    for name, body in bodies.items():
        D.model({"f": f, "g": g}[name](N), body)
    return D


# what a premise does not say


@pytest.mark.parametrize(
    "nothing",
    [1 / N, log(N), Ci(N), Ei(N), gamma(N), tan(x), MaxOver(q[i], (i, 1, N)), Sum(1 / (i - 3), (i, 0, N))],
    ids=str,
)
def test_a_premise_says_nothing_where_it_has_no_value(nothing):
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) + nothing, g(N) + nothing, "")
    with pytest.raises(Undecided, match="says nothing where"):
        D.prove("eq-x", f(N), eq(g(N), "also where it has none?", follows("eq-h")))


@pytest.mark.parametrize("nothing", [1 / N, log(N), Ci(N), MaxOver(q[i], (i, 1, N))], ids=str)
def test_a_statement_without_a_value_there_either_follows(nothing):
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) + nothing, g(N) + nothing, "")
    same = f(N) ** 2 + nothing, g(N) * f(N) + nothing
    assert D.prove("eq-y", same[0], eq(same[1], "has none there either", follows("eq-h"))).verdict


def test_a_gap_of_a_sum_is_not_the_gap_of_another_sum():
    D = Derivation("attack")
    D.assume("eq-h", (i - 3) * f(i), (i - 3) * g(i), "")
    D.model(f(i), g(i))
    D.prove("eq-apart", f(i), eq((i * g(i) - 3 * g(i)) / (i - 3), "", follows("eq-h")))
    harmonic = Sum(1 / (i - 3), (i, 4, N + 4))  # never divides by zero, but names the same divisor
    left, right = Sum(f(i), (i, 0, N)) + harmonic, Sum(g(i), (i, 0, N)) + harmonic
    with pytest.raises(Undecided, match="says nothing where i - 3 vanishes"):
        D.prove("eq-x", left, eq(right, "also at 3?", follows("eq-apart")))


def test_a_multiple_vanishes_where_its_factors_do():
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) / (1 - exp(-N)), g(N) / (1 - exp(-N)), "")
    twice = [side / (2 * exp(-N) - 2) for side in (f(N), g(N))]
    assert D.prove("eq-x", twice[0], eq(twice[1], "over −2", follows("eq-h"))).verdict
    both = [side / (x * (1 - exp(-N))) for side in (f(N), g(N))]
    assert D.prove("eq-y", both[0], eq(both[1], "over x", follows("eq-h"))).verdict


def test_inequalities_say_nothing_where_a_denominator_vanishes():
    D = with_models(f=0 * N, g=1 + 0 * N)
    D.cite("eq-h", f(N) / N, "<=", g(N) / N, "somewhere")
    with pytest.raises(Undecided, match="says nothing where N vanishes"):
        D.prove("eq-x", f(N), le(g(N), "times N, also at 0?", adding({"eq-h": N})))
    D.cite("eq-left", f(N) + 1 / N, "<=", g(N), "somewhere")
    D.cite("eq-right", f(N), "<=", g(N) + 1 / N, "somewhere")
    for one_side in ("eq-left", "eq-right"):
        with pytest.raises(Undecided, match="says nothing where N vanishes"):
            D.prove("eq-x", N * f(N), le(N * g(N), "times N", adding({one_side: N})))
    D.cite("eq-i", (i * f(i) + i) / i, "<=", g(i), "somewhere")
    D.cite("eq-j", f(i), "<=", (i * g(i) + i) / i, "somewhere")
    for left, right, each in ((f(i) + 1, g(i), "eq-i"), (f(i), g(i) + 1, "eq-j")):
        with pytest.raises(Undecided, match="says nothing where i vanishes"):
            total = le(Sum(right, (i, 0, N)), "also at 0?", termwise(each))
            D.prove("eq-y", Sum(left, (i, 0, N)), total)
    D.cite("eq-far", Modulus((a * G(p) - a) / a), "<=", 1 / p, "somewhere")
    with pytest.raises(Undecided, match="says nothing where a vanishes"):
        D.prove("eq-z", Limit(G(p), p, oo), eq(1, "also for a = 0?", limit_by("eq-far", 1)))
    D.cite("eq-error", Modulus(G(p) - 1), "<=", 1 / (a**2 * p), "somewhere")
    with pytest.raises(Undecided, match="says nothing where a vanishes"):
        D.prove("eq-w", Limit(G(p), p, oo), eq(1, "also for a = 0?", limit_by("eq-error", 1)))


# hypotheses, instances, definitions, models


def test_nothing_is_concluded_from_hypotheses_that_no_model_satisfies():
    D = Derivation("attack")
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), 1, "contradicts it")
    D.model(f(x), 0 * x)
    D.model(g(x), 0 * x)
    with pytest.raises(ProofError, match="the model does not satisfy eq-1"):
        D.prove("eq-x", g(x), eq(0, "anything follows", follows("eq-0", "eq-1")))


def test_a_false_citation_is_refused():
    D = Derivation("attack")
    with pytest.raises(ProofError, match="what is cited fails at p = "):
        D.cite("eq-h", Modulus(sin(p)), "<=", 1 / (9 * p), "nowhere")
    assert D.cite("eq-i", Modulus(sin(p)), "<=", p, "anywhere").verdict.status == "cited"
    D.define(a, f(0))
    for row, (left, right) in enumerate([(f(x), g(x)), (a, x), (x, q[0]), (x, f(x)), (q[0], x)]):
        assert D.cite(f"eq-{row}", left, "<=", right, "of unknown values").verdict.status == "cited"


def test_a_factor_is_not_known_to_be_other_than_zero_by_a_sum_that_may_be_empty():
    total = im(Sum(I * p, (i, 1, N)))  # 0 for N = 0, where SymPy 1.14 says: not zero
    D = Derivation("attack")
    D.assume("eq-h", f(x) * total, g(x) * total, "")
    with pytest.raises(ValueError, match="which may vanish"):
        D.prove("eq-x", f(x), eq(g(x), "", follows("eq-h", times=total)))
    assert "no denominator vanishes" in check(1 / total + 1 / total, 2 / total).scope


def test_a_new_model_is_checked_anew():
    D = Derivation("attack")
    D.assume("eq-h", f(x), g(x), "")
    D.model(f(x), x)
    with pytest.raises(ProofError):
        D.check_model()
    D.model(g(x), x)
    assert D.check_model() == 1
    D.assume("eq-i", K(x), 1, "")
    with pytest.raises(ProofError, match="does not satisfy eq-i"):
        D.check_model()
    D.model(K(x), 1 + 0 * x)
    assert D.check_model() == 2


def test_a_hypothesis_on_one_sequence_is_none_on_another():
    D = Derivation("attack")
    D.assume("eq-h", h[i + 1] - h[i], z, "")
    with pytest.raises(ValueError, match="no symbol"):
        D.at("eq-h", h=w)
    with pytest.raises(ValueError, match="no free letter"):
        D.at("eq-h", {complexes("h"): w})


@pytest.mark.parametrize(
    ("letter", "value"),
    [(m, Rational(1, 2)), (m, x), (x, z), (N, Integer(-1)), (z, oo), (z, -oo), (p, Integer(0))],
)
def test_an_instance_stays_in_the_domain_of_its_letter(letter, value):
    D = Derivation("attack")
    D.assume("eq-h", F(letter), 0, "")
    with pytest.raises(ValueError, match="domain of"):
        D.at("eq-h", {letter: value})


def test_what_is_declared_of_a_name_is_not_used_against_its_meaning():
    D = Derivation("attack")
    with pytest.raises(ValueError, match="-1 is not known to lie in the domain of c"):
        D.define(c, Integer(-1))  # declared positive
    D.definitions.add(c, Integer(-1))
    D.define(f(x), Abs(x))
    D.assume("eq-h", g(p), 0, "for positive numbers")
    with pytest.raises(ProofError):
        D.prove("eq-x", f(c), eq(-1, "|−1| = −1?"))
    assert D.prove("eq-y", f(c), eq(1, "")).verdict
    with pytest.raises(ValueError, match="-1 is not known to lie in the domain of p"):
        D.at("eq-h", p=c)
    D.prove("eq-z", Modulus(z) ** 2, eq(z * conjugate(z), ""))
    assert D.relation(D.at("eq-z", z=c)).left == 1


def test_a_definition_of_a_letter_is_none_of_a_sequence():
    D = Derivation("attack")
    D.define(complexes("h"), w)
    with pytest.raises(ValueError, match="also a sequence"):
        D.prove("eq-x", h[i], eq(complex_sequence("w")[i], ""))


def test_definitions_may_stand_on_many_others():
    D = Derivation("attack")
    names = reals(" ".join(f"u_{n}" for n in range(40)))
    for below, name in zip(names[1:], names, strict=False):
        D.define(name, below + 1)
    assert D.prove("eq-x", names[0], eq(names[39] + 39, "39 steps")).verdict


@pytest.mark.parametrize(
    ("head", "body"),
    [(m, Rational(1, 2)), (positive_function("u")(x), Integer(-1)), (N, Integer(-1)), (f(x), I * x)],
    ids=str,
)
def test_a_model_stays_in_the_domain(head, body):
    D = Derivation("attack")
    D.constant(m, N)
    with pytest.raises(ValueError, match="domain of"):
        D.model(head, body)


def test_conditions_see_through_names_and_models():
    D = Derivation("attack")
    D.constant(y)
    D.define(a, x)
    with pytest.raises(Undecided):  # not refuted: where a is positive it is true
        D.prove("eq-x", Abs(x), eq(x, ""), where=[a > 0])
    D.model(y, x)
    statement = D._concrete(Statement(Abs(x), "=", x, (y > 0,)))
    assert statement.where == (x > 0,)


# letters


def test_a_derivative_is_taken_by_a_real_letter():
    D = Derivation("attack")
    D.assume("eq-h", G(N), 0, "at whole numbers")
    D.model(G(x), sin(2 * pi * x))
    for letter in (N, z):
        with pytest.raises(ValueError, match="not a real letter"):
            D.prove("eq-x", Derivative(G(letter), letter), eq(0, "between them?", follows("eq-h")))
        for sides in ((x, Derivative(G(letter), letter)), (Derivative(G(letter), letter), x)):
            with pytest.raises(ValueError, match="not a real letter"):
                check(*sides)


@pytest.mark.parametrize(
    "part", [2**d / 6, m * (4 * N + 2) / 6, m * ((-1) ** N + 1) / 6, ((-1) ** N + 1) ** 2 / 3], ids=str
)
def test_something_even_is_only_halved(part):
    D = Derivation("attack")
    D.define(f(x), sin(pi * x))
    D.assume("eq-h", g(x) * part, K(x) * part, "")
    D.assume("eq-m", F(m), 0, "")
    for attempt in (
        lambda: D.prove("eq-x", f(part), eq(0, "a whole number of half turns?")),
        lambda: D.at("eq-m", m=part),
        lambda: D.prove("eq-y", g(x), eq(K(x), "cancelled", follows("eq-h", times=part))),
        lambda: D.prove("eq-z", g(x), le(g(x), "", adding({}, rest=part))),
    ):
        with pytest.raises(ValueError, match="by more than twos"):
            attempt()


def test_ranges_end_and_run_over_different_letters():
    D = Derivation("attack")
    D.cite("eq-each", (-1) ** i, "<=", 1 + (-1) ** i, "")
    sums = Sum((-1) ** i, (i, 0, oo)), Sum(1 + (-1) ** i, (i, 0, oo))
    with pytest.raises(ValueError, match="has no end"):
        D.prove("eq-x", sums[0], le(sums[1], "neither has a value", termwise("eq-each")))
    for bounds in ((-oo, 0), (0, oo), (oo, 0), (0, -oo)):
        with pytest.raises(ValueError, match="has no end"):
            check(Integral(exp(-(t**2)), (t, *bounds)), x)
    with pytest.raises(ValueError, match="one letter twice"):
        check(Sum(i, (i, 0, 2), (i, 0, 3)), 18)


def test_a_letter_that_runs_is_no_sequence():
    sequence = IndexedBase("i", integer=True, nonnegative=True)
    with pytest.raises(ValueError, match="also a sequence"):
        check(Sum(sequence[0], (i, 0, N)), x)


def test_a_factor_beside_blocks_does_not_number_them():
    v = vector_function("v", 2)
    diagonal, stack = (lambda b: BlockDiagonal(b, (i, 0, d - 1))), (lambda b: Stacked(b, (i, 0, d - 1)))
    for left, right in (
        (i * diagonal(eye(2)), diagonal(i * eye(2))),
        (i * stack(v(i)), stack(i * v(i))),
        ((i * stack(v(i))).T * stack(v(i)), Sum(i * Inner(v(i), v(i)), (i, 0, d - 1))),
    ):
        with pytest.raises(ValueError, match="numbers the blocks and is also a letter here"):
            Derivation("attack").prove("eq-x", left, eq(right, "another i"))
    assert Derivation("d").prove("eq-y", x * stack(v(i)), eq(stack(x * v(i)), "")).verdict


def test_a_product_of_zeros_is_one_where_it_is_empty():
    zeros = Product(Integer(0), (i, 1, N))  # SymPy 1.14: zero for all N
    D = Derivation("attack")
    D.cite("eq-h", 0, "<=", f(x) ** 2 + 1, "")
    with pytest.raises(ValueError, match="is 0 or, where it is empty, 1"):
        D.prove("eq-x", zeros * (f(x) ** 2 + 1), le(0, "at N = 0?", adding({"eq-h": -zeros})))


def test_a_maximum_keeps_its_own_letter():
    inner = MaxOver(q[i] * r[0], (i, 0, 3))
    assert check(Sum(inner, (i, 0, 0)), MaxOver(q[j] * r[j], (j, 0, 3))).status == "refuted"
    assert check(Sum(inner, (i, 0, 1)), 2 * inner).status == "proved"
    assert MaxOver(q[i] * x, (i, 0, N)).subs({x: y, N: d}) == MaxOver(q[i] * y, (i, 0, d))


# rules


def test_an_expansion_is_of_a_real_function():
    jet = F(x) + H * Derivative(F(x), x) + H**2 * Derivative(F(x), x, x) / 2
    with pytest.raises(ProofError, match="must be real"):
        Derivation("attack").prove("eq-x", conjugate(F(x + H)), eq(jet, "", two_jet(F, [H])))
    real = f(x) + w * Derivative(f(x), x) + w**2 * Derivative(f(x), x, x) / 2
    with pytest.raises(ProofError, match="must be real"):
        Derivation("attack").prove("eq-y", f(x + w), eq(real, "", two_jet(f, [w])))


def test_a_weight_stands_under_the_same_integral_and_has_no_jump():
    tenth = Integral(t * Abs(cos(x * t)), (t, 0, 1), (s, 0, Rational(1, 10)))
    left = Abs(Integral(t * cos(x * t), (t, 0, 1)))
    assert triangle.decide(Statement(left, "<=", tenth), None).status != "proved"
    jump = t - I * (log(t) - log(-t)) / pi  # t minus its sign: 0 at −1 and 1, negative between 0 and 1
    assert not _nonnegative_on(jump, t, Integer(-1), Integer(1))
    assert _nonnegative_on(1 - t, t, Integer(-1), Integer(1))


def test_terms_are_added_up_with_the_same_non_negative_factor_over_the_same_range():
    D = Derivation("attack")
    D.cite("eq-each", q[i], "<", r[i], "")
    D.model(q[i], 2 * i)
    D.model(r[i], 2 * i + 1)
    small, large = Sum(q[i], (i, 0, N)), Sum(r[i], (i, 0, N))
    assert D.prove("eq-sum", p * small, le(p * large, "", termwise("eq-each"))).verdict
    for factor in (-1, x):
        with pytest.raises(Undecided, match="same range"):
            D.prove("eq-x", factor * small, le(factor * large, "", termwise("eq-each")))
    with pytest.raises(Undecided, match="same range"):
        D.prove("eq-y", small, le(Sum(r[i], (i, 0, N + 1)), "", termwise("eq-each")))


def test_numbers_that_are_not_real_have_no_order():
    with pytest.raises(Undecided):
        Derivation("attack").prove("eq-x", z, le(z + 1, "", adding({}, rest=1)))
    verdict = decide_on_box(Statement(x + I, "<", 3 + I), {x: (0, 1)})
    assert verdict.status == "refuted" and verdict.counterexample.left == "0.5 + 1i"
    assert counterexample(x + I, ">=", x + I) is not None


def test_a_number_is_at_least_itself():
    for relation in ("<=", ">="):
        assert counterexample(x, relation, x) is None
    assert decide_on_box(Statement(x + 1, ">=", x), {x: (0, 1)}).status == "proved"


CUTS = {
    "root": Si(sqrt(-1 + I * x)),
    "logarithm": Si(2 + log(-1 + I * x)),
    "cosine integral": Ci(-1 + I * x),
    "exponential integral": Ei(-1 + I * x),
}


@pytest.mark.parametrize("jump", CUTS.values(), ids=CUTS)
def test_a_small_box_across_a_cut_is_not_certified(jump):
    value = im(jump)  # odd in x, with a jump at 0
    box = {x: (Rational(-1, 32), Rational(3, 32))}
    for left, right in ((Integer(0), value), (-value, Integer(0)), (-value / 2, value / 2)):
        verdict = decide_on_box(Statement(left, "<", right), box)
        assert verdict.status != "proved"


@pytest.mark.parametrize("free", [y, Dummy("y", real=True), f(x), q[0]], ids=str)
def test_a_box_names_every_letter_of_both_sides(free):
    for left, right in ((x, free + 100), (free - 100, x)):
        with pytest.raises(ValueError, match="range for every letter"):
            decide_on_box(Statement(left, "<", right), {x: (0, 1)})


@pytest.mark.parametrize("box", [{x: (0.1, 1)}, {x: (0, 0.9)}, {x: (0, pi)}, {z: (0, 1)}, {cos(x): (0, 1)}])
def test_a_box_has_rational_ends_and_real_letters(box):
    with pytest.raises(ValueError, match="a box"):
        decide_on_box(Statement(-x - 100, "<", Integer(0)), box)


def test_a_condition_certainly_holds_where_a_counterexample_lies():
    half = N - Rational(1, 2)
    for condition in (N > 0, N >= 1, Ne(N, 0)):
        assert check(Abs(half), half, (condition,)).status == "undecided"
    assert check(Abs(half), half, (N <= 0,)).status == "refuted"
    assert check(Abs(half), half, (N < 1,)).status == "refuted"


def test_every_entry_of_a_matrix_needs_a_point_with_values():
    one, two = (1 + sqrt(2)) ** 2 - 3 - 2 * sqrt(2), (1 + sqrt(3)) ** 2 - 4 - 2 * sqrt(3)  # both are 0
    for left, right in (([x, 1 / one], [x, 2 / two]), ([1 / one, x], [2 / two, x])):
        assert check(Matrix(left), Matrix(right)).status == "undecided"


def test_a_rule_that_fails_under_a_condition_does_not_refute_outside_it():
    assert consequence(Statement(Abs(x), "=", x, (x >= 0,)), []).status == "undecided"
    assert triangle.decide(Statement(Abs(x), "<=", x, (x >= 0,)), None).status == "undecided"
    early = Statement(N * (N - 1), "=", Integer(0), (N < 2,))
    assert induction(N).decide(early, Derivation("d")).status == "undecided"


def test_a_wrong_version_that_is_not_refuted_is_an_error():
    unknown = Derivative(f(x), x)  # has no value at any point
    D = Derivation("attack")
    D.assume("eq-h", unknown, a, "")
    with pytest.raises(Undecided, match=r"the wrong version .* was not refuted"):
        D.prove("eq-x", unknown + y, eq(a + y, "", follows("eq-h")))


def test_a_factor_that_is_not_zero_is_cancelled():
    D = Derivation("attack")
    D.assume("eq-h", f(x) * (p + 1), g(x) * (p + 1), "")
    D.model(f(x), x)
    D.model(g(x), x)
    with pytest.raises(Undecided):
        D.prove("eq-x", f(x), eq(g(x), "", follows("eq-h")))
    assert D.prove("eq-y", f(x), eq(g(x), "divided", follows("eq-h", times=p + 1))).verdict


def test_a_box_of_one_claim_is_not_a_claim_for_all():
    row = Claim(">", Rational(1, 10), "", certified((x, 0.1, 1)))
    with pytest.raises(ValueError, match="rational numbers"):
        Derivation("attack").prove("eq-x", x, row)


# what a result keeps and says


def test_a_result_keeps_both_sides_its_scope_and_its_bases():
    D = Derivation("kept")
    defined = D.define(h[i], x**i, "powers")
    assert (defined.left, defined.right, defined.label) == (h[i], x**i, "def-kept-1")
    assert defined.links[0].because == "powers"
    assert D.define(y, x + 1).links[0].because == ""
    sampled = D.sample("eq-s", a**2, ">=", Integer(0), "looks so")
    assert (sampled.left, sampled.right, sampled.source) == (a**2, 0, "")
    recalled = D.recall("eq-far", g(x), K(x))
    assert (recalled.kind, recalled.verdict.status, recalled.left, recalled.right) == (
        "recalled", "cited", g(x), K(x),
    )  # fmt: skip
    assert recalled.verdict.method == "proved on another page as eq-far"
    assert recalled.verdict.scope == "for all x ∈ ℝ and every real function K, g"
    assert (recalled.label, recalled.derivation, recalled.source) == ("eq-far", "kept", "")
    assert (recalled.links[0].relation, recalled.links[0].because) == ("=", "recalled")
    D.model(g(x), K(x))
    assert D.prove("eq-u", g(x) * h[i], eq(K(x) * x**i, "", follows("eq-far"))).rests_on == ("eq-far",)
    named = D.prove("eq-n", h[i] * y, eq(x**i * y, "", follows(defined.label)))
    assert (named.uses, named.rests_on) == (("def-kept-1",), ()), "a definition is not a base"
    assert D.refute("eq-r", a, a + 1, "").source == ""


def test_a_refutation_says_for_which_values():
    assert check(x, x + 1).scope == "for all x ∈ ℝ"
    assert check(cos(x) ** 2, x).method == "identity (normal form)"
    false = consequence(Statement(x, "=", x + 1), [])
    assert (false.method, false.scope) == (
        "combination of earlier results (ideal membership)", "for all x ∈ ℝ",
    )  # fmt: skip
    with pytest.raises(ProofError, match=r"refutes it: at x = .*: left side .*\d, right side .*\d"):
        second_opinion(x, x + 1)
    box = {x: (0, 1), y: (2, 3)}
    assert decide_on_box(Statement(x, "<", y), box).scope == "for all x ∈ [0, 1], y ∈ [2, 3]"
    assert decide_on_box(Statement(Integer(1), "<", Integer(2)), {}).scope == "for these numbers"


def test_inequalities_added_say_how_and_for_which_values():
    D = Derivation("adding")
    result = D.prove("eq-x", x**2, le(x**2 + p, "p is positive", adding({}, rest=p)))
    assert result.verdict.method == "adding inequalities with non-negative weights"
    assert result.verdict.scope == "for all p ∈ ℝ₊, x ∈ ℝ"
    D.assume("eq-h", f(x), g(x), "")
    D.model(f(x), x)
    D.model(g(x), x)
    times = le(y * g(x) + p, "an equation, times anything", adding({"eq-h": y}, rest=p))
    assert D.prove("eq-y", y * f(x), times).verdict
    D.cite("eq-strict", K(x), "<", 1, "")
    D.model(K(x), 0 * x)
    assert D.prove("eq-z", p * K(x), le(p, "", adding({"eq-strict": p}))).verdict


def test_wrong_versions_that_are_equal_or_not_accepted_are_counted_and_named():
    D = Derivation("counted")
    equal = D.prove("eq-x", (-1) ** m * y, eq((-1) ** (-m) * y, "a sign is its own inverse"))
    assert equal.links[0].mutation == Mutation(refuted=3, equal=("(-1)**m*y",), open=0)
    loose = D.prove("eq-y", sin(p), le(sin(p) + p + 1, "loose", adding({}, rest=p + 1)))
    assert loose.links[0].mutation == Mutation(refuted=1, equal=(), open=2)
    wide = D.prove("eq-z", cos(x), le(100, "wide", certified((x, 0, 1))))
    assert wide.links[0].mutation == Mutation(refuted=1, equal=("99 holds too", "50 holds too"), open=0)


def test_a_sequence_of_whole_numbers_is_called_one():
    whole = IndexedBase("l", integer=True)
    assert check(whole[0] + 1, 1 + whole[0] + 0 * x).scope == "for every ℤ sequence l"


@pytest.mark.parametrize("infinite", [oo, -oo])
def test_no_letter_stands_for_infinity(infinite):
    assert not in_domain(z, infinite) and not in_domain(z, infinite * x)


def test_nothing_without_a_value_is_put_for_a_letter():
    assert in_domain(z, w) and not in_domain(z, zoo) and not in_domain(z, nan)
