"""A normal form beyond the kernel's ``ring``: each rewriting is an axiom's row, or follows from one.

``normal(P, t)`` proves t = n; the rules are in ``atoms`` and ``ranges``, which enter themselves.
Moduli and logarithms are ``taken_apart`` as they are written, |(a + b) c| = |a + b| |c|, not expanded. And
defined names are replaced by what they stand for: each definition is a theorem under its own hypothesis.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from ..kernel.domains import lies
from ..kernel.ring import UNITY, Monomial, Poly, canon, term
from ..kernel.terms import BINDERS, ONE, Refused, Term, letters, substitute, subterms, var
from ..kernel.theorem import Theorem
from .proof import MINUS, Proof, indexed, replaced_by

MOST_STEPS = 60
LONG = {"+", "re", "im", *BINDERS}  # what the normal form would write as a sum, and multiply out
Meanings = Mapping[str, Theorem]  # by the name that is defined
Rule = Callable[[Proof, Term], Theorem | None]
RULES: dict[str, list[Rule]] = {}  # by the head of the term that a rule rewrites


def redex(*heads: str) -> Callable[[Rule], Rule]:
    """Enters a rule, which proves t = something simpler, or returns None where it does not apply."""

    def enter(rule: Rule) -> Rule:
        for head in heads:
            RULES.setdefault(head, []).append(rule)
        return rule

    return enter


def ordered(terms: Iterable[Term]) -> list[Term]:
    """As they are written: sets have no order of their own that is the same in every process."""
    return sorted(terms, key=str)


def closed(terms: Iterable[Term], *heads: str) -> list[Term]:
    """The subterms with these heads, or all, in which no index is free, each once, as they are written."""
    every = (s for t in terms for s in subterms(t) if not s.loose)
    return list(dict.fromkeys(s for s in every if not heads or s.head in heads))


def monomials(p: Iterable[Monomial]) -> list[Monomial]:
    return sorted(p, key=lambda m: term({m: UNITY}).text)


def less(p: Poly, gone: Mapping[Term, int]) -> Poly:
    """A polynomial whose monomials have lost some factors, each as often as it says."""
    return {
        (frozenset((a, k - gone.get(a, 0)) for a, k in powers if k != gone.get(a, 0)), exponent): c
        for (powers, exponent), c in p.items()
    }


def normal(P: Proof, t: Term) -> Theorem:
    """t = its normal form."""
    if t in P.normal:
        return P.normal[t]
    th = P.ring(t, canon(t))
    for _ in range(MOST_STEPS):
        equations = list(_redexes(P, th.right, set()))
        if not equations:
            break
        th = P.rewrite(th, equations, canon(replaced_by(th.right, equations)))
    P.normal[t] = th
    P.normal.setdefault(th.right, P.ring(th.right, th.right))
    return th


def _redexes(P: Proof, t: Term, seen: set[Term]) -> Iterator[Theorem]:
    """Equations for the innermost closed subterms of t that are not in normal form."""
    if t in seen or t.loose or (t in P.normal and P.normal[t].right == t):
        return
    seen.add(t)
    found = [eq for a in t.args for eq in _redexes(P, a, seen)]
    yield from found or filter(None, [_redex(P, t)])


def _redex(P: Proof, t: Term) -> Theorem | None:
    for rule in RULES.get(t.head, ()):
        with suppress(Refused):
            if (eq := rule(P, t)) is not None:
                return eq
    return None


def taken_apart(P: Proof, t: Term) -> Theorem:
    """t = t with the moduli and logarithms of its products taken apart, then in normal form."""
    th = P.ring(t, t)
    for s in closed([t], "abs", "log"):
        long = [f for f in dict.fromkeys(_factors(s.args[0])) if f.head in LONG]
        if not long or s.args[0] in long:
            continue
        values = dict(zip(long, _letters(s, long), strict=True))
        pattern = normal(P, substitute(s, values))
        with suppress(Refused):
            eq = P.step("instantiate", pattern, [(x, f) for f, x in values.items()], [])
            th = P.rewrite(th, [eq], substitute(th.right, {eq.left: eq.right}))
    return P.chain([th, normal(P, th.right)])


def _factors(t: Term) -> list[Term]:
    if t.head == "*":
        return [f for a in t.args for f in _factors(a)]
    return _factors(t.args[0]) if t.head in ("^", "inv", "conj") else [t]


def _letters(s: Term, terms: list[Term]) -> list[Term]:
    taken = {x.data[0] for x in letters(s)}
    names = (name for name in (f"factor{k}" for k in range(len(taken) + len(terms))) if name not in taken)
    return [var(next(names), next(d for d in ("R+", "R", "C") if lies(f, d))) for f in terms]


def unfolded(P: Proof, t: Term, meanings: Meanings) -> Theorem:
    """t = t without defined names, also under binders."""
    th = P.ring(t, t)
    while equations := list(_openings(P, th.right, meanings)):
        th = P.step("rewrite", th, equations, replaced_by(th.right, equations))
    return th


def _openings(P: Proof, t: Term, meanings: Meanings) -> Iterator[Theorem]:
    """Equations for the outermost closed subterms of t that are defined, or bind something defined."""
    if not any(_definition(s, meanings) for s in subterms(t)):
        return
    definition = _definition(t, meanings)
    if definition and not t.loose:
        values = list(zip(definition.left.args, t.args, strict=True))
        yield P.step("instantiate", definition, [(x, value) for x, value in values if x != value], [])
        return
    ends = t.args[:2] if t.head in BINDERS else t.args
    inside = [eq for a in ends if not a.loose for eq in _openings(P, a, meanings)]
    yield from inside
    if t.head in BINDERS and not t.loose and not inside:
        x, inner = indexed(t)
        body = unfolded(P, inner, meanings)
        if body.right != body.left:
            yield P.over(t, body, x)


def _definition(t: Term, meanings: Meanings) -> Theorem | None:
    """The definition of a function, or, in a model, of a constant."""
    found = meanings.get(t.data[0]) if t.head in ("app", "var") else None
    return found if found and found.left.head == t.head else None


def both(P: Proof, th: Theorem, meanings: Meanings) -> Theorem:
    """A theorem with the defined names of both sides unfolded."""
    left, right = (unfolded(P, side, meanings) for side in (th.left, th.right))
    if left.left == left.right and right.left == right.right:
        return th
    parts = [(MINUS, left), (ONE, th), (ONE, right)]
    return P.adding_up(left.right, th.relation, right.right, parts)
