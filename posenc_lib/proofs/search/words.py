"""Products of named matrices of any size: SymPy into words, and consequences of equations by rewriting."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import sympy

from ..kernel.ring import canon, poly
from ..kernel.terms import ONE, Term, add, mul, neg, substitute
from ..kernel.theorem import Theorem
from ..kernel.words import in_words
from ..terms.expression import expression
from ..terms.matrices import NamedMatrix
from .normal import ordered
from .proof import NotFound, Proof
from .read import Outside, name_of
from .read import term as scalar

MOST_STEPS = 60
MOST_STATES = 1500
Word = tuple[Term, ...]


def matrix(e: Any) -> Term:
    """A SymPy expression in named matrices, symbols of matrices and identities, as a sum of words."""
    parts = [
        mul(c, Term("word", (), w)) if c != ONE else Term("word", (), w) for c, w in _words(expression(e))
    ]
    return parts[0] if len(parts) == 1 else add(*parts)


def _words(e: Any) -> list[tuple[Term, Word]]:
    if isinstance(e, NamedMatrix):
        return [(ONE, (Term("app", (name_of(e.name), "M"), tuple(map(scalar, e.parameters))),))]
    if isinstance(e, sympy.MatrixSymbol):
        return [(ONE, (Term("app", (name_of(e.name), "M")),))]
    if isinstance(e, sympy.Identity):
        return [(ONE, ())]
    if isinstance(e, sympy.ZeroMatrix):
        return []
    if isinstance(e, sympy.MatAdd):
        return [row for a in e.args for row in _words(a)]
    if isinstance(e, sympy.MatMul):
        out: list[tuple[Term, Word]] = [(ONE, ())]
        for a in e.args:
            rows = _words(a) if getattr(a, "is_Matrix", False) else [(scalar(a), ())]
            out = [(_times(c, d), (*v, *w)) for c, v in out for d, w in rows]
        return out
    if isinstance(e, sympy.Transpose):
        return [(c, _transposed(w)) for c, w in _words(e.arg)]
    if isinstance(e, sympy.Inverse):
        rows = _words(e.arg)
        if len(rows) == 1 and rows[0][0] == ONE:
            return [(ONE, tuple(map(_inverse, reversed(rows[0][1]))))]
    if isinstance(e, sympy.MatPow) and e.exp.is_Integer and e.exp > 0:
        return _words(sympy.MatMul(*[e.base] * int(e.exp)))
    raise Outside(f"the matrix {e}")


def _times(c: Term, d: Term) -> Term:
    return d if c == ONE else c if d == ONE else mul(c, d)


def _transposed(w: Word) -> Word:
    return tuple(a.args[0] if a.head == "T" else Term("T", (), (a,)) for a in reversed(w))


def _inverse(a: Term) -> Term:
    """A letter of its own, of which nothing is known until a premise says it."""
    if a.head == "T":
        return Term("T", (), (_inverse(a.args[0]),))
    return Term("app", (f"{a.data[0]}_inverse", "M"), a.args)


def consequence(P: Proof, left: Term, right: Term, premises: list[Theorem]) -> Theorem:
    """left = right for sums of words, from equations between such, as they stand or transposed."""
    forwards, backwards = _rules(P, premises)
    sides = [_reduced(P, side, forwards) for side in (left, right)]
    if sides[0].right != sides[1].right:
        sides = _met(P, sides, [*forwards, *backwards])
    return P.joined(*sides)


def _rules(P: Proof, premises: list[Theorem]) -> tuple[list[Theorem], list[Theorem]]:
    """word = sum of words: the premises and their transposes, as they stand and turned round."""
    forwards, backwards = [], []
    for premise in premises:
        for th in (premise, P.step("transposed", premise)):
            left, right = canon(th.left), canon(th.right)
            forwards.append(P.combine(left, right, [(ONE, th)]))
            backwards.append(P.combine(right, left, [(neg(ONE), th)]))
    return [th for th in forwards if _is_word(th)], [th for th in backwards if _is_word(th)]


def _is_word(th: Theorem) -> bool:
    return th.left.head == "word" and th.left != th.right


Move = tuple[Theorem, Word, Word, Term]  # a rule, what stands before and after, and the new sum


def _moves(t: Term, rules: list[Theorem]) -> Iterator[Move]:
    for s in _words_of(t):
        for th in rules:
            pattern = th.left.args
            for k in range(len(s.args) - len(pattern) + 1):
                if s.args[k : k + len(pattern)] == pattern:
                    before, after = s.args[:k], s.args[k + len(pattern) :]
                    image = in_words(th.right, partial(_placed, before, after))
                    yield th, before, after, canon(substitute(t, {s: image}))


def _placed(before: Word, after: Word, inside: Word) -> Word:
    return (*before, *inside, *after)


def _words_of(t: Term) -> list[Term]:
    return ordered({a for powers, _ in poly(t) for a, _ in powers if a.head == "word"})


def _moved(P: Proof, th: Theorem, move: Move) -> Theorem:
    rule, before, after, new = move
    return P.rewrite(th, [P.step("between", rule, list(before), list(after))], new)


def _reduced(P: Proof, t: Term, rules: list[Theorem]) -> Theorem:
    """t = what is left when no rule applies any more; t itself where that takes too long."""
    start = th = P.ring(t, canon(t))
    for _ in range(MOST_STEPS):
        move = next(_moves(th.right, rules), None)
        if move is None:
            return th
        th = _moved(P, th, move)
    return start


def _met(P: Proof, sides: list[Theorem], rules: list[Theorem]) -> list[Theorem]:
    """Both sides rewritten step by step, in all ways, until they meet."""
    starts = [th.right for th in sides]
    longest = 2 + max(
        len(s.args) for t in (*starts, *(th.left for th in rules)) for s in _words_of(t) or [ONE]
    )
    ways: list[dict[Term, tuple[Term, Move] | None]] = [{t: None} for t in starts]
    todo = [[t] for t in starts]
    while any(todo) and sum(map(len, ways)) < MOST_STATES:
        here = 0 if not todo[1] or (todo[0] and len(ways[0]) <= len(ways[1])) else 1
        t = todo[here].pop(0)
        for move in _moves(t, rules):
            new = move[-1]
            if new in ways[here] or any(len(s.args) > longest for s in _words_of(new)):
                continue
            ways[here][new] = t, move
            todo[here].append(new)
            if new in ways[1 - here]:
                return [_along(P, th, new, way) for th, way in zip(sides, ways, strict=True)]
    raise NotFound("the two sides did not meet")


def _along(P: Proof, th: Theorem, end: Term, way: dict[Term, tuple[Term, Move] | None]) -> Theorem:
    moves = []
    step = way[end]
    while step is not None:
        moves.append(step[1])
        step = way[step[0]]
    for move in reversed(moves):
        th = _moved(P, th, move)
    return th
