"""Each rule proves what it should, refuses what it should, and says how far its verdict reaches."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Function,
    I,
    Integer,
    Integral,
    Limit,
    Matrix,
    Max,
    Min,
    Ne,
    Product,
    Rational,
    Sum,
    Symbol,
    conjugate,
    cos,
    cosh,
    cot,
    csc,
    exp,
    im,
    log,
    nan,
    oo,
    pi,
    re,
    sec,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    zoo,
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
    sine_chord,
    termwise,
    triangle,
    two_jet,
)  # fmt: skip
from posenc_lib.proofs.attack.refute import counterexample, points, sampled, second_opinion
from posenc_lib.proofs.prove.ideal import consequence
from posenc_lib.proofs.rules.bounds import Bound
from posenc_lib.proofs.rules.certified import decide_on_box
from posenc_lib.proofs.values.evaluate import evaluate
from posenc_lib.proofs.values.point import Point
from posenc_lib.proofs.write.claims import Claim

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
    assert result.wrong_versions.refuted >= 20


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
    D.constant(t)
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
    D.constant(t)
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


def statement(left, right):
    return Statement(left, "=", right)


positive, factor = positives("p q")
CONSEQUENCES = {
    "an exponential is not zero": (
        [(a * exp(x) * exp(y**2), b * exp(x) * exp(y**2))], (a, b), "for all a, b ∈ ℝ",
    ),
    "nor is a denominator": (
        [(a / positive, b / (positive * factor))], (a * factor, b), "for all a, b ∈ ℝ, q ∈ ℝ₊",
    ),
    "an equation carries its conjugate": (
        [(z * w, Integer(1))], (conjugate(z) * conjugate(w), Integer(1)), "for all w, z ∈ ℂ",
    ),
    "two premises": ([(a + b, x), (a - b, y)], (2 * a, x + y), "for all a, x, y ∈ ℝ"),
    "a column": (
        [(Matrix([a, b]), Matrix([x, y]))], (Matrix([a + b, a - b]), Matrix([x + y, x - y])),
        "for all a, b, x, y ∈ ℝ",
    ),
    "a column and a number": ([(Matrix([a, b]), Matrix([x, y]))], (a + b, x + y), "for all a, b, x, y ∈ ℝ"),
}  # fmt: skip


@pytest.mark.parametrize(("premises", "claim", "scope"), CONSEQUENCES.values(), ids=CONSEQUENCES)
def test_a_consequence_says_how_and_for_which_letters(premises, claim, scope):
    verdict = consequence(statement(*claim), [statement(*p) for p in premises])
    assert verdict.status == "proved" and verdict.scope == scope
    assert verdict.method == "combination of earlier results (ideal membership)"


def test_equals_are_put_for_equals():
    for premises in ([(a, b)], [(y, x), (a, b)], [(a, x), (x, b)]):
        verdict = consequence(statement(cos(a), cos(b)), [statement(*p) for p in premises])
        assert verdict.method == "earlier results put in, then identity (normal form)"
        assert (verdict.status, verdict.scope) == ("proved", "for all a, b ∈ ℝ")


def test_a_row_that_fails_shows_what_was_claimed_why_and_by_how_much_it_fails():
    D = Derivation("failure")
    with pytest.raises(Refuted) as caught:
        D.prove("eq-square", (a + b) ** 2, eq(a**2 + b**2, "squares add up"))
    first, reason, method, difference, point = str(caught.value).splitlines()
    assert first == "eq-square, row 1: (a + b)**2 = a**2 + b**2"
    assert reason.strip() == "reason given: squares add up"
    assert method.strip() == "method: identity (normal form)"
    assert difference.strip() == "difference: -a**2 - b**2 + (a + b)**2"
    assert point.strip().startswith("refuted at a = ")
    with pytest.raises(ProofError, match="reason given: too tight"):
        D.prove("eq-bound", Abs(z + w), le(Abs(z), "too tight", by=triangle))


def test_what_only_resembles_a_consequence_is_undecided():
    for premise, claim in (((a * x, b * x), (a, b)), ((a**2, b**2), (a, b)), ((a, b), (a, b + 1))):
        assert consequence(statement(*claim), [statement(*premise)]).status == "undecided"
    premise, claim, _ = CONSEQUENCES["an exponential is not zero"]
    quick = consequence(statement(*claim), [statement(*premise[0])], thorough=False)
    assert quick.status == "undecided", "a basis is computed only where it is asked for"


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


def test_a_two_jet_is_cut_off_after_the_second_order_and_only_there():
    f, H = real_function("f"), reals("H")
    first, second, third = (Derivative(f(x), x, k) for k in (1, 2, 3))
    D = Derivation("squared")
    square = f(x) ** 2 + 2 * H * f(x) * first + H**2 * (first**2 + f(x) * second)
    D.prove("eq-square", f(x + H) ** 2, eq(square, "Taylor", two_jet(f, [H])))
    D.prove("eq-third", f(x + H) ** 2, eq(square + 5 * H**3 * third, "any third order", two_jet(f, [H])))
    for order in (0, 1, 2):
        with pytest.raises(Refuted):
            D.prove("eq-x", f(x + H) ** 2, eq(square + H**order * first, "too much", two_jet(f, [H])))


def test_a_derivation_records_what_was_written_and_what_was_found():
    D = Derivation("record", "a paper")
    D.model(phi(x), x)
    made = {
        "defined": D.define(h[i], exp(I * i * t), "an abbreviation", "eq-defined"),
        "assumed": D.assume("eq-assumed", phi(x + y), phi(x) + phi(y), "a hypothesis", "page 1"),
        "proved": D.prove("eq-proved", (a + b) ** 2, eq(a**2 + 2 * a * b + b**2, "expanded"), source="p. 2"),
        "refuted": D.refute("eq-refuted", (a + b) ** 2, a**2 + b**2, "a common slip", "page 3"),
        "sampled": D.sample("eq-sampled", a**2 + 1, ">", Integer(0), "looks so", "page 4"),
        "cited": D.cite("eq-cited", sin(x), "<=", Abs(x), "page 5"),
    }
    found = {
        kind: (r.label, r.derivation, r.kind, r.source, r.links[0].relation, r.links[0].because)
        for kind, r in made.items()
    }
    assert found == {
        "defined": ("eq-defined", "record", "defined", "", ":=", "an abbreviation"),
        "assumed": ("eq-assumed", "record", "assumed", "page 1", "=", "a hypothesis"),
        "proved": ("eq-proved", "record", "proved", "p. 2", "=", "expanded"),
        "refuted": ("eq-refuted", "record", "refuted", "page 3", "=", "a common slip"),
        "sampled": ("eq-sampled", "record", "sampled", "page 4", ">", "looks so"),
        "cited": ("eq-cited", "record", "cited", "page 5", "<=", ""),
    }
    assert {kind: r.verdict.status for kind, r in made.items()} == {kind: kind for kind in made}
    methods = {kind: r.verdict.method for kind, r in made.items() if kind not in ("proved", "sampled")}
    assert methods == {
        "defined": "definition",
        "assumed": "hypothesis",
        "refuted": "certified counterexample",
        "cited": "cited: page 5",
    }
    scopes = {kind: made[kind].verdict.scope for kind in ("assumed", "proved", "refuted", "cited")}
    assert scopes == {
        "assumed": "for all x, y ∈ ℝ and every real function φ",
        "proved": "for all a, b ∈ ℝ",
        "refuted": "for all a, b ∈ ℝ",
        "cited": "for all x ∈ ℝ",
    }
    point = {name: Rational(value) for name, value in made["refuted"].verdict.counterexample.point}
    assert point["a"] * point["b"] != 0
    left, right = made["refuted"].left, made["refuted"].links[0].right
    assert (left, right) == ((a + b) ** 2, a**2 + b**2)


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


def test_block_diagonal_matrices_act_on_stacked_vectors_block_by_block():
    """Σ_i θ_i u_i v_i and its like: the equations of a rotation's derivative, in any number of planes."""
    u, v, d = real_sequence("u"), real_sequence("v"), counts("d")
    stack = lambda *entries: Stacked(Matrix(entries), (i, 0, d - 1))  # noqa: E731
    x_, y_ = stack(u[i], v[i]), stack(v[i], u[i])
    turn = BlockDiagonal(theta[i] * Matrix([[0, -1], [1, 0]]), (i, 0, d - 1))
    shear = BlockDiagonal(Matrix([[1, theta[i]], [0, 1]]), (i, 0, d - 1))
    other_index = Stacked(Matrix([-theta[j] * v[j], theta[j] * u[j]]), (j, 0, d - 1))
    true = [
        (turn * x_, stack(-theta[i] * v[i], theta[i] * u[i])),
        (turn * x_, other_index),
        (turn.T * x_, stack(theta[i] * v[i], -theta[i] * u[i])),
        (x_ + y_, stack(u[i] + v[i], u[i] + v[i])),
        (turn * shear * x_, stack(-theta[i] * v[i], theta[i] * u[i] + theta[i] ** 2 * v[i])),
        (turn * shear, BlockDiagonal(Matrix([[0, -theta[i]], [theta[i], theta[i] ** 2]]), (i, 0, d - 1))),
        (turn + shear, BlockDiagonal(Matrix([[1, 0], [theta[i], 1]]), (i, 0, d - 1))),
        (x_.T * y_, 2 * Sum(u[i] * v[i], (i, 0, d - 1))),
        (x_.T * turn * x_, Integer(0)),
        (x_.T * turn * y_, Sum(theta[i] * (v[i] ** 2 - u[i] ** 2), (i, 0, d - 1))),
    ]
    D = Derivation("act")
    for row, (left, right) in enumerate(true):
        assert D.prove(f"eq-{row}", left, eq(right, "blockwise")).verdict.status == "proved"
    with pytest.raises(Refuted):
        D.prove("eq-x", turn * x_, eq(x_, "not turned"))
    shifted = Stacked(Matrix([u[i], v[i]]), (i, 1, d))
    with pytest.raises(ValueError, match="blocks over different ranges"):
        D.prove("eq-y", turn * shifted, eq(x_, "moved by one"))
    with pytest.raises(ValueError, match="the two sides have different blocks"):
        D.prove("eq-z", x_, eq(turn, "a column and a matrix"))
    with pytest.raises(ValueError, match="rename one of the two"):
        D.prove("eq-w", x_, eq(Stacked(Matrix([u[j], i * v[j]]), (j, 0, d - 1)), "i in a block of j"))


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
    for sides in ((left, right), (right, left)):
        with pytest.raises(ValueError, match=message):
            check(*sides)


