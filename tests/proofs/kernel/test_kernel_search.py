"""Certificates of each kind that the search finds, rebuilt by the kernel; and the falsehoods beside them."""

from fractions import Fraction
from random import Random

import pytest
from flint import acb

from posenc_proofs.kernel import Refused, replay
from posenc_proofs.kernel.balls import positive_on, rational, value
from posenc_proofs.kernel.calculus import smooth as is_smooth
from posenc_proofs.kernel.domains import lies
from posenc_proofs.kernel.terms import *
from posenc_proofs.kernel.theorem import Formula
from posenc_proofs.search.analysis import certified
from posenc_proofs.search.equations import antiderivative, follows, identity, inductions
from posenc_proofs.search.proof import NotFound, Proof

x, y, t = (var(name, "R") for name in "xyt")
m, N, p, z = var("m", "Z"), var("N", "N"), var("p", "R+"), var("z", "C")
i = var("i", "N")
WHOLE_TURN, HALF = mul(num(2), PI), num(Fraction(1, 2))


def f(*args, name="f", domain="C"):
    return Term("app", (name, domain), args)


def rebuilt(proof, th, model=()):
    """The result of the certificate, for a theorem that the search claims."""
    result = replay(proof.certificate(th, list(model)))
    assert (result.theorem.left, result.theorem.relation, result.theorem.right) == (
        th.left,
        th.relation,
        th.right,
    )
    return result


def assume(proof, left, right, *universal, relation="="):
    return proof.step("assume", list(universal), left, relation, right)


def functional_equation(proof):
    return assume(proof, f(add(x, y)), mul(f(x), f(y)), x, y)


def test_a_consequence_of_a_hypothesis_that_a_model_satisfies():
    proof = Proof()
    law = functional_equation(proof)
    at = proof.step("instantiate", law, [(x, t), (y, t)], [])
    th = follows(proof, power(f(add(t, t)), 2), power(f(t), 4), [at])
    definition = assume(proof, f(x), fun("exp", x), x)

    def value(a):
        return proof.step("instantiate", definition, [(x, a)], [])

    model = follows(proof, law.left, law.right, [value(add(x, y)), value(x), value(y)])
    result = rebuilt(proof, th, [model])
    assert result.conditions == frozenset()
    assert result.definitions == {Formula(frozenset([x]), f(x), "=", fun("exp", x))}
    with pytest.raises(Refused, match="not proved from definitions"):
        replay(proof.certificate(th))


def test_what_does_not_follow_is_not_found():
    proof = Proof()
    law = functional_equation(proof)
    with pytest.raises(NotFound):
        follows(proof, f(add(x, y)), mul(num(2), f(x), f(y)), [law])


def test_rows_by_one_induction_whose_step_needs_both():
    """cos and sin of n t by their recurrence: C, S with C' = c C - s S, S' = s C + c S."""
    n = var("n", "N")
    both = [(f(n, name="C"), fun("cos", mul(n, t))), (f(n, name="S"), fun("sin", mul(n, t)))]

    def given(proof):
        c, s = fun("cos", t), fun("sin", t)
        (C, _), (S, _) = both
        assumed = [(f(ZERO, name="C"), ONE), (f(ZERO, name="S"), ZERO)]
        assumed += [(f(add(n, ONE), name="C"), sub(mul(c, C), mul(s, S)))]
        assumed += [(f(add(n, ONE), name="S"), add(mul(s, C), mul(c, S)))]
        return [assume(proof, *sides, n, t) for sides in assumed]

    proof = Proof()
    premises = given(proof)
    found = inductions(proof, both, n, ZERO, premises)
    assert [(th.left, th.right) for th in found] == both
    for th in found:
        assert th.hypotheses == {h for p in premises for h in p.hypotheses}
        with pytest.raises(Refused, match="not proved from definitions"):
            replay(proof.certificate(th))
    with pytest.raises(NotFound):
        proof = Proof()
        inductions(proof, both[:1], n, ZERO, given(proof))


def integral(body, lo=ZERO, hi=WHOLE_TURN):
    return bind("int", "t", lo, hi, t, body)


