"""One equation, decided on its own."""

from __future__ import annotations

from typing import Any

from sympy import Basic

from ..prove.check import check as checked
from ..rules.identity import identity
from ..terms.expression import expression
from ..terms.verdict import Verdict
from .theorems import Theorems, rebuilt_as


def check(left: Any, right: Any, where: tuple[Basic, ...] = ()) -> Verdict:
    """Decide whether ``left = right`` for all values of the letters.

    Proved: the kernel rebuilt it from axioms, and ``claims`` holds the certificates. Refuted: at a point of
    the domain both sides have disjoint enclosures. Checked: the normal forms agree, and the kernel has no
    proof. Anything else is undecided.

    Example:
        >>> from sympy import cos, sin
        >>> from posenc_lib.proofs import check, reals
        >>> a, b = reals("a b")
        >>> check(cos(a - b), cos(a) * cos(b) + sin(a) * sin(b)).status
        'proved'
        >>> check(cos(a - b), cos(a) * cos(b) - sin(a) * sin(b)).status
        'refuted'
    """
    verdict = checked(left, right, where)
    if not verdict:
        return verdict
    (shown,) = Theorems().prove("equation", expression(left), [("=", expression(right), identity)], where)
    return rebuilt_as(verdict, shown)
