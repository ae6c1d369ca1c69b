"""Wrong versions of a step: each is refuted, equal, or open, and a tighter bound is no wrong one."""

import pytest
from sympy import Abs, cos, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.show.results import Mutation

m = integers("m")
a, x, y = reals("a x y")
p = positives("p")


def test_a_wrong_version_that_is_not_refuted_is_an_error(monkeypatch):
    monkeypatch.setattr(type(identity), "refuting", lambda *_: None)
    with pytest.raises(Undecided, match=r"the wrong version .* was not refuted"):
        Derivation("attack").prove("eq-x", cos(a) ** 2, eq(1 - sin(a) ** 2, "Pythagoras"))


def test_wrong_versions_that_are_equal_or_not_accepted_are_counted_and_named():
    D = Derivation("counted")
    equal = D.prove("eq-x", (-1) ** m * y, eq((-1) ** (-m) * y, "a sign is its own inverse"))
    assert equal.links[0].mutation == Mutation(refuted=3, equal=("(-1)**m*y",), open=0)
    loose = D.prove("eq-y", sin(p), le(sin(p) + p + 1, "loose", adding({}, rest=p + 1)))
    assert loose.links[0].mutation == Mutation(refuted=1, equal=(), open=2)
    wide = D.prove("eq-z", cos(x), le(100, "wide", certified((x, 0, 1))))
    assert wide.links[0].mutation == Mutation(refuted=1, equal=("99 holds too", "50 holds too"), open=0)


def test_a_tighter_version_of_a_loose_bound_is_not_called_refuted():
    x = positives("x")
    D = Derivation("loose")
    D.prove("eq-chord", Abs(sin(x)), le(x, "chord", by=sine_chord))
    result = D.prove("eq-loose", Abs(sin(x)), le(x + 100, "loose", by=adding({"eq-chord": 1}, rest=100)))
    assert result.wrong_versions.open >= 1
    assert f", {result.wrong_versions.open} open" in result.badge()
