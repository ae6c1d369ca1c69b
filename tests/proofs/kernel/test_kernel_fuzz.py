"""Random terms: their values, by enclosures of our own, against what the kernel says of them.

Zeros, ones and least values are drawn on purpose; letters and functions of different domains share names.
Fixed seeds; a fault shows its term.
"""

import random
from fractions import Fraction

import pytest
from flint import acb
from kernel_values import LETTERS, VALUES, WORD, Skip, exact, half, value

from posenc_proofs.kernel.axioms import AXIOMS
from posenc_proofs.kernel.domains import CONDITIONS, lies
from posenc_proofs.kernel.ring import canon
from posenc_proofs.kernel.terms import *
from posenc_proofs.kernel.theorem import RULES

#: every function of one argument, what conjugates and inverts more often
HEADS = [*(head for head, arity in FUNCTIONS.items() if arity == 1), "conj", "abs", "inv"]


def random_term(rnd, depth, bound=(), binders=("sum", "sum", "prod", "max"), pool=None):
    """A term in three letters, so that they meet: x inv x, conj z z."""
    pool = pool or rnd.sample(LETTERS, 3)

    def inner():
        return random_term(rnd, depth - 1, bound, binders, pool)

    roll = rnd.random()
    if depth == 0 or roll < 0.1:
        some = [*pool, *bound, *bound, PI]
        return rnd.choice(
            [*some, num(rnd.randint(-3, 3)), num(Fraction(rnd.randint(-3, 3), 2), rnd.choice([0, 0, 1]))]
        )
    if roll < 0.34:
        return add(*(inner() for _ in range(rnd.randint(2, 3))))
    if roll < 0.58:
        return mul(*(inner() for _ in range(rnd.randint(2, 3))))
    if roll < 0.64:
        return power(inner(), rnd.randint(0, 3))
    if roll < 0.82:
        return fun(rnd.choice(HEADS), inner())
    if roll < 0.84:
        return fun(rnd.choice(["pow", "pow", "delta"]), inner(), inner())
    if roll < 0.9:
        return Term("app", ("f", rnd.choice(list(VALUES))), (inner(),))
    x = var(f"i{depth}", rnd.choice(["Z", "N"]))
    lo, hi = rnd.choice([ZERO, ONE, inner()]), rnd.choice([num(2), num(-1), inner(), LETTERS[1], LETTERS[2]])
    body = random_term(rnd, depth - 1, (*bound, x), binders, pool)
    return bind(rnd.choice(binders), "k", lo, hi, x, body)


def point(rnd, *terms):
    values = {x: exact(rnd.choice(VALUES[x.data[1]])) for x in sorted(letters(*terms), key=str)}
    return {**values, WORD: exact(rnd.choice(VALUES["C"]))}


def belongs(v, domain):
    """False only where the value v certainly does not lie in the domain."""
    if domain == "C":
        return True
    if domain == "!=0":
        return not v.is_zero()
    if not v.imag.contains(0):
        return False
    r = v.real
    least = {"N": 0, "N+": 1}.get(domain)
    if domain in ("Z", "N", "N+") and not r.contains_integer():
        return False
    if domain in (">0", "R+"):
        return not r <= 0
    return not r < (0 if domain == ">=0" else least) if domain == ">=0" or least is not None else True


def checked(rnd, t, points=5):
    """The faults of what the kernel says of t; whether there was something to see."""
    form, said = canon(t), [d for d in CONDITIONS if lies(t, d)]
    seen = 0
    for _ in range(points):
        env = point(rnd, t)
        try:
            v, w = value(t, env), value(form, env)
        except (Skip, OverflowError):
            continue
        if not (v.is_finite() and w.is_finite()):
            continue
        seen += 1
        assert v.overlaps(w), f"{t}\n{form}\n{env}\n{v} {w}"
        for d in said:
            assert belongs(v, d), f"{t} in {d}?\n{env}\n{v}"
    return seen


@pytest.mark.parametrize("seed", range(3))
def test_the_normal_form_has_the_terms_value_and_domains_are_as_said(seed):
    rnd = random.Random(seed)
    seen = sum(checked(rnd, random_term(rnd, rnd.choice([1, 2, 2, 3, 3, 4]))) for _ in range(350))
    assert seen > 700


def test_signs_of_polynomials_in_letters_that_share_names():
    rnd, said = random.Random(5), 0
    for _ in range(1300):
        some = rnd.sample(LETTERS, rnd.randint(1, 2))
        t = add(
            *(
                mul(num(rnd.choice([-2, -1, half, 1, 2])), *rnd.choices(some, k=rnd.randint(0, 2)))
                for _ in range(3)
            )
        )
        said += any(lies(t, d) for d in (">=0", ">0", "!=0"))
        checked(rnd, t, 12)
    assert said > 100


def smooth(rnd, depth, x):
    """A function of x that integration by enclosures understands."""
    if depth == 0 or rnd.random() < 0.2:
        return rnd.choice([x, x, x, num(rnd.randint(-2, 2)), num(half), *rnd.sample(LETTERS, 1)])
    parts = [smooth(rnd, depth - 1, x) for _ in range(2)]
    kind = rnd.choice(["+", "*", "*", "^", "exp", "cos", "sin", "erf", "sinh", "cosh"])
    return (
        {"+": add, "*": mul}[kind](*parts)
        if kind in "+*"
        else power(parts[0], 2)
        if kind == "^"
        else fun(kind, parts[0])
    )


