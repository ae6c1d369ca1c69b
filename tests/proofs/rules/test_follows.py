"""Consequences of earlier equations: exact, every premise used, only what is not zero cancelled."""

import pytest
from sympy import Integer, Matrix, conjugate, cos, exp

from posenc_lib.proofs import *

m, n = integers("m n")
a, b, t, x, y = reals("a b t x y")
factor, p, positive = positives("q p p")
w, z = complexes("w z")
f, g, phi = real_function("f"), real_function("g"), real_function("phi")


def test_a_consequence_needs_its_premises():
    D = Derivation("relative")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "differences depend on the difference")
    D.model(phi(m), m * t)
    assert D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m)))).verdict
    with pytest.raises(Undecided, match="no combination was found"):
        D.prove("eq-one", phi(1), eq(0, "nothing gives this", follows(D.at("eq-rel", n=m))))


def consequence(claim, premises, model):
    """The verdict of a claim that follows from premises about constants, in a model where both hold."""
    D = Derivation("premises")
    D.constant(*(s for pair in premises for side in pair for s in side.free_symbols))
    for row, (left, right) in enumerate(premises):
        D.assume(f"eq-{row}", left, right, "")
    for letter, value in model.items():
        D.model(letter, value)
    labels = [f"eq-{row}" for row in range(len(premises))]
    return D.prove("eq-claim", claim[0], eq(claim[1], "", by=follows(*labels))).verdict


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


MODELS = {
    "an exponential is not zero": {a: b},
    "nor is a denominator": {a: b / factor},
    "an equation carries its conjugate": {z: 1, w: 1},
    "two premises": {x: a + b, y: a - b},
    "a column": {a: x, b: y},
    "a column and a number": {a: x, b: y},
}


@pytest.mark.parametrize("name", CONSEQUENCES)
def test_a_consequence_says_how_and_for_which_letters(name):
    premises, claim, scope = CONSEQUENCES[name]
    verdict = consequence(claim, premises, MODELS[name])
    assert verdict.scope.startswith(scope)
    assert verdict.method == "consequence of earlier results"


def test_equals_are_put_for_equals():
    for premises, model in (([(a, b)], {a: b}), ([(a, x), (x, b)], {a: b, x: b})):
        verdict = consequence((cos(a), cos(b)), premises, model)
        assert verdict.scope.startswith("for all a, b ∈ ℝ")


def test_what_only_resembles_a_consequence_is_undecided():
    for premise, claim in (((a * x, b * x), (a, b)), ((a**2, b**2), (a, b)), ((a, b), (a, b + 1))):
        with pytest.raises(Undecided, match=r"no proof was found|shown only where x != 0"):
            consequence(claim, [premise], {a: b})
    with pytest.raises(Undecided, match="only eq-1 is used"):
        consequence((cos(a), cos(b)), [(y, x), (a, b)], {a: b, y: x})


def test_an_unused_premise_is_an_error():
    D = Derivation("relative")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    D.assume("eq-other", phi(7), 7, "not needed")
    D.model(phi(m), m)
    with pytest.raises(Undecided, match="only eq-rel at n := m is used"):
        D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m), "eq-other")))


def test_only_a_non_zero_factor_is_cancelled():
    D = Derivation("cancel")
    D.assume("eq-p", a * t, b * t, "hypothesis")
    with pytest.raises(ValueError, match="may vanish"):
        D.prove("eq-x", a, eq(b, "dividing by t", follows("eq-p", times=t)))


def test_a_factor_that_is_not_zero_is_cancelled():
    D = Derivation("attack")
    D.assume("eq-h", f(x) * (p + 1), g(x) * (p + 1), "")
    D.model(f(x), x)
    D.model(g(x), x)
    with pytest.raises(Undecided):
        D.prove("eq-x", f(x), eq(g(x), "", follows("eq-h")))
    assert D.prove("eq-y", f(x), eq(g(x), "divided", follows("eq-h", times=p + 1))).verdict
