"""Terms, steps and certificates as plain JSON, for tests that write them by hand."""

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
    return {"version": 1, "claim": claim, "steps": list(steps), "model": list(model)}


def plain(t):
    """A term, of any copy of the kernel, as JSON."""
    data = [str(d) if t.head == "num" else d for d in t.data]
    args = [plain(a) for a in t.args]
    if t.head == "^":
        return [t.head, *args, *data]
    return [t.head, *([t.hint] if t.head in ("sum", "prod", "int", "max", "lim") else data), *args]


def claimed(modules, steps, model=()):
    """The certificate whose claim is what the steps prove in the given copy of the kernel."""
    replay = modules["replay"]
    room = replay.Room([], [], {})
    for name, *args in steps:
        function, signature = replay.RULES[name]
        room.steps.append(function(*replay._each(signature, args, room)))
    th = room.steps[-1]
    hypotheses = [
        [[plain(x) for x in h.universal], plain(h.left), h.relation, plain(h.right)] for h in th.hypotheses
    ]
    said = {"left": plain(th.left), "relation": th.relation, "right": plain(th.right)}
    return json.dumps(certificate(steps, model, hypotheses=hypotheses, **said))


ZERO, ONE, TWO, I, PI, B0 = n(0), n(1), n(2), n(0, 1), ["pi"], ["bv", 0]
x, y, t, p, z, w = v("x"), v("y"), v("t"), v("p", "R+"), v("z", "C"), v("w", "C")
m, u, N, d = v("m", "Z"), v("u", "Z"), v("N", "N"), v("d", "N+")
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


def fundamental(function, lo=ZERO, hi=ONE, letter=x):
    return ["fundamental", function, letter, "s", lo, hi, []]


def malformed(term):
    return [assume(term, "=", ZERO)]


def integral(body, lo=ZERO, hi=ONE):
    return over("int", "k", lo, hi, body)


def total(body, lo=ZERO, hi=N):
    return over("sum", "k", lo, hi, body)


OO, q = ["oo"], ["inv", p]
LOG_SQUARED = ["^", ["log", p], 2]

A, B = app("A", "M"), app("B", "M")


def word(*matrices):
    return ["word", *matrices]


def define_A(body):
    return assume(word(A), "=", body)


DAMPED = times(q, ["exp", times(n(0, "1/2"), minus(times(p, z), times(p, ["conj", z])))])


def limit(error, value=ZERO, of=None, letter=p, lo=ZERO, hi=OO):
    """|error| = error, for a positive one, and its limit or that of ``of``."""
    square = [axiom("modulus", error), combine(["^", ["abs", error], 2], ["^", error, 2], [], [[ONE, 0]])]
    return [*square, ["roots", 1, []], ["limit", 2, letter, "p", lo, hi, of or error, value]]


def pressed(left, right, value, rest=ZERO, letter=p, lo=ZERO, hi=OO):
    """left <= value, from left <= right = left + rest."""
    return [adding(left, "<=", right, rest=rest), ["pressed", 0, letter, lo, hi, value]]


def two_functions(name, other, other_domain):
    """One is 0 and the other 1; where a reader takes them for one, 0 = 1."""
    a, b = f(x, name, "R"), f(x, other, other_domain)
    suppositions = [assume(a, "=", ZERO, [x]), assume(b, "=", ONE, [x])]
    return [*suppositions, combine(a, minus(b, ONE), [], [[ONE, 0], [n(-1), 1]])], [0, 1]
