"""What is read and still refused: hypotheses without a model, premises that say nothing, empty equations."""

import pytest

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.search.proof import NotFound

REFUSED = [
    (
        "the model does not satisfy eq-h: at U_11 = ",
        "for all m ∈ ℤ and every real d × d matrix U and every real d-vector function p, d ∈ ℕ₊\n"
        "assume eq-h: \\boldsymbol p_{m+1} = U \\boldsymbol p_m\n"
        "eq-x: \\boldsymbol p_{m+2}\n  = U U \\boldsymbol p_m  -- [follows eq-h, eq-h (m = m+1)]",
    ),
    (
        "no model is known in which",
        "for all n ∈ ℤ and every real sequence u\nassume eq-h: u_n = 1\n"
        "eq-x: 2 u_n\n  = 2  -- [follows eq-h]",
    ),
    (
        "eq-h says nothing where .* vanishes, and the row does",
        "for all x ∈ ℝ and every real function f\nmodel f(x) := \\frac1x\nassume eq-h: \\frac1x = f(x)\n"
        "eq-x: f(0)\n  = 0  -- [follows eq-h (x = 0)]",
    ),
    (
        "the equation has values at none of the points tried",
        "for all x ∈ ℝ\neq-x: \\frac{1}{x - x} = \\frac{1}{x - x}",
    ),
    (
        "the scope does not say",
        "for all i ∈ ℕ, d ∈ ℕ₊ and every real sequence h\neq-x: \\sum_{j=0}^{d-1} \\delta_{ij} h_j = h_i",
    ),
    (
        "leaves the set of i",
        "for all i, N ∈ ℕ₊ and every real sequence θ\n"
        "eq-x: \\bigoplus_{i=0}^{N-1} \\begin{pmatrix} \\frac ii \\end{pmatrix}\n"
        "  = \\bigoplus_{i=0}^{N-1} \\begin{pmatrix} 1 \\end{pmatrix}",
    ),
    ("x is a letter, and so is|declare a sequence", "for all n ∈ ℤ, x_n ∈ ℝ\neq-x: x_n = x_n"),
]


@pytest.mark.parametrize(("reason", "text"), REFUSED, ids=[reason for reason, _ in REFUSED])
def test_it_is_refused_and_told_why(reason, text):
    with pytest.raises((ValueError, NotFound), match=reason):
        Derivation("refused").write(text)


def test_blocks_name_the_letters_of_their_ranges_in_the_scope():
    D = Derivation("blocks")
    said = "for all N ∈ ℕ₊, i ∈ ℕ, m, n ∈ ℤ and every real sequence θ\n"
    turn = "R_a := \\begin{pmatrix} \\cos a & -\\sin a \\\\ \\sin a & \\cos a \\end{pmatrix}\n"
    rows = (
        "eq-x: \\Bigl(\\bigoplus_{i=0}^{N-1} R_{m\\theta_i}\\Bigr) "
        "\\Bigl(\\bigoplus_{i=0}^{N-1} R_{n\\theta_i}\\Bigr)\n"
        "  = \\bigoplus_{i=0}^{N-1} R_{(m+n)\\theta_i}  -- block by block"
    )
    *_, result = D.write(said + turn + rows)
    assert result.scope == "for all N ∈ ℕ₊, i ∈ ℕ, m, n ∈ ℤ and every real sequence θ"
