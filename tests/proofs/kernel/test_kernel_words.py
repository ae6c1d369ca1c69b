"""Products of matrices of any size: consequences that are rebuilt, and falsehoods that are not."""

import random

import pytest
import sympy

from posenc_lib.proofs import counts, integers, invertible_matrices, matrix_function, square_matrices
from posenc_lib.proofs.kernel import replay
from posenc_lib.proofs.kernel.terms import ZERO, Term, add, fun, letters, mul, num, var
from posenc_lib.proofs.search.induction import inductions
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.rewriting import consequence
from posenc_lib.proofs.search.words import matrix

m, n = integers("m n")
d = counts("d")
R, G = matrix_function("R", d, d), matrix_function("G", d, d)
A, B, C = square_matrices("A B C", d)
X, Y = invertible_matrices("X Y", d)
ONE = sympy.Identity(d)


def relative(a, b):
    return R(a).T * R(b), G(b - a)


PREMISES = [relative(m, m + n), (R(m) * R(m).T, ONE), (G(n), R(n))]
TRUE = {
    "relative is a shift": (G(n), R(n), [relative(sympy.Integer(0), n), (R(sympy.Integer(0)), ONE)]),
    "a rotation is orthogonal": (
        *(R(m).T * R(m), ONE),
        [relative(m, m), (G(sympy.Integer(0)), ONE)],
    ),
    "turns add": (R(m) * R(n), R(m + n), PREMISES),
    "inverses are one": (B, C, [(A * B, ONE), (C * A, ONE)]),
    "the inverse of a product": ((X * Y).I * X * Y, ONE, []),
    "a transpose changes sides": ((A * B * C).T, C.T * B.T * A.T, []),
    "an inverse on one side is one on the other": (B * A, ONE, [(A * B, ONE)]),
    "distributive": ((A + 2 * B) * C, A * C + 2 * B * C, []),
    "powers of commuting matrices": ((A * B) ** 2, A**2 * B**2, [(B * A, A * B)]),
    "a change of basis": (
        *((X * A * X.I) * (X * B * X.I), (X * B * X.I) * (X * A * X.I)),
        [(A * B, B * A)],
    ),
}
FALSE = {
    "turns subtract": (R(m) * R(n), R(m - n), PREMISES),
    "matrices commute": (A * B, B * A, []),
    "a transpose keeps the order": ((A * B).T, A.T * B.T, []),
    "a binomial": ((A + B) ** 2, A**2 + 2 * A * B + B**2, []),
}


def found(proof, left, right, premises):
    sides = [(matrix(a), matrix(b)) for a, b in premises]
    given = [proof.step("assume", sorted(letters(a, b), key=str), a, "=", b) for a, b in sides]
    return consequence(proof, matrix(left), matrix(right), given)


def trivial(proof, th):
    """A model of the hypotheses: every matrix in them is the identity."""
    shown = []
    for h in sorted(th.hypotheses, key=str):
        heads = {s for t in (h.left, h.right) for s in atoms(t)}
        values = []
        for a in sorted(heads, key=str):
            x = tuple(var(f"x{k}", "Z") for k in range(len(a.args)))
            name = Term("app", a.data, x)
            definition = proof.step("assume", list(x), word(name), "=", word())
            values += [
                proof.step("instantiate", definition, list(zip(x, a.args, strict=True)), [])
                if x
                else definition
            ]
        shown.append(consequence(proof, h.left, h.right, values))
    return shown


def word(*matrices):
    return Term("word", (), matrices)


def atoms(t):
    own = [t] if t.head == "app" and t.data[1] == "M" else []
    return [*own, *(s for a in t.args for s in atoms(a))]


@pytest.mark.parametrize("name", TRUE)
def test_a_consequence_is_rebuilt(name):
    proof = Proof()
    th = found(proof, *TRUE[name])
    result = replay(proof.certificate(th, trivial(proof, th)))
    assert (result.theorem.left, result.theorem.right) == (matrix(TRUE[name][0]), matrix(TRUE[name][1]))
    assert result.conditions == frozenset()


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_is_not(name):
    with pytest.raises(NotFound):
        found(Proof(), *FALSE[name])


