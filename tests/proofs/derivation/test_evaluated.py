"""Ball arithmetic on terms: each value is enclosed, and where there is none, none is given.

What a term is worth does not change without the moduli that are known; small integrals are told apart.
"""

import pytest
from flint import acb, arb

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.latex.names import normal
from posenc_proofs.refutation.evaluated import NoValue, Point, value
from posenc_proofs.refutation.failing import without_moduli
from posenc_proofs.text.reading import Reading

SAID = "for all x, t ∈ ℝ, z ∈ ℂ, m ∈ ℤ, N, i, j, k ∈ ℕ and every real function f"
AT = {("x",): acb(arb(1) / 2), ("z",): acb(3, 4), ("m",): acb(-3), ("N",): acb(3)}
VALUES = {
    r"\sqrt z": (2, 1),
    r"\sqrt{z - 3\mathrm i}": (1.755317, 0.284849),
    r"|\mathrm iz - x|": (5.408327, 0),
    r"\gamma x": (0.288608, 0),
    r"\sum_{i=N}^{N+2} i": (12, 0),
    r"\sum_{i=0}^m 1": (0, 0),
    r"\sum_{i=0}^3 \int_0^i t\, dt": (7, 0),
    r"\sum_{i=0}^1 \sum_{j=0}^2 \sum_{k=0}^3 (100i + 10j + k)": (24 * 61.5, 0),
    r"\int_0^1 \lvert t - \tfrac13\rvert\, dt": (5 / 18, 0),
    r"\int_{-1}^1 \lvert 1 + \mathrm it\rvert\, dt": (2.295587, 0),
    r"\int_0^1 f(x) t\, dt - \frac{f(x)}2": (0, 0),
    r"\max_{2 \le i \le 4} (-i)": (-2, 0),
    r"\prod_{i=1}^0 i": (1, 0),
    r"\binom{5}{2} + 4! + \delta_{mN}": (34, 0),
    r"\operatorname{Si}(x) + \operatorname{erf}(x)": (0.493107 + 0.520500, 0),
    r"\overline z": (3, -4),
}
NOTHING = [
    r"\sum_{i=0}^{100} i", r"\int_0^1 f(t)\, dt", r"\frac1{N - 3}", r"\log(m + 3)",
    r"\max_{1 \le i \le 2} (\mathrm i \cdot i)",
]  # fmt: skip


def at_point(latex):
    D = Derivation("values")
    D.write(SAID)
    return value(D.reading.term(latex), Point(D, 0, AT))


@pytest.mark.parametrize("latex", VALUES)
def test_a_value_is_enclosed(latex):
    found, (real, imaginary) = at_point(latex), VALUES[latex]
    assert abs(float(found.real.mid()) - real) < 1e-2 and abs(float(found.imag.mid()) - imaginary) < 1e-2
    assert float(found.real.rad()) < 0.05


@pytest.mark.parametrize("latex", NOTHING)
def test_what_has_no_value_gets_none(latex):
    with pytest.raises((NoValue, ZeroDivisionError)):
        at_point(latex)


WITH_MODULI = "for all u ∈ ℝ₊, t, x ∈ ℝ, z ∈ ℂ, n ∈ ℕ₊"


@pytest.mark.parametrize(
    ("written", "known"),
    [
        (r"\int_0^1 t^2\,|e^{-ut}\,e^{\mathrm i ut}|\,dt", r"\int_0^1 t^2 e^{-ut}\,dt"),
        (r"\sum_{k=1}^n |2uk\,e^{2\pi\mathrm i k/n} (x - k)|", r"\sum_{k=1}^n 2uk\,|x - k|"),
        (r"|x|\,|e^{\mathrm i z}| + |1 - u|", r"|x|\,|e^{\mathrm i z}| + |1 - u|"),
        (r"\int_{-1}^1 |t|\,dt", r"\int_{-1}^1 |t|\,dt"),
    ],
)
def test_only_moduli_that_are_known_go(written, known):
    reading = Reading()
    reading.declare(WITH_MODULI)
    found, expected = without_moduli(reading.term(written)), reading.term(known)
    assert normal(found) == normal(expected)


def test_a_wrong_version_of_a_small_integral_over_a_modulus_is_refuted():
    (result,) = Derivation("small").write(
        WITH_MODULI + r"""
eq-x: \int_0^1 t^2 (1-t)^2 |e^{-ut}|\,dt
  = \frac{2u^2 - 12u + 24 - (2u^2 + 12u + 24) e^{-u}}{u^5}   -- by parts  """
        r"[antiderivative -e^{-ut} (\frac{t^2(1-t)^2}u + \frac{4t^3-6t^2+2t}{u^2} + \frac{12t^2-12t+2}{u^3}"
        r" + \frac{24t-12}{u^4} + \frac{24}{u^5})]"
    )
    assert result.counts.open == 0 and result.counts.refuted > 10
