"""Statements of every kind that the checker accepts, and its verdicts; read here and by Pyodide alike."""

from sympy import (
    Abs,
    Ci,
    Derivative,
    I,
    Integral,
    Limit,
    Matrix,
    Sum,
    conjugate,
    cos,
    exp,
    log,
    oo,
    pi,
    sin,
    sqrt,
)

from posenc_lib.proofs import *

m, n = integers("m n")
s, x, y, theta = reals("s x y theta")
i, N = naturals("i N")
d = counts("d")
r, b, t = positives("r b t")
z, w = complexes("z w")
u, v = complex_sequence("u"), complex_sequence("v")
f = smooth_function("f")

turn = Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]])
turned_on = Matrix([[cos(x + y), -sin(x + y)], [sin(x + y), cos(x + y)]])
root = sqrt(17)  # with it Gauss wrote the cosine below: true, and outside what is decided
inner = sqrt(34 - 2 * root)
gauss_17 = (root - 1 + inner + 2 * sqrt(17 + 3 * root - inner - 2 * sqrt(34 + 2 * root))) / 16


def over(integrand):
    return Integral(integrand, (s, 0, y))


CHECKED = [
    ("proved", cos(x - y), cos(x) * cos(y) + sin(x) * sin(y)),
    ("proved", exp(I * m * theta) * conjugate(exp(I * n * theta)), exp(I * (m - n) * theta)),
    ("proved", turn * turn.subs(x, y), turned_on),
    ("proved", Abs(z) ** 2, z * conjugate(z)),
    ("proved", Sum(u[i + 1] - u[i], (i, 0, N)), u[N + 1] - u[0]),
    ("proved", Integral(x * cos(s) + sin(s), (s, 0, y)), x * over(cos(s)) + over(sin(s))),
    ("proved", log(r * b), log(r) + log(b)),
    ("refuted", cos(x - y), cos(x) * cos(y) - sin(x) * sin(y)),
    ("refuted", conjugate(z * w), z * w),
    ("refuted", turn * turn.subs(x, y), turn.subs(x, x - y)),
    ("refuted", Sum(i, (i, 0, N)), N * (N - 1) / 2),
    ("refuted", Integral(sin(s), (s, 0, x)), 1 + cos(x)),
    ("undecided", cos(2 * pi / 17), gauss_17),
]


def D():
    return Derivation("pyodide")


def gauss():
    row = eq(N * (N + 1) / 2, "Gauss", by=induction(N))
    return D().prove("eq-gauss", Sum(i, (i, 0, N)), row)


def bounded():
    row = le(1, "cosines", by=certified((x, 1, 2)))
    return D().prove("eq-box", cos(x), row)


def strict():
    row = lt(1, "cosines", by=certified((x, 1, 2)))
    return D().prove("eq-strict", cos(x), row)


def triangles():
    row = le(Abs(z) + Abs(w), "triangle inequality", by=triangle)
    return D().prove("eq-triangle", Abs(z + w), row)


def added_up():
    derivation = D()
    each = le(Abs(u[i]) + Abs(v[i]), "triangle inequality", by=triangle)
    derivation.prove("eq-each", Abs(u[i] + v[i]), each)
    row = le(Sum(each.right, (i, 1, d)), "added up", by=termwise("eq-each"))
    return derivation.prove("eq-all", Sum(Abs(u[i] + v[i]), (i, 1, d)), row)


def by_chord():
    derivation = D()
    derivation.prove("eq-chord", Abs(sin(t)), le(t, "a chord", by=sine_chord))
    row = le(r * t + r, "times r, and more", by=adding({"eq-chord": r}, rest=r))
    return derivation.prove("eq-more", r * Abs(sin(t)), row)


def consequence():
    derivation = D()
    derivation.constant(x, y)
    derivation.assume("eq-h", x + y, 3, "their sum")
    derivation.model(x, 1)
    derivation.model(y, 2)
    return derivation.prove("eq-x", x, eq(3 - y, "solved", by=follows("eq-h")))


def limit():
    derivation = D()
    derivation.prove("eq-error", Abs(2 / r), eq(2 / r, "r is positive"))
    row = eq(0, "the error vanishes", by=limit_by("eq-error", 0))
    return derivation.prove("eq-limit", Limit(2 / r, r, oo), row)


def cosine_integral():
    row = eq(Ci(b * r) - Ci(r), "the fundamental theorem", by=antiderivative(Ci(t)))
    return D().prove("eq-ci", Integral(cos(t) / t, (t, r, b * r)), row)


def taylor():
    jet = f(x) + y * Derivative(f(x), x) + y**2 * Derivative(f(x), x, x) / 2
    return D().prove("eq-jet", f(x + y), eq(jet, "Taylor", by=two_jet(f, [y])))


def at_two_widths():
    return D().prove("eq-even", cos(2 * pi * d), eq(1, "at these two", by=finite(d, [2, 4])))


def slip():
    return D().refute("eq-slip", cos(m * theta), -1, "not for even m", at={m: 2, theta: pi})


DERIVED = [
    *(gauss, bounded, strict, triangles, added_up, by_chord),
    *(consequence, limit, cosine_integral, taylor, at_two_widths, slip),
]


def answers():
    """For each statement: which one, what is expected, the verdict, and all that is said about it."""
    for number, (expected, left, right) in enumerate(CHECKED):
        verdict = check(left, right)
        yield [f"check {number}", expected, verdict.status, str(verdict)]
    for derive in DERIVED:
        expected = "refuted" if derive is slip else "proved"
        result = derive()
        yield [derive.__name__, expected, result.verdict.status, result.badge()]
