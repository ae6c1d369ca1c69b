"""Hypotheses: they have a model, and what they fix is declared constant."""

import pytest
from sympy import Derivative, I, Integer, Integral, Limit, Rational

from posenc_lib.proofs import *

m, n = integers("m n")
N = naturals("N")
a, x, y = reals("a x y")
p = positives("p")
K, f, g = real_function("K"), real_function("f"), real_function("g")
phi = real_function("phi")
G = smooth_function("G")


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


def test_nothing_is_concluded_from_hypotheses_that_no_model_satisfies():
    D = Derivation("attack")
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), 1, "contradicts it")
    D.model(f(x), 0 * x)
    D.model(g(x), 0 * x)
    with pytest.raises(ProofError, match="the model does not satisfy eq-1"):
        D.prove("eq-x", g(x), eq(0, "anything follows", follows("eq-0", "eq-1")))


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


# for all, or constant


def test_a_quantified_letter_has_no_model():
    D = Derivation("hole")
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), x - 3, "contradicts it")
    with pytest.raises(ValueError, match="x is quantified"):
        D.model(x, Integer(3))
    with pytest.raises(ValueError, match="x is quantified in eq-0"):
        D.constant(x)


def test_a_model_may_not_depend_on_a_quantified_letter():
    D = Derivation("hole")
    D.assume("eq-h", f(y), a, "for all a?")
    D.model(f(y), a)
    with pytest.raises(ValueError, match="holds 'for all a', and the model depends on a"):
        D.check_model()


def constants():
    D = Derivation("constants")
    D.constant(a)
    D.assume("eq-h", f(m), a, "the same everywhere")
    D.model(a, Integer(2))
    D.model(f(m), Integer(2))
    D.prove("eq-n", f(n), eq(a, "at n", by=follows(D.at("eq-h", m=n))))
    return D


def test_a_constant_keeps_its_value_in_what_rests_on_a_hypothesis():
    D = constants()
    assert D.results["eq-h"].scope == "assumed of a ∈ ℝ and the real function f, for all m ∈ ℤ"
    said = "for all a ∈ ℝ, n ∈ ℤ and every real function f as assumed, with a constant"
    assert D.results["eq-n"].scope == said
    for label in ("eq-h", "eq-n"):
        with pytest.raises(ValueError, match="a is a constant"):
            D.at(label, a=5)
    D.prove("eq-free", a + a, eq(2 * a, "for every a"))
    assert D.premises(D.at("eq-free", a=x))[0].right == 2 * x


@pytest.mark.parametrize(
    ("left", "row"),
    [
        (Integral(a, (a, 0, 1)), eq(Integral(f(0), (a, 0, 1)), "", by=follows("eq-0"))),
        (Derivative(G(a), a) * a, eq(Derivative(G(a), a) * f(0), "", by=follows("eq-0"))),
        (Limit(a * p, a, 0), eq(f(0) * 0, "", by=limit_by("eq-0", 0))),
    ],
    ids=["integral", "derivative", "limit"],
)
def test_nothing_runs_over_a_constant_in_what_rests_on_a_hypothesis(left, row):
    D = constants()
    D.prove("eq-0", a, eq(f(0), "at 0", by=follows(D.at("eq-h", m=0))))
    with pytest.raises(ValueError, match=r"a is (a constant|both bound and free)"):
        D.prove("eq-x", left, row)


def test_no_rule_lets_a_constant_vary_in_what_rests_on_a_hypothesis():
    D = Derivation("constants")
    D.constant(m)
    D.assume("eq-h", f(m), 0, "at this m")
    D.model(m, Integer(1))
    D.model(f(n), n - 1)
    with pytest.raises(ValueError, match="m is a constant"):
        D.prove("eq-x", g(m) * f(m), eq(0, "", by=induction(m, using=["eq-h"])))
    assert finite(m, [1]).letters() == (m,) and certified((x, 0, 1)).letters() == (x,)
    assert two_jet(G, [x]).letters() == (x,)


@pytest.mark.parametrize("letter", ["x", 1, f(x), x + 1], ids=str)
def test_a_constant_is_a_letter(letter):
    with pytest.raises(TypeError, match="a constant must be a letter"):
        Derivation("constants").constant(letter)
