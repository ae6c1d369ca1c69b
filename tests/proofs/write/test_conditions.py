"""What a rule leaves open is proved where the kernel rebuilds it, under conditions that the row states."""

import pytest
from sympy import KroneckerDelta, Sum, sqrt

from posenc_lib.proofs import *

i, j, N = naturals("i j N")
d = counts("d")
a, b, x = reals("a b x")
h = real_sequence("h")
FAR = 10**9
picked = Sum(KroneckerDelta(i, j) * h[j], (j, 0, d - 1))
far = picked.subs(d - 1, d + FAR)  # no point is tried at which this one fails


def proved(left, right, *where, by=identity):
    return Derivation("d").prove("eq-a", left, eq(right, "", by=by), where=where)


@pytest.mark.parametrize(
    "where",
    [(i <= d - 1,), (i < d,), (d - 1 >= i,), (d > i,), (i + 1 <= d,)],
    ids=str,
)
def test_what_the_rule_leaves_open_is_proved_under_the_conditions_that_are_stated(where):
    result = proved(picked, h[i], *where)
    assert result.kind == "proved" and len(result.claims) == 1
    assert "with " in result.scope


@pytest.mark.parametrize("where", [(), (i <= d + FAR + 1,), (x > 0,), (i >= d,)], ids=str)
def test_a_condition_that_is_not_stated_is_named(where):
    with pytest.raises(Undecided, match=r"shown only where i <= .*1000000000.*: state it as a condition"):
        proved(far, h[i], *where)


def test_a_row_with_conditions_is_proved_by_the_kernel_too():
    assert proved(sqrt(a**2 + 1) ** 2, a**2 + 1, a > 0).kind == "proved"


def test_what_a_result_with_a_condition_gives_keeps_the_condition():
    D, wide = Derivation("d"), Sum(KroneckerDelta(i, j) * h[j], (j, 0, d + 99))
    D.prove("eq-a", wide, eq(h[i], ""), where=(i <= d + 99,))
    kept = D.prove("eq-b", 2 * wide, eq(2 * h[i], "", by=follows("eq-a")), where=(i <= d + 99,))
    assert kept.kind == "proved"
    for where in ((), (i <= d + 98,)):
        with pytest.raises(ValueError, match=r"eq-a holds where i <= d \+ 99: say so"):
            D.prove("eq-c", 3 * wide, eq(3 * h[i], "", by=follows("eq-a")), where=where)


def test_a_premise_too_many_is_refused_also_where_only_the_kernel_has_a_proof():
    D = Derivation("d")
    D.constant(a, b)
    D.assume("eq-h", h[i], h[0], "constant")
    D.assume("eq-ab", a, b, "alike")
    D.model(h[j], 3)
    D.model(a, 1)
    D.model(b, 1)
    delta = Sum(KroneckerDelta(j, i) * h[i], (i, 0, d - 1))
    row = dict(where=(j <= d - 1,))
    with pytest.raises(Undecided, match="only eq-h at i := j is used"):
        D.prove("eq-a", delta, eq(h[0], "", by=follows(D.at("eq-h", i=j), "eq-ab")), **row)


def test_a_side_without_a_value_is_not_given_one_by_convention():
    top, one = MaxOver(h[i], (i, 1, N)), Sum(KroneckerDelta(i, j), (i, 0, j))
    with pytest.raises(Undecided, match="may be empty"):
        proved(top * one, top)
    assert proved(one * a, a).kind == "proved"


def test_a_false_row_stays_refuted():
    with pytest.raises(Refuted):
        proved(Sum(KroneckerDelta(i, j) * h[j], (j, 0, d - 1)), h[i])


def test_a_divisor_is_a_condition_that_the_scope_states():
    q = complexes("q")
    geometric = proved(Sum(q**i, (i, 0, N)), (q ** (N + 1) - 1) / (q - 1), by=induction(N))
    assert geometric.kind == "proved" and "where no denominator vanishes" in geometric.scope
    hidden = Derivation("d")
    hidden.prove("eq-a", (q**2 - 1) / (q - 1), eq(q + 1, "where q is not 1"))
    with pytest.raises(Undecided, match="says nothing where"):
        hidden.prove("eq-b", (q + 1) ** 2, eq((q + 1) * (q + 1) + q - q, "", by=follows("eq-a")))
