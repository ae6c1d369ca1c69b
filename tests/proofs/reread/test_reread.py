"""What is printed is read again and is the theorem; a slip in print is not."""

from functools import partial

import pytest
from sympy import (
    Abs,
    Derivative,
    I,
    Integral,
    MatPow,
    Matrix,
    Max,
    Min,
    Product,
    Rational,
    Sum,
    conjugate,
    cos,
    exp,
    log,
    re,
    sin,
    sqrt,
)

from posenc_lib.proofs import (
    Derivation,
    Inner,
    complexes,
    eq,
    follows,
    induction,
    integers,
    le,
    matrix_function,
    naturals,
    positives,
    real_function,
    real_sequence,
    reals,
    triangle,
    vector_function,
)
from posenc_lib.proofs.reread.definitions import definitions, rows
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread

m, n = integers("m n")
i, j, N = naturals("i j N")
x, y, t = reals("x y t")
p = positives("p")
z, w = complexes("z w")
a, theta = real_sequence("a"), real_sequence("theta")
f = real_function("f")


def confirmed(D, label, **instead):
    """Confirm a result of a derivation, with some of its record replaced."""
    records = [result.record() for result in D.results.values()]
    changed = [{**r, **instead} if r["label"] == label else r for r in records]
    Derived(changed, D.theorems.claimed).confirm(label)


def proved(left, right, claim=eq, **options):
    D = Derivation("print")
    D.prove("eq-it", left, claim(right, "so it is"), **options)
    return D


SIDES = {
    "sum and sign": (x - y + 2, -y + x + 2, "+", "-"),
    "fraction": (x / (p * 2) + Rational(1, 3), (3 * x + 2 * p) / (6 * p), "3", "5"),
    "power": ((x + y) ** 3, x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3, "^{3}", "^{2}"),
    "root": (sqrt(p + 1) * x, x * sqrt(1 + p), r"\sqrt", r"\log"),
    "sequence": (Sum(a[i] + 1, (i, 0, N)), Sum(a[j], (j, 0, N)) + N + 1, r"i=0", r"i=1"),
    "letter of a sum": (Sum(a[i] * theta[i], (i, 0, N)), Sum(theta[j] * a[j], (j, 0, N)), r"a_{i}", r"a_{N}"),
    "exponential": (exp(I * x) * exp(-I * y), exp(I * (x - y)), r"\mathrm{i}", r"2"),
    "cosine": (cos(x) * cos(y) - sin(x) * sin(y), cos(x + y), r"\cos", r"\sin"),
    "square of a function": (cos(x) ** 2, 1 - sin(x) ** 2, r"^{2}", r"^{3}"),
    "conjugate": (conjugate(z * w), conjugate(z) * conjugate(w), r"z^{*}", r"z"),
    "real part": (re(z * conjugate(w)), re(w * conjugate(z)), r"w^{*}", r"w"),
    "modulus": (Abs(z) * Abs(w), Abs(z * w), r"w z", r"w"),
    "value of a function": (f(x) + f(y), f(y) + f(x), r"f(x)", r"f(y)"),
    "sign by parity": ((-1) ** n * x, x * (-1) ** (n + 2), r"\left(-1\right)^{n}", r"\left(-2\right)^{n}"),
    "integral": (Integral(2 * sin(t), (t, 0, p)), 2 * Integral(sin(x), (x, 0, p)), r"\sin(t)", r"\sin(p)"),
    "derivative": (Derivative(sin(x * y), x), y * cos(x * y), r"y \cos", r"x \cos"),
    "product": (Product(a[i], (i, 0, N)), Product(a[j], (j, 0, N)), r"j=0", r"j=1"),
    "three sums": (
        Sum(2 * a[i, j, n], (i, 1, N), (j, 0, N), (n, 0, N)),
        2 * Sum(a[i, j, n], (i, 1, N), (j, 0, N), (n, 0, N)),
        r"1 \leq i",
        r"0 \leq i",
    ),
    "larger": (Max(x, y) + Min(x, y), x + y, r"\max", r"\min"),
    "logarithm": (log(p**2), 2 * log(p), r"2 \log", r"3 \log"),
}


