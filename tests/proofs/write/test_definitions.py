"""Definitions: a name stands for its meaning, in its domain, and is used as declared."""

import pytest
from sympy import Abs, Derivative, I, Integer, Rational, Sum, conjugate, cos, exp, pi

from posenc_lib.proofs import *

m = integers("m")
N, i = naturals("N i")
a, x, y = reals("a x y")
c, p = positives("c p")
w, z = complexes("w z")
q = real_sequence("q")
h = complex_sequence("h")
K, f, g = real_function("K"), real_function("f"), real_function("g")
F = complex_function("F")


@pytest.mark.parametrize(("head", "body"), [(f(x), f(x) + 1), (f(x, x), x + 1)], ids=["circle", "twice x"])
def test_a_definition_defines(head, body):
    with pytest.raises(ValueError):
        Derivation("attack").define(head, body)


def test_what_is_declared_of_a_name_is_not_used_against_its_meaning():
    D = Derivation("attack")
    with pytest.raises(ValueError, match="-1 is not known to lie in the domain of c"):
        D.define(c, Integer(-1))  # declared positive
    D.definitions.add(c, Integer(-1))
    D.define(f(x), Abs(x))
    D.assume("eq-h", g(p), 0, "for positive numbers")
    with pytest.raises(ProofError):
        D.prove("eq-x", f(c), eq(-1, "|−1| = −1?"))
    with pytest.raises(ValueError, match="-1 is not known to lie in the domain of p"):
        D.at("eq-h", p=c)
    D.prove("eq-z", Modulus(z) ** 2, eq(z * conjugate(z), ""))
    assert D.premises(D.at("eq-z", z=c))[0].left == 1


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


def test_conditions_see_through_names_and_models():
    D = Derivation("attack")
    D.constant(y)
    D.define(a, x)
    with pytest.raises(Undecided):  # not refuted: where a is positive it is true
        D.prove("eq-x", Abs(x), eq(x, ""), where=[a > 0])
    D.model(y, x)
    statement = D._concrete(Statement(Abs(x), "=", x, (y > 0,)))
    assert statement.where == (x > 0,)


# what is looked at again, and what nothing rests on


def test_a_definition_makes_the_model_to_be_looked_at_again():
    D = Derivation("hole")
    D.constant(a)
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), a, "")
    D.model(f(x), Integer(0))
    D.model(a, Integer(0))
    assert D.check_model() == 2
    D.define(a, Integer(1))
    with pytest.raises(ProofError, match="does not satisfy eq-1"):
        D.check_model()


def test_a_definition_makes_citations_to_be_looked_at_again():
    for take in (
        lambda D: D.cite("eq-c", f(x), "<=", 1, "somewhere"),
        lambda D: D.recall("eq-c", f(x), "=", 1),
    ):
        D = Derivation("hole")
        take(D)
        with pytest.raises(Refuted, match="eq-c: what is cited fails"):
            D.define(f(x), x)
        D.define(f(x), Integer(1))
        assert D.meaning(f(x)) == 1


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        (K(p), Abs(p), Integer(-2)),
        (F(m), cos(pi * m), Rational(1, 2)),
        (K(N), N, Integer(-1)),
        (F(z), z, 1 / w),
    ],
    ids=str,
)
def test_a_definition_is_used_in_the_domain_of_its_parameters(head, body, value):
    D = Derivation("hole")
    D.define(head, body)
    with pytest.raises(ValueError, match="not known to lie in the domain of"):
        D.prove("eq-x", head.func(value), eq(body, ""))


@pytest.mark.parametrize(("head", "body"), [(f(x), I * x), (p, Integer(-1)), (p, x**2), (m, x)], ids=str)
def test_a_definition_stays_in_the_domain_of_its_name(head, body):
    with pytest.raises(ValueError, match="not known to lie in the domain of"):
        Derivation("hole").define(head, body)


@pytest.mark.parametrize(
    "body", [1 / x, Derivative(f(x), x), (exp(I * x) + exp(-I * x)) / 2, Sum(1 / q[i], (i, 0, N))], ids=str
)
def test_what_is_real_wherever_it_has_a_value_may_define_something_real(body):
    assert Derivation("fine").define(K(x), body).kind == "defined"


def test_a_letter_that_an_earlier_result_quantifies_is_not_defined_afterwards():
    D = Derivation("late")
    D.prove("eq-all", (x + y) * y, eq(x * y + y**2, "for all x and y"))
    with pytest.raises(ValueError, match="y is quantified in eq-all: define it before that, or rename it"):
        D.define(y, 3)
    D.constant(a)
    D.assume("eq-h", f(m), a, "constant")
    D.define(a, Integer(3))  # a constant is one number, which may be known later
