"""Certificates for equations by induction."""

from __future__ import annotations

from collections.abc import Iterable

from ..kernel.terms import ONE, Term, add, mul, num, substitute, var
from ..kernel.theorem import Theorem
from .equations import follows
from .proof import Proof


def inductions(
    P: Proof,
    rows: list[tuple[Term, Term]],
    n: Term,
    first: Term,
    premises: list[Theorem],
    elsewhere: Iterable[tuple[Term, Term]] = (),
) -> list[Theorem]:
    """left = right for each row, by one induction: the step from n may use all rows at n.

    With a free letter before each row they are one equation, for all values of these letters. ``elsewhere``
    are letters and values: the step then supposes the rows for all values of these letters, and uses them
    there.
    """
    moved = list(elsewhere)
    weights = [var(f"row{k}", "C") for k in range(len(rows))] if len(rows) > 1 else []
    left, right = (_weighted(weights, [row[side] for row in rows]) for side in (0, 1))
    hypothesis = P.step("assume", [*weights, *(x for x, _ in moved)], left, "=", right)

    def put(t: Term, value: Term) -> Term:
        return substitute(t, {n: value})

    def together(value: Term, premises: list[Theorem]) -> Theorem:
        found = [follows(P, put(a, value), put(b, value), premises) for a, b in rows]
        return P.combine(put(left, value), put(right, value), list(zip(weights or [ONE], found, strict=True)))

    base = together(first, premises)
    supposed = _apart(P, hypothesis, weights, rows)
    there = [P.step("instantiate", th, moved, []) for th in supposed] if moved else []
    premises = [*supposed, *there, *premises]
    steps = [together(add(n, num(by)), premises) for by in ((1, -1) if n.data[1] == "Z" else (1,))]
    whole = P.step("induct", n, left, "=", right, base, steps, first)
    return _apart(P, whole, weights, rows)


def _weighted(weights: list[Term], sides: list[Term]) -> Term:
    return add(*(mul(w, t) for w, t in zip(weights, sides, strict=True))) if weights else sides[0]


def _apart(P: Proof, th: Theorem, weights: list[Term], rows: list[tuple[Term, Term]]) -> list[Theorem]:
    """The rows that are added up with weights: one weight is put to 1, the others to 0."""
    found = []
    for w, (left, right) in zip(weights, rows, strict=False):
        one = P.step("instantiate", th, [(u, num(int(u == w))) for u in weights], [])
        found.append(P.combine(left, right, [(ONE, one)]))
    return found or [th]
