"""Certificates of each kind that the search finds, rebuilt by the kernel; and the falsehoods beside them."""

from fractions import Fraction
from random import Random

import pytest
from flint import acb

from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.kernel.balls import positive_on, rational, value
from posenc_lib.proofs.kernel.calculus import smooth as is_smooth
from posenc_lib.proofs.kernel.domains import lies
from posenc_lib.proofs.kernel.terms import (
    ONE,
    OO,
    PI,
    ZERO,
    I,
    Term,
    add,
    bind,
    fun,
    mul,
    neg,
    num,
    power,
    sub,
    var,
)
from posenc_lib.proofs.kernel.theorem import Formula
from posenc_lib.proofs.search.boxes import certified
from posenc_lib.proofs.search.equations import antiderivative, follows, identity
from posenc_lib.proofs.search.induction import inductions
from posenc_lib.proofs.search.inequalities import bound, sum_up, termwise
from posenc_lib.proofs.search.jets import to_second_order
from posenc_lib.proofs.search.limits import limit, pressed
from posenc_lib.proofs.search.proof import NotFound, Proof

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


def test_a_sum_by_induction():
    proof, k = Proof(), var("k", "N")
    left = bind("sum", "i", ZERO, k, i, power(i, 2))
    right = mul(num(Fraction(1, 6)), k, add(k, ONE), add(mul(num(2), k), ONE))
    (th,) = inductions(proof, [(left, right)], k, ZERO, [])
    assert rebuilt(proof, th).conditions == frozenset()
    with pytest.raises(NotFound):
        inductions(Proof(), [(left, add(right, ONE))], k, ZERO, [])


def test_over_all_integers_induction_goes_both_ways():
    proof = Proof()
    step = assume(proof, f(add(m, ONE)), mul(f(ONE), f(m)), m)
    down = assume(proof, f(m), mul(f(ONE), f(add(m, num(-1)))), m)
    start = assume(proof, f(ZERO), ONE)
    unit = assume(proof, mul(f(ONE), fun("conj", f(ONE))), ONE)
    size = mul(f(m), fun("conj", f(m)))
    (th,) = inductions(proof, [(size, ONE)], m, ZERO, [step, down, start, unit])
    definition = assume(proof, f(m), ONE, m)
    one = proof.step("instantiate", definition, [(m, ONE)], [])
    values = [definition, one]
    for by in (1, -1):
        values.append(proof.step("instantiate", definition, [(m, add(m, num(by)))], []))
    values.append(proof.step("instantiate", definition, [(m, ZERO)], []))
    model = [follows(proof, h.left, h.right, values) for h in (step, down, start, unit)]
    assert rebuilt(proof, th, model).conditions == frozenset()


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


def test_a_limit_by_an_error_that_vanishes():
    proof = Proof()
    error = mul(p, num(Fraction(1, 2)), fun("exp", neg(p)))
    left = bind("lim", "p", ZERO, OO, p, add(error, num(3)))
    distance = fun("abs", sub(add(error, num(3)), num(3)))
    near = identity(proof, distance, error)
    th = limit(proof, left, num(3), near, num(3))
    result = rebuilt(proof, th)
    assert (result.conditions, result.theorem.relation) == (frozenset(), "=")
    inwards = bind("lim", "p", OO, ZERO, p, fun("exp", neg(p)))
    with pytest.raises(Refused, match="may stay"):
        proof = Proof()
        limit(proof, inwards, ZERO, identity(proof, fun("abs", fun("exp", neg(p))), fun("exp", neg(p))), ZERO)


def test_an_inequality_in_the_limit():
    error = add(mul(num(3), fun("inv", p)), fun("exp", neg(p)))
    proof = Proof()
    more = proof.adding(x, "<=", add(x, error), [], error)
    result = rebuilt(proof, pressed(proof, x, x, more, p, True))
    assert (result.theorem.left, result.theorem.relation, result.theorem.right) == (x, "<=", x)
    for outwards, right in ((False, x), (True, sub(x, ONE)), (True, add(x, p))):
        with pytest.raises(Refused):
            pressed(proof, x, right, more, p, outwards)


def test_a_limit_of_a_sequence():
    proof, n = Proof(), var("n", "N+")
    left = bind("lim", "n", ONE, OO, n, fun("inv", fun("sqrt", n)))
    th = identity(proof, fun("abs", fun("inv", fun("sqrt", n))), fun("inv", fun("sqrt", n)))
    assert rebuilt(proof, limit(proof, left, ZERO, th, ZERO)).theorem.right == ZERO


def smooth(*args, name="F"):
    return Term("app", (name, "S"), args)


def test_a_function_of_two_arguments_to_second_order():
    h, k = var("h", "R"), var("k", "R")
    left = smooth(add(x, h), add(y, k))
    second = [mul(HALF, power(h, 2), smooth(x, y, name="F'11")), mul(h, k, smooth(x, y, name="F'12"))]
    second += [mul(HALF, power(k, 2), smooth(x, y, name="F'22"))]
    first = [mul(h, smooth(x, y, name="F'1")), mul(k, smooth(x, y, name="F'2"))]
    right = add(smooth(x, y), *first, *second)
    proof = Proof()
    th = to_second_order(proof, left, right, [h, k])
    result = rebuilt(proof, th)
    assert th.right.args[0] == right and th.right.args[1].head == "int"
    assert (result.conditions, result.definitions) == (frozenset(), frozenset())
    for wrong in (right.args[:-1], (*right.args, mul(h, k)), (*right.args[1:], smooth(x, h))):
        with pytest.raises((NotFound, Refused)):
            to_second_order(Proof(), left, add(*wrong), [h, k])


