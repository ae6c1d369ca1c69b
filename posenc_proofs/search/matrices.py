"""Matrices of any size: consequences of equations between their products, by rewriting.

And whether hypotheses about them can hold: with the identity or 0 in place of each.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product

from ..kernel.ring import canon, poly
from ..kernel.terms import ONE, ZERO, Refused, Term, is_matrix, var
from ..kernel.theorem import Formula, Theorem
from ..latex.matrices import INVERSE
from .normal import closed, ordered
from .proof import MINUS, NotFound, Proof, replaced_by

MOST_STEPS = 60
MOST_STATES = 1500


def word(*matrices: Term) -> Term:
    return Term("word", (), matrices)


def inverses(P: Proof, terms: list[Term]) -> list[Theorem]:
    """What it means that the matrices with an inverse have one, as hypotheses: C C^-1 = 1 = C^-1 C."""
    found = []
    for b in ordered(s for s in closed(terms, "app") if s.data[0].endswith(INVERSE)):
        a = Term("app", (b.data[0].removesuffix(INVERSE), "M"), b.args)
        found += [P.step("assume", [], word(*pair), "=", word()) for pair in ((a, b), (b, a))]
    return found


Same = Callable[[Term, Term], Theorem] | None


def consequence(P: Proof, left: Term, right: Term, premises: list[Theorem], same: Same = None) -> Theorem:
    """left = right for sums of words, from equations between such, as they stand or transposed.

    Args:
        P: the proof so far
        left, right: sums of words
        premises: equations between sums of words
        same: proves what two sums have in common but for the numbers before their words; NotFound if nothing
    """
    terms = [left, right, *(side for th in premises for side in (th.left, th.right))]
    forwards, backwards = _rules(P, [*premises, *inverses(P, terms)])
    a, b = (_reduced(P, side, forwards) for side in (left, right))
    if a.right == b.right:
        return P.joined(a, b)
    if same is not None:
        with suppress(NotFound):
            return P.between(a, same(a.right, b.right), b)
    return P.joined(*_met(P, [a, b], [*forwards, *backwards]))


def _rules(P: Proof, premises: list[Theorem]) -> list[list[Theorem]]:
    """word = sum of words: the premises and their transposes, as they stand and turned round."""
    both = [*premises, *(th for premise in premises for th in _other_sides(P, premise))]
    every = [(th, canon(th.left), canon(th.right)) for s in both for th in (s, P.step("transposed", s))]
    forwards = [P.combine(left, right, [(ONE, th)]) for th, left, right in every]
    backwards = [P.combine(right, left, [(MINUS, th)]) for th, left, right in every]
    return [
        [th for th in ths if th.left.head == "word" and th.left != th.right] for ths in (forwards, backwards)
    ]


def _other_sides(P: Proof, th: Theorem) -> Iterator[Theorem]:
    """a b = 1: b a = 1, wherever the product is parted."""
    left, right = canon(th.left), canon(th.right)
    if left.head == "word" and right == word():
        th = P.combine(left, right, [(ONE, th)])
        for k in range(1, len(th.left.args)):
            yield P.step("other_side", th, list(th.left.args[:k]), list(th.left.args[k:]))


def _moves(P: Proof, th: Theorem, rules: list[Theorem]) -> Iterator[Theorem]:
    """th, a rule applied once in its right side, in all ways."""
    for s in _words_of(th.right):
        for rule in rules:
            pattern = rule.left.args
            for k in range(len(s.args) - len(pattern) + 1):
                if s.args[k : k + len(pattern)] == pattern:
                    eq = P.step("between", rule, list(s.args[:k]), list(s.args[k + len(pattern) :]))
                    yield P.rewrite(th, [eq], canon(replaced_by(th.right, [eq])))


def _words_of(t: Term) -> list[Term]:
    return ordered({a for powers, _ in poly(t) for a, _ in powers if a.head == "word"})


def _reduced(P: Proof, t: Term, rules: list[Theorem]) -> Theorem:
    """t = what is left when no rule applies any more; t itself where that takes too long."""
    start = th = P.ring(t, canon(t))
    for _ in range(MOST_STEPS):
        moved = next(_moves(P, th, rules), None)
        if moved is None:
            return th
        th = moved
    return start


def _met(P: Proof, sides: list[Theorem], rules: list[Theorem]) -> list[Theorem]:
    """Both sides rewritten step by step, in all ways, until they meet."""
    every = [*(th.right for th in sides), *(th.left for th in rules)]
    longest = 2 + max(len(s.args) for t in every for s in _words_of(t) or [ONE])
    ways, todo = [{th.right: th} for th in sides], [[th] for th in sides]
    while any(todo) and sum(map(len, ways)) < MOST_STATES:
        here = 0 if not todo[1] or (todo[0] and len(ways[0]) <= len(ways[1])) else 1
        for th in _moves(P, todo[here].pop(0), rules):
            new = th.right
            if new in ways[here] or any(len(s.args) > longest for s in _words_of(new)):
                continue
            ways[here][new] = th
            todo[here].append(th)
            if new in ways[1 - here]:
                return [way[new] for way in ways]
    raise NotFound("the two sides did not meet")


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
    return ordered(filter(is_matrix, closed([h.left, h.right], "app")))


def _in_model(P: Proof, h: Formula, meanings: Mapping[str, Theorem]) -> Theorem:
    values = []
    for s in _matrices(h):
        meaning = meanings[s.data[0]]
        (head,) = meaning.left.args
        values.append(P.step("instantiate", meaning, list(zip(head.args, s.args, strict=True)), []))
    return consequence(P, h.left, h.right, values)
