"""What can be integrated, what has a derivative, and the fundamental theorem."""

from collections.abc import Callable

from .domains import lies, opened
from .ring import HALF
from .terms import ONE, ZERO, Refused, Term, add, ask, bind, fun, letters, mul, neg, num, power, substitute
from .theorem import Theorem, concluded, fixed, known_by, rule

ENTIRE = ("+", "*", "^", "exp", "cos", "sin", "cosh", "sinh", "Si", "erf")
NEEDS = {"inv": "!=0", "sqrt": ">=0", "log": ">0", "Ci": ">0", "pow": ">0"}


def continuous(t: Term, x: Term) -> bool:
    """Whether t is continuous in x on the domain of x, whatever the other letters; False: not known."""
    if x not in letters(t) or t == x:
        return True
    if t.head == "sum":
        return x not in letters(*t.args[:2]) and continuous(opened(t)[1], x)
    if t.head == "app":
        possible = t.data[1] == "S" and all(lies(a, "R") for a in t.args)
    else:
        needs = "C" if t.head in (*ENTIRE, "conj", "abs", "re", "im") else NEEDS.get(t.head)
        possible = needs is not None and lies(t.args[0], needs)
    return possible and all(continuous(a, x) for a in t.args)


def smooth(t: Term) -> bool:
    """Whether t is a smooth real function of its real letters, as it is written; False: not known."""
    possible = t.head in (*ENTIRE, "num", "pi") or (t.head, t.data[1:]) in (("var", ("R",)), ("app", ("S",)))
    return possible and lies(t, "R") and all(map(smooth, t.args))


SLOPES: dict[str, Callable[[Term], Term]] = {
    "exp": lambda a: fun("exp", a),
    "cos": lambda a: neg(fun("sin", a)),
    "sin": lambda a: fun("cos", a),
    "cosh": lambda a: fun("sinh", a),
    "sinh": lambda a: fun("cosh", a),
    "erf": lambda a: mul(num(2), fun("inv", fun("sqrt", fun("pi"))), fun("exp", neg(power(a, 2)))),
    "inv": lambda a: neg(power(fun("inv", a), 2)),
    "log": lambda a: fun("inv", a),
    "Ci": lambda a: mul(fun("cos", a), fun("inv", a)),
    "Si": lambda a: mul(fun("sin", a), fun("inv", a)),
    "sqrt": lambda a: mul(HALF, fun("inv", fun("sqrt", a))),
}


def _slope(t: Term, k: int) -> Term:
    """The derivative of a smooth function in its k-th argument; their order does not matter (Rudin 9.41)."""
    name, _, slots = t.data[0].partition("'")
    new = t.data[0] + "'" if len(t.args) == 1 else name + "'" + "".join(sorted(f"{slots}{k}"))
    return Term("app", (new, "S"), t.args)


def derivative(t: Term, x: Term) -> Term:
    """dt/dx of a function of the real letter x that has one at every point of its domain; else Refused."""
    if x not in letters(t):
        return ZERO
    if t == x:
        return ONE
    if t.head == "pow":
        b, y = t.args
        ask(lies(b, ">0"), f"{b} may not be positive")
        return mul(t, derivative(mul(y, fun("log", b)), x))
    if t.head in ("sum", "int"):  # of an integral, body and slope are continuous in both letters: Rudin 9.42
        y, body = opened(t)
        ask(x not in letters(*t.args[:2]), "the range depends on the letter")
        slope = derivative(body, x)
        ok = t.head == "sum" or all(continuous(g, z) for g in (body, slope) for z in (x, y))
        ask(ok, "the integrand may not be smooth")
        return bind(t.head, t.hint, t.args[0], t.args[1], y, slope)
    if t.head not in (*SLOPES, "+", "*", "^", "app"):
        raise Refused(f"no derivative of {t.head}")
    slopes = [derivative(a, x) for a in t.args]
    if t.head == "+":
        return add(*slopes)
    if t.head == "*":
        rows = ((*t.args[:k], d, *t.args[k + 1 :]) for k, d in enumerate(slopes) if d != ZERO)
        return add(*(mul(*row) for row in rows))
    if t.head == "^":
        k = t.data[0]
        return mul(num(k), power(t.args[0], k - 1), *slopes) if k else ZERO
    if t.head == "app":
        ask(t.data[1] == "S" and all(lies(a, "R") for a in t.args), f"{t} may have no derivative")
        parts = [mul(_slope(t, k), d) for k, d in enumerate(slopes, 1) if d != ZERO]
        return parts[0] if len(parts) == 1 else add(*parts)
    needs = {"sqrt": ">0", "Si": "!=0"}.get(t.head) or NEEDS.get(t.head, "C")
    ask(lies(t.args[0], needs), f"{t.args[0]} is not known to be {needs}")
    return mul(SLOPES[t.head](t.args[0]), *slopes)


@rule("term", "letter", "name", "term", "term", ["theorem"])
def fundamental(f: Term, x: Term, hint: str, lo: Term, hi: Term, signs: list[Theorem]) -> Theorem:
    """|- int over lo..hi of f' = f(hi) - f(lo), f twice differentiable on the domain of x. Rudin 6.21."""
    known = known_by(signs)
    ask(x.data[1] in ("R", "R+"), "a real letter is expected")
    ask(known(lo, x.data[1]) and known(hi, x.data[1]), "an end may leave the domain")
    ask(x not in letters(lo, hi) | fixed(*(th.hypotheses for th in signs)), f"{x} is not free")
    slope = derivative(f, x)
    derivative(slope, x)
    whole = bind("int", hint, lo, hi, x, slope)
    return concluded((whole, "=", add(substitute(f, {x: hi}), neg(substitute(f, {x: lo})))), signs)