def test_the_textbook_slip_of_a_cosine_over_whole_turns():
    """Its integral is 0 for m != 0 only; the condition stays with the result."""
    cosine, sine = fun("cos", mul(m, t)), fun("sin", mul(m, t))
    with pytest.raises((NotFound, Refused)):
        antiderivative(Proof(), integral(cosine), ZERO, mul(sine, fun("inv", m)))
    proof = Proof()
    nonzero = assume(proof, m, ZERO, relation="!=")
    unit = proof.axiom("inverse", m, signs=[nonzero])
    whole = proof.step("fundamental", mul(sine, fun("inv", m)), t, "t", ZERO, WHOLE_TURN, [])
    slope = mul(m, fun("inv", m), cosine)
    body = proof.combine(cosine, slope, [(mul(num(-1), cosine), unit)])
    same = proof.over(integral(cosine), body, t)
    zero = identity(proof, whole.right, ZERO)
    th = proof.combine(integral(cosine), ZERO, [(ONE, same), (ONE, whole), (ONE, zero)])
    assert rebuilt(proof, th).conditions == {Formula(frozenset(), m, "!=", ZERO)}
    with pytest.raises(Refused, match="constant of a hypothesis"):
        proof.step("instantiate", th, [(m, ZERO)], [])


def test_a_divisor_that_may_vanish_is_a_condition():
    proof = Proof()
    result = rebuilt(proof, identity(proof, mul(x, fun("inv", x)), ONE))
    assert result.conditions == {Formula(frozenset(), x, "!=", ZERO)}
    with pytest.raises(NotFound, match="may vanish"):
        identity(Proof(), mul(x, fun("inv", x)), ONE, conditions=False)


def test_a_box_is_a_condition_and_a_counterexample_is_a_theorem():
    proof = Proof()
    th = certified(proof, fun("sin", p), "<", p, [(p, Fraction(1), Fraction(3))])
    conditions = rebuilt(proof, th).conditions
    assert {(h.left, h.relation, h.right) for h in conditions} == {(ONE, "<=", p), (p, "<=", num(3))}
    proof = Proof()
    wrong = proof.step("apart", fun("cos", ONE), add(ONE, num(Fraction(-1, 2))))
    assert rebuilt(proof, wrong).theorem.relation == "!="


def test_a_box_of_two_letters():
    proof, q = Proof(), var("q", "R+")
    left, right = mul(num(2), p, q), add(power(p, 2), power(q, 2))
    box = [(p, Fraction(1), Fraction(2)), (q, Fraction(9, 4), Fraction(3))]
    th = certified(proof, left, "<", right, box)
    assert len(rebuilt(proof, th).conditions) == 4
    assert sum(len(cuts) for *_, cuts in proof.steps[-1][1][3]) > 2
    with pytest.raises(NotFound):
        certified(Proof(), left, "<", right, [(p, Fraction(1), Fraction(2)), (q, Fraction(2), Fraction(3))])


def test_slopes_need_fewer_cells():
    """(x - 1)^2 + 10^-6 is positive; by values alone the cells near 1 are as short as 10^-6, and many."""
    proof = Proof()
    left, right = mul(num(2), x), add(power(x, 2), ONE, num(Fraction(1, 10**6)))
    th = certified(proof, left, "<", right, [(x, Fraction(0), Fraction(3))])
    assert len(rebuilt(proof, th).conditions) == 2
    ((*_, cuts),) = proof.steps[-1][1][3]
    assert 2 < len(cuts) < 40


@pytest.mark.parametrize(
    "left", [fun("conj", mul(z, I)), bind("prod", "i", ZERO, N, i, fun("abs", mul(z, i)))]
)
def test_a_certificate_holds_only_the_steps_that_its_theorem_needs(left):
    proof = Proof()
    proof.ring(x, x)
    th = identity(proof, left, left)
    text = proof.certificate(th)
    assert replay(text).theorem.left == left
    assert '["ring",["var","x","R"]' not in text


def test_a_claim_rests_on_an_earlier_one_by_its_name():
    """Its theorem is replayed once; without it, or under another name, the later certificate is refused."""
    first, later = Proof(), Proof()
    shown = identity(first, mul(x, x), power(x, 2))
    earlier = replay(first.certificate(shown)).theorem
    later.claim("eq-square", earlier)
    th = later.step("instantiate", earlier, [(x, y)], [])
    text = later.certificate(th)
    assert '"eq-square"' in text and "ring" not in text
    assert replay(text, {"eq-square": earlier}).theorem.right == power(y, 2)
    for claims in ({}, {"eq-other": earlier}):
        with pytest.raises(Refused):
            replay(text, claims)


def test_a_term_that_occurs_often_is_written_once():
    proof = Proof()
    long = mul(*(add(x, num(k)) for k in range(9)))
    text = proof.certificate(proof.ring(add(long, long), mul(num(2), long)))
    assert text.count('"8"') == 1
    assert replay(text).theorem.left == add(long, long)