def test_a_function_of_one_argument_to_second_order():
    h = var("h", "R")
    right = add(smooth(x), mul(h, smooth(x, name="F'")), mul(HALF, power(h, 2), smooth(x, name="F''")))
    proof = Proof()
    assert rebuilt(proof, to_second_order(proof, smooth(add(x, h)), right, [h])).conditions == frozenset()


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


def test_a_box_of_two_letters():
    proof, q = Proof(), var("q", "R+")
    left, right = mul(num(2), p, q), add(power(p, 2), power(q, 2))
    box = [(p, Fraction(1), Fraction(2)), (q, Fraction(9, 4), Fraction(3))]
    th = certified(proof, left, "<", right, box)
    assert len(rebuilt(proof, th).conditions) == 4
    assert sum(len(cuts) for *_, cuts in proof.steps[-1][1][3]) > 2
    with pytest.raises(NotFound):
        certified(Proof(), left, "<", right, [(p, Fraction(1), Fraction(2)), (q, Fraction(2), Fraction(3))])


SHIFTED = sub(fun("exp", mul(HALF, p)), fun("exp", mul(num(Fraction(-1, 2)), p)))


def test_slopes_need_fewer_cells():
    """(x - 1)^2 + 10^-6 is positive; by values alone the cells near 1 are as short as 10^-6, and many."""
    proof = Proof()
    left, right = mul(num(2), x), add(power(x, 2), ONE, num(Fraction(1, 10**6)))
    th = certified(proof, left, "<", right, [(x, Fraction(0), Fraction(3))])
    assert len(rebuilt(proof, th).conditions) == 2
    ((*_, cuts),) = proof.steps[-1][1][3]
    assert 2 < len(cuts) < 40


def test_signs_that_the_kernel_does_not_see():
    proof = Proof()
    th = sum_up(proof, ZERO, "<=", mul(p, fun("inv", SHIFTED)), [], mul(p, fun("inv", SHIFTED)))
    assert rebuilt(proof, th).conditions == frozenset()
    squares = total(mul(num(2), power(fun("cos", mul(HALF, f(i, name="h", domain="R"))), 2)), sub(N, ONE))
    proof = Proof()
    left = total(sub(ONE, fun("cos", f(i, name="h", domain="R"))), sub(N, ONE))
    assert rebuilt(proof, sum_up(proof, left, "<=", mul(num(2), N), [], squares)).conditions == frozenset()
    for wrong in (fun("inv", neg(SHIFTED)), fun("inv", sub(fun("exp", x), ONE))):
        with pytest.raises(NotFound):
            sum_up(Proof(), ZERO, "<=", wrong, [], wrong)


def test_strict_inequalities():
    """From a strict part with a positive weight, and from a positive rest."""
    proof = Proof()
    quotient = mul(p, fun("inv", SHIFTED))
    assert rebuilt(proof, sum_up(proof, ZERO, "<", quotient, [], quotient)).conditions == frozenset()
    for weight in (quotient, add(p, quotient)):
        proof = Proof()
        strict, weak = assume(proof, x, y, relation="<"), assume(proof, y, t, relation="<=")
        th = sum_up(proof, mul(weight, x), "<", mul(weight, t), [(weight, strict), (weight, weak)])
        assert rebuilt(proof, th).theorem.relation == "<"
    for weight in (N, power(x, 2)):
        proof = Proof()
        strict = assume(proof, x, y, relation="<")
        with pytest.raises((NotFound, Refused)):
            sum_up(proof, mul(weight, x), "<", mul(weight, y), [(weight, strict)])
        assert sum_up(proof, mul(weight, x), "<=", mul(weight, y), [(weight, strict)]).relation == "<="


def test_moduli_and_logarithms_of_products_as_they_are_written():
    w, q = var("w", "R+"), var("q", "R+")
    size = add(w, q)
    proof = Proof()
    th = identity(
        proof,
        fun("abs", mul(add(mul(w, z), q), fun("inv", size))),
        mul(fun("abs", add(mul(w, z), q)), fun("inv", size)),
    )
    assert rebuilt(proof, th).conditions == frozenset()
    proof = Proof()
    quotient = fun("log", mul(size, fun("inv", add(w, ONE))))
    th = identity(proof, quotient, sub(fun("log", size), fun("log", add(w, ONE))))
    assert rebuilt(proof, th).conditions == frozenset()
    with pytest.raises(NotFound):
        identity(Proof(), quotient, add(fun("log", size), fun("log", add(w, ONE))))


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


def half_turns(q):
    return fun("cos", mul(num(Fraction(q)), PI))


PARTS = {
    "a third": (half_turns("2/3"), num(Fraction(-1, 2))),
    "fifths, added": (add(half_turns("2/5"), half_turns("4/5")), num(Fraction(-1, 2))),
    "fifths, multiplied": (mul(num(4), half_turns("1/5"), half_turns("2/5")), ONE),
    "an eighth": (power(half_turns("1/4"), 2), num(Fraction(1, 2))),
}


@pytest.mark.parametrize("case", PARTS.values(), ids=PARTS)
def test_parts_of_a_turn_have_their_values(case):
    proof = Proof()
    rebuilt(proof, identity(proof, *case))
    with pytest.raises(NotFound):
        identity(Proof(), case[0], add(case[1], num(1)))


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
