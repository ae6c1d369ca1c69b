"""Rows: a rule shows the relations that it can, and one strict row makes a chain strict."""

import pytest
from sympy import Abs, Integer, Rational, cos, sin, sqrt

from posenc_lib.proofs import *
from posenc_lib.proofs.write.claims import Claim

a, b, t, x = reals("a b t x")
w, z = complexes("w z")


def test_a_row_that_fails_shows_what_was_claimed_why_and_by_how_much_it_fails():
    D = Derivation("failure")
    with pytest.raises(Refuted) as caught:
        D.prove("eq-square", (a + b) ** 2, eq(a**2 + b**2, "squares add up"))
    first, reason, method, difference, point = str(caught.value).splitlines()
    assert first == "eq-square, row 1: (a + b)**2 = a**2 + b**2"
    assert reason.strip() == "reason given: squares add up"
    assert method.strip() == "method: identity"
    assert difference.strip() == "difference: -a**2 - b**2 + (a + b)**2"
    assert point.strip().startswith("refuted at a = ")
    with pytest.raises(ProofError, match="reason given: too tight"):
        D.prove("eq-bound", Abs(z + w), le(Abs(z), "too tight", by=triangle))


def test_a_rule_shows_only_the_relations_it_can():
    D = Derivation("relations")
    with pytest.raises(ValueError, match="Identity shows"):
        D.prove("eq-a", cos(a) ** 2, Claim("<", 1 - sin(a) ** 2, "equal, not less", identity))
    with pytest.raises(ValueError, match="Certified shows"):
        D.prove("eq-b", cos(x), Claim("=", cos(x) - 1, "less, not equal", certified((x, 0, 1))))


def test_a_strict_row_makes_the_whole_chain_strict():
    box = certified((x, Rational(1, 2), 2))
    rows = (
        Claim("<", 1 - x**2 / 2 + x**4 / 24, "series", box),
        eq((24 - 12 * x**2 + x**4) / 24, "one fraction"),
    )
    assert Derivation("strict").prove("eq-s", cos(x), *rows).statement().relation == "<"


def test_a_strict_row_is_shown_as_one_and_makes_its_chain_strict():
    D = Derivation("strict")
    on_box = lt(1, "cosines", by=certified((t, 1, 2)))
    result = D.prove("eq-box", cos(t), on_box, eq(Integer(2) / 2, "halved"))
    assert result.latex().count("<") == 1 and result.statement().relation == "<"
    D.prove("eq-one", Modulus(sin(t)), le(Abs(t), "a chord", by=sine_chord))
    mixed = (
        le(Abs(t), "a chord", by=adding({"eq-one": 1})),
        lt(Abs(t) + 1, "one more", by=adding({}, rest=1)),
        eq(1 + Abs(t), "turned round"),
    )
    result = D.prove("eq-mixed", Modulus(sin(t)), *mixed)
    assert result.statement().relation == "<" and r"\le" in result.latex()
    assert D.prove("eq-numbers", sqrt(2), lt(Rational(3, 2), "by balls", by=certified())).verdict
    twice = lt(2 * Abs(t) + 2, "twice", by=adding({"eq-mixed": 2}))
    assert D.prove("eq-twice", 2 * Modulus(sin(t)), twice).verdict


def test_what_shows_only_at_most_is_refused_as_strict():
    D = Derivation("strict")
    with pytest.raises(ValueError, match="eq-a, row 1: Bound shows <=, not <"):
        D.prove("eq-a", Modulus(sin(t)), lt(Abs(t), "equal at 0", by=sine_chord))
    D.prove("eq-chord", Modulus(sin(t)), le(Abs(t), "a chord", by=sine_chord))
    with pytest.raises(ValueError, match="row 2: Termwise shows <=, not <"):
        D.prove("eq-a", t, eq(t, ""), lt(t + 1, "", by=termwise("eq-chord")))
    for weights, rest in (({"eq-chord": 1}, 0), ({"eq-chord": 1}, t**2)):
        with pytest.raises(Refuted, match="refuted at t = 0"):
            row = lt(Abs(t) + rest, "touches at 0", by=adding(weights, rest=rest))
            D.prove("eq-b", Modulus(sin(t)), row)


def test_a_strict_row_that_is_false_is_refuted():
    with pytest.raises(Refuted):
        Derivation("strict").prove("eq-a", t, lt(t**2, "not at 3/2", by=certified((t, Rational(1, 2), 2))))


def test_a_chain_holds_where_all_its_rows_hold():
    rows = eq(x + x, "twice"), Claim("<=", 2 * x + 1, "", certified((x, 0, 1)))
    assert "[0, 1]" in Derivation("attack").prove("eq-chain", 2 * x, *rows).badge()
