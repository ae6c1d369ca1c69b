"""Formulas that may look other than they mean: each is refused by name, or means what it looks like."""

from pathlib import Path

import pytest
import yaml

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.kernel import Refused
from posenc_proofs.search.proof import NotFound

SAID = "for all x, y, a, b ∈ ℝ, m, n ∈ ℤ, N ∈ ℕ₊, z ∈ ℂ and every real sequence u and every real function f"
ATTACKS = yaml.safe_load(Path(__file__).with_name("attacks.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack["what"])
def test_a_formula_is_refused_by_name_or_means_what_it_looks_like(attack):
    D = Derivation("attack")
    text = f"{attack.get('scope', SAID)}\neq-a: " + attack["source"].replace("\n", "\n  ")
    if "refused" in attack:
        with pytest.raises((ValueError, Refused, NotFound)) as error:
            D.write(text)
        assert attack["refused"] in str(error.value)
        return
    D.write(text)
    (ths,) = D.chains["eq-a"]
    assert "; ".join(f"{th.left} {th.relation} {th.right}" for th in ths) == attack["means"]
