"""Induction: from the first value of the domain, by steps that reach all others."""

import pytest
from attempts import proved
from sympy import Integer, Integral, Sum, cos, pi, sin

from posenc_lib.proofs import *

m = integers("m")
e = evens("e")
N, i = naturals("N i")
t, x = reals("t x")
S, h = complex_sequence("S"), complex_sequence("h")
f, phi = real_function("f"), real_function("phi")


def parts(length):
    return h[length] * S[length] - h[0] * S[0] - Sum(S[i + 1] * (h[i + 1] - h[i]), (i, 0, length - 1))


def test_summation_by_parts_by_induction():
    D = Derivation("abel")
    left = Sum(h[i] * (S[i + 1] - S[i]), (i, 0, N - 1))
    result = D.prove("eq-parts", left, eq(parts(N), "by parts", induction(N)))
    assert result.verdict.status == "proved"
    assert "every complex sequence" in result.verdict.scope
    assert result.wrong_versions.refuted >= 20


def test_induction_refuses_a_false_step():
    D = Derivation("abel")
    wrong = parts(N) + 2 * h[0] * S[0]
    with pytest.raises(Refuted, match=r"row 1.*\n.*\n.*induction.*\n.*difference.*\n.*left side"):
        D.prove("eq-x", Sum(h[i] * (S[i + 1] - S[i]), (i, 0, N - 1)), eq(wrong, "slip", induction(N)))


def test_induction_starts_at_the_first_value_of_the_domain():
    k = counts("k")
    for symbol, start in ((N, 1), (k, 0)):
        with pytest.raises(ValueError, match="must start at"):
            Derivation("d").prove("eq-x", Sum(i, (i, 0, symbol)), eq(symbol, "", induction(symbol, start)))


def test_induction_over_all_integers_goes_both_ways():
    D = Derivation("arithmetic")
    D.constant(t)
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(0), 0, "initial value")
    D.model(phi(m), m * t)
    assert D.check_model() == 2
    both = ["eq-start", "eq-step", D.at("eq-step", {m: m - 1})]
    result = D.prove("eq-linear", phi(m), eq(m * t, "arithmetic progression", induction(m, 0, both)))
    assert "both directions" in result.verdict.method
    assert result.uses == ("eq-start", "eq-step")


def test_induction_upwards_alone_does_not_reach_the_negative_integers():
    D = Derivation("arithmetic")
    D.constant(t)
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(0), 0, "initial value")
    D.model(phi(m), m * t)
    with pytest.raises(Undecided):
        D.prove("eq-linear", phi(m), eq(m * t, "one way only", induction(m, 0, ["eq-start", "eq-step"])))


def test_induction_over_a_bound_index_is_refused():
    with pytest.raises(ValueError, match="rename"):
        total = Sum(N, (N, 0, 3))
        Derivation("d").prove("eq-x", total + N, eq(6 + N, "", induction(N)))


def test_induction_goes_up_by_one():
    """(−1)^N = 1 holds at 0 and is inherited from N to N + 2."""
    rule = induction(N)
    for left, right in (((-1) ** N, Integer(1)), (Sum(i, (i, 0, N)), N * (N + 1) / 2 + 1)):
        with pytest.raises(Refuted, match=r"(?s)induction on N, base N = 0, upwards.*refuted at N = "):
            proved(rule, left, "=", right)
    k = counts("k")
    verdict = proved(induction(k, 1), Sum(i, (i, 1, k)), "=", k * (k + 1) / 2)
    assert (verdict.method, verdict.scope) == ("induction on k, base k = 1, upwards", "for all k ∈ ℕ₊")


def test_induction_over_all_integers_starts_anywhere_and_needs_both_ways():
    D = Derivation("arithmetic")
    D.constant(t)
    D.assume("eq-step", phi(m + 1) - phi(m), t, "constant increments")
    D.assume("eq-start", phi(3), 3 * t, "initial value")
    D.model(phi(m), m * t)
    down = ["eq-start", D.at("eq-step", {m: m - 1})]
    with pytest.raises(Undecided):
        D.prove("eq-x", phi(m), eq(m * t, "downwards only", induction(m, 3, down)))
    result = D.prove("eq-linear", phi(m), eq(m * t, "from 3", induction(m, 3, ["eq-step", *down])))
    assert result.verdict.method == "induction on m, base m = 3, in both directions"


def test_an_instance_of_an_even_letter_is_even():
    D = Derivation("attack")
    D.assume("eq-even", f(e), 0, "for even numbers")
    with pytest.raises(ValueError):
        D.at("eq-even", {e: Integer(3)})
    D.assume("eq-step", f(e + 1), f(e), "")
    D.assume("eq-start", f(1), 0, "")
    D.model(f(x), 0 * x)
    with pytest.raises(ValueError, match="an integer symbol, got e"):  # its steps never reach 2
        induction(e, 1, ["eq-step", "eq-start"])


def test_the_step_may_suppose_the_row_at_other_values_of_another_letter():
    D = Derivation("waves")
    k, p = counts("k p")
    y, v, w = reals("y v w")
    a, c = real_sequence("a"), real_sequence("c")
    turn = (y, v, v + 2 * pi)
    antidifference = sin(p * y + w - c[k]) / (2 * p) + sin((2 * k + p) * y + w + c[k]) / (2 * (2 * k + p))
    pair = Integral(cos(k * y + c[k]) * cos((k + p) * y + w), turn)
    D.prove("eq-pair", pair, eq(Integer(0), "two waves", antiderivative(antidifference)))
    higher = Integral(Sum(a[k] * cos(k * y + c[k]), (k, 1, N)) * cos((N + p) * y + w), turn)
    used = [D.at("eq-pair", k=N + 1)]
    with pytest.raises(Undecided):
        D.prove("eq-higher", higher, eq(Integer(0), "the same wave only", induction(N, using=used)))
    result = D.prove(
        "eq-higher", higher, eq(Integer(0), "all waves", induction(N, using=used, at={p: p + 1}))
    )
    assert result.verdict.status == "proved"
    assert result.uses == ("eq-pair",)


def test_supposing_more_does_not_show_what_is_false():
    k = counts("k")
    with pytest.raises(Refuted):
        Derivation("d").prove("eq-x", k * N, eq(k + N, "a slip", induction(N, at={k: k + 1})))


def test_the_letter_of_the_induction_is_not_moved_elsewhere():
    with pytest.raises(ValueError, match="at must move other letters than N"):
        induction(N, at={N: N + 1})