@pytest.mark.parametrize("name", SIDES)
def test_an_equation_is_read_again_and_a_slip_is_noticed(name):
    left, right, old, new = SIDES[name]
    D = proved(left, right)
    confirmed(D, "eq-it")
    printed = D.results["eq-it"].latex()
    assert old in printed, printed
    with pytest.raises(Unread):
        confirmed(D, "eq-it", latex=printed.replace(old, new, 1))


def test_a_bound_and_its_direction():
    D = Derivation("print")
    D.prove("eq-it", Abs(x + y), le(Abs(x) + Abs(y), "the triangle inequality", triangle))
    confirmed(D, "eq-it")
    for old, new in ((r"\le ", "= "), ("x + y", "x - y")):
        with pytest.raises(Unread):
            confirmed(D, "eq-it", latex=D.results["eq-it"].latex().replace(old, new, 1))


def test_matrices_entry_by_entry_with_what_they_stand_for():
    R = matrix_function("R", 2, 2)
    D = Derivation("turn")
    D.define(R(x), Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]]))
    D.prove("eq-turn", R(x).T * R(y), eq(R(y - x), "turning back"))
    confirmed(D, "eq-turn")
    record = D.results["eq-turn"].record()
    with pytest.raises(Unread, match="printed"):
        confirmed(D, "eq-turn", latex=record["latex"].replace(r"^{\top}", ""))
    other = [record["meant"][0].replace("- ", "")]
    with pytest.raises(Unread, match="R is defined twice"):
        confirmed(D, "eq-turn", meant=other)
    with pytest.raises(Unread, match="printed"):
        Derived([{**record, "meant": other}], D.theorems.claimed).confirm("eq-turn")
    confirmed(D, "eq-turn", meant=[])  # the definition stands above
    with pytest.raises(Unread, match="the name R_x"):
        Derived([{**record, "meant": []}], D.theorems.claimed).confirm("eq-turn")


def test_a_matrix_without_a_definition_has_its_entries_printed():
    A, v = matrix_function("A", 2, 2), vector_function("v", 2)
    D = proved(Inner(A(n) * v(m), v(m)), Inner(v(m), A(n).T * v(m)))
    assert [text.partition(" :=")[0] for text in D.results["eq-it"].meant] == ["A_{n}", r"\boldsymbol{v}_{m}"]
    confirmed(D, "eq-it")


def test_any_power_of_a_shear():
    claim = partial(eq, by=induction(N, start=0))
    confirmed(proved(MatPow(Matrix([[1, p], [0, 1]]), N), Matrix([[1, p * N], [0, 1]]), claim), "eq-it")
    pascal = Matrix([[1, N, N * (N - 1) / 2], [0, 1, N], [0, 0, 1]])
    D = proved(MatPow(Matrix([[1, 1, 0], [0, 1, 1], [0, 0, 1]]), N), pascal, claim)
    confirmed(D, "eq-it")
    latex = D.results["eq-it"].latex()
    with pytest.raises(Unread, match="printed"):
        confirmed(D, "eq-it", latex=latex.replace("^{N}", "^{N + 1}"))
    with pytest.raises(Unread, match="a power of a matrix that is not written out"):
        confirmed(D, "eq-it", latex=latex.replace("1 &", "2 &", 1))


def test_a_name_with_letters_that_are_no_arguments():
    D = Derivation("wave")
    D.define(f(x), cos(p * x))
    D.prove("eq-wave", f(x) + f(-x), eq(2 * f(x), "the cosine is even"))
    confirmed(D, "eq-wave")
    record = {**D.results["eq-wave"].record(), "meant": [r"f(x) := \cos(2 p x)"]}
    with pytest.raises(Unread, match="f is printed as"):
        Derived([record], D.theorems.claimed).confirm("eq-wave")


