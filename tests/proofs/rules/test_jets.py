"""Expansions to second order: the mixed term is kept, and they are no equations."""

import pytest
from attempts import refused
from sympy import Derivative, conjugate, cos

from posenc_lib.proofs import *

H, x, y = reals("H x y")
w = complexes("w")
f = smooth_function("f")
F = complex_function("F")


def test_two_jet_keeps_the_mixed_term():
    f = smooth_function("f")
    p, r = reals("p r")
    F = f(x, y)
    jet = F + p * Derivative(F, x) + r * Derivative(F, y) + p**2 * Derivative(F, x, 2) / 2
    jet += r**2 * Derivative(F, y, 2) / 2 + p * r * Derivative(F, x, y)
    D = Derivation("taylor")
    result = D.prove("eq-4", f(x + p, y + r), eq(jet, "Taylor", two_jet(f, [p, r])))
    assert "O\\left" in result.latex()
    with pytest.raises(Refuted):
        D.prove(
            "eq-5",
            f(x + p, y + r),
            eq(jet - p * r * Derivative(F, x, y), "no interaction", two_jet(f, [p, r])),
        )


def test_a_two_jet_is_cut_off_after_the_second_order_and_only_there():
    f, H = smooth_function("f"), reals("H")
    first, second, third = (Derivative(f(x), x, k) for k in (1, 2, 3))
    D = Derivation("squared")
    square = f(x) ** 2 + 2 * H * f(x) * first + H**2 * (first**2 + f(x) * second)
    D.prove("eq-square", f(x + H) ** 2, eq(square, "Taylor", two_jet(f, [H])))
    D.prove("eq-third", f(x + H) ** 2, eq(square + 5 * H**3 * third, "any third order", two_jet(f, [H])))
    for order in (0, 1, 2):
        with pytest.raises(Refuted):
            D.prove("eq-x", f(x + H) ** 2, eq(square + H**order * first, "too much", two_jet(f, [H])))


def test_the_scope_of_a_two_jet_is_every_smooth_function():
    f, p = smooth_function("f"), reals("p")
    jet = f(x) + p * Derivative(f(x), x) + p**2 * Derivative(f(x), x, 2) / 2
    verdict = Derivation("taylor").prove("eq-4", f(x + p), eq(jet, "Taylor", two_jet(f, [p]))).verdict
    assert verdict.scope.endswith("∈ ℝ and every smooth real function f")


def taylor(extra=0):
    return f(x) + H * Derivative(f(x), x) + H**2 * Derivative(f(x), x, x) / 2 + extra


def test_an_expansion_is_not_an_equation():
    D = Derivation("attack")
    D.model(f(x), x**2)
    D.prove("eq-jet", f(x + H), eq(taylor(), "Taylor", two_jet(f, [H])))
    assert refused(
        lambda: D.prove("eq-x", f(x + H) - f(x), eq(taylor() - f(x), "", follows("eq-jet"))).verdict
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f(4 + H), 4 * f(3 + H) - 6 * f(2 + H) + 4 * f(1 + H) - f(H)),
        (f(x + H), taylor(5 * Derivative(f(x), x, 4))),
        (Derivative(f(x + H), x, x), Derivative(f(x), x, x) + H * Derivative(f(x), x, 3)),
        (f(x + H), taylor(cos(H) - 1)),
        (f(H), reals("f_c") + H * reals("f_c0") + H**2 * reals("f_c00")),
    ],
    ids=["fourth difference", "fourth derivative", "shifted derivative", "not a polynomial", "names"],
)
def test_what_holds_for_cubics_need_not_hold(left, right):
    assert refused(lambda: Derivation("attack").prove("eq-x", left, eq(right, "", two_jet(f, [H]))).verdict)


def test_an_expansion_is_of_a_real_function():
    jet = F(x) + H * Derivative(F(x), x) + H**2 * Derivative(F(x), x, x) / 2
    for rough in (F, real_function("r")):
        with pytest.raises(ValueError, match="make it with smooth_function"):
            Derivation("attack").prove("eq-x", conjugate(F(x + H)), eq(jet, "", two_jet(rough, [H])))
    real = f(x) + w * Derivative(f(x), x) + w**2 * Derivative(f(x), x, x) / 2
    with pytest.raises(ProofError, match="must be real"):
        Derivation("attack").prove("eq-y", f(x + w), eq(real, "", two_jet(f, [w])))