@pytest.mark.parametrize(
    ("left", "right"),
    [(tan(x) * cos(x), sin(x)), (cot(x) * sin(x), cos(x)), (sec(x) * cos(x), 1), (csc(x) * sin(x), 1)],
    ids=["tan", "cot", "sec", "csc"],
)
def test_the_scope_of_a_tangent_leaves_out_its_poles(left, right):
    for sides in ((left, right), (right, left)):
        assert check(*sides).scope == "for all x ∈ ℝ, where no denominator vanishes"


def test_the_scope_names_letters_and_poles_of_both_sides():
    one_side, other = (x + 1) ** 2 - x**2 - 2 * x, Integer(1)
    assert check(one_side, other).scope == check(other, one_side).scope == "for all x ∈ ℝ"
    assert check(1 / x - 1 / x**2, (x - 1) / x**2).scope == "for all x ∈ ℝ, where no denominator vanishes"
    assert check(Abs(x), x, (x >= 0,)).scope == "for all x ∈ ℝ, with x >= 0"


def test_a_matrix_of_one_entry_is_a_scalar_and_infinity_is_none():
    assert check(Matrix([[x]]), x).status == check(x, Matrix([[x]])).status == "proved"
    for nothing in (zoo, nan):
        with pytest.raises(TypeError, match="with a value"):
            check(x, nothing)
    with pytest.raises(ValueError, match=r"different shapes: \(2, 1\) and a scalar"):
        check(Matrix([a, b]), a)


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


