"""One equation, decided on its own."""

from __future__ import annotations

from typing import Any

from sympy import Basic

from ..attack.refute import NO_SECOND_OPINION, counterexample, first_look, second_opinion
from ..reread.names import require_own
from ..rules.identity import identity
from ..show.readable import looks, names_of
from ..terms.expression import expression
from ..terms.statement import Statement
from ..terms.verdict import Verdict
from .advice import not_found
from .conditions import require_conditions, scope_of
from .sides import prepared
from .theorems import NOT_REBUILT, Theorems


def check(left: Any, right: Any, where: tuple[Basic, ...] = ()) -> Verdict:
    """Decide whether ``left = right`` for all values of the letters.

    Proved: the kernel rebuilt it from axioms, and ``claims`` holds the certificates. Refuted: at a point of
    the domain both sides have disjoint enclosures. Anything else is undecided.

    Raises:
        ValueError, TypeError: for sides of different shapes, a letter without a domain, names that print
            alike or are none, a number that is not exact, a range that leaves the domain of its letter, or
            what is no expression.

    Example:
        >>> from sympy import cos, sin
        >>> from posenc_lib.proofs import check, reals
        >>> a, b = reals("a b")
        >>> check(cos(a - b), cos(a) * cos(b) + sin(a) * sin(b)).status
        'proved'
        >>> check(cos(a - b), cos(a) * cos(b) - sin(a) * sin(b)).status
        'refuted'
    """
    require_conditions("check", where)
    a, b = prepared(left, right)
    looks(a, b)
    for name in sorted(names_of(a, b)):
        require_own(name)
    statement = Statement(a, "=", b, tuple(where))
    said, theorems = (identity.method(), identity.scope(statement)), Theorems()
    if point := counterexample(*statement, first_look()):
        return Verdict("refuted", *said, counterexample=point)
    try:
        found = theorems.row(expression(left), "=", expression(right), identity, where)
        claims = theorems.claims("equation", found)
    except NOT_REBUILT as problem:
        if point := counterexample(*statement):
            return Verdict("refuted", *said, counterexample=point)
        return Verdict("undecided", *said, reason=not_found(problem, statement, identity))
    if not second_opinion(a, b, where):
        return Verdict("undecided", *said, reason=NO_SECOND_OPINION)
    scope = scope_of(statement, identity, [claim.result for claim in claims])
    return Verdict("proved", identity.method(), scope, claims=claims)
