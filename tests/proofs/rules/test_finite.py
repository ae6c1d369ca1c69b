"""Listed values: nothing is claimed, and nothing concluded, beyond the list."""

import pytest
from attempts import proved, refused
from sympy import Rational, Sum, expand, prod

from posenc_lib.proofs import *

m, n = integers("m n")
i = naturals("i")
d = counts("d")
x = reals("x")


def test_finite_claims_only_what_is_listed():
    d = counts("d")
    left = Sum(2 * i + 1, (i, 0, d - 1))
    verdict = (
        Derivation("odd").prove("eq-odd", left, eq(d**2, "sum of odd numbers", finite(d, [1, 2, 3]))).verdict
    )
    assert verdict
    assert "1, 2, 3 only" in verdict.method
    with pytest.raises(ProofError):
        Derivation("odd").prove("eq-x", left, eq(3 * d - 2, "true for 1 and 2 only", finite(d, [1, 2, 3])))


def test_what_was_checked_at_listed_values_says_so():
    d = counts("d")
    rule, odd = finite(d, [1, 2, 3]), Sum(2 * i + 1, (i, 0, d - 1))
    verdict = proved(rule, odd, "=", d**2)
    assert (verdict.method, verdict.scope) == ("finite: d = 1, 2, 3 only", "for d one of 1, 2, 3")
    with pytest.raises(Refuted, match=r"(?s)finite: d = 1, 2, 3 only.*left side 9, right side 7"):
        proved(rule, odd, "=", 3 * d - 2)


def test_nothing_follows_for_all_values_from_listed_ones():
    D, roots = Derivation("attack"), prod([d - r for r in range(1, 6)])
    D.prove("eq-listed", roots, eq(0, "", finite(d, [1, 2, 3, 4, 5])))
    assert refused(lambda: D.prove("eq-x", expand(roots), eq(0, "", follows("eq-listed"))).verdict)


@pytest.mark.parametrize("values", [[], [0], [Rational(3, 2)]])
def test_listed_values_lie_in_the_domain(values):
    assert refused(lambda: proved(finite(d, values), d, "=", d + 0 * x))


def test_listed_values_are_what_the_scope_says():
    for letter in (m, n):
        scope = proved(finite(letter, [1]), m * n, "=", m * n / letter).scope
        assert f"{letter} one of 1" in scope and f"{letter} ∈" not in scope and f"{letter}, " not in scope
    for other, rest in ((x, " and for all x ∈ ℝ"), (1, "")):
        square = (other + n) ** 2, "=", other**2 + 2 * n * other + n**2
        assert proved(finite(n, [1, 2, 3]), *square).scope == "for n one of 1, 2, 3" + rest
