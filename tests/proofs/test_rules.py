"""Each rule proves what it should, refuses what it should, and says how far its verdict reaches."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Function,
    I,
    Integer,
    Limit,
    Matrix,
    Product,
    Rational,
    Sum,
    Symbol,
    conjugate,
    cos,
    exp,
    oo,
    re,
    sin,
)

from posenc_lib.proofs import (
    BlockDiagonal,
    CheckerBug,
    Derivation,
    Inner,
    MaxOver,
    ProofError,
    Refuted,
    Stacked,
    Statement,
    Undecided,
    cauchy_schwarz,
    certified,
    check,
    complex_sequence,
    complexes,
    counts,
    eq,
    evens,
    finite,
    follows,
    identity,
    induction,
    integers,
    le,
    limit_by,
    matrix_function,
    maximum,
    naturals,
    positives,
    real_function,
    real_sequence,
    reals,
    termwise,
    triangle,
    two_jet,
)  # fmt: skip
from posenc_lib.proofs.certified import decide_on_box
from posenc_lib.proofs.claims import Claim
from posenc_lib.proofs.refute import second_opinion

m, n = integers("m n")
a, b, t, x, y = reals("a b t x y")
z, w = complexes("z w")
i, N = naturals("i N")
h, S = complex_sequence("h"), complex_sequence("S")
theta = real_sequence("theta")
phi = real_function("phi")


def parts(length):
    return h[length] * S[length] - h[0] * S[0] - Sum(S[i + 1] * (h[i + 1] - h[i]), (i, 0, length - 1))


def test_summation_by_parts_by_induction():
    D = Derivation("abel")
    left = Sum(h[i] * (S[i + 1] - S[i]), (i, 0, N - 1))
    result = D.prove("eq-parts", left, eq(parts(N), "by parts", induction(N)))
    assert result.verdict.status == "proved"
    assert "every complex sequence" in result.verdict.scope
    assert result.wrong_versions[0] >= 20


def test_induction_refuses_a_false_step():
    D = Derivation("abel")
    wrong = parts(N) + 2 * h[0] * S[0]
    with pytest.raises(Refuted, match=r"row 1.*\n.*\n.*induction.*\n.*difference.*\n.*left side"):
        D.prove("eq-x", Sum(h[i] * (S[i + 1] - S[i]), (i, 0, N - 1)), eq(wrong, "slip", induction(N)))


def test_induction_starts_at_the_first_value_of_the_domain():
    k = counts("k")
    for symbol, start in ((N, 1), (k, 0)):
        with pytest.raises(ValueError, match="must start at"):
            Derivation("d").prove("eq-x", Sum(i, (i, 0, symbol)), eq(symbol, "", induction(symbol, start)))


def test_induction_over_all_integers_goes_both_ways():
    D = Derivation("arithmetic")
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(0), 0, "initial value")
    D.model(phi(m), m * t)
    assert D.check_model() == 2
    both = ["eq-start", "eq-step", D.at("eq-step", {m: m - 1})]
    result = D.prove("eq-linear", phi(m), eq(m * t, "arithmetic progression", induction(m, 0, both)))
    assert "both directions" in result.verdict.method
    assert result.uses == ("eq-start", "eq-step")


def test_induction_upwards_alone_does_not_reach_the_negative_integers():
    D = Derivation("arithmetic")
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(0), 0, "initial value")
    D.model(phi(m), m * t)
    with pytest.raises(Undecided):
        D.prove("eq-linear", phi(m), eq(m * t, "one way only", induction(m, 0, ["eq-start", "eq-step"])))


def test_a_consequence_needs_its_premises():
    D = Derivation("relative")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "differences depend on the difference")
    D.model(phi(m), m * t)
    assert D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m)))).verdict
    with pytest.raises(Undecided, match="not a combination"):
        D.prove("eq-one", phi(1), eq(0, "nothing gives this", follows(D.at("eq-rel", n=m))))


def test_an_unused_premise_is_an_error():
    D = Derivation("relative")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    D.assume("eq-other", phi(7), 7, "not needed")
    D.model(phi(m), m)
    with pytest.raises(Undecided, match="eq-other is not used"):
        D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m), "eq-other")))


def test_an_instance_must_stay_in_the_domain():
    D = Derivation("domains")
    D.assume("eq-n", phi(N), 0, "for natural N")
    with pytest.raises(ValueError, match="domain of N"):
        D.at("eq-n", N=m)
    with pytest.raises(ValueError, match="no symbol"):
        D.at("eq-n", q=1)


def test_only_a_non_zero_factor_is_cancelled():
    D = Derivation("cancel")
    D.assume("eq-p", a * t, b * t, "hypothesis")
    with pytest.raises(ValueError, match="may vanish"):
        D.prove("eq-x", a, eq(b, "dividing by t", follows("eq-p", times=t)))


def test_a_model_must_satisfy_the_hypotheses():
    D = Derivation("model")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    D.model(phi(m), m**2)
    with pytest.raises(ProofError, match="does not satisfy eq-rel"):
        D.check_model()


def test_a_step_that_rests_on_hypotheses_needs_a_model():
    D = Derivation("no model")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    with pytest.raises(Undecided, match="give the hypotheses one"):
        D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m))))


def bound(length):
    jump = Abs(h[i + 1] - h[i])
    return (
        Abs(Sum(S[i + 1] * (h[i + 1] - h[i]), (i, 0, length - 1))),
        Sum(Abs(S[i + 1]) * jump, (i, 0, length - 1)),
        MaxOver(jump, (i, 0, length - 1)) * Sum(Abs(S[i + 1]), (i, 0, length - 1)),
    )


def test_triangle_and_maximum():
    left, middle, right = bound(counts("n"))
    D = Derivation("bound")
    result = D.prove(
        "eq-37", left, le(middle, "triangle inequality", triangle), le(right, "maximum", maximum)
    )
    assert result.statement().relation == "<="
    assert result.wrong_versions[0] >= 6


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
    with pytest.raises(ProofError):
        Derivation("bound").prove("eq-x", left, le(right, "theta may be negative", maximum))


def test_cauchy_schwarz():
    left = Abs(Sum(h[i] * S[i], (i, 0, N - 1))) ** 2
    right = Sum(Abs(h[i]) ** 2, (i, 0, N - 1)) * Sum(Abs(S[i]) ** 2, (i, 0, N - 1))
    assert Derivation("cs").prove("eq-cs", left, le(right, "Cauchy–Schwarz", cauchy_schwarz)).verdict


def test_two_jet_keeps_the_mixed_term():
    f = real_function("f")
    p, r = reals("p r")
    F = f(x, y)
    jet = F + p * Derivative(F, x) + r * Derivative(F, y) + p**2 * Derivative(F, x, 2) / 2
    jet += r**2 * Derivative(F, y, 2) / 2 + p * r * Derivative(F, x, y)
    D = Derivation("taylor")
    result = D.prove("eq-4", f(x + p, y + r), eq(jet, "Taylor", two_jet(f, [p, r])))
    assert "O\\left" in result.latex()
    with pytest.raises(Refuted):
        D.prove(
            "eq-5",
            f(x + p, y + r),
            eq(jet - p * r * Derivative(F, x, y), "no interaction", two_jet(f, [p, r])),
        )


def test_finite_claims_only_what_is_listed():
    d = counts("d")
    left = Sum(2 * i + 1, (i, 0, d - 1))
    verdict = (
        Derivation("odd").prove("eq-odd", left, eq(d**2, "sum of odd numbers", finite(d, [1, 2, 3]))).verdict
    )
    assert verdict.status == "proved"
    assert "1, 2, 3 only" in verdict.method
    with pytest.raises(ProofError):
        Derivation("odd").prove("eq-x", left, eq(3 * d - 2, "true for 1 and 2 only", finite(d, [1, 2, 3])))


def test_certified_inequality_and_its_limit():
    box = certified((x, Rational(1, 2), 2))
    D = Derivation("certified")
    proved = D.prove("eq-cos", cos(x), Claim("<", 1 - x**2 / 2 + x**4 / 24, "alternating series", box))
    assert "ball arithmetic" in proved.verdict.method
    with pytest.raises(Refuted):
        D.prove("eq-x", cos(x), Claim("<", 1 - x**2 / 2, "one term too few", box))


def test_a_bound_that_touches_is_undecided_not_proved():
    touching = Statement(2 * x - x**2, "<", Integer(1))
    assert decide_on_box(touching, {x: (Rational(1, 3), Rational(3, 2))}).status == "undecided"


def rotation(D):
    R = matrix_function("R", 2, 2)
    D.define(R(t), Matrix([[cos(t), -sin(t)], [sin(t), cos(t)]]), "a rotation")
    return R


def test_blocks_of_symbolic_number():
    D = Derivation("blocks")
    R = rotation(D)
    d = counts("d")
    turn = lambda position: BlockDiagonal(R(position * theta[i]), (i, 0, d - 1))  # noqa: E731
    assert D.prove("eq-blocks", turn(m).T * turn(n), eq(turn(n - m), "blockwise")).verdict
    with pytest.raises(Refuted):
        D.prove("eq-x", turn(m).T * turn(n), eq(turn(m - n), "transposed"))
    other = BlockDiagonal(R(m * theta[i]), (i, 0, d))
    with pytest.raises(ValueError, match="different"):
        D.prove("eq-y", turn(m), eq(other, "another length"))


def test_inner_product_of_stacked_vectors_is_a_sum():
    D = Derivation("stacked")
    u, v = real_sequence("u"), real_sequence("v")
    left = Inner(Stacked(Matrix([u[i], v[i]]), (i, 0, N - 1)), Stacked(Matrix([v[i], u[i]]), (i, 0, N - 1)))
    assert D.prove("eq-in", left, eq(2 * Sum(u[i] * v[i], (i, 0, N - 1)), "entrywise")).verdict


def test_an_index_is_not_captured_by_a_definition():
    D = Derivation("capture")
    T, g = real_sequence("T"), Function("g", real=True)
    j = naturals("j")
    D.define(T[j], Sum(g(i, j), (i, 0, 3)))
    rows = Sum(g(i, 0) + g(i, 1), (i, 0, 3))
    assert D.prove("eq-rows", Sum(T[i], (i, 0, 1)), eq(rows, "T is a sum over another index")).verdict


def test_domains_decide():
    real = check(re(a * conjugate(b)), a * b)
    unrestricted = check(re(z * conjugate(w)), z * w)
    assert (real.status, unrestricted.status) == ("proved", "refuted")
    assert check(cos(2 * m * t) - cos(2 * n * t), 0).status == "refuted"
    point = dict(check(Abs(m), m).counterexample.point)
    assert int(point["m"]) < 0, "the counterexample lies in the domain and is an integer"


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (Symbol("q"), Integer(1), "has no domain"),
        (Matrix([[a]]), Matrix([[a], [b]]), "different shapes"),
        (Matrix([a, b]), a, "different shapes"),
    ],
)
def test_bad_statements_are_refused(left, right, message):
    with pytest.raises(ValueError, match=message):
        check(left, right)


def test_floating_point_is_never_a_proof():
    with pytest.raises(ValueError, match="not exact"):
        check(0.5 * a, Rational(2, 3) * a)


def test_disagreement_of_the_two_paths_stops_everything():
    with pytest.raises(CheckerBug, match="ball arithmetic refutes"):
        second_opinion(cos(a), sin(a))


def test_labels_are_unique_and_known():
    D = Derivation("labels")
    D.prove("eq-a", cos(a) ** 2 + sin(a) ** 2, eq(1, "unit circle"))
    with pytest.raises(ValueError, match="taken"):
        D.prove("eq-a", cos(a) ** 2 + sin(a) ** 2, eq(1, "again"))
    with pytest.raises(ValueError, match="not an earlier result"):
        D.prove("eq-b", cos(a), eq(cos(a), "", follows("eq-missing")))
    with pytest.raises(ValueError, match="at least one claim"):
        D.prove("eq-c", cos(a))


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


def test_a_citation_is_drawn_as_one():
    result = Derivation("c").cite("cite-x", sin(1), "!=", 0, "Lindemann 1882")
    assert (result.kind, result.verdict.status) == ("cited", "cited")
    assert "not checked here" in result.badge()


def test_division_by_zero_is_in_the_scope():
    assert "no denominator vanishes" in check(1 / (x * (x + 1)), 1 / x - 1 / (x + 1)).scope
    assert "denominator" not in check(1 / (1 + a**2), (1 + a**2) / (1 + a**2) ** 2).scope


def test_induction_over_a_bound_index_is_refused():
    with pytest.raises(ValueError, match="rename"):
        total = Sum(N, (N, 0, 3))
        Derivation("d").prove("eq-x", total + N, eq(6 + N, "", induction(N)))


def test_an_inequality_is_added_up_over_a_range():
    D = Derivation("termwise")
    D.prove("eq-each", Abs(S[i + 1] - S[i]), le(Abs(S[i + 1]) + Abs(S[i]), "triangle inequality", triangle))
    left = Sum(Abs(S[i + 1] - S[i]), (i, 0, N))
    right = Sum(Abs(S[i + 1]) + Abs(S[i]), (i, 0, N))
    assert D.prove("eq-all", left, le(right, "added up", termwise("eq-each"))).verdict
    with pytest.raises(Undecided, match="the terms are not those"):
        D.prove("eq-x", left, le(Sum(2 * Abs(S[i + 1]), (i, 0, N)), "other terms", termwise("eq-each")))


def test_products_of_symbolic_length():
    c = complex_sequence("c")
    longer, shorter = Product(c[i], (i, 0, N)), Product(c[i], (i, 0, N - 1))
    assert check(longer, c[N] * shorter).status == "proved"
    assert check(longer, c[N + 1] * shorter).status == "refuted"
    turns = Product(exp(I * theta[i]), (i, 0, N - 1))
    total = exp(I * Sum(theta[i], (i, 0, N - 1)))
    assert Derivation("p").prove("eq-p", turns, eq(total, "exponents add", induction(N))).verdict


def test_a_limit_needs_an_error_that_vanishes():
    r = positives("r")
    D = Derivation("limit")
    D.prove("eq-error", Abs(exp(I * r) / r), eq(1 / r, "a phase has modulus one"))
    D.prove("eq-constant", Abs(exp(I * r)), eq(1, "a phase has modulus one"))
    decay = Limit(exp(I * r) / r, r, oo)
    assert D.prove("eq-limit", decay, eq(0, "the error vanishes", limit_by("eq-error", 0))).verdict
    with pytest.raises(Undecided, match="does not bound"):
        D.prove("eq-y", decay, eq(1, "another value", limit_by("eq-error", 1)))


def test_a_result_says_what_it_rests_on():
    D = Derivation("rests")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    D.model(phi(m), m * t)
    D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m))))
    later = D.prove("eq-later", phi(0) + t, eq(t, "by the last", follows("eq-zero")))
    assert later.uses == ("eq-zero",)
    assert later.rests_on == ("eq-rel",)
    assert "rests on eq-rel" in later.badge()
    assert 'href="#equation-eq-rel"' in later.markdown()


def test_even_numbers_are_a_domain():
    d = evens("d")
    verdict = check(sin((d + 1) * t), sin(d * t) * cos(t) + cos(d * t) * sin(t))
    assert verdict.status == "proved"
    assert "d ∈ 2ℕ₊" in verdict.scope
    point = dict(check(sin(d * t), cos(d * t)).counterexample.point)
    assert int(point["d"]) % 2 == 0


def test_a_matrix_beside_an_equals_sign_keeps_its_own_columns():
    turn = Matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])
    shown = Derivation("d").prove("eq-m", turn.T, eq(turn.subs(a, -a), "transpose")).latex()
    assert shown.count("&") == 4, "two columns in each row of each matrix, and no alignment"


def test_a_rule_shows_only_the_relations_it_can():
    D = Derivation("relations")
    with pytest.raises(ValueError, match="Identity shows"):
        D.prove("eq-a", cos(a) ** 2, Claim("<", 1 - sin(a) ** 2, "equal, not less", identity))
    with pytest.raises(ValueError, match="Certified shows"):
        D.prove("eq-b", cos(x), Claim("=", cos(x) - 1, "less, not equal", certified((x, 0, 1))))
    with pytest.raises(ValueError, match="balls certify"):
        decide_on_box(Statement(cos(x), "=", cos(x) - 1), {x: (0, 1)})


def test_a_strict_row_makes_the_whole_chain_strict():
    box = certified((x, Rational(1, 2), 2))
    rows = (
        Claim("<", 1 - x**2 / 2 + x**4 / 24, "series", box),
        eq((24 - 12 * x**2 + x**4) / 24, "one fraction"),
    )
    assert Derivation("strict").prove("eq-s", cos(x), *rows).statement().relation == "<"
