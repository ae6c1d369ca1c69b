"""What is kept of a result."""

from posenc_proofs.derivation.derivation import Derivation


def test_a_name_behind_a_letter_is_kept_with_what_it_stands_for():
    text = r"""for all i ∈ ℕ, x ∈ ℝ
let \theta_i := 10^{-i}
let a_i := e^{\mathrm ix\theta_i}
eq-a: a_i \overline{a_i}
  = 1   -- a turn"""
    (result,) = Derivation("behind").write(text)
    assert result.meant == [r"\theta_i := 10^{-i}", r"a_i := e^{\mathrm ix\theta_i}"]