def holds(rnd, th, points=4):
    seen = 0
    for _ in range(points):
        env = point(rnd, th.left, th.right)
        try:
            a, b = value(th.left, env), value(th.right, env)
        except (Skip, OverflowError):
            continue
        if a.is_finite() and b.is_finite():
            seen += 1
            right = a.overlaps(b) if th.relation == "=" else not (a.real > b.real)
            assert right, f"{th.left} {th.relation} {th.right}\n{env}\n{a} {b}"
    return seen


def argument(rnd, kind, name):
    if isinstance(kind, list):
        return [argument(rnd, kind[0], name) for _ in range(rnd.randint(1, 2))]
    if isinstance(kind, tuple):
        return tuple(argument(rnd, k, name) for k in kind)
    if kind == "name":
        return "k"
    if kind == "kind":
        return "sum"
    if kind.startswith("binder"):
        while True:
            if rnd.random() < 0.4:
                x = var("hidden", "R")
                ends = rnd.choices([ZERO, ONE, num(-1), num(half), *LETTERS], k=2)
                return bind("int", "k", *ends, x, smooth(rnd, 2, x))
            t = random_term(
                rnd,
                2,
                (),
                ("sum",) if name in ("cauchy_schwarz", "maximum", "swap") else ("sum", "prod", "max"),
            )
            if t.head in BINDERS:
                return t
    return rnd.choice([num(rnd.randint(-2, 3)), rnd.choice(LETTERS), random_term(rnd, 2)])


@pytest.mark.parametrize("name", AXIOMS)
def test_an_axiom_holds_where_the_kernel_accepts_it(name):
    rnd, seen = random.Random(name), 0
    signature = AXIOMS[name].signature
    for _ in range(60 if name in ("linear", "join", "triangle_integral") else 250):
        args = [argument(rnd, kind, name) for kind in signature]
        if name in ("cauchy_schwarz", "maximum"):  # one range for both
            args[1] = (
                Term("sum", (), (*args[0].args[:2], args[1].args[2]), "k")
                if args[0].head == "sum"
                else args[1]
            )
        if name == "linear":
            args[1:3] = args[3][0][1].args[:2]
            args[0] = args[3][0][1].head
            args[3] = [(c, Term(args[0], (), (*args[1:3], s.args[2]), "k")) for c, s in args[3]]
        if name == "swap":
            x, y = var("i", "Z"), var("j", "Z")
            inner = bind("sum", "j", ZERO, rnd.choice([num(2), LETTERS[1]]), y, random_term(rnd, 2, (x, y)))
            args = [bind("sum", "i", ZERO, num(2), x, inner)]
        if name == "split":
            args = [
                Term(args[0].head, (), (ZERO, rnd.choice([num(3), LETTERS[1]]), args[0].args[2]), "k"),
                ZERO,
            ]
        if name in ("single", "empty") and rnd.random() < 0.7:
            s = args[0]
            args = [Term(s.head, (), (s.args[0], sub(s.args[0], num(name == "empty")), s.args[2]), "k")]
        if name == "alike" and rnd.random() < 0.5:
            args[2] = args[1]
        if name in ("natural_powers", "plain_power"):
            args[1:] = [rnd.choice([num(rnd.randint(-1, 3)), *LETTERS[:4]]) for _ in args[1:]]
            args[0] = rnd.choice([args[0], *LETTERS])
        try:
            th = RULES["axiom"][0]((name, args), [])
        except Refused:
            continue
        seen += holds(rnd, th)
        if not signature:
            break
    assert seen > (0 if not signature else 12)


def test_integrals_by_the_fundamental_theorem():
    rnd, seen = random.Random(11), 0
    for _ in range(60):
        x = rnd.choice([var("x", "R"), var("x", "R+")])
        f = smooth(rnd, 3, x)
        if rnd.random() < 0.5:
            f = mul(
                f,
                fun(
                    rnd.choice(["inv", "log", "sqrt", "Ci", "Si", "conj"]),
                    add(x, rnd.choice([ZERO, power(x, 2)])),
                ),
            )
        ends = rnd.choices([ONE, num(half), num(2), ZERO, num(-1)], k=2)
        try:
            th = RULES["fundamental"][0](f, x, "s", *ends, [])
        except Refused:
            continue
        seen += holds(rnd, th, 2)
    assert seen > 20


def test_what_is_drawn_is_of_every_kind():
    rnd, missing = random.Random(0), {*FUNCTIONS} - {"euler", "oo"}
    for _ in range(200):
        drawn = random_term(rnd, 4).text
        missing = {head for head in missing if f"({head}" not in drawn}
        if not missing:
            return
    raise AssertionError(missing)


def test_the_values_follow_the_convention():
    env = {}
    assert value(fun("inv", ZERO), env).is_zero() and value(fun("log", sub(ONE, ONE)), env).is_zero()
    assert value(bind("sum", "k", ONE, ZERO, var("k", "Z"), ONE), env).is_zero()
    assert value(neg(bind("prod", "k", ONE, ZERO, var("k", "Z"), ZERO)), env).overlaps(acb(-1))
