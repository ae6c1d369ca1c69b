"""Matrices of any size in a derivation: what is proved, refuted, refused, printed, and read again."""

import pytest
from sympy import (
    Determinant,
    Identity,
    MatAdd,
    MatMul,
    Matrix,
    MatrixSymbol,
    Sum,
    Trace,
    Transpose,
    ZeroMatrix,
    cos,
    sin,
)

from posenc_lib.proofs import (
    BlockDiagonal,
    Derivation,
    Inner,
    ProofError,
    Undecided,
    check,
    counts,
    eq,
    evens,
    follows,
    induction,
    integers,
    invertible_matrices,
    latex,
    matrix_function,
    naturals,
    real_sequence,
    reals,
    square_matrices,
    vector_function,
)
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread

d, e = counts("d e")
m, n = integers("m n")
i, N = naturals("i N")
x, theta = reals("x theta")
A, B, C = square_matrices("A B C", d)
P, Q = invertible_matrices("P Q", d)
R, S = matrix_function("R", d, d), matrix_function("S", d, d)
u, v = vector_function("u", d), vector_function("v", d)
I = Identity(d)
TURN = Matrix([[cos(m * theta), -sin(m * theta)], [sin(m * theta), cos(m * theta)]])

TRUE = {
    "transpose of a product": (Transpose(A * B), B.T * A.T),
    "difference of squares": ((A + B) * (A - B), A**2 - A * B + B * A - B**2),
    "numbers commute with matrices": (2 * x * A * (x * B), 2 * x**2 * A * B),
    "an identity of the numbers": ((cos(x) ** 2 + sin(x) ** 2) * A, A),
    "inverse of a product": ((P * Q).inv() * A, Q.inv() * P.inv() * A),
    "inverse of a transpose": (P.T.inv() * P.T * A, A),
    "a change of basis": ((P * A * P.inv()) ** 2, P * A**2 * P.inv()),
    "columns": ((A * u()).T * v(), u().T * A.T * v()),
    "a number is its own transpose": (u().T * A.T * v(), v().T * A * u()),
    "an outer product": (u() * v().T * u(), u() * (v().T * u())),
    "a difference": (A - A + B, B),
    "zero": ((A - A) * B, ZeroMatrix(d, d)),
    "an even size": (
        square_matrices("A", evens("d")) * square_matrices("B", evens("d")) * 2,
        2 * square_matrices("A", evens("d")) * square_matrices("B", evens("d")),
    ),
}
FALSE = {
    "products commute": (A * B, B * A),
    "a transpose keeps the order": (Transpose(A * B), A.T * B.T),
    "a binomial": ((A + B) ** 2, A**2 + 2 * A * B + B**2),
    "an inverse keeps the order": ((P * Q).inv(), P.inv() * Q.inv()),
    "matrices are symmetric": (A.T, A),
    "a change of basis changes nothing": (P * A * P.inv(), A),
    "columns change places": (u() * v().T, v() * u().T),
    "a number with another matrix": (u().T * A * v(), v().T * A * u()),
    "true of one row": (A * B - B * A, ZeroMatrix(d, d)),
    "true of two rows": ((A * B - B * A) ** 2 * C, C * (A * B - B * A) ** 2),
    "an identity is 0": (I, ZeroMatrix(d, d)),
    "another letter": (R(m) * R(n), R(n) * R(m)),
    "a function of any position": (R(m), R(m + 1)),
}
REFUSED = {
    "two sizes": (lambda: (A, square_matrices("B", e)), "two sizes, d and e"),
    "two sizes in a product": (lambda: (A * square_matrices("B", e), A), "two sizes, d and e"),
    "a size that is a number": (lambda: (A * matrix_function("B", 2, 2)(), A), "two sizes, d and 2"),
    "an identity of another size": (lambda: (A, Identity(e)), "two sizes, d and e"),
    "a product that does not fit": (lambda: (MatMul(v(), A), v()), "d × 1 and d × d"),
    "a sum that does not fit": (lambda: (MatAdd(A, v()), A), "d × d and d × 1"),
    "a power of a column": (lambda: (MatMul(u(), v()), u()), "d × 1 and d × 1"),
    "sides of two shapes": (lambda: (A * u(), A), r"different shapes: \(d, 1\) and \(d, d\)"),
    "a matrix and a number": (lambda: (A, x), r"different shapes: \(d, d\) and a scalar"),
    "an inverse of nobody knows what": (lambda: (A * B.inv(), A), "B is not known to have an inverse"),
    "an inverse of a product": (lambda: ((P * A).inv(), P), "A is not known to have an inverse"),
    "an inverse of a sum": (lambda: ((P + Q).inv(), P), "not known to have an inverse"),
    "a power that is a letter": (lambda: (P**N, P), "whole number"),
    "a trace": (lambda: (Trace(A * B), Trace(B * A)), "beside matrices of any size"),
    "a determinant": (lambda: (Determinant(A), x), "beside matrices of any size"),
    "an inner product": (lambda: (Inner(u(), v()), Inner(v(), u())), "beside matrices of any size"),
    "a matrix that is written out": (
        lambda: (MatMul(A, Matrix([[1, 0], [0, 1]])), A),
        "not a sum or a product",
    ),
    "a symbol of SymPy's": (lambda: (A * MatrixSymbol("B", d, d), A), "not a sum or a product of matrices"),
    "blocks": (lambda: (MatMul(A, BlockDiagonal(TURN, (m, 0, 1))), A), "not a sum or a product"),
    "a letter and a matrix of one name": (lambda: (reals("A") * A, A), "printed A"),
    "a matrix called I": (lambda: (square_matrices("I", d) * I, I), "printed I"),
    "one name with and without an inverse": (lambda: (square_matrices("P", d) * P, P), "P stands for"),
    "a size that is bound": (
        lambda: (MatMul(Sum(d, (d, 1, 2)), A), A),
        "d is bound here",
    ),
    "a matrix inside a parameter": (lambda: (R(Trace(A)), A), "beside matrices of any size"),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_of_every_size(name):
    D = Derivation("true")
    result = D.prove("eq-true", TRUE[name][0], eq(TRUE[name][1], "so it is"))
    assert result.kind == "proved" and "d ∈ " in result.scope
    confirmed(D)


@pytest.mark.parametrize("name", FALSE)
def test_false_of_some_size(name):
    verdict = check(*FALSE[name])
    assert verdict.status == "refuted"
    assert verdict.counterexample.point[0] == ("d", "3" if name == "true of two rows" else "2")
    with pytest.raises(ProofError):
        Derivation("false").prove("eq-false", FALSE[name][0], eq(FALSE[name][1], "it is not"))
    refuted = Derivation("false").refute("eq-false", *FALSE[name], "it is not")
    assert refuted.verdict.counterexample.left != refuted.verdict.counterexample.right


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    sides, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        left, right = sides()
        Derivation("refused").prove("eq-refused", left, eq(right, "nobody knows"))


@pytest.mark.parametrize("size", [2, x, integers("k"), naturals("k")])
def test_a_size_is_a_letter_for_any_number(size):
    for make in (square_matrices, invertible_matrices):
        with pytest.raises(ValueError, match="size"):
            make("A", size)


def test_a_matrix_of_any_size_is_square_or_a_column():
    for shape in ((d, e), (d, 2), (1, d)):
        with pytest.raises(ValueError, match="of any size is square or a column"):
            matrix_function("A", *shape)


def confirmed(D, **instead):
    """Each result that is proved, read again from what is printed of it."""
    records = [{**r.record(), **instead} if r.kind == "proved" else r.record() for r in D.results.values()]
    for record in records:
        if record["kind"] == "proved":
            Derived(records, D.theorems.claimed).confirm(record["label"])


def relative():
    """R_m^T R_n = R_(n - m), in the turns of a plane."""
    D = Derivation("relative")
    D.assume("eq-wish", R(m).T * R(n), R(n - m), "the wish")
    D.assume("eq-start", R(0), I, "nothing at 0")
    D.model(R(m), TURN)
    return D


def test_a_wish_gives_orthogonal_matrices_whose_turns_add():
    D = relative()
    start = follows(D.at("eq-wish", n=m), "eq-start")
    kept = D.prove("eq-kept", R(m).T * R(m), eq(I, "n = m", by=start))
    assert kept.scope == "for all d ∈ ℕ₊, m ∈ ℤ and every real d × d matrix function R as assumed"
    assert kept.latex() == r"R_{m}^{\top} R_{m} = I"
    D.prove("eq-other", R(m) * R(m).T, eq(I, "square", by=follows("eq-kept")))
    D.prove("eq-back", R(m).T, eq(R(-m), "n = 0", by=follows(D.at("eq-wish", n=0), "eq-start")))
    adds = follows(D.at("eq-wish", m=-m), D.at("eq-back", m=-m))
    D.prove("eq-adds", R(m) * R(n), eq(R(m + n), "m := -m", by=adds))
    confirmed(D)


WRONG = {
    "turns subtract": (R(m) * R(n), R(m - n)),
    "no turn at all": (R(m), I),
    "a mirror": (R(m), R(-m)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_follow_is_false_in_the_model(name):
    D = relative()
    with pytest.raises(Undecided, match="false in your model"):
        D.prove("eq-wrong", WRONG[name][0], eq(WRONG[name][1], "wrong", by=follows("eq-wish", "eq-start")))


def test_a_premise_that_is_not_used_is_refused():
    D = relative()
    with pytest.raises(Undecided, match="only eq-wish at n := m, eq-start is used"):
        D.prove(
            "eq-kept",
            R(m).T * R(m),
            eq(I, "n = m", by=follows(D.at("eq-wish", n=m), "eq-start", D.at("eq-wish", m=2, n=3))),
        )


def test_a_power_by_induction():
    D = Derivation("power")
    D.assume("eq-start", S(0), I, "the empty product")
    D.assume("eq-step", S(N + 1), S(N) * A, "one factor more")
    D.model(S(N), TURN.subs(m, N))
    D.model(A, TURN.subs(m, 1))
    D.prove(
        "eq-passes", A * S(N), eq(S(N) * A, "step by step", by=induction(N, using=["eq-start", "eq-step"]))
    )
    confirmed(D)
    with pytest.raises(ProofError):
        D.prove("eq-wrong", S(N), eq(A, "not so", by=induction(N, using=["eq-start", "eq-step"])))


def test_values_may_be_turned_before_they_are_added():
    """R_m^T sum R_n v_n = sum R_(n - m) v_n, for sums that grow term by term."""
    v1, v2 = real_sequence("v_1"), real_sequence("v_2")
    F, G = vector_function("F", d), vector_function("G", d)
    D = relative()
    D.assume("eq-f", F(0), ZeroMatrix(d, 1), "no term")
    D.assume("eq-f-next", F(N + 1), F(N) + R(N) * v(N), "one term more")
    D.assume("eq-g", G(0, m), ZeroMatrix(d, 1), "no term")
    D.assume("eq-g-next", G(N + 1, m), G(N, m) + R(N - m) * v(N), "one term more")
    terms = TURN.subs(m, i - m) * Matrix([v1[i], v2[i]])
    total = Matrix([Sum(term, (i, 0, N - 1)) for term in terms])
    D.model(v(N), Matrix([v1[N], v2[N]]))
    D.model(F(N), total.subs(m, 0))
    D.model(G(N, m), total)
    used = ["eq-f", "eq-f-next", "eq-g", "eq-g-next", D.at("eq-wish", n=N)]
    by = induction(N, using=used)
    assert D.prove("eq-values", R(m).T * F(N), eq(G(N, m), "linear", by=by)).wrong_versions.refuted > 2
    confirmed(D)


def test_hypotheses_that_nothing_satisfies_are_refused():
    D = Derivation("nothing")
    D.assume("eq-nothing", A, A + I, "impossible")
    with pytest.raises(Undecided):
        D.prove("eq-anything", A, eq(A + I, "so it was said", by=follows("eq-nothing")))


def test_a_column_is_not_the_identity():
    """v v^T = 1 has no solution but in one dimension, although a square v = 1 solves it."""
    D = Derivation("column")
    D.assume("eq-column", v() * v().T, I, "impossible")
    D.model(v(), Matrix([1, 0]))
    with pytest.raises(Undecided):
        D.prove("eq-anything", v() * v().T * A, eq(A, "impossible", by=follows("eq-column")))


def test_a_name_for_a_product():
    D = Derivation("named")
    W = square_matrices("W", d)
    D.define(W, P * A * P.inv(), "seen through P")
    assert D.prove("eq-square", W**2, eq(P * A**2 * P.inv(), "P cancels")).latex() == "W^{2} = P A^{2} P^{-1}"
    confirmed(D)
    with pytest.raises(Unread):
        confirmed(D, meant=[r"W := P A P^{\top}"])


@pytest.mark.parametrize(
    ("head", "body", "message"),
    [
        (R(m), I, "is a matrix with a number for d"),
        (R(m), Matrix([[1, 2]]), "is a matrix with a number for d"),
        (A, Matrix.eye(3), "the model has d = 2, and A with 3 rows"),
        (v(), Matrix([1, 2, 3]), "the model has d = 2, and v with 3 rows"),
    ],
)
def test_a_model_is_a_matrix_of_the_size_of_the_others(head, body, message):
    D = relative()
    with pytest.raises(ValueError, match=message):
        D.model(head, body)


def test_a_point_is_not_chosen():
    with pytest.raises(ValueError, match="cannot be given"):
        Derivation("chosen").refute("eq-false", A * B, B * A, "in two orders", at={d: 2})


def test_printed_as_people_write():
    assert latex(2 * A * B - P.inv() * A.T) == r"2 A B - P^{-1} A^{\top}"
    assert latex((A + B) ** 2 * v()) == r"\left(A + B\right)^{2} \boldsymbol{v}"


TAMPERED = {
    "another order": {"latex": r"P A B^{\top} P^{-1} \boldsymbol{u} = P B^{\top} A P^{-1} \boldsymbol{u}"},
    "no transpose": {"latex": r"P A B P^{-1} \boldsymbol{u} = P A B^{\top} P^{-1} \boldsymbol{u}"},
    "no inverse": {"latex": r"P A B^{\top} P \boldsymbol{u} = P A B^{\top} P^{-1} \boldsymbol{u}"},
    "a matrix for a column": {"latex": r"P A B^{\top} P^{-1} u = P A B^{\top} P^{-1} u"},
    "a column for a matrix": {"latex": r"P \boldsymbol{A} = P \boldsymbol{A}"},
    "a column to the left": {"latex": r"\boldsymbol{u} P = \boldsymbol{u} P"},
    "a sum of two shapes": {"latex": r"A + \boldsymbol{u} = A + \boldsymbol{u}"},
    "a number for the identity": {"latex": r"A + 1 = A + 1"},
    "another row": {"latex": r"A B = A B"},
    "another domain": {
        "scope": "for all d ∈ ℕ₊ and every real d × d matrix A, B, P and every real d-vector u"
    },
    "two sizes": {
        "scope": "for all d, n ∈ ℕ₊ and every invertible real d × d matrix P "
        "and every real n × n matrix A, B and every real d-vector u"
    },
    "a size of no domain": {
        "scope": "for every invertible real d × d matrix P and every real d × d matrix A, B "
        "and every real d-vector u"
    },
    "nothing said of B": {
        "scope": "for all d ∈ ℕ₊ and every invertible real d × d matrix P and every real d × d matrix A "
        "and every real d-vector u"
    },
    "rectangles": {
        "scope": "for all d ∈ ℕ₊ and every invertible real d × d matrix P and every real d × n matrix A, B "
        "and every real d-vector u"
    },
    "a matrix in place of a column": {
        "scope": "for all d ∈ ℕ₊ and every invertible real d × d matrix P and every real d × d matrix A, B, u"
    },
}


def untampered():
    D = Derivation("tampered")
    D.prove("eq-row", P * A * B.T * P.inv() * u(), eq(P * Transpose(B * A.T) * P.inv() * u(), "x"))
    return D


def test_what_is_printed_is_what_was_proved():
    confirmed(untampered())


@pytest.mark.parametrize("name", TAMPERED)
def test_another_print_is_noticed(name):
    D = untampered()
    with pytest.raises(Unread):
        confirmed(D, **TAMPERED[name])


@pytest.mark.parametrize("relation", ["<=", "<", "!=", ">="])
def test_matrices_have_no_order(relation):
    D = Derivation("order")
    for make in (D.cite, D.sample):
        with pytest.raises(ValueError, match="equal, or nothing is said"):
            make(f"eq-{relation}", R(m), relation, S(m), "nobody knows")


def test_what_is_cited_of_plain_matrices_is_true():
    D = Derivation("cited")
    with pytest.raises(ProofError, match="fails at d = 2"):
        D.cite("eq-false", A * B, "=", B * A, "a slip")
    D.cite("eq-group", R(m) * R(n), "=", R(m + n), "a book")  # of some R
    D.model(R(m), TURN)
    by = follows("eq-group", D.at("eq-group", {m: n, n: m}))
    assert D.prove("eq-commute", R(m) * R(n), eq(R(n) * R(m), "sums commute", by=by)).rests_on == (
        "eq-group",
    )


def test_a_label_above_a_name_is_not_beside_a_power():
    W = invertible_matrices("W^Q", d)
    assert latex(W.T) == r"\left(W^{Q}\right)^{\top}"
    assert latex(W.inv()) == r"\left(W^{Q}\right)^{-1}"
    D = Derivation("label")
    D.prove("eq-it", W.T * W, eq(MatMul(Transpose(W), W), "so it is"))
    D.prove("eq-inverse", A * W.inv() + W, eq(W + A * W.inv(), "so it is"))
    confirmed(D)


def test_a_column_in_a_conclusion_is_one_in_its_hypothesis():
    D = Derivation("columns")
    D.assume("eq-same", A * u(), B * u(), "on u alone")
    for head, body in ((A, Matrix([[1, 2], [3, 4]])), (B, Matrix([[1, 5], [3, 7]])), (u(), Matrix([1, 0]))):
        D.model(head, body)
    D.model(C, Matrix([[0, 2], [1, 1]]))
    D.prove("eq-more", C * A * u(), eq(C * B * u(), "times C", by=follows("eq-same")))
    confirmed(D)
    hypothesis, result = (r.record() for r in D.results.values())
    other = hypothesis["scope"].replace("B and the real d-vector u", "B, u")
    assert other != hypothesis["scope"]
    tampered = {**hypothesis, "scope": other, "latex": hypothesis["latex"].replace(r"\boldsymbol{u}", "u")}
    with pytest.raises(Unread, match="no hypothesis is printed"):
        Derived([tampered, result], D.theorems.claimed).confirm("eq-more")
    with pytest.raises(ProofError):
        D.prove("eq-less", A, eq(B, "u cannot be cancelled", by=follows("eq-same")))


def test_a_pole_before_a_matrix_is_said():
    D = Derivation("pole")
    row = eq((x + 1) * A, "x + 1")
    assert "no denominator vanishes" in D.prove("eq-pole", (x**2 - 1) / (x - 1) * A, row).scope
    confirmed(D)


@pytest.mark.parametrize("other", [R(1), matrix_function("R", d, d)()])
def test_two_matrices_that_print_alike(other):
    with pytest.raises(ValueError, match=r"printed|stands for two things"):
        check(square_matrices("R_1", d) * other, R(m))


def test_words_that_print_alike_are_found_out():
    """A_1,2 and A(1, 2) are printed alike but for a space: what is printed is not confirmed."""
    D = Derivation("comma")
    with pytest.raises((ValueError, ProofError)):
        D.prove("eq-it", square_matrices("A_1,2", d) * B, eq(matrix_function("A", d, d)(1, 2) * B, "alike"))


def test_hypotheses_may_hold_with_the_identity_for_some_matrices_and_0_for_others():
    total, power = matrix_function("H", d, d), matrix_function("Q", d, d)
    D = Derivation("forms")
    D.assume("eq-power-start", power(0), I, "the empty product")
    D.assume("eq-power-step", power(N + 1), power(N) * A, "one factor more")
    D.assume("eq-total-start", total(0), ZeroMatrix(d, d), "no form")
    D.assume("eq-total-step", total(N + 1), total(N) + power(N).T * B * power(N), "one form more")
    shear, first = Matrix([[1, 1], [0, 1]]), Matrix([[1, 0], [0, 0]])
    D.model(A, shear)
    D.model(B, first)
    D.model(power(N), Matrix([[1, N], [0, 1]]))
    corner = N * (N - 1) * (2 * N - 1) / 6
    D.model(total(N), Matrix([[N, N * (N - 1) / 2], [N * (N - 1) / 2, corner]]))
    used = list(D.results)
    right = total(N) + power(N).T * B * power(N) - B
    row = eq(right, "only the ends change", by=induction(N, using=used))
    assert D.prove("eq-total", A.T * total(N) * A, row).verdict.status == "proved"
    wrong = eq(right + B, "the first form is kept", by=induction(N, using=used))
    with pytest.raises(ProofError):
        D.prove("eq-total-wrong", A.T * total(N) * A, wrong)
