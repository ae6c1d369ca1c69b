"""Steps that rules refuse, one or more for each of their conditions; most would prove a falsehood.

A case is steps, or (steps, model); ``kernel_terms.claimed`` adds what they would prove.
"""

from kernel_terms import *

STEPS = {
    # logic
    "different normal forms": [["ring", ZERO, ONE]],
    "a constant of a hypothesis replaced": [assume(x, "=", ONE), instance(n(5))],
    "a value outside the domain": [["ring", ["conj", x], x], instance(I)],
    "an inequality for rewriting": [["ring", ZERO, ZERO], assume(ZERO, "<=", ONE), ["rewrite", 0, [1], ONE]],
    "a rewriting that is none": [["ring", ZERO, ZERO], ["rewrite", 0, [], ONE]],
    "a unit that may vanish": [combine(ZERO, ONE, [ZERO])],
    "an inequality combined": [assume(ZERO, "<=", ONE), combine(ZERO, ONE, [], [[ONE, 0]])],
    "no combination": [combine(ZERO, ONE)],
    "a negative rest": [adding(ZERO, "<=", n(-1), rest=n(-1))],
    "an apartness added": [assume(ZERO, "!=", n(-1)), adding(ZERO, "<=", n(-1), [[ONE, 0]])],
    "a negative weight": [assume(ZERO, "<=", ONE), adding(ZERO, "<=", n(-1), [[n(-1), 0]])],
    "no sum of the parts": [adding(ONE, "<=", ZERO)],
    "nothing strict": [adding(ONE, "<", ONE)],
    "an equation by adding": [adding(ZERO, "=", ONE, rest=ONE)],
    "an order of complex numbers, left": [adding(z, "<=", plus(z, ONE), rest=ONE)],
    "a real left side, a complex right side": [
        axiom("modulus", z),
        assume(x, "=", z),
        adding(x, "<=", z, [[ONE, 1]]),
    ],
    "a complex left side, a real right side": [
        axiom("modulus", z),
        assume(z, "=", x),
        adding(z, "<=", x, [[ONE, 1]]),
    ],
    "roots of an inequality": [assume(["^", ONE, 2], "<=", ["^", TWO, 2]), ["roots", 0, []]],
    "roots of no squares": [["ring", ["abs", ONE], ["abs", ONE]], ["roots", 0, []]],
    "roots of cubes": [assume(["^", ONE, 3], "=", ["^", TWO, 3]), ["roots", 0, []]],
    "a negative left root": [["ring", ["^", n(-1), 2], ["^", ONE, 2]], ["roots", 0, []]],
    "a negative right root": [["ring", ["^", ONE, 2], ["^", n(-1), 2]], ["roots", 0, []]],
    "exponents of an inequality": [assume(["exp", ZERO], "<=", ["exp", ONE]), ["exponents", 0, []]],
    "exponents of sines": [["ring", ["sin", times(TWO, PI)], ["sin", times(TWO, PI)]], ["exponents", 0, []]],
    "a complex left exponent": [["ring", ["exp", times(I, PI)], ["exp", times(I, PI)]], ["exponents", 0, []]],
    "a complex right exponent": [
        assume(["exp", ZERO], "=", ["exp", times(TWO, I, PI)]),
        ["exponents", 0, []],
    ],
    "a complex left exponent alone": [
        assume(["exp", times(TWO, I, PI)], "=", ["exp", ZERO]),
        ["exponents", 0, []],
    ],
    # binders
    "an integral over integers": [["ring", d, d], whole("int", 0, d, ONE, TWO)],
    "an integral that leaves the domain, below": [["ring", p, p], whole("int", 0, p, n(-1), ONE)],
    "an integral that leaves the domain, above": [["ring", p, p], whole("int", 0, p, ONE, n(-1))],
    "an integral backwards, monotone": [
        adding(ZERO, "<=", ["^", x, 2], rest=["^", x, 2]),
        whole("int", 0, x, ONE, ZERO),
    ],
    "an integral of what has a pole, left": [
        adding(["^", ["inv", x], 2], "<=", plus(ONE, ["^", ["inv", x], 2]), rest=ONE),
        whole("int", 0, x, ZERO, ONE),
    ],
    "an integral of what has a pole, right alone": [
        adding(ZERO, "<=", ["^", ["inv", x], 2], rest=["^", ["inv", x], 2]),
        whole("int", 0, x, ZERO, ONE),
    ],
    "an integral of what has a pole, left alone": [
        adding(times(n(-1), ["^", ["inv", x], 2]), "<=", ZERO, rest=["^", ["inv", x], 2]),
        whole("int", 0, x, ZERO, ONE),
    ],
    "a sum over reals": [["ring", x, x], whole("sum", 0, x, ZERO, ONE)],
    "a sum that leaves the domain": [adding(ZERO, "<=", N, rest=N), whole("sum", 0, N, n(-3), n(-1))],
    "a sum of a strict inequality": [adding(ZERO, "<", d, rest=d), whole("sum", 0, d, ONE, ZERO)],
    "a product of an inequality": [adding(n(-2), "<=", ONE, rest=n(3)), whole("prod", 0, m, ONE, TWO)],
    "a sum of what holds for one index": [assume(m, "=", ONE), whole("sum", 0, m, ONE, TWO)],
    "an index in its own range": [["ring", m, m], whole("sum", 0, m, ZERO, m)],
    "an integral backwards, with its range supposed": [
        assume(ONE, "<=", x),
        assume(x, "<=", ZERO),
        adding(x, "<=", ZERO, [[ONE, 1]]),
        whole("int", 2, x, ONE, ZERO),
    ],
    "induction over real numbers": (
        [defined(), instance(ZERO), instance(plus(x, ONE)), ["induct", x, f(x), "=", ZERO, 1, [2], ZERO]],
        [0],
    ),
    "induction from 1 for all of N": (
        [defined(), instance(ONE), instance(plus(N, ONE)), ["induct", N, f(N), "=", ZERO, 1, [2], ONE]],
        [0],
    ),
    "induction from one half": (
        [
            defined(),
            instance(n("1/2")),
            instance(plus(m, ONE)),
            instance(plus(m, n(-1))),
            ["induct", m, f(m), "=", ZERO, 1, [2, 3], n("1/2")],
        ],
        [0],
    ),
    "induction upwards for all integers": (
        [defined(), instance(ZERO), instance(plus(m, ONE)), ["induct", m, f(m), "=", ZERO, 1, [2], ZERO]],
        [0],
    ),
    "induction of another statement": [
        ["ring", ZERO, ZERO],
        ["ring", ZERO, ZERO],
        ["induct", N, N, "=", ZERO, 0, [1], ZERO],
    ],
    "induction over a constant": [
        assume(N, "=", ZERO),
        assume(ZERO, "=", ZERO),
        assume(plus(N, ONE), "=", ZERO),
        ["induct", N, N, "=", ZERO, 1, [2], ZERO],
    ],
    "induction from all cases": [
        ["ring", ZERO, ZERO],
        assume(N, "=", ZERO, [N]),
        instance(plus(N, ONE), 1, N),
        ["induct", N, N, "=", ZERO, 0, [2], ZERO],
    ],
    "induction for all z from a start for one": [
        assume(z, "=", ZERO),
        combine(plus(times(z, plus(ONE, times(n(-1), ZERO))), ZERO), ZERO, [], [[ONE, 0]]),
        assume(plus(times(z, plus(ONE, times(n(-1), N))), N), "=", ZERO, [z]),
        instance(ONE, 2, z),
        combine(
            plus(times(z, plus(ONE, times(n(-1), plus(N, ONE)))), plus(N, ONE)),
            ZERO,
            [],
            [[minus(plus(N, ONE), times(z, N)), 3]],
        ),
        ["induct", N, plus(times(z, plus(ONE, times(n(-1), N))), N), "=", ZERO, 1, [4], ZERO],
    ],
    "induction from each value of a letter that the step supposes for all": [
        ["ring", u, u],
        assume(m, "=", u, [u]),
        *(["instantiate", 1, [[u, plus(u, n(k))]], []] for k in (-1, 1)),
        *(combine(plus(m, n(k)), u, [], [[ONE, of]]) for k, of in ((1, 2), (-1, 3))),
        ["induct", m, m, "=", u, 0, [4, 5], u],
    ],
    # calculus
    "the derivative of an unknown function": [fundamental(f(x)), ["ring", x, x]],
    "the derivative of a smooth function of complex values": [fundamental(f(times(I, x), "G", "S"))],
    "the derivative of a power of 0": [fundamental(["pow", y, x])],
    "the derivative of a sum over its letter": [fundamental(total(B0, ZERO, x))],
    "the derivative of a sum from its letter": [fundamental(total(B0, x, ONE))],
    "the derivative of an integral to its letter": [fundamental(["int", "s", ZERO, x, times(x, B0)])],
    "the derivative under an integral with a pole": [fundamental(["int", "s", ZERO, ONE, times(x, STEP)])],
    "the derivative of 1/x": [fundamental(["inv", x], n(-1), ONE)],
    "the derivative of log x": [fundamental(["log", x])],
    "the derivative of a root": [fundamental(["sqrt", x])],
    "the derivative of Si at 0": [fundamental(["Si", x])],
    "an antiderivative in an integer": [fundamental(m, ZERO, ONE, m)],
    "an antiderivative from a complex number": [fundamental(x, I, ONE)],
    "an antiderivative to a complex number": [fundamental(x, ONE, I)],
    "an antiderivative to its own letter": [fundamental(x, ZERO, x)],
    # balls
    "an equation certified": [["certified", ZERO, "=", ONE, []]],
    "a complex number certified, right": [["certified", ZERO, "<=", n(1, 1), []]],
    "a complex number certified, left": [["certified", n(0, 1), "<=", ONE, []]],
    "a box for a complex letter": [["certified", ["abs", ["im", z]], "<", ONE, [[z, "0", "1", []]]]],
    "a box of one point": [["certified", ONE, "<=", TWO, [[d, "1", "1", []]]]],
    "a false inequality certified": [["certified", ONE, "<=", ZERO, []]],
    "a box outside the domain, by slopes": [
        ["certified", p, "<", plus(p, n("1/1000")), [[p, "-1/100", "1/100", []]]]
    ],
    "equal numbers called different": [["apart", ONE, ONE]],
    "a logarithm, called positive": [adding(ZERO, "<=", ["log", p], rest=["log", p])],
    "an integral backwards, called positive": [
        adding(ZERO, "<=", integral(["^", B0, 2], ONE, ZERO), rest=integral(["^", B0, 2], ONE, ZERO))
    ],
    "a quarter turn, called real": [axiom("real", ["exp", times(I, PI, n("1/2"), m)])],
    # limits
    "infinity as a number": [["ring", OO, OO]],
    "a limit along no path": [["ring", *[over("lim", "k", ZERO, ONE, B0)] * 2]],
    "a limit of what is equal at the integers": [["ring", m, m], whole("lim", 0, m, ZERO, OO)],
    "a limit of a single term": [axiom("single", over("lim", "k", ONE, ONE, B0))],
    "a limit through the integers for all numbers": limit(["inv", d], letter=d),
    "a limit of what is not bounded": [
        ["apart", ["abs", ONE], ZERO],
        ["limit", 0, p, "p", ZERO, OO, ONE, ZERO],
    ],
    "a limit of something else": limit(q, of=ONE),
    "a limit that moves": limit(q, p, plus(p, q)),
    "a limit for one value": [
        assume(["abs", minus(p, TWO)], "=", ZERO),
        ["limit", 0, p, "p", ZERO, OO, p, TWO],
    ],
    "a limit by a modulus": [
        axiom("modulus", ["^", q, 2]),
        axiom("modulus", q),
        combine(
            ["^", ["abs", ["^", q, 2]], 2],
            ["^", times(q, ["abs", q]), 2],
            [],
            [[ONE, 0], [times(n(-1), q, q), 1]],
        ),
        ["roots", 2, []],
        ["limit", 3, p, "p", ZERO, OO, ["^", q, 2], ZERO],
    ],
    "a limit of a complex wave": [
        axiom("modulus", times(q, ["exp", times(I, p, z)])),
        combine(["^", ["abs", times(q, ["exp", times(I, p, z)])], 2], ["^", DAMPED, 2], [], [[ONE, 0]]),
        ["roots", 1, []],
        ["limit", 2, p, "p", ZERO, OO, times(q, ["exp", times(I, p, z)]), ZERO],
    ],
    "a limit of e^(-1/x)": limit(["exp", times(n(-1), q)]),
    "a limit of what grows": limit(["exp", p]),
    "a limit of what may grow as a logarithm, beside what vanishes": [
        axiom("modulus", times(q, LOG_SQUARED)),
        axiom("real", ["log", p]),
        combine(
            ["^", ["abs", times(q, LOG_SQUARED)], 2],
            ["^", times(q, LOG_SQUARED), 2],
            parts=[[ONE, 0], [times(q, q, LOG_SQUARED, plus(["log", p], ["conj", ["log", p]])), 1]],
        ),
        ["roots", 2, []],
        ["limit", 3, p, "p", ZERO, OO, times(q, LOG_SQUARED), ZERO],
    ],
    "a limit of what stays": limit(ONE),
    "a limit of what stays for N = 0": limit(["exp", times(n(-1), N, p)]),
    "a limit of what grows towards 0": limit(q, lo=OO, hi=ZERO),
    "an inequality in the limit, whole numbers to 0": pressed(ONE, d, ZERO, minus(d, ONE), d, OO, ZERO),
    "an inequality in the limit, from another relation": [
        ["apart", ONE, ZERO],
        ["pressed", 0, p, ZERO, OO, ZERO],
    ],
    "an inequality in the limit, its left side moving": pressed(q, q, ZERO),
    "an inequality in the limit, its bound moving": pressed(ONE, ONE, minus(ONE, q)),
    "an inequality in the limit, for one value": [assume(ONE, "<=", q), ["pressed", 0, p, ZERO, OO, ZERO]],
    "an inequality in the limit, its error staying": pressed(ONE, ONE, ZERO),
}
