"""A theorem in words is shown with its steps, and is never taken for one that was proved."""

import pytest
from sympy import cos, sin

from posenc_lib.proofs import *

a, b = reals("a b")


@pytest.fixture
def D():
    D = Derivation("circle")
    D.prove("eq-one", cos(a) ** 2 + sin(a) ** 2, eq(1, "Pythagoras"))
    D.prove("eq-two", cos(2 * a), eq(1 - 2 * sin(a) ** 2, "twice"))
    return D


def test_it_says_that_it_is_in_words_and_what_its_steps_are(D):
    first = D.theorem("thm-a", "Theorem 1", "Circles are *round*,\nand $x^2 < 1$.", ["eq-one", "eq-two"])
    second = Derivation("other").theorem("thm-b", "Theorem 2", "So.", [first, D.results["eq-one"]])
    assert first.badge() == "¶ in words; its steps are eq-one, eq-two"
    assert first.markdown().startswith("(thm-a)=\n> **Theorem 1.** Circles are *round*,\n> and $x^2 < 1$.\n")
    assert '<a href="#equation-eq-two">eq-two</a>' in first.markdown()
    assert '<a href="#thm-a">Theorem 1</a>' in second.markdown()
    assert second.uses == ("thm-a", "eq-one")


def test_it_is_nowhere_called_proved_and_has_no_certificate(D):
    stated = D.theorem("thm-a", "Theorem", "Circles are round.", ["eq-one"])
    record = stated.record()
    assert (record["kind"], record["status"], record["certificates"]) == ("words", "words", {})
    assert record.keys() - {"title", "words"} == D.results["eq-one"].record().keys()
    assert "proved" not in stated.markdown() and "✔" not in stated.markdown()
    assert 'class="check check-words"' in stated.markdown()


def test_nothing_follows_from_it(D):
    D.theorem("thm-a", "Theorem", "Circles are round.", ["eq-one"])
    with pytest.raises(ValueError, match="thm-a is not an earlier result"):
        D.prove("eq-x", cos(a), eq(cos(-a), "", by=follows("thm-a")))


def test_its_steps_are_proved_results(D):
    D.constant(b)
    assumed = D.assume("eq-h", b, 1, "a wish")
    D.model(b, 1)
    false = D.refute("eq-no", cos(a), 1, "no", at={a: 1})
    for step in ("eq-h", "eq-no", assumed, false):
        with pytest.raises(
            ValueError, match=r"thm-a: its step eq-\w+ must be proved, it is (assumed|refuted)"
        ):
            D.theorem("thm-a", "Theorem", "Words.", [step])
    with pytest.raises(ValueError, match="eq-z is not an earlier result"):
        D.theorem("thm-a", "Theorem", "Words.", ["eq-z"])
    for nothing in ([], "eq-one"):
        with pytest.raises(ValueError, match="rests_on must list one step or more"):
            D.theorem("thm-a", "Theorem", "Words.", nothing)
    with pytest.raises(ValueError, match="a step must be a label or a result, got 3"):
        D.theorem("thm-a", "Theorem", "Words.", [3])
    assert not D.worded


def test_its_label_is_its_own_and_no_part_is_empty(D):
    D.theorem("thm-a", "Theorem", "Words.", ["eq-one"])
    with pytest.raises(ValueError, match="thm-a is taken"):
        D.prove("thm-a", cos(a), eq(cos(-a), "even"))
    with pytest.raises(ValueError, match="eq-one is taken"):
        D.theorem("eq-one", "Theorem", "Words.", ["eq-two"])
    with pytest.raises(ValueError, match="words must be words, got ' '"):
        D.theorem("thm-b", "Theorem", " ", ["eq-two"])
