"""Integrals by an antiderivative: smooth, right, and on its domain."""

import pytest
from sympy import Abs, Ci, Integral, Si, cos, log, sin

from posenc_lib.proofs import *

a, b, t = reals("a b t")
c, r, x = positives("c r x")
base = 1 + c
kernel = Integral(cos(x * base**-t), (t, 0, 1))
ladder = -Ci(x * base**-t) / log(base)


def test_the_decay_integral_has_a_closed_form():
    row = eq((Ci(x) - Ci(x / base)) / log(base), "closed form", by=antiderivative(ladder))
    result = Derivation("decay").prove("eq-x", kernel, row)
    assert result.verdict.method == "antiderivative (fundamental theorem)"
    assert result.wrong_versions.refuted >= 5


@pytest.mark.parametrize("wrong", [Ci(x) - Ci(x / base), (Ci(x / base) - Ci(x)) / log(base), Si(x)])
def test_a_wrong_closed_form_is_refuted_by_integrating_in_balls(wrong):
    with pytest.raises(Refuted):
        Derivation("decay").prove("eq-x", kernel, eq(wrong, "slip", by=antiderivative(ladder)))


@pytest.mark.parametrize(
    ("integral", "function", "reason"),
    [
        (Integral(1 / t**2, (t, -1, 1)), -1 / t, "no proof was found"),
        (Integral(1 / t, (t, -1, 1)), log(Abs(t)), "no proof was found"),
        (Integral(cos(t), (t, 0, 1)), cos(t), "refuted"),
        (Integral(cos(r), (r, -1, 1)), sin(r), "domain"),
        (x, sin(t), "refuted"),
    ],
)
def test_an_antiderivative_must_be_smooth_right_and_on_its_domain(integral, function, reason):
    with pytest.raises((ProofError, ValueError), match=reason):
        Derivation("d").prove("eq-x", integral, eq(-2, "no", by=antiderivative(function)))


def test_integration_by_parts_with_an_unknown_smooth_weight():
    weight = smooth_function("w")
    D = Derivation("parts")
    product = weight(t).diff(t) * sin(t) + weight(t) * cos(t)
    D.model(weight(t), 1 + t**2)
    row = eq(weight(1) * sin(1), "product rule", by=antiderivative(weight(t) * sin(t)))
    result = D.prove("eq-parts", Integral(product, (t, 0, 1)), row)
    assert "smooth real function w" in result.verdict.scope
    rough = real_function("w")
    with pytest.raises(Undecided, match="may have no derivative"):
        left = Integral(rough(t).diff(t) * sin(t) + rough(t) * cos(t), (t, 0, 1))
        E = Derivation("rough")
        E.prove("eq-x", left, eq(rough(1) * sin(1), "no", by=antiderivative(rough(t) * sin(t))))


def test_an_antiderivative_sees_definitions():
    D = Derivation("names")
    name = positives("beta")
    D.define(name, 1 + r)
    row = eq(sin(name) / name, "closed form", by=antiderivative(sin(name * t) / name))
    assert D.prove("eq-x", Integral(cos(name * t), (t, 0, 1)), row).verdict


def test_an_antiderivative_of_nested_letters():
    left = Integral(cos(a), (a, 0, b))
    assert Derivation("d").prove("eq-x", left, eq(sin(b), "", by=antiderivative(sin(a)))).verdict
