"""Moduli and logarithms of products as they are written: |(a + b) c| = |a + b| |c|, not expanded."""

from __future__ import annotations

from contextlib import suppress

from ..kernel.domains import lies
from ..kernel.terms import BINDERS, Refused, Term, letters, substitute, subterms, var
from ..kernel.theorem import Theorem
from .normal import normal
from .proof import Proof

LONG = {"+", "re", "im", *BINDERS}  # what the normal form would write as a sum, and multiply out


def taken_apart(P: Proof, t: Term) -> Theorem:
    """t = t with the moduli and logarithms of its products taken apart, then in normal form."""
    th = P.ring(t, t)
    for s in dict.fromkeys(s for s in subterms(t) if s.head in ("abs", "log") and not s.loose):
        long = [f for f in dict.fromkeys(_factors(s.args[0])) if f.head in LONG]
        if not long or s.args[0] in long:
            continue
        values = dict(zip(long, _letters(s, long), strict=True))
        pattern = normal(P, substitute(s, values))
        with suppress(Refused):
            eq = P.step("instantiate", pattern, [(x, f) for f, x in values.items()], [])
            th = P.rewrite(th, [eq], substitute(th.right, {eq.left: eq.right}))
    return P.continued(th, normal(P, th.right))


def _factors(t: Term) -> list[Term]:
    if t.head == "*":
        return [f for a in t.args for f in _factors(a)]
    return _factors(t.args[0]) if t.head in ("^", "inv", "conj") else [t]


def _letters(s: Term, terms: list[Term]) -> list[Term]:
    taken = {x.data[0] for x in letters(s)}
    names = (name for name in (f"factor{k}" for k in range(len(taken) + len(terms))) if name not in taken)
    return [var(next(names), next(d for d in ("R+", "R", "C") if lies(f, d))) for f in terms]
