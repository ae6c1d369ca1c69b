"""The values of terms, by enclosures of our own; they follow the kernel's convention, 1/0 = 0."""

from fractions import Fraction
from math import floor

from flint import acb, arb, fmpq

from posenc_proofs.kernel.terms import BINDERS, Term, var

half = Fraction(1, 2)
VALUES = {
    "Z": [0, 0, 1, -1, 2, -3],
    "N": [0, 0, 1, 2, 3],
    "N+": [1, 1, 2, 4],
    "R": [0, 1, -1, half, -2 - half / 2],
    "R+": [1, half, 3, Fraction(1, 9)],
    "C": [0, 1, (0, 1), (0, -1), (half, 1), (-2, -half)],
}
WORD = Term("word", (), (Term("app", ("A", "M")),))  # any complex number: a linear function of a matrix
LETTERS = [*(var(name, domain) for name in "ab" for domain in VALUES), WORD]


class Skip(Exception):
    """A value that these enclosures cannot tell."""


def exact(q):
    re, im = q if isinstance(q, tuple) else (q, 0)
    return acb(*(arb(fmpq(Fraction(part).numerator, Fraction(part).denominator)) for part in (re, im)))


def value(t, env, bound=()):
    """The value of t; `bound` are those of the bound letters around it, the innermost last."""
    if t.head == "num":
        return exact(t.data)
    if t.head in ("var", "word"):
        return env[t]
    if t.head == "bv":
        return bound[-1 - t.data[0]]
    if t.head in BINDERS:
        return ranged(t, env, bound)
    a = [value(s, env, bound) for s in t.args]
    if any(not v.is_finite() or abs(v).upper() > 1000 for v in a):
        raise Skip
    if t.head == "app":
        if any(v.rad() > 1e-6 for v in a):
            raise Skip  # another way of writing an argument may have another middle
        place = sum(
            k * floor(float((part * 4).mid()) + 0.3) for k, v in enumerate(a, 1) for part in (v.real, v.imag)
        )
        choices = VALUES[t.data[1]]
        return exact(choices[place % len(choices)])
    if t.head == "+":
        return sum(a, acb(0))
    if t.head == "*":
        out = acb(1)
        for v in a:
            out *= v
        return out
    if t.head == "^":
        return a[0] ** t.data[0]
    if t.head in ("pi", "euler"):
        return acb(arb.pi() if t.head == "pi" else arb.const_euler())
    z = a[0]
    if t.head in ("inv", "log", "pow", "sqrt", "Ci") and z.contains(0):
        if not z.is_zero() or t.head == "Ci":
            raise Skip
        return acb(1) if t.head == "pow" and a[1].is_zero() else acb(0)
    if t.head in ("log", "pow", "sqrt") and z.real < 0 and z.imag.contains(0) and not z.imag.is_zero():
        raise Skip  # on the cut, perhaps
    if t.head == "tan" and z.cos().contains(0):
        raise Skip
    simple = {
        "inv": lambda: 1 / z,
        "pow": lambda: (a[1] * z.log()).exp(),
        "delta": lambda: _equal(z, a[1]),
        "conj": lambda: acb(z.real, -z.imag),
        "abs": lambda: acb(abs(z)),
        "re": lambda: acb(z.real),
        "im": lambda: acb(z.imag),
    }
    return simple[t.head]() if t.head in simple else getattr(z, t.head.lower())()


def _equal(u, v):
    if u.overlaps(v) and not (u.is_exact() and v.is_exact()):
        raise Skip
    return acb(u.overlaps(v))


def ranged(t, env, bound):
    lo, hi = (value(end, env, bound) for end in t.args[:2])
    if not (lo.imag.is_zero() and hi.imag.is_zero()):
        if lo.imag.contains(0) or hi.imag.contains(0):
            raise Skip
        return acb(1 if t.head == "prod" else 0)
    if t.head == "int":

        def integrand(z, _):
            try:
                return value(t.args[2], env, (*bound, z))
            except Skip:
                return acb("nan")

        out = acb.integral(integrand, lo, hi, rel_tol=arb("1e-6"), abs_tol=arb("1e-6"), eval_limit=200)
        if not out.is_finite():
            raise Skip
        return out
    ends = [float(lo.real.mid()), float(hi.real.mid())]
    if max(map(abs, ends)) > 9 or any(not end.is_exact() for end in (lo.real, hi.real)):
        raise Skip
    values = [value(t.args[2], env, (*bound, acb(n))) for n in range(-9, 10) if ends[0] <= n <= ends[1]]
    if t.head == "max":
        if any(not v.imag.is_zero() for v in values):
            raise Skip
        return acb(max((v.real for v in values), key=lambda r: float(r.mid()), default=arb(0)))
    out = acb(1 if t.head == "prod" else 0)
    for v in values:
        out = out * v if t.head == "prod" else out + v
    return out
