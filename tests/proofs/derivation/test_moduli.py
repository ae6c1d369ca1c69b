"""What a term is worth does not change without the moduli that are known; small integrals are told apart."""

import pytest

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.latex.names import normal
from posenc_proofs.refutation.failing import without_moduli
from posenc_proofs.text.reading import Reading

SAID = "for all u ∈ ℝ₊, t, x ∈ ℝ, z ∈ ℂ, n ∈ ℕ₊"


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
    reading.declare(SAID)
    found, expected = without_moduli(reading.term(written)), reading.term(known)
    assert normal(found) == normal(expected)


def test_a_wrong_version_of_a_small_integral_over_a_modulus_is_refuted():
    (result,) = Derivation("small").write(
        SAID + r"""
eq-x: \int_0^1 t^2 (1-t)^2 |e^{-ut}|\,dt
  = \frac{2u^2 - 12u + 24 - (2u^2 + 12u + 24) e^{-u}}{u^5}   -- by parts  """
        r"[antiderivative -e^{-ut} (\frac{t^2(1-t)^2}u + \frac{4t^3-6t^2+2t}{u^2} + \frac{12t^2-12t+2}{u^3}"
        r" + \frac{24t-12}{u^4} + \frac{24}{u^5})]"
    )
    assert result.counts.open == 0 and result.counts.refuted > 10
