"""Whether a row states the conditions under which its theorem holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sympy import Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from ..kernel.domains import lies
from ..kernel.replay import Result
from ..kernel.ring import canon, constant, poly, term, times
from ..kernel.terms import ONE, ZERO, Term, neg, sub, subterms
from ..kernel.theorem import Formula, Theorem
from ..rules.rule import Rule
from ..search import read
from ..search.normal import monomials, normal
from ..search.order import TURNED
from ..search.proof import Proof
from ..terms.statement import POLES, Statement


def require_conditions(what: str, where: Any) -> None:
    """Refuse conditions that are no sequence of relations."""
    if not isinstance(where, (tuple, list)):
        raise TypeError(f"{what}: where lists conditions, such as [x > 0], got {where!r}")
    for condition in where:
        if not isinstance(condition, (Relational, BooleanAtom)):
            raise TypeError(f"{what}: a condition must be a relation such as x > 0, got {condition!r}")


def said(where: Sequence[Basic]) -> dict[str, set[Term]]:
    """The gaps right - left of conditions, by relation; i < d says i <= d - 1 of integers."""
    gaps: dict[str, set[Term]] = {"<": set(), "<=": set(), "!=": set(), "=": set()}
    for c in where:
        if not isinstance(c, Relational):
            continue
        left, right = read.term(c.lhs), read.term(c.rhs)
        if c.rel_op in TURNED:
            left, right = right, left
        relation = {"==": "=", "!=": "!="}.get(c.rel_op, TURNED.get(c.rel_op, c.rel_op))
        gap = sub(right, left)
        gaps[relation] |= {canon(gap), canon(neg(gap))} if relation in ("!=", "=") else {canon(gap)}
        if relation == "<":
            gaps["<="].add(canon(sub(gap, ONE) if lies(gap, "Z") else gap))
    return gaps


def orders_not_said(theorems: Iterable[Theorem], where: Sequence[Basic]) -> list[Formula]:
    """The conditions a < b and a <= b of the theorems that are not among those stated."""
    known = said(where)
    return [
        h
        for th in theorems
        for h in th.hypotheses
        if h.relation in ("<", "<=") and canon(sub(h.right, h.left)) not in known[h.relation]
    ]


def divisors_not_said(P: Proof, theorems: Iterable[Theorem], where: Sequence[Basic]) -> list[Formula]:
    """The conditions a != 0 of the theorems that are not stated, nor seen as a denominator of theirs."""
    stated = {_monic(P, gap) for gap in said(where)["!="]}
    found = []
    for th in theorems:
        sides = [th.left, th.right, canon(th.left), canon(th.right)]  # tan has its denominator in these
        bases = {s.args[0] for t in sides for s in subterms(t) if s.head == "inv" and not s.loose}
        asked = [h for h in th.hypotheses if h.relation == "!="]
        seen = stated.union(_monic(P, base) for base in bases) if asked else stated
        found += [h for h in asked if _monic(P, sub(h.left, h.right)) not in seen]
    return found


def scope_of(row: Statement, by: Rule, shown: Iterable[Result], also: Sequence[Basic] = ()) -> str:
    """The values for which a row is shown; a divisor is named where the row as it is read shows none."""
    scope, said_of = by.scope(row, also), said(row.where)["!="]
    conditions = [h for result in shown for h in result.conditions if h.relation == "!="]
    asked = [h for h in conditions if canon(sub(h.left, h.right)) not in said_of]
    if not asked or POLES in scope:
        return scope
    return f"{scope}, where {', '.join(dict.fromkeys(map(in_words, asked)))}".replace("!=", "≠")


def _monic(P: Proof, t: Term) -> Term:
    """The normal form, with 1 before its first monomial: 2 cos a and e^(ia) + e^(-ia) vanish together."""
    p = poly(normal(P, t).right)
    if not p:
        return ZERO
    a, b = p[monomials(p)[0]]
    size = a * a + b * b
    return term(times(p, constant((a / size, -b / size))))


def in_words(h: Formula) -> str:
    """A condition as its author would write it; what has another form than a sum or product stays a term.

    Example:
        >>> from posenc_lib.proofs.kernel.terms import ONE, add, neg, var
        >>> i, d = var("i", "N"), var("d", "N+")
        >>> in_words(Formula(frozenset(), i, "<=", add(d, neg(ONE))))
        'i <= d - 1'
    """
    return f"{_plain(h.left)} {h.relation} {_plain(h.right)}"


def _plain(t: Term) -> str:
    if t.head == "var" or (t.head == "num" and not t.data[1]):
        return str(t.data[0])
    if t.head == "+":
        return " + ".join(map(_plain, t.args)).replace("+ -", "- ")
    if t.head == "*":
        front, *rest = [f"({_plain(a)})" if a.head == "+" else _plain(a) for a in t.args]
        return f"-{'*'.join(rest)}" if rest and front == "-1" else "*".join([front, *rest])
    return str(t)
