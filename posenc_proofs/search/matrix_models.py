"""Whether hypotheses about matrices of any size can hold: with the identity or 0 in place of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import product

from ..kernel.terms import ZERO, Refused, Term, is_matrix, subterms, var
from ..kernel.theorem import Formula, Theorem
from .normal import ordered
from .proof import NotFound, Proof
from .rewriting import consequence, word

MOST_MIXED = 5  # matrices, so 32 choices


def possible(P: Proof, hypotheses: Iterable[Formula], columns: Collection[str]) -> list[Theorem]:
    """Hypotheses proved with the identity or 0 in place of each matrix, and 0 in place of a column.

    The same in place of all is tried first, then what differs from one to another.

    Raises:
        NotFound: if none of these satisfies all of them.
    """
    said = sorted(hypotheses, key=_in_order)
    named = {s.data[0]: s for h in said for s in _matrices(h)}
    free = sorted(set(named) - set(columns))
    mixed = product((word(), ZERO), repeat=len(free)) if len(free) <= MOST_MIXED else ()
    for values in ((word(),) * len(free), (ZERO,) * len(free), *mixed):
        chosen = dict(zip(free, values, strict=True))
        meanings = {}
        for name in sorted(named):
            own = [var(f"x{k}", "C") for k in range(len(named[name].args))]
            head = word(Term("app", (name, "M"), tuple(own)))
            meanings[name] = P.step("assume", own, head, "=", chosen.get(name, ZERO))
        with suppress(NotFound, Refused):
            return [_in_model(P, h, meanings) for h in said]
    raise NotFound("the identity or 0 in place of each matrix does not satisfy the hypotheses")


def _in_order(h: Formula) -> tuple[str, str]:
    """The same in every process: a set has no order of its own."""
    universal = ", ".join(sorted(map(str, h.universal)))
    return universal and universal + "}", str(h[1:])


def _matrices(h: Formula) -> list[Term]:
    both = (s for side in (h.left, h.right) for s in subterms(side))
    return ordered({s for s in both if s.head == "app" and is_matrix(s)})


def _in_model(P: Proof, h: Formula, meanings: Mapping[str, Theorem]) -> Theorem:
    values = []
    for s in _matrices(h):
        meaning = meanings[s.data[0]]
        (head,) = meaning.left.args
        values.append(P.step("instantiate", meaning, list(zip(head.args, s.args, strict=True)), []))
    return consequence(P, h.left, h.right, values)