def test_a_hypothesis_is_printed_as_it_is_used():
    D = Derivation("given")
    D.assume("eq-shift", f(x + 1), f(x), "periodic")
    D.model(f(x), 1)
    D.prove("eq-two", f(x + 2), eq(f(x), "twice", follows("eq-shift", D.at("eq-shift", x=x + 1))))
    confirmed(D, "eq-two")
    records = [result.record() for result in D.results.values()]
    records[0]["latex"] = records[0]["latex"].replace("1", "2")
    with pytest.raises(Unread, match="no hypothesis is printed"):
        Derived(records, D.theorems.claimed).confirm("eq-two")


@pytest.mark.parametrize("scope", ["for all x ∈ ℤ and every real function f", "{}, with x constant"])
def test_a_hypothesis_is_said_for_all_values_for_which_it_is_used(scope):
    D = Derivation("given")
    D.assume("eq-shift", f(x + 1), f(x), "periodic")
    D.model(f(x), 1)
    D.prove("eq-two", f(x + 2), eq(f(x), "twice", follows("eq-shift", D.at("eq-shift", x=x + 1))))
    records = [result.record() for result in D.results.values()]
    records[0]["scope"] = scope.format(records[0]["scope"])
    with pytest.raises(Unread, match="no hypothesis is printed"):
        Derived(records, D.theorems.claimed).confirm("eq-two")


@pytest.mark.parametrize(
    ("old", "new"),
    [("p ∈ ℝ₊", "p ∈ ℝ"), ("y ∈ ℝ", "y ∈ ℂ"), (", y ∈ ℝ", " ∈ ℝ")],
)
def test_the_values_for_which_it_holds(old, new):
    D = proved(p * cos(x) + y, y + p * cos(-x))
    scope = D.results["eq-it"].scope
    assert old in scope
    confirmed(D, "eq-it", scope=f"{scope}, q ∈ ℂ")  # more letters than the equation has do no harm
    with pytest.raises(Unread, match="the scope does not say"):
        confirmed(D, "eq-it", scope=scope.replace(old, new))


def test_conditions_are_said():
    D = proved((x**2 - 1) / (x - 1), x + 1)
    confirmed(D, "eq-it")
    with pytest.raises(Unread, match="the scope does not say"):
        confirmed(D, "eq-it", scope="for all x ∈ ℝ")


def test_rows_that_are_left_out_are_noticed():
    D = Derivation("chain")
    D.prove("eq-chain", (x + 1) ** 2, eq(x**2 + 2 * x + 1, "first"), eq(x * (x + 2) + 1, "then"))
    confirmed(D, "eq-chain")
    with pytest.raises(Unread, match="1 rows are printed, 2 are proved"):
        confirmed(D, "eq-chain", latex=r"\left(x + 1\right)^{2} = x^{2} + 2 x + 1")


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        (r"x = \aleph", "the name aleph"),
        (r"x = \left(x", r"\( without its partner"),
        (r"x = \frac{x}", "nothing stands at the end"),
        (r"x = ☃", "the sign"),
        (r"x = x_{3}", "the name x_3"),
        (r"x = \int_{0}^{1} x", "an integral without its letter"),
    ],
)
def test_what_cannot_be_read_is_said(latex, reason):
    D = proved(x, x + 0 * y)
    with pytest.raises(Unread, match=reason):
        confirmed(D, "eq-it", latex=latex)


def test_a_letter_below_a_name_is_an_argument_where_the_meaning_contains_it():
    assert definitions([r"R_{\phi} := \cos(\phi)"])["R"].letters == ("phi",)
    assert definitions([r"B_{1} := 1 + x"])["B_1"].letters == ()
    assert definitions([r"R_{g}(x,y) := x y"])["R_g"].letters == ("x", "y")


def test_a_chain_is_read_row_by_row():
    assert [row.relation for row in rows(r"\sum_{i=0}^{2} i = 3 \le 4")] == ["=", "<="]