def test_a_combination_of_two_matrices_with_numbers_before_them():
    """R(a) = cos a 1 + sin a J with J J = -1: the addition theorems in any size."""
    proof = Proof()
    a, b = var("a", "R"), var("b", "R")
    j = Term("app", ("J", "M"))

    def turn(angle):
        return word(Term("app", ("R", "M"), (angle,))), add(
            mul(fun("cos", angle), word()), mul(fun("sin", angle), word(j))
        )

    given = [proof.step("assume", [a, b], *(left := turn(t))[:1], "=", left[1]) for t in (a, b, add(a, b))]
    square = proof.step("assume", [], word(j, j), "=", mul(num(-1), word()))
    r = [Term("app", ("R", "M"), (t,)) for t in (a, b, add(a, b))]
    th = consequence(proof, word(*r[:2]), word(r[2]), [*given, square])
    assert {h.left for h in th.hypotheses} == {*map(word, r), word(j, j)}
    with pytest.raises(NotFound):
        consequence(proof, word(*r[:2]), word(r[0]), [*given, square])


def test_a_power_by_induction_of_words():
    proof, k = Proof(), var("k", "N")
    g, one = (Term("app", ("P", "M"), (t,)) for t in (k, num(1)))
    start = proof.step("assume", [], word(Term("app", ("P", "M"), (ZERO,))), "=", word())
    up = proof.step("assume", [k], word(Term("app", ("P", "M"), (add(k, num(1)),))), "=", word(one, g))
    commute = word(g, one), word(one, g)
    (th,) = inductions(proof, [commute], k, ZERO, [start, up])
    assert th.hypotheses == start.hypotheses | up.hypotheses
    with pytest.raises(NotFound):
        inductions(proof, [commute], k, ZERO, [start])


def value(t, matrices, f):
    """The value of a sum of words, for a linear function f of matrices."""
    if t.head == "word":
        product = sympy.eye(2)
        for a in t.args:
            product *= matrices[a.args[0]].T if a.head == "T" else matrices[a]
        return f(product)
    if t.head == "num":
        return sympy.Rational(t.data[0])
    args = [value(a, matrices, f) for a in t.args]
    return sympy.Add(*args) if t.head == "+" else sympy.Mul(*args)


@pytest.mark.parametrize("seed", range(20))
def test_the_rules_say_of_random_matrices_what_they_mean(seed):
    rnd = random.Random(seed)
    heads = [Term("app", (name, "M")) for name in "ABC"]
    matrices = {a: sympy.Matrix(2, 2, lambda *_: rnd.randint(-3, 3)) for a in heads}
    every = [*heads, *(Term("T", (), (a,)) for a in heads)]
    weight = sympy.Matrix(2, 2, lambda *_: rnd.randint(-3, 3))
    t = add(*(mul(num(rnd.randint(-2, 2)), word(*rnd.choices(every, k=rnd.randint(0, 3)))) for _ in range(3)))
    before, after = (rnd.choices(every, k=rnd.randint(0, 2)) for _ in range(2))
    proof = Proof()
    th = proof.ring(t, t)
    a, b = (value(word(*w), matrices, lambda x: x) for w in (before, after))

    def f(x):
        return (weight * x).trace()

    placed, turned = proof.step("between", th, before, after).left, proof.step("transposed", th).left
    assert value(placed, matrices, f) == value(t, matrices, lambda x: f(a * x * b))
    assert value(turned, matrices, f) == value(t, matrices, lambda x: f(x.T))


def test_the_other_side_of_rectangles_would_be_false():
    """(1 0) (1 0)^T = 1, and (1 0)^T (1 0) is not: what other_side says, it says of square matrices alone."""
    row = sympy.Matrix([[1, 0]])
    assert row * row.T == sympy.eye(1)
    assert row.T * row != sympy.eye(2)
