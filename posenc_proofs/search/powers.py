"""Roots, of squares first, and powers, also natural ones of what may be 0."""

from fractions import Fraction
from typing import Any

from ..kernel.domains import lies
from ..kernel.ring import UNIT, UNITY, Monomial, canon, poly, term
from ..kernel.terms import ONE, I, Term, add, mul, num, sub
from ..kernel.theorem import Theorem
from .atoms import rational_root
from .ideal import Space
from .lemmas import root_of_square
from .normal import redex
from .proof import Proof
from .ranges import MOST_TERMS


@redex("sqrt")
def _root_of_a_square(P: Proof, t: Term) -> Theorem | None:
    """sqrt(b^2) = |b| for real b."""
    b = square_root(t.args[0])
    if b is None or not lies(b, "R"):
        return None
    modulus = root_of_square(P, b)
    return P.step("rewrite", P.ring(t, modulus.left), [modulus], modulus.right)


BY_AXIOM = {"sqrt": ("root_as_power", ">0"), "pow": ("powers", "!=0"), "conj": ("real", "R")}


@redex(*BY_AXIOM)
def _by_axiom(P: Proof, t: Term) -> Theorem | None:
    name, domain = BY_AXIOM[t.head]
    return P.axiom(name, *t.args) if lies(t.args[0], domain) else None


def square_root(z: Term) -> Term | None:
    """b with z = b^2, as polynomials in the atoms and exponentials of z; None if there is none."""
    space = Space([poly(z)])
    place, shift = space.place(poly(z)), space.one
    for key in space.scale:
        up, down = space.gen[key, 1], space.gen[key, -1]
        place, shift = place * up ** (2 * place.degree(down)), shift * down ** place.degree(down)
    place = place.rem(space.free) if space.free else place
    c, factors = place.sqf_list()
    root = _root(c)
    if root is None or any(k % 2 for _, k in factors):
        return None
    for p, k in factors:
        shift = shift * p ** (k // 2)
    return canon(mul(root, space.back(shift)))


def _root(c: Any) -> Term | None:
    """A root of a real number of Q(i) in Q(i)."""
    q = Fraction(int(c.x.numerator), int(c.x.denominator))
    root = rational_root(abs(q))
    if c.y or root is None:
        return None
    return num(root) if q > 0 else mul(I, num(root))


@redex("pow")
def _natural_power(P: Proof, t: Term) -> Theorem | None:
    """b^(n + m + 2) = b^n b^m b^2 for natural n and m; from the least value of a letter on."""
    b, n = t.args
    if n.head == "num":
        return P.axiom("plain_power", b, n) if lies(n, "N") else None
    parts = _summands(n)
    if parts is None or len(parts) < 2:
        return None
    eq = P.axiom("natural_powers", b, parts[0], add(*parts[1:]))
    return P.combine(t, eq.right, [(ONE, eq)])


def _summands(n: Term) -> list[Term] | None:
    """Natural numbers with the sum n, none the sum of others; None if they are not known."""
    p = dict(poly(n))
    constant = p.pop(UNIT, (Fraction(0), Fraction(0)))[0]
    parts = []
    for m, c in sorted(p.items(), key=lambda item: term({item[0]: UNITY}).text):
        unit, count = _least(m)
        if c[1] or c[0].denominator != 1 or not 1 <= c[0] <= MOST_TERMS or not lies(unit, "N"):
            return None
        constant += c[0] * count
        parts += [unit] * int(c[0])
    if constant < 0 or constant.denominator != 1:
        return None
    return parts + [num(constant)] * (constant > 0)


def _least(m: Monomial) -> tuple[Term, int]:
    """A letter of N+ as n - 1 and 1, any other monomial as it is and 0."""
    t = term({m: UNITY})
    return (sub(t, ONE), 1) if t.head == "var" and t.data[1] == "N+" else (t, 0)
