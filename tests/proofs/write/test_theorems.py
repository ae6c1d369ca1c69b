"""What stands behind "proved": a theorem of the kernel that says what the row says, under its hypotheses."""

import pytest
from sympy import Derivative, Dummy, I, Integer, Limit, Matrix, Sum, Symbol, cos, exp, oo, sin

from posenc_lib.proofs import (
    BlockDiagonal,
    Derivation,
    Undecided,
    Verdict,
    certified,
    check,
    complex_sequence,
    counts,
    eq,
    follows,
    induction,
    integers,
    le,
    matrix_function,
    naturals,
    real_function,
    real_sequence,
    reals,
    smooth_function,
    two_jet,
)
from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.kernel.terms import ONE, ZERO, add, bind, fun, mul, power
from posenc_lib.proofs.rules.identity import identity
from posenc_lib.proofs.rules.jets import TwoJet
from posenc_lib.proofs.search import jets
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.read import Outside, term
from posenc_lib.proofs.write.theorems import Theorems

a, b, x, y = reals("a b x y")
m, n = integers("m n")
N, i = counts("N"), naturals("i")
f, g = real_function("f"), real_function("g")
h = complex_sequence("h")


def theorem(result):
    """The theorem of a result with one row and one claim."""
    (claim,) = result.claims
    return claim.result.theorem


def texts(formulas):
    return {f"{h.left} {h.relation} {h.right}" for h in formulas}


def test_proved_is_what_the_kernel_rebuilt_and_nothing_else():
    with pytest.raises(ValueError, match="the kernel rebuilt"):
        Verdict("proved", "identity")
    proved = check((a + b) ** 2, a**2 + 2 * a * b + b**2)
    with pytest.raises(ValueError, match="the kernel rebuilt"):
        Verdict("undecided", "identity", claims=proved.claims)
    assert proved.claims[0].result.theorem.left == term((a + b) ** 2)


def test_a_definition_is_a_hypothesis_for_all_letters_that_it_uses():
    D = Derivation("d")
    D.define(f(x), x + a)
    opened = D.prove("eq-f", f(x + 1) - f(x) + a, eq(1 + a, "opened"))
    (definition,) = theorem(opened).hypotheses
    assert definition.left.args == (term(x), term(a)) and definition.universal == {term(x), term(a)}
    assert definition.right == term(x + a)
    moved = D.prove("eq-b", Integer(1) + b, eq(f(y + 1) - f(y) + b, "", by=follows(D.at("eq-f", a=b, x=y))))
    assert moved.kind == "proved"


def test_a_name_that_is_defined_late_is_put_into_what_holds_for_all():
    D = Derivation("d")
    D.prove("eq-h", h[i] * 2, eq(h[i] + h[i], "for every sequence"))
    D.define(h[i], exp(I * i * x))
    late = D.prove("eq-late", 2 * h[i], eq(2 * exp(I * i * x), "now", by=follows("eq-h")))
    assert late.kind == "proved" and len(theorem(late).hypotheses) == 1


def test_matrices_are_claimed_entry_by_entry():
    D, R = Derivation("d"), matrix_function("R", 2, 2)
    D.define(R(x), Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]]))
    added = D.prove("eq-R", R(x) * R(y), eq(R(x + y), "angles add"))
    assert [claim.name for claim in added.claims] == [f"eq-R[{k}]" for k in range(1, 5)]
    blocks = D.prove(
        "eq-B", BlockDiagonal(R(i * x), (i, 0, N - 1)).T, eq(BlockDiagonal(R(-i * x), (i, 0, N - 1)), "")
    )
    assert blocks.kind == "proved" and len(blocks.claims) == 4


def test_a_later_row_names_the_claims_that_it_rests_on():
    D = Derivation("d")
    D.prove("eq-sum", Sum(i, (i, 0, N)), eq(N * (N + 1) / 2, "Gauss", by=induction(N, 1)))
    used = D.prove("eq-used", 2 * Sum(i, (i, 0, N)), eq(N * (N + 1), "twice", by=follows("eq-sum")))
    (claim,) = used.claims
    assert '"eq-sum"' in claim.certificate and "induct" not in claim.certificate
    with pytest.raises(Refused):
        replay(claim.certificate)


def assumed(model):
    D = Derivation("d")
    D.constant(a, b)
    D.assume("eq-wish", g(m + n), g(m) * g(n), "the wish")
    for head, body in model:
        D.model(head, body)
    return D.prove("eq-square", g(2 * m), eq(g(m) ** 2, "", by=follows(D.at("eq-wish", n=m))))


def test_a_hypothesis_needs_a_model_and_a_value_of_a_constant_is_one():
    claim = assumed([(g(m), cos(Integer(0)) * exp(a * m)), (a, Integer(2))]).claims[0]
    assert claim.result.definitions > set() and not claim.result.conditions
    assert texts(claim.result.theorem.hypotheses) == {
        "(app g R (+ (var m Z) (var n Z))) = (* (app g R (var m Z)) (app g R (var n Z)))"
    }


