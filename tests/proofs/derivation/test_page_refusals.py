"""What is read and still refused: hypotheses without a model, premises that say nothing, empty equations."""

from pathlib import Path

import pytest
import yaml

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.search.proof import NotFound

REFUSED = yaml.safe_load(Path(__file__).with_name("page_refusals.yml").read_text(encoding="utf-8"))


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
