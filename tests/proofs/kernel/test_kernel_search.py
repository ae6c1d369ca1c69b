"""Certificates of each kind that the search finds, rebuilt by the kernel; and the falsehoods beside them."""

from fractions import Fraction

import pytest

from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.kernel.terms import (
    ONE,
    PI,
    ZERO,
    I,
    Term,
    add,
    bind,
    fun,
    mul,
    num,
    power,
    sub,
    var,
)
from posenc_lib.proofs.kernel.theorem import Formula
from posenc_lib.proofs.search.equations import antiderivative, follows, identity, induction
from posenc_lib.proofs.search.inequalities import bound, certified, sum_up, termwise
from posenc_lib.proofs.search.proof import NotFound, Proof

x, y, t = (var(name, "R") for name in "xyt")
m, N, p, z = var("m", "Z"), var("N", "N"), var("p", "R+"), var("z", "C")
i = var("i", "N")
WHOLE_TURN = mul(num(2), PI)


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


def test_a_sum_by_induction():
    proof, k = Proof(), var("k", "N")
    left = bind("sum", "i", ZERO, k, i, power(i, 2))
    right = mul(num(Fraction(1, 6)), k, add(k, ONE), add(mul(num(2), k), ONE))
    assert rebuilt(proof, induction(proof, left, right, k, ZERO, [])).conditions == frozenset()
    with pytest.raises(NotFound):
        induction(Proof(), left, add(right, ONE), k, ZERO, [])


def test_over_all_integers_induction_goes_both_ways():
    proof = Proof()
    step = assume(proof, f(add(m, ONE)), mul(f(ONE), f(m)), m)
    down = assume(proof, f(m), mul(f(ONE), f(add(m, num(-1)))), m)
    start = assume(proof, f(ZERO), ONE)
    unit = assume(proof, mul(f(ONE), fun("conj", f(ONE))), ONE)
    th = induction(proof, mul(f(m), fun("conj", f(m))), ONE, m, ZERO, [step, down, start, unit])
    definition = assume(proof, f(m), ONE, m)
    one = proof.step("instantiate", definition, [(m, ONE)], [])
    values = [definition, one]
    for by in (1, -1):
        values.append(proof.step("instantiate", definition, [(m, add(m, num(by)))], []))
    values.append(proof.step("instantiate", definition, [(m, ZERO)], []))
    model = [follows(proof, h.left, h.right, values) for h in (step, down, start, unit)]
    assert rebuilt(proof, th, model).conditions == frozenset()


def integral(body, lo=ZERO, hi=WHOLE_TURN):
    return bind("int", "t", lo, hi, t, body)


def test_an_integral_by_an_antiderivative():
    proof = Proof()
    left = integral(fun("exp", mul(p, t)), ZERO, x)
    right = mul(sub(fun("exp", mul(p, x)), ONE), fun("inv", p))
    th = antiderivative(proof, left, right, mul(fun("exp", mul(p, t)), fun("inv", p)))
    assert rebuilt(proof, th).conditions == frozenset()


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


def total(body, hi=N):
    return bind("sum", "i", ZERO, hi, i, body)


def test_bounds_term_by_term_and_added():
    proof = Proof()
    chord = proof.axiom("chord", mul(i, x))
    left, right = total(fun("abs", fun("sin", mul(i, x)))), total(mul(i, fun("abs", x)))
    th = termwise(proof, left, right, chord)
    twice = sum_up(proof, mul(num(2), left), "<=", add(right, right), [(num(2), th)])
    assert rebuilt(proof, twice).theorem.axioms >= {"chord"}
    with pytest.raises((NotFound, Refused)):
        termwise(Proof(), left, mul(num(Fraction(1, 2)), right), Proof().axiom("chord", mul(i, x)))


def test_a_weight_that_is_positive_on_the_range_only():
    proof = Proof()
    g = f(t, name="g", domain="S")
    left = fun("abs", integral(mul(t, sub(ONE, t), g, fun("exp", mul(I, x, t))), ZERO, ONE))
    th = bound(proof, "triangle inequality", left, integral(mul(t, sub(ONE, t), fun("abs", g)), ZERO, ONE))
    assert rebuilt(proof, th).conditions == frozenset()
    with pytest.raises(NotFound):
        bound(Proof(), "triangle inequality", left, integral(mul(t, sub(t, ONE), fun("abs", g)), ZERO, ONE))


def test_a_box_is_a_condition_and_a_counterexample_is_a_theorem():
    proof = Proof()
    th = certified(proof, fun("sin", p), "<", p, [(p, Fraction(1), Fraction(3))])
    conditions = rebuilt(proof, th).conditions
    assert {(h.left, h.relation, h.right) for h in conditions} == {(ONE, "<=", p), (p, "<=", num(3))}
    proof = Proof()
    wrong = proof.step("apart", fun("cos", ONE), add(ONE, num(Fraction(-1, 2))))
    assert rebuilt(proof, wrong).theorem.relation == "!="


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