def turn(by, n):
    return fun("exp", mul(num(0, by), PI, n))


def test_an_alternating_sign_is_real_and_no_other_turn():
    assert lies(turn(1, m), "R") and lies(mul(turn(-1, mul(m, N)), f(x, domain="R")), "R")
    assert lies(add(turn(3, m), turn(Fraction(1, 2), x), turn(Fraction(-1, 2), x)), "R")
    for false in (turn(1, x), turn(Fraction(1, 2), m), mul(I, turn(1, m)), fun("exp", mul(I, m))):
        assert not lies(false, "R")


def positive_or_not(gap, cell):
    try:
        return positive_on(gap, cell)
    except Refused:
        return False


def test_what_is_called_positive_on_a_cell_is_positive_at_its_points():
    random, shown = Random(7), 0
    atoms = [
        x,
        fun("sin", x),
        fun("exp", neg(x)),
        power(x, 2),
        fun("cos", mul(num(3), x)),
        fun("Si", add(x, num(5))),
    ]
    for _ in range(300):
        gap = add(*(mul(num(random.randint(-3, 3)), *random.sample(atoms, 2)) for _ in range(3)), num(1))
        lo = Fraction(random.randint(-20, 20), 10)
        hi = lo + Fraction(random.randint(1, 8), 10)
        whole = acb(rational(lo).union(rational(hi)))
        if positive_or_not(gap, [(x, whole)]):
            shown += 1
            for k in range(11):
                at_point = value(gap, {x: acb(rational(lo + (hi - lo) * k / 10))})
                assert not at_point.real < 0
    assert 50 < shown < 250


def test_smooth_is_what_is_made_of_smooth_functions_of_real_letters():
    S = Term("app", ("s", "S"), (x, mul(x, y)))
    assert is_smooth(add(mul(S, fun("exp", x)), power(y, 2), PI)) and is_smooth(fun("sin", x))
    rough = [f(x, domain="R"), fun("abs", x), fun("sqrt", x), m, p, mul(I, x), fun("inv", x)]
    assert not any(map(is_smooth, [*rough, *(add(x, t) for t in rough), Term("app", ("s", "S"), (m, x))]))
    definition = Formula(frozenset([x]), Term("app", ("s", "S"), (x,)), "=", fun("abs", x))
    proof = Proof()
    with pytest.raises(Refused, match="known to lie in S"):
        assumed = proof.step("assume", [x], definition.left, "=", definition.right)
        rebuilt(proof, assumed, [assumed])


def test_what_equals_something_real_is_real():
    """log of a defined name: that it is real is seen from what the name stands for."""
    proof = Proof()
    named, body = f(p, name="b", domain="R+"), add(num(1), p)
    meaning = proof.step("assume", [p], named, "=", body)
    opened = proof.step(
        "rewrite", proof.ring(*[fun("log", fun("log", named))] * 2), [meaning], fun("log", fun("log", body))
    )
    shown = proof.adding(opened.right, "<=", add(opened.right, p), [], p)
    right = proof.combine(add(opened.left, p), add(opened.right, p), [(ONE, opened)])
    th = proof.between(opened, shown, right)
    rebuilt(proof, th, [meaning])
    with pytest.raises(Refused, match="real numbers"):
        proof.adding(opened.left, "<=", right.left, [(ONE, opened), (ONE, shown), (neg(ONE), right)])
    with pytest.raises(Refused, match="real numbers"):  # equal to something else that may be complex
        same = proof.ring(opened.left, opened.left)
        proof.adding(
            opened.left, "<=", right.left, [(ONE, opened), (ONE, shown), (neg(ONE), right)], ZERO, [same]
        )


def test_a_sum_of_something_is_positive_where_it_is_not_empty():
    body, index = fun("exp", x), var("i", "Z")
    said = [(ONE, var("n", "N+"), body, ">0"), (ONE, N, body, ">=0")]
    said += [(ONE, N, body, ">0"), (num("1/2"), var("n", "N+"), body, ">0"), (ONE, N, neg(body), ">=0")]
    found = [lies(bind("sum", "i", lo, hi, index, t), sign) for lo, hi, t, sign in said]
    assert found == [True, True, False, False, False]


def test_a_delta_has_no_enclosure():
    with pytest.raises(Refused, match="no value of delta"):
        value(fun("delta", ONE, ONE), {})
