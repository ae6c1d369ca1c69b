"""Certificates that the kernel refuses, one or more for each of its conditions; most would prove a falsehood.

A case is (steps, model); `kernel_terms.certificate` adds the claim.
"""

from kernel_terms import *

# name: steps, or (steps, model)
CASES = {
    # terms
    "a number without an imaginary part": malformed(["num", "1"]),
    "a decimal number": malformed(n("0.5")),
    "a letter called a number": malformed(v("2")),
    "a letter of no domain": malformed(v("x", "Q")),
    "a smooth letter": malformed(v("x", "S")),
    "a letter with an argument": malformed([*x, PI]),
    "a letter with a prime": malformed(v("x'")),
    "a function called cos": [["ring", f(x, "cos"), f(x, "cos")]],
    "a letter called pi": malformed(v("pi")),
    "an index called pi": [["ring", *[over("sum", "pi", ZERO, ONE, PI)] * 2]],
    "an index called as a function": [["ring", *[over("sum", "f", ZERO, ONE, f(x))] * 2]],
    "a Latin and a Cyrillic letter": two_functions("a", "\u0430", "R"),
    "a letter of full width": two_functions("f", "\uff46", "R"),
    "a letter with an exponent": malformed(v("x\u00b2")),
    "a real function beside a derivative of its name": two_functions("G", "G'", "S"),
    "defined through its derivative": ([defined(plus(f(x, "G'", "S"), ONE), name="G", domain="S")], [0]),
    "a derivative, defined": ([assume(f(x, "G'", "S"), "=", ZERO, [x])], [0]),
    "a function of no argument": ([assume(app("f", "R"), "=", ZERO)], [0]),
    "a prime of two arguments": [["ring", app("G'", "S", x, y), app("G'", "S", x, y)]],
    "a derivative in no argument": [["ring", app("G'3", "S", x, y), app("G'3", "S", x, y)]],
    "a derivative out of order": [["ring", app("G'21", "S", x, y), app("G'21", "S", x, y)]],
    "a derivative in the eleventh argument, which is one twice in the first": [
        fundamental(app("G", "S", y, *[ZERO] * 9, x))
    ],
    "a derivative of eleven arguments": malformed(app("G'11", "S", *[x] * 11)),
    "a smooth function beside one of two arguments": [
        ["ring", times(f(x, "G", "S"), app("G'1", "S", x, y)), times(app("G'1", "S", x, y), f(x, "G", "S"))]
    ],
    "a bound letter of two numbers": malformed(total(["bv", 0, 7])),
    "a bound letter counted from true": malformed(total(over("sum", "j", ZERO, ONE, ["bv", True]))),
    "a bound letter inside out": malformed(["bv", -1]),
    "a sum with two bodies": malformed([*total(B0), B0]),
    "an index called a number": malformed(over("sum", "2", ZERO, ONE, B0)),
    "a power with two exponents": malformed(["^", x, 2, 3]),
    "a power of one half": malformed(["^", x, 0.5]),
    "a negative power": malformed(["^", x, -1]),
    "exp of two arguments": malformed(["exp", x, y]),
    "a word for a term": malformed("+"),
    "a letter of the kernel's own": malformed(v("#0")),
    "a bound letter without its binder": malformed(B0),
    # replay
    "an empty word for a list": [["combine", x, x, [], [], ""]],
    "a step numbered true": [["ring", x, x], ["ring", y, y], instance(ONE, True, y)],
    "a step numbered from the end": [["ring", x, x], instance(ONE, -1)],
    "a relation of no meaning": [assume(x, ">", ZERO)],
    "a function for a binder": [["ring", m, m], ["over", "+", 0, m, "k", ZERO, ONE, []]],
    "a decimal end of a box": [["certified", ZERO, "<", ONE, [[x, "0", "1.5", []]]]],
    "induction over an application": (
        [
            defined(),
            instance(ZERO),
            instance(plus(f(ZERO, "g", "N"), ONE)),
            ["induct", f(ZERO, "g", "N"), f(f(ZERO, "g", "N")), "=", ZERO, 1, [2], ZERO],
        ],
        [0],
    ),
    "a letter of two domains": [["ring", times(x, v("x", "C")), times(v("x", "C"), x)]],
    "a function of one and two arguments": [
        ["ring", times(f(x), app("f", "R", x, y)), times(app("f", "R", x, y), f(x))]
    ],
    "a letter bound and free": [
        ["ring", over("sum", "x", ZERO, N, times(x, B0)), over("sum", "x", ZERO, N, times(B0, x))]
    ],
    "a letter bound twice": [
        ["ring", total(times(B0, total(["bv", 1]))), total(times(total(["bv", 1]), B0))]
    ],
    "an integral between complex numbers": [["ring", integral(["conj", B0], ZERO, I), integral(B0, ZERO, I)]],
    "a sum to a real number": [["ring", total(B0, ZERO, x), total(B0, ZERO, x)]],
    "a maximum of complex numbers": [
        [
            "ring",
            ["conj", over("max", "k", ZERO, ONE, times(I, B0))],
            over("max", "k", ZERO, ONE, times(I, B0)),
        ]
    ],
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
    "exponents of an inequality": [
        assume(["exp", ZERO], "<=", ["exp", ONE]),
        ["exponents", 0, []],
    ],
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
    "a limit of what grows as a logarithm": [
        axiom("modulus", LOG_SQUARED),
        axiom("real", ["log", p]),
        combine(
            ["^", ["abs", LOG_SQUARED], 2],
            ["^", LOG_SQUARED, 2],
            parts=[[ONE, 0], [times(LOG_SQUARED, plus(["log", p], ["conj", ["log", p]])), 1]],
        ),
        ["roots", 2, []],
        ["limit", 3, p, "p", ZERO, OO, LOG_SQUARED, ZERO],
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
    "an inequality in the limit, for one value": [
        assume(ONE, "<=", q),
        ["pressed", 0, p, ZERO, OO, ZERO],
    ],
    "an inequality in the limit, its error staying": pressed(ONE, ONE, ZERO),
    # words
    "a letter for a matrix": malformed(["word", v("A", "M")]),
    "a function without arguments": malformed(app("f", "R")),
    "the transpose of two matrices": [["ring", ["word", ["T", A, B]], ["word", ["T", A, B]]]],
    "the transpose of a number": [["ring", ["word", ["T", x]], ["word", ["T", x]]]],
    "the transpose of a number's function": [["ring", ["word", ["T", f(x)]], ["word", ["T", f(x)]]]],
    "a matrix that is another for each linear function": [["ring", *[word(app("A", "M", word(B)))] * 2]],
    "a word of a number": [["ring", word(x), word(x)]],
    "matrices that commute as numbers": [["ring", times(A, B), times(B, A)]],
    "a matrix alone": [["ring", A, A]],
    "a number for a matrix": [["ring", word(A), word(A)], ["between", 0, [x], []]],
    "words that commute as numbers": [["ring", times(word(A), word(B)), times(word(B), word(A))]],
    "a transpose of a transpose": [["ring", word(["T", ["T", A]]), word(["T", ["T", A]])]],
    "words that commute, left": [["ring", minus(times(word(A), word(B)), times(word(B), word(A))), ZERO]],
    "words that commute, right": [
        ["ring", ZERO, minus(times(word(A), word(B)), times(word(B), word(A)))],
    ],
    "an order of matrices": [adding(word(A), "<", plus(word(A), ONE), [], ONE)],
    "a sum over a range of words": [
        assume(word(A), "<=", m),
        ["between", 0, [A], []],
        whole("sum", 1, m, word(A), ONE),
        ["ring", x, x],
    ],
    "a matrix defined by a product of words": ([define_A(times(word(B), word(B)))], [0]),
    "a matrix defined by a number": ([define_A(ONE)], [0]),
    "the other side of another product": ([assume(word(A), "=", word()), ["other_side", 0, [B], []]], [0]),
    "the other side of what is not 1": [["ring", word(A, B), word(A, B)], ["other_side", 0, [A], [B]]],
    "the identity is 0": [assume(word(), "=", ZERO)],
    # models
    "a hypothesis that is no definition": ([assume(f(x), "=", ZERO, [x])], []),
    "a hypothesis without a proof": ([assume(f(plus(x, ONE)), "=", ZERO, [x])], []),
    "a hypothesis for all values of a letter that has one": (
        [assume(N, "=", n(3)), assume(N, "=", n(3), [N]), instance(ZERO, 1, N)],
        [0],
    ),
    "a definition by an inequality": ([assume(f(x), "<=", ZERO, [x])], [0]),
    "a definition of a letter": ([assume(x, "=", ONE, [x])], [0]),
    "a definition for one argument": ([assume(f(ONE), "=", ZERO)], [0]),
    "a definition on the diagonal": ([assume(app("f", "R", x, x), "=", ZERO, [x])], [0]),
    "a definition for a constant": ([assume(f(x), "=", ZERO)], [0]),
    "a definition with another letter": ([assume(f(x), "=", y, [x, y])], [0]),
    "values in a circle": (
        [
            assume(x, "=", plus(y, ONE)),
            assume(y, "=", plus(x, ONE)),
            combine(f(ONE), plus(f(ONE), TWO), [], [[ONE, 0], [ONE, 1]]),
            assume(f(ONE), "=", plus(f(ONE), TWO)),
        ],
        [2],
    ),
    "a definition of a number": (
        [
            assume(f(ONE), "=", plus(f(ONE), ONE)),
            assume(ZERO, "=", ONE),
            combine(f(ONE), plus(f(ONE), ONE), [], [[ONE, 1]]),
            ["instantiate", 0, [], []],
        ],
        [1, 2],
    ),
    "a condition on a letter with a value": (
        [
            assume(x, "=", ZERO),
            combine(f(ONE), plus(f(ONE), x), [], [[n(-1), 0]]),
            assume(f(ONE), "=", plus(f(ONE), x)),
            assume(x, "!=", ZERO),
            combine(ZERO, ONE, [x], [[ONE, 2]], [3]),
        ],
        [0, 1],
    ),
    "a definition outside the domain": ([assume(f(x, "f", "N"), "=", n(-1), [x])], [0]),
    "two definitions of one name": (
        [
            assume(f(x), "=", ZERO, [x]),
            assume(f(x), "=", ONE, [x]),
            combine(ZERO, ONE, [], [[n(-1), 0], [ONE, 1]]),
        ],
        [0, 1],
    ),
    "definitions in a circle": (
        [
            assume(f(x), "=", plus(f(x, "g"), ONE), [x]),
            assume(f(x, "g"), "=", plus(f(x), ONE), [x]),
            combine(ZERO, ONE, [], [[n("1/2"), 0], [n("1/2"), 1]]),
        ],
        [0, 1],
    ),
    # axioms of numbers
    "x inv x = 1": [axiom("inverse", x)],
    "conj z = z": [axiom("real", z)],
    "e^(log x) = x": [axiom("logarithm", x)],
    "0^x as an exponential": [axiom("powers", x, TWO)],
    "the root of 0 as an exponential": [axiom("root_as_power", x)],
    "Ci and Si far out, before 0": [axiom("integrals_far", x)],
    "Ci and Si near 0, before 0": [axiom("integrals_near", x)],
    # axioms of ranges
    "the triangle inequality for a product": [axiom("triangle_sum", over("prod", "k", ZERO, ONE, n("1/2")))],
    "a maximum that may be of nothing": [["ring", *[over("max", "k", ONE, N, B0)] * 2]],
    "the integral's triangle inequality for a maximum": [
        axiom("triangle_integral", over("max", "k", ZERO, ONE, B0))
    ],
    "the triangle inequality backwards": [axiom("triangle_integral", integral(B0, ONE, ZERO))],
    "the triangle inequality over a pole": [axiom("triangle_integral", integral(STEP, n(-1), ONE))],
    "Cauchy and Schwarz over two ranges": [axiom("cauchy_schwarz", total(B0), total(B0, ONE))],
    "Cauchy and Schwarz for products": [
        axiom("cauchy_schwarz", over("prod", "k", ZERO, N, B0), over("prod", "k", ZERO, N, B0))
    ],
    "the maximum over two ranges": [axiom("maximum", total(ONE), total(B0, ONE))],
    "the maximum of a product": [
        axiom("maximum", over("prod", "k", ZERO, N, ONE), over("prod", "k", ZERO, N, B0))
    ],
    "the maximum with negative weights": [axiom("maximum", total(times(n(-1), B0)), total(B0))],
    "the maximum of complex values": [axiom("maximum", total(ONE), total(times(I, B0)))],
    "a linear product": [axiom("linear", "prod", ZERO, N, [[TWO, over("prod", "k", ZERO, N, B0)]])],
    "a linear combination of a sum and an integral": [
        axiom("linear", "sum", ZERO, N, [[ONE, integral(B0, ZERO, N)]])
    ],
    "a linear combination over two ranges": [axiom("linear", "sum", ZERO, N, [[ONE, total(B0, ONE)]])],
    "a linear integral over a pole": [
        axiom(
            "linear",
            "int",
            n(-1),
            ONE,
            [[ONE, integral(STEP, n(-1), ONE)], [n(-1), integral(STEP, n(-1), ONE)]],
        )
    ],
    "an integral shifted": [axiom("shift", integral(B0), n(3))],
    "a sum shifted by one half": [axiom("shift", total(B0), n("1/2"))],
    "a maximum split": [axiom("split", over("max", "k", ZERO, TWO, B0), ONE)],
    "a sum from one half split": [axiom("split", total(B0, n("1/2"), n(3)), ONE)],
    "a sum to one half split": [axiom("split", total(B0, ZERO, n("5/2")), ONE)],
    "a sum split at one half": [axiom("split", total(B0, ZERO, n(3)), n("1/2"))],
    "a sum split before its range": [axiom("split", total(B0, ZERO, n(3)), n(-2))],
    "a sum split behind its range": [axiom("split", total(B0, ZERO, n(3)), n(5))],
    "an integral of one term": [axiom("single", integral(B0, ONE, ONE))],
    "a longer sum of one term": [axiom("single", total(B0, ONE, TWO))],
    "a single term at one half": [axiom("single", total(B0, n("1/2"), n("1/2")))],
    "the maximum of one complex value": [axiom("single", over("max", "k", ONE, ONE, I))],
    "an empty integral": [axiom("empty", integral(B0, ONE, ZERO))],
    "an empty limit": [axiom("empty", over("lim", "k", ONE, ZERO, B0))],
    "a sum that is not empty": [axiom("empty", total(B0))],
    "a product of sums swapped": [
        axiom("swap", over("prod", "k", ZERO, ONE, over("sum", "j", ZERO, ONE, B0)))
    ],
    "a sum of products swapped": [
        axiom("swap", over("sum", "k", ZERO, ONE, over("prod", "j", ZERO, ONE, plus(B0, ["bv", 1]))))
    ],
    "a triangle swapped": [
        axiom("swap", over("sum", "i", ZERO, TWO, over("sum", "j", ZERO, ["bv", 0], ONE)))
    ],
    "a sum joined": [axiom("join", total(B0, ZERO, TWO), ONE)],
    "an integral from a complex end joined": [axiom("join", integral(B0, I, ONE), ZERO)],
    "an integral to a complex end joined": [axiom("join", integral(B0, ZERO, I), ZERO)],
    "an integral over a pole joined": [axiom("join", integral(STEP, n(-1), ONE), ZERO)],
    # axioms of combinatorics
    "powers of a real and a natural number": [axiom("natural_powers", ZERO, n(-1), ONE)],
    "powers of a natural and a real number": [axiom("natural_powers", ZERO, ONE, n(-1))],
    "the power of one half, as a whole one": [axiom("plain_power", x, n("1/2"))],
    "the power of a square, as the square": [axiom("plain_power", x, ["^", N, 2])],
}
