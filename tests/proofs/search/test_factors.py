"""Moduli of products are taken apart as they are written."""

import pytest

from posenc_lib.proofs.page.derivation import Derivation


@pytest.mark.parametrize("part", ["Re", "Im"])
def test_a_positive_denominator_leaves_the_modulus_of_a_part(part):
    row = rf"\operatorname{{{part}}}[(v + w) z - y]"
    (result,) = Derivation("own-factors").write(
        "for all v, w ∈ ℝ₊, y, z ∈ ℂ\n"
        rf"eq-part: \left|\frac{{{row}}}{{v + w}}\right| = \frac{{|{row}|}}{{v + w}}  -- v + w is positive"
    )
    assert result.scope == "for all v, w ∈ ℝ₊, y, z ∈ ℂ"
