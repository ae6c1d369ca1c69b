"""Products of matrices of any size: the rules say what they mean; tables/any_size.txt has consequences."""

import random

import pytest
import sympy

from posenc_proofs.kernel.terms import ZERO, Term, add, fun, mul, num, var
from posenc_proofs.search.equations import inductions
from posenc_proofs.search.matrices import consequence
from posenc_proofs.search.proof import NotFound, Proof


def word(*matrices):
    return Term("word", (), matrices)


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
