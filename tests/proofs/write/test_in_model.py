"""A claim that does not follow: false in the author's model, or not decided there."""

import pytest
from sympy import Integer

from posenc_lib.proofs import *
from posenc_lib.proofs.write.in_model import why_not

m, n = integers("m n")
t = reals("t")
phi, f = real_function("phi"), real_function("f")


@pytest.fixture
def D():
    D = Derivation("relative")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "differences depend on the difference")
    return D


def said(D, left, right, relation="="):
    claim = D._concrete(Statement(left, relation, Integer(0) + right))
    hypotheses = [D._concrete(r.statement()) for r in D.results.values()]
    return why_not(claim, hypotheses, ["premises put in", "a combination of them"])


def test_what_fails_in_the_model_is_false_there_with_both_sides(D):
    D.model(phi(m), 2 * m)
    assert said(D, phi(m) - phi(m - 1), 0) == "false in your model: left 2, right 0"
    assert said(D, phi(m), phi(-m)) == "false in your model at m = 3: left 6, right -6"
    assert said(D, phi(n), 0, "<=").startswith("false in your model at n = ")


def test_what_holds_in_the_model_is_not_called_false(D):
    D.model(phi(m), 2 * m)
    tried = "no point of your model refutes it; tried: premises put in, a combination of them"
    assert said(D, phi(m), 2 * m) == said(D, phi(0), 0) == tried


def test_a_model_that_satisfies_no_hypothesis_refutes_nothing(D):
    D.model(phi(m), m + 1)
    assert said(D, phi(1), 0).startswith("your model does not satisfy")


def test_unknown_functions_without_a_model_are_drawn_only_if_the_hypotheses_hold_for_all_of_them(D):
    assert said(D, phi(1), 0).startswith("your model does not satisfy phi(m) - phi(n) = phi(m - n)")
    D.model(phi(m), m * t)
    assert said(D, f(m) + phi(m), f(m)).startswith("false in your model at ")


def test_a_derivation_says_what_the_model_makes_of_a_row_that_does_not_follow(D):
    D.model(phi(m), 2 * m)
    with pytest.raises(Undecided, match=r"false in your model at m = 3: left 6, right -6"):
        D.prove("eq-even", phi(m), eq(phi(-m), "even", by=follows("eq-rel")))
    with pytest.raises(Undecided, match="no point of your model refutes it; tried: consequence of"):
        D.prove("eq-twice", phi(m), eq(2 * m, "in this model only", by=follows("eq-rel")))
    D.define(f(m), phi(m) + 1)
    with pytest.raises(Undecided, match=r"false in your model: left 1, right 0"):
        D.prove("eq-named", f(0), eq(0, "through a name", by=follows(D.at("eq-rel", n=m))))


def test_a_premise_too_many_is_no_question_to_the_model(D):
    D.model(phi(m), 2 * m)
    D.assume("eq-again", f(m), 0, "something else")
    D.model(f(m), 0)
    with pytest.raises(Undecided, match=r"undecided: only eq-rel at n := m is used$"):
        D.prove("eq-zero", phi(0), eq(0, "", by=follows(D.at("eq-rel", n=m), "eq-again")))