j = naturals("j")
one, two = positives("one two")
COUNT = counts("n")
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
    "a chord": (sine_chord, Abs(sin(x + y)), Abs(x + y)),
    "another letter for an index": (
        cauchy_schwarz, Abs(TOTAL) ** 2, SQUARES[0].xreplace({i: j}) * SQUARES[1],
    ),
}  # fmt: skip
NOT_BY_RULE = {
    "a factor of unknown sign": (triangle, x * Abs(Sum(h[i], (i, 0, N))), x * Sum(Abs(h[i]), (i, 0, N))),
    "a weight negative in the middle": (triangle, *weighted(16 * t**2 - 16 * t + 3)),
    "a weight negative at one end": (triangle, *weighted(1 - 2 * t)),
    "half of the interval": (triangle, weighted(t)[0], weighted(t, Rational(1, 2))[1]),
    "no integral on the right": (triangle, weighted(t)[0], one),
    "another function under the integral": (triangle, weighted(t)[0], weighted(t**2)[1]),
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


@pytest.mark.parametrize(("rule", "left", "right"), TRUE_BY_RULE.values(), ids=TRUE_BY_RULE)
def test_a_named_inequality_is_shown_by_its_rule(rule, left, right):
    verdict = rule.decide(Statement(left, "<=", right), None)
    assert verdict.status == "proved"
    assert verdict.method == f"bound ({rule.name})"
    assert verdict.scope.startswith("for all n ∈ ℕ₊" if rule is maximum else "for all")
    assert ("every complex sequence" in verdict.scope) == right.has(h)


@pytest.mark.parametrize(("rule", "left", "right"), NOT_BY_RULE.values(), ids=NOT_BY_RULE)
def test_what_a_named_inequality_does_not_show_is_not_proved(rule, left, right):
    verdict = rule.decide(Statement(left, "<=", right), None)
    assert verdict.status in ("refuted", "undecided")
    assert verdict.method == f"bound ({rule.name})"
    assert verdict.scope.startswith("for all")


def test_only_known_inequalities_have_a_name():
    with pytest.raises(ValueError, match="name must be one of"):
        Bound("Jensen")


@pytest.mark.parametrize(("left", "right"), [(x, Rational(201, 100)), (-x, Rational(1, 100))])
def test_the_mean_value_form_decides_affine_bounds_in_one_cell(left, right):
    verdict = decide_on_box(Statement(left, "<", right), {x: (0, 2)})
    assert verdict.status == "proved"
    assert verdict.method.endswith(", 1 cells")
    assert verdict.scope == "for all x ∈ [0, 2]"
    assert decide_on_box(Statement(right, ">", left), {x: (0, 2)}).method.endswith(", 1 cells")


@pytest.mark.parametrize(
    ("left", "right"), [(x, Rational(19, 10)), (-x, -Rational(1, 10)), (x**2, 4 - x / 100)]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_bound_that_fails_near_an_end_of_the_box_is_refuted(left, right, swapped):
    statement = Statement(right, ">", left) if swapped else Statement(left, "<", right)
    verdict = decide_on_box(statement, {x: (0, 2)})
    assert verdict.status == "refuted"
    assert (verdict.method, verdict.scope) == ("certified (ball arithmetic, bisection)", "for all x ∈ [0, 2]")
    at = Rational(dict(verdict.counterexample.point)["x"])
    values = [
        float(side.split()[0].strip("["))
        for side in (verdict.counterexample.left, verdict.counterexample.right)
    ]
    assert values == pytest.approx([float(side.subs(x, at)) for side in (statement.left, statement.right)])


def test_neither_a_pole_nor_an_attained_bound_is_certified():
    assert decide_on_box(Statement(Integer(0), "<", 1 / x**2), {x: (-1, 1)}).status == "undecided"
    assert decide_on_box(Statement(Integer(0), "<", x), {x: (0, 1)}).status == "undecided"
    assert decide_on_box(Statement(x, "<=", x), {x: (0, 1)}).status == "undecided"
    assert decide_on_box(Statement(x, "<", x), {x: (0, 1)}).status == "refuted"


@pytest.mark.parametrize("order", [(x, y), (y, x)])
def test_a_box_is_halved_along_its_longest_side(order):
    sides = {x: (-10, -1), y: (0, 1)}
    verdict = decide_on_box(
        Statement(x**2 + y, "<", Integer(102)), {letter: sides[letter] for letter in order}
    )
    assert verdict.status == "proved", "halving y does not help"
    three = {x: (-10, -1), y: (0, 1), a: (0, 9)}
    assert decide_on_box(Statement(x**2 + y + a**2, "<", Integer(183)), three).status == "proved"


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
    for decided in (check(Abs(x), x, (x >= 0,)), identity.decide(Statement(Abs(x), "=", x, (x >= 0,)), None)):
        assert decided.status == "undecided"
    assert check(Abs(x), x, (x < 0,)).status == "refuted"


cbrt2, above, root = 2 ** Rational(1, 3), 1 + x**2, sqrt(1 + 1 / (1 + x**2))
M = counts("M")
fifth, corner = exp(2 * I * pi / 5), (1 + I) * exp(I * t) / 2
DECIDED = {
    "logarithm of a product": (log(Integer(12)), 2 * log(2) + log(3)),
    "logarithm of a fraction": (log(Rational(8, 9)), 3 * log(2) - 2 * log(3)),
    "logarithm of a power": (log(one**x), x * log(one)),
    "logarithm of an exponential": (log(exp(x) * one), x + log(one)),
    "root of a square times a prime": (sqrt(12), 2 * sqrt(3)),
    "root of a fraction": (sqrt(Rational(2, 3)), sqrt(6) / 3),
    "root of a square": (sqrt((1 + x**2) ** 2 * 3), (1 + x**2) * sqrt(3)),
    "modulus of a number": (Abs(-Rational(3, 2) * z), Rational(3, 2) * Abs(z)),
    "modulus of i": (Abs(I * z), Abs(z)),
    "modulus of a phase": (Abs(exp(I * x) * z), Abs(z)),
    "modulus of an exponential": (Abs(exp(x + I * y) * z), exp(x) * Abs(z)),
    "modulus squared": (Abs(z + w) ** 2, (z + w) * conjugate(z + w)),
    "a maximum counted from 1": (MaxOver(theta[i + 1], (i, 0, N)), MaxOver(theta[j], (j, 1, N + 1))),
    "a product counted from 1": (Product(h[i + 1], (i, 0, N)), Product(h[j], (j, 1, N + 1))),
    "the last two factors of a product": (
        Product(h[i], (i, 0, N + 1)),
        h[N] * h[N + 1] * Product(h[i], (i, 0, N - 1)),
    ),
    "a sum counted from 1": (Sum(h[i + 1], (i, 0, N)), Sum(h[j], (j, 1, N + 1))),
    "i squared": ((1 + I * x) * (1 - I * x), 1 + x**2),
    "a cube with i": ((1 + I * x) ** 3, 1 + 3 * I * x - 3 * x**2 - I * x**3),
    "a fraction with i": (1 / (1 + I * x), (1 - I * x) / above),
    "fractions of two denominators": (
        1 / above + y / above + 1 / (2 + x**2),
        (3 + 2 * x**2 + y * (2 + x**2)) / (above * (2 + x**2)),
    ),
    "real part of a product": (re(z * w), re(z) * re(w) - im(z) * im(w)),
    "imaginary part of a product": (im(z * w), re(z) * im(w) + im(z) * re(w)),
    "the larger and the smaller": (Max(x, y) + Min(x, y), x + y),
    "the larger without the smaller": (Max(x, y) - Min(x, y), Abs(x - y)),
    "cube root of a product": (Integer(12) ** Rational(1, 3), 2 ** Rational(2, 3) * 3 ** Rational(1, 3)),
    "cube with a cube root": ((1 + cbrt2) ** 3, 3 + 3 * cbrt2 + 3 * cbrt2**2),
    "square with a square root": ((1 + sqrt(2)) ** 2, 3 + 2 * sqrt(2)),
    "a root in a denominator": (1 / (1 + sqrt(2)), sqrt(2) - 1),
    "difference of squares with a root": ((sqrt(above) + x) * (sqrt(above) - x), Integer(1)),
    "cube with the root of a fraction": (
        (y + root) ** 3,
        y**3 + 3 * y * root**2 + (3 * y**2 + 1 + 1 / above) * root,
    ),
    "difference of squares with a sign": (((-1) ** n + 2) * ((-1) ** n - 2), Integer(-3)),
    "half exponents": ((exp(x / 2) + exp(-x / 2)) ** 2, exp(x) + 2 + exp(-x)),
    "third exponents": ((exp(x / 3) - 1) * (exp(2 * x / 3) + exp(x / 3) + 1), exp(x) - 1),
    "a derivative": (Derivative(x**3 * y, x), 3 * x**2 * y),
    "tangent": (tan(x) * cos(x), sin(x)),
    "cotangent": (cot(x) * sin(x), cos(x)),
    "secant": (sec(x) * cos(x), Integer(1)),
    "cosecant": (csc(x) * sin(x), Integer(1)),
    "hyperbolic tangent": (tanh(x) * cosh(x), sinh(x)),
    "hyperbolic sine": (cosh(x) + sinh(x), exp(x)),
    "modulus of a sum that cancels": (Abs(corner * (1 + x) - corner * x), sqrt(2) / 2),
    "root of e": ((1 + exp(Rational(1, 2))) ** 2, 1 + 2 * exp(Rational(1, 2)) + exp(Integer(1))),
    "root of a letter": ((1 + sqrt(one)) ** 2, 1 + 2 * sqrt(one) + one),
    "cube root of a sum": (
        (1 + above ** Rational(1, 3)) ** 2,
        1 + 2 * above ** Rational(1, 3) + above ** Rational(2, 3),
    ),
    "a power of two times three halves of one": (2 ** (x + Rational(3, 2)), 2 * sqrt(2) * 2**x),
    "a power of two times eight": (2 ** (x + 3), 8 * 2**x),
    "a half turn and a turn by x": (exp(I * pi * (x + 1)), -exp(I * pi * x)),
    "three quarters of a turn and a turn by x": (exp(I * pi * (x + Rational(3, 2))), -I * exp(I * pi * x)),
    "a root in the denominator of an exponent": (
        2 ** (x / (1 + sqrt(one))) * 2**x,
        2 ** (x + x / (sqrt(one) + 1)),
    ),
    "powers of a fraction": (Rational(2, 3) ** x * 3**x, 2**x),
    "half and third exponents": (exp(x / 2) * exp(x / 3) / exp(x / 6), exp(2 * x / 3)),
    "powers of two": ((2**x + 1) * (2**x - 1), 4**x - 1),
    "fifth roots of one": ((fifth - 1) * (1 + fifth + fifth**2 + fifth**3 + fifth**4) + x, x),
    "a turn by n and a half": (exp(I * pi * (n + Rational(1, 2))), I * (-1) ** n),
    "a turn by n and a third": (exp(I * pi * (n + Rational(1, 3))) * exp(-I * pi / 3), (-1) ** n),
    "a sum of sums": (
        Sum(Sum(h[i] * S[j], (i, 0, N)), (j, 0, N)),
        Sum(h[i], (i, 0, N)) * Sum(S[j], (j, 0, N)),
    ),
    "constants in a sum": (Sum(x * h[i] + 1, (i, 0, N)), x * Sum(h[i], (i, 0, N)) + N + 1),
    "the last two terms": (Sum(h[i], (i, 0, N + 2)), Sum(h[i], (i, 0, N)) + h[N + 1] + h[N + 2]),
    "the first term": (Sum(h[i], (i, 0, N + 1)), h[0] + Sum(h[i + 1], (i, 0, N))),
    "one term fewer": (Sum(h[i], (i, 0, M - 2)), Sum(h[i], (i, 0, M - 1)) - h[M - 1]),
    "all but the first": (Sum(h[i], (i, 1, M - 1)), Sum(h[i], (i, 0, M - 1)) - h[0]),
    "moved up": (
        Sum(phi(i + 2), (i, 0, N)),
        Sum(phi(i), (i, 0, N)) + phi(N + 1) + phi(N + 2) - phi(0) - phi(1),
    ),
    "moved down": (
        Sum(x * phi(i - 2), (i, 0, N)),
        x * (Sum(phi(i), (i, 0, N)) + phi(-2) + phi(-1) - phi(N - 1) - phi(N)),
    ),
    "products moved": (Sum(h[i + 1] * S[i + 2], (i, 0, N)), Sum(h[j] * S[j + 1], (j, 1, N + 1))),
    "64 terms": (Sum(h[i], (i, 0, 63)), h[63] + Sum(h[i], (i, 0, 62))),
}


@pytest.mark.parametrize(("left", "right"), DECIDED.values(), ids=DECIDED)
def test_identities_that_the_normal_form_must_decide(left, right):
    assert check(left, right).status == "proved"
    assert check(left, right + 1).status == "refuted"
    assert check(left, 2 * right).status == "refuted"


def test_a_maximum_depends_on_its_range_and_on_its_terms():
    top = MaxOver(theta[i], (i, 0, N))
    for other in (
        MaxOver(theta[i], (i, 0, N + 1)),
        MaxOver(theta[i], (i, 1, N + 1)),
        MaxOver(2 * theta[i], (i, 0, N)),
    ):
        assert check(top, other).status == "refuted"


def test_a_maximum_is_taken_over_its_range_and_may_be_negative():
    for low, high in ((2, 4), (3, 3), (0, 5)):
        top, bottom = MaxOver(i, (i, low, high)), -MaxOver(-i, (i, low, high))
        assert evaluate(top, Point(0)) == high and evaluate(bottom, Point(0)) == low
    assert evaluate(Sum(Max(i, 1), (i, 0, 2)), Point(0)) == 4
    top = MaxOver(theta[i], (i, 0, N))
    assert check(Abs(top), top).status == "refuted"
    above_zero = MaxOver(Abs(theta[i]), (i, 0, N))
    assert check(Abs(above_zero), above_zero).status == "proved"


def test_a_limit_other_than_zero():
    r = positives("r")
    D = Derivation("limit")
    D.prove("eq-error", Abs((1 + 1 / r) - 1), eq(1 / r, "r is positive"))
    D.prove("eq-far", Abs((1 + 1 / r) + 1), eq(2 + 1 / r, "r is positive"))
    result = D.prove(
        "eq-limit", Limit(1 + 1 / r, r, oo), eq(1, "the error vanishes", limit_by("eq-error", 1))
    )
    assert result.verdict.method == "limit (explicit error bound)"
    with pytest.raises(Undecided, match="does not bound the distance to 1"):
        D.prove("eq-x", Limit(1 + 1 / r, r, oo), eq(1, "distance to −1", limit_by("eq-far", 1)))


def test_an_inequality_added_up_shows_no_equality():
    D = Derivation("termwise")
    D.prove("eq-each", Abs(S[i + 1] - S[i]), le(Abs(S[i + 1]) + Abs(S[i]), "triangle inequality", triangle))
    sums = [Sum(term, (i, 0, N)) for term in (Abs(S[i + 1] - S[i]), Abs(S[i + 1]) + Abs(S[i]))]
    verdict = D.prove("eq-all", sums[0], le(sums[1], "added up", termwise("eq-each"))).verdict
    assert verdict.method == "termwise (an inequality added up over a range)"
    assert verdict.scope == "for all N ∈ ℕ and every complex sequence S"
    with pytest.raises(ValueError, match="Termwise shows"):
        D.prove("eq-x", sums[0], eq(sums[1], "equal?", termwise("eq-each")))


def test_the_scope_of_a_two_jet_is_every_smooth_function():
    f, p = real_function("f"), reals("p")
    jet = f(x) + p * Derivative(f(x), x) + p**2 * Derivative(f(x), x, 2) / 2
    verdict = Derivation("taylor").prove("eq-4", f(x + p), eq(jet, "Taylor", two_jet(f, [p]))).verdict
    assert verdict.scope == "for every f with continuous third derivatives"


def test_products_differ_in_their_factors_and_in_their_number():
    assert check(Product(h[i], (i, 0, N - 1)), Product(S[i], (i, 0, N - 1))).status == "refuted"
    assert check(Product(h[i], (i, 0, N - 1)), Product(h[i], (i, 0, COUNT - 1))).status == "refuted"
    product = Product(h[i], (i, 0, N))
    for other in (Product(S[i], (i, 0, N)), Product(h[i], (i, 0, COUNT)), Product(h[i], (i, 1, N + 1))):
        assert check(product, other).status == "refuted"
    for top in (m, N + Rational(1, 2)):  # may be below the first index; not an integer
        shorter = Product(h[i], (i, 0, top - 1))
        assert check(Product(h[i], (i, 0, top)), h[top] * shorter).status != "proved"


def test_a_sample_counts_the_points_at_which_the_relation_certainly_holds():
    tries = len(list(points()))
    assert sampled(cos(a) ** 2 + sin(a) ** 2, "=", Integer(1)) == tries
    assert sampled(cos(a), "<", Integer(2)) == sampled(Integer(2), ">=", cos(a)) == tries
    with_value = sum(point.value(N, "N") != 0 for point in points())
    assert 0 < with_value < tries
    assert sampled(2 / N, "=", 1 / N + 1 / N) == sampled(1 / N, ">", Integer(0)) == with_value
    positive = sum(point.value(x, "x") >= 0 for point in points())
    assert 0 < sampled(Abs(x), "=", x, (x >= 0,)) == positive < tries


def test_what_was_checked_at_listed_values_says_so():
    d = counts("d")
    rule = finite(d, [1, 2, 3])
    proved = rule.decide(Statement(Sum(2 * i + 1, (i, 0, d - 1)), "=", d**2), None)
    assert (proved.method, proved.scope) == ("finite: d = 1, 2, 3 only", "for d one of 1, 2, 3")
    failed = rule.decide(Statement(Sum(2 * i + 1, (i, 0, d - 1)), "=", 3 * d - 2), None)
    assert (failed.status, failed.method, failed.scope) == ("refuted", "finite: d = 3", proved.scope)


def test_induction_goes_up_by_one():
    """(−1)^N = 1 holds at 0 and is inherited from N to N + 2."""
    rule = induction(N)
    verdict = rule.decide(Statement((-1) ** N, "=", Integer(1)), Derivation("d"))
    assert verdict.status == "refuted"
    assert (verdict.method, verdict.scope) == ("induction on N: the step N → N + 1", "for all N ∈ ℕ")
    base = rule.decide(Statement(Sum(i, (i, 0, N)), "=", N * (N + 1) / 2 + 1), Derivation("d"))
    assert (base.method, base.scope) == ("induction on N: the base case N = 0", "for all N ∈ ℕ")
    k = counts("k")
    proved = induction(k, 1).decide(Statement(Sum(i, (i, 1, k)), "=", k * (k + 1) / 2), Derivation("d"))
    assert proved.method == "induction on k, base k = 1, upwards"


def test_induction_over_all_integers_starts_anywhere_and_needs_both_ways():
    D = Derivation("arithmetic")
    D.constant(t)
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(3), 3 * t, "initial value")
    D.model(phi(m), m * t)
    down = ["eq-start", D.at("eq-step", {m: m - 1})]
    with pytest.raises(Undecided):
        D.prove("eq-x", phi(m), eq(m * t, "downwards only", induction(m, 3, down)))
    result = D.prove("eq-linear", phi(m), eq(m * t, "from 3", induction(m, 3, ["eq-step", *down])))
    assert result.verdict.method == "induction on m, base m = 3, in both directions"
