"""Certificates that the kernel refuses, one or more for each of its conditions; most would prove a falsehood.

Terms are plain JSON, as a certificate holds them. A case is (steps, model); `certificate` adds the claim.
"""

import json


def n(re, im=0):
    return ["num", str(re), str(im)]


def v(name, domain="R"):
    return ["var", name, domain]


def app(name, domain, *args):
    return ["app", name, domain, *args]


def plus(*args):
    return ["+", *args]


def times(*args):
    return ["*", *args]


def minus(a, b):
    return plus(a, times(n(-1), b))


def over(kind, hint, lo, hi, body):
    return [kind, hint, lo, hi, body]


def axiom(name, *args, signs=()):
    return ["axiom", [name, *args], list(signs)]


def assume(left, relation, right, universal=()):
    return ["assume", list(universal), left, relation, right]


def certificate(steps, model=(), **claim):
    return {"claim": claim, "steps": list(steps), "model": list(model)}


def plain(t):
    """A term, of any copy of the kernel, as JSON."""
    data = [str(d) if t.head == "num" else d for d in t.data]
    args = [plain(a) for a in t.args]
    if t.head == "^":
        return [t.head, *args, *data]
    return [t.head, *([t.hint] if t.head in ("sum", "prod", "int", "max") else data), *args]


def claimed(modules, steps, model=()):
    """The certificate whose claim is what the steps prove in the given copy of the kernel."""
    replay = modules["replay"]
    theorems = []
    for name, *args in steps:
        function, signature = replay.RULES[name]
        theorems.append(function(*replay._each(signature, args, theorems)))
    th = theorems[-1]
    hypotheses = [
        [[plain(x) for x in h.universal], plain(h.left), h.relation, plain(h.right)] for h in th.hypotheses
    ]
    said = {"left": plain(th.left), "relation": th.relation, "right": plain(th.right)}
    return json.dumps(certificate(steps, model, hypotheses=hypotheses, **said))


ZERO, ONE, TWO, I, PI, B0 = n(0), n(1), n(2), n(0, 1), ["pi"], ["bv", 0]
x, y, t, p, z, w = v("x"), v("y"), v("t"), v("p", "R+"), v("z", "C"), v("w", "C")
m, N, d, e = v("m", "Z"), v("N", "N"), v("d", "N+"), v("e", "E")
STEP = ["inv", B0]  # has a pole at 0


def f(a, name="f", domain="R"):
    return app(name, domain, a)


def defined(body=ZERO, parameter=x, name="f", domain="R"):
    return assume(f(parameter, name, domain), "=", body, [parameter])


def instance(value, of=0, letter=x, signs=()):
    return ["instantiate", of, [[letter, value]], list(signs)]


def combine(left, right, unit=(), parts=(), signs=()):
    return ["combine", left, right, list(unit), list(parts), list(signs)]


def adding(left, relation, right, parts=(), rest=ZERO, signs=()):
    return ["adding", left, relation, right, list(parts), rest, list(signs)]


def whole(kind, th, letter, lo, hi, signs=()):
    return ["over", kind, th, letter, "k", lo, hi, list(signs)]


def fundamental(function, lo=ZERO, hi=ONE, letter=x, signs=()):
    return ["fundamental", function, letter, "s", lo, hi, list(signs)]


def malformed(term):
    return [assume(term, "=", ZERO)]


def integral(body, lo=ZERO, hi=ONE):
    return over("int", "k", lo, hi, body)


def total(body, lo=ZERO, hi=N):
    return over("sum", "k", lo, hi, body)


ABS = ["abs", minus(B0, ONE)]


def two_functions(name, domain, other, other_domain):
    """One is 0 and the other 1; where a reader takes them for one, 0 = 1."""
    a, b = f(x, name, domain), f(x, other, other_domain)
    suppositions = [assume(a, "=", ZERO, [x]), assume(b, "=", ONE, [x])]
    return [*suppositions, combine(a, minus(b, ONE), [], [[ONE, 0], [n(-1), 1]])], [0, 1]


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
    "a Latin and a Cyrillic letter": two_functions("a", "R", "\u0430", "R"),
    "a letter of full width": two_functions("f", "R", "\uff46", "R"),
    "a letter with an exponent": malformed(v("x\u00b2")),
    "a real function beside a derivative of its name": two_functions("G", "R", "G'", "S"),
    "defined through its derivative": ([defined(plus(f(x, "G'", "S"), ONE), name="G", domain="S")], [0]),
    "a function of no argument": ([assume(app("f", "R"), "=", ZERO)], [0]),
    "a smooth function of two arguments": [["ring", app("G", "S", x, y), app("G", "S", x, y)]],
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
    "a sum of numbers for an empty range": [axiom("empty", plus(TWO, ONE, n(5)))],
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
        axiom("tangent", ONE),
        assume(["exp", ZERO], "<=", ["exp", ONE]),
        ["exponents", 1, []],
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
    "induction over even numbers": (
        [defined(), instance(TWO), instance(plus(e, ONE)), ["induct", e, f(e), "=", ZERO, 1, [2], TWO]],
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
    # calculus
    "the derivative of an unknown function": [fundamental(f(x)), ["ring", x, x]],
    "the derivative of a smooth function of complex values": [fundamental(f(times(I, x), "G", "S"))],
    "the derivative of a power of 0": [fundamental(["pow", y, x])],
    "the derivative of a sum over its letter": [fundamental(total(B0, ZERO, x))],
    "the derivative of a sum from its letter": [fundamental(total(B0, x, ONE))],
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
    "equal numbers called different": [["apart", ONE, ONE]],
    # models
    "a hypothesis that is no definition": ([assume(f(x), "=", ZERO, [x])], []),
    "a hypothesis without a proof": ([assume(f(plus(x, ONE)), "=", ZERO, [x])], []),
    "a definition by an inequality": ([assume(f(x), "<=", ZERO, [x])], [0]),
    "a definition of a letter": ([assume(x, "=", ONE, [x])], [0]),
    "a definition for one argument": ([assume(f(ONE), "=", ZERO)], [0]),
    "a definition on the diagonal": ([assume(app("f", "R", x, x), "=", ZERO, [x])], [0]),
    "a definition for a constant": ([assume(f(x), "=", ZERO)], [0]),
    "a definition with another letter": ([assume(f(x), "=", y, [x, y])], [0]),
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
    "z <= |z|": [axiom("at_most_modulus", z)],
    "e^(log x) = x": [axiom("logarithm", x)],
    "0^x as an exponential": [axiom("powers", x, TWO)],
    "the root of 0 as an exponential": [axiom("root_as_power", x)],
    "e^(2 pi i x) = 1": [axiom("turns", x)],
    "Gamma(x + 1) = x Gamma(x) at a pole": [axiom("gamma", x)],
    "1 + z <= e^z": [axiom("tangent", z)],
    "|sin z| <= |z|": [axiom("chord", z)],
    # axioms of ranges
    "the triangle inequality for a product": [axiom("triangle_sum", over("prod", "k", ZERO, ONE, n("1/2")))],
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
    "counting from one half": [axiom("count", "k", n("1/2"), n("3/2"))],
    "counting backwards": [axiom("count", "k", ZERO, n(-5))],
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
    "an integral over a pole joined": [axiom("join", integral(STEP, n(-1), ONE), ZERO)],
    "a sum reversed": [axiom("reverse", total(B0, ZERO, ONE))],
}