def test_a_box_is_a_condition_that_the_theorem_states():
    D = Derivation("d")
    row = theorem(D.prove("eq-box", cos(x), le(1, "", by=certified((x, 1, 2)))))
    assert texts(row.hypotheses) == {"(num 1 0) <= (var x R)", "(var x R) <= (num 2 0)"}


def test_what_the_kernel_does_not_rebuild_is_refused_and_says_why(monkeypatch):
    from posenc_lib.proofs.search import equations

    def lost(*_, **__):
        raise NotFound("lost")

    monkeypatch.setattr(equations, "identity", lost)
    D = Derivation("d")
    with pytest.raises(Undecided, match=r"no proof was found \(lost\), nor a point at which it fails"):
        D.prove("eq-a", (a + b) ** 2, eq(a**2 + 2 * a * b + b**2, "expanded"))
    monkeypatch.undo()
    assert "eq-a" not in D.results and D.prove("eq-a", (a + b) ** 2, eq(a**2 + 2 * a * b + b**2, "")).claims


def test_what_the_search_finds_and_the_kernel_refuses_is_refused(monkeypatch):
    def other(*_):
        return '{"claim": 1}'

    D = Derivation("d")
    monkeypatch.setattr(Proof, "certificate", other)
    with pytest.raises(Undecided, match="claim, steps, model are expected"):
        D.prove("eq-a", (a + b) ** 2, eq(a**2 + 2 * a * b + b**2, "expanded"))


def test_a_limit_is_claimed_as_one():
    from posenc_lib.proofs import limit_by, positives

    p = positives("p")
    D = Derivation("d")
    D.prove("eq-error", abs(2 / p), eq(2 / p, "p is positive"))
    result = D.prove("eq-limit", Limit(2 / p, p, oo), eq(0, "", by=limit_by("eq-error", 0)))
    assert theorem(result).left.head == "lim"


def test_entries_that_say_the_same_have_a_claim_each():
    R = Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]])
    verdict = check(R.T * R, Matrix([[1, 0], [0, 1]]))
    assert verdict.status == "proved" and len({claim.name for claim in verdict.claims}) == 4


def test_a_letter_a_function_a_sequence_and_an_entry_of_one_name_stay_apart():
    (c, of, r), R = (reals("c"), real_function("c"), real_sequence("R_11")), matrix_function("R", 1, 1)
    D = Derivation("d")
    D.define(c, cos(a))
    D.define(of(x), x**2)
    D.define(r[n], n**2)
    D.define(R(x), Matrix([[cos(x)]]))
    for k, (e, body) in enumerate([(c, "cos"), (of(y), "^"), (r[n], "^"), (R(y), "cos")]):
        moved = e * (x + 1) if k < 3 else e * x
        (meaning,) = theorem(D.prove(f"eq-{k}", moved, eq(moved.expand() if k < 3 else x * e, ""))).hypotheses
        assert meaning.right.head == body


def test_two_letters_of_one_name_are_not_read():
    first, second = Dummy("x", real=True), Dummy("x", real=True)
    for one, other in ((first, second), (x, Symbol("x", real=True, algebraic=True))):
        with pytest.raises(Outside, match="two letters are called x"):
            Theorems().row(one * other + one, "=", one * (other + 1), identity)


def test_a_condition_of_the_theorem_is_said_with_the_row():
    D = Derivation("d")
    D.define(f(x), 1 / x)
    hidden = D.prove("eq-one", x * f(x), eq(1, ""))
    assert hidden.claims[0].result.conditions and hidden.scope.endswith(", where x ≠ 0")
    seen = D.prove("eq-two", y / y**2, eq(1 / y, ""))
    assert "where no denominator vanishes" in seen.scope and "≠" not in seen.scope


class Rough(TwoJet):
    """Finds theorems whose remainder is of second order."""

    def find(self, P, rows, relation, theory):
        return [P.ring(left, add(right, power(term(reals("h")), 2))) for left, right in rows]


def test_a_printed_remainder_is_asked_of_the_theorem_and_not_of_the_search():
    F, small = smooth_function("F"), reals("h")
    with pytest.raises(NotFound, match="the search found something else"):
        Theorems().row(F(x) + small**2, "=", F(x), Rough(F, (small,)))
    jet = F(x) + small * Derivative(F(x), x) + small**2 * Derivative(F(x), x, 2) / 2
    assert Theorems().row(F(x + small), "=", jet, two_jet(F, [small]))


def test_third_order_is_three_small_letters_before_what_stays_finite():
    s, h = term(reals("s")), term(reals("h"))
    third = mul(power(h, 3), fun("exp", s))
    for body, holds in ((third, True), (mul(power(h, 2), s), False), (mul(third, fun("inv", h)), False)):
        assert jets.third_order(bind("int", "s", ZERO, ONE, s, body), [h]) == holds
    assert not jets.third_order(third, [h])
