"""For which letters a result is said to hold, or to fail."""

import pytest

from posenc_proofs.derivation.derivation import Derivation, Refuted


def test_a_letter_and_a_sequence_of_one_name_are_told_apart():
    each, one, both = Derivation("twins").write(
        "for all i ∈ ℕ, x, θ ∈ ℝ and every real sequence θ\n"
        "eq-each: 2x\\theta_i = x\\theta_i + x\\theta_i  -- of the sequence\n"
        "eq-one: 2x\\theta = x\\theta + x\\theta  -- of the letter\n"
        "eq-both: x(\\theta + \\theta_i) = x\\theta + x\\theta_i  -- of both"
    )
    assert each.scope == "for all i ∈ ℕ, x ∈ ℝ and every real sequence θ"
    assert one.scope == "for all x, θ ∈ ℝ"
    assert both.scope == "for all i ∈ ℕ, x, θ ∈ ℝ and every real sequence θ"
    assert [made.letters["theta"] for made in (each, one)] == ["sequence in ℝ", "ℝ"]


def test_what_fails_without_letters_fails_for_these_numbers():
    (refuted,) = Derivation("numbers").write("refute eq-two: 1 + 1\n  = 3   -- too many")
    assert refuted.badge() == "✘ refuted · fails for these numbers: left side 2, right side 3"
    with pytest.raises(Refuted, match="eq-three, row 1: false for these numbers: left side 2, right side 3"):
        Derivation("numbers").write("eq-three: 1 + 1\n  = 3   -- too many")
