"""The only entry: a certificate, plain JSON, to the theorem that it proves.

    {"claim": {"hypotheses": [[letters, left, relation, right], ...],
               "left": term, "relation": word, "right": term},
     "steps": [[rule, argument, ...], ...], "model": [step, ...]}

An argument is a term as ``terms.read`` takes it, the number of an earlier step for a theorem, a list, a word.
The last step has to prove the claim; the steps of ``model`` to show that its hypotheses can hold, ``models``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from . import axioms, balls, binders, calculus, ranges  # noqa: F401 (their rules and rows)
from .domains import lies, opened
from .models import satisfied
from .terms import BINDERS, RATIONAL, Refused, Term, ask, letters, read, subterms
from .theorem import RELATIONS, RULES, Formula, Theorem, concluded


class Result(NamedTuple):
    """A theorem, the conditions to print with it, and the definitions that show its hypotheses possible."""

    theorem: Theorem
    conditions: frozenset[Formula]
    definitions: frozenset[Formula]


def replay(text: str) -> Result:
    """The claim of a certificate as a theorem, or Refused."""
    try:
        certificate = json.loads(text)
        ask(set(certificate) == {"claim", "steps", "model"}, "claim, steps and model are expected")
        theorems: list[Theorem] = []
        for name, *args in certificate["steps"]:
            function, signature = RULES[name]
            theorems.append(function(*_each(signature, args, theorems)))
        th = _claimed(certificate["claim"], theorems[-1])
        conditions, definitions = satisfied(th, _argument(["theorem"], certificate["model"], theorems))
        _alike([th.left, th.right, *_sides(th.hypotheses | definitions)])
        return Result(th, conditions, definitions)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, ValueError) as error:
        raise error if type(error) is Refused else Refused(f"not a certificate: {error!r}") from error


def _claimed(claim: dict[str, Any], th: Theorem) -> Theorem:
    """The theorem in the claim's own terms: they may name bound letters otherwise."""
    said = (read(claim["left"]), claim["relation"], read(claim["right"]))
    ask(said == (th.left, th.relation, th.right), "the last step proves something else")
    rows = claim["hypotheses"]
    hypotheses = [Formula(frozenset(map(read, u)), read(a), relation, read(b)) for u, a, relation, b in rows]
    ask(th.hypotheses == set(hypotheses), "the claim has other hypotheses")
    for t in (said[0], said[2], *_sides(hypotheses)):
        _meant(t)
    return concluded(said, [th], hypotheses)


def _sides(formulas: Iterable[Formula]) -> list[Term]:
    return [side for h in formulas for side in (h.left, h.right)]


def _alike(terms: list[Term]) -> None:
    """No two letters or functions print alike, and a prime is the derivative of the function of that name."""
    every = [s for t in terms for s in subterms(t)]
    named = {(s.data[0].rstrip("'"), s.data[1], len(s.args)) for s in every if s.head in ("var", "app")}
    names = [name for name, *_ in named]
    ask(len(names) == len(set(names)), "two letters or functions have one name")
    functions = {name for name, _, arity in named if arity}
    ask(
        functions.isdisjoint(s.hint for s in every if s.head in BINDERS),
        "a bound letter is called as a function",
    )


def _meant(t: Term) -> None:
    """No sum, integral or maximum has a range or values by convention alone; no letter prints as another.

    An integral may still be one that does not exist: it is 0 then, by ``terms``.
    """
    parts = t.args
    if t.head in BINDERS:
        x, body = opened(t)
        ask(all(lies(end, "R" if t.head == "int" else "Z") for end in t.args[:2]), f"the range of {t}")
        ask(t.head != "max" or lies(body, "R"), f"the values of {t} may not be real")
        ask(all(y.data[0] != t.hint for y in letters(body)), f"{t.hint} is bound and free")
        ask(all(x not in letters(u) for u in subterms(body) if u.hint == t.hint), f"{t.hint} is bound twice")
        parts = (*t.args[:2], body)
    for a in parts:
        _meant(a)


def _each(signature: tuple[Any, ...], args: list[Any], theorems: list[Theorem]) -> list[Any]:
    return [_argument(kind, a, theorems) for kind, a in zip(signature, args, strict=True)]


def _argument(kind: Any, a: Any, theorems: list[Theorem]) -> Any:
    """An argument of the kind that a rule asks for: a list of a kind, a tuple of kinds, or a word."""
    if type(kind) is list:
        ask(type(a) is list, f"a list is expected: {a}")
        return [_argument(kind[0], b, theorems) for b in a]
    if type(kind) is tuple:
        return tuple(_each(kind, a, theorems))
    if kind == "theorem":
        ask(type(a) is int and a >= 0, f"the number of an earlier step is expected: {a}")
        return theorems[a]
    if kind == "axiom":
        name, *args = a
        return name, _each(axioms.AXIOMS[name].signature, args, theorems)
    if kind == "relation":
        ask(a in RELATIONS, f"a relation is expected: {a}")
        return a
    if kind == "binder name":
        ask(a in BINDERS, f"a binder is expected: {a}")
        return a
    if kind == "name":
        return a
    if kind == "rational":
        ask(RATIONAL.fullmatch(a) is not None, f"a rational number is expected: {a}")
        return Fraction(a)
    t = read(a)
    ask(t.loose == 0, f"a bound letter without its binder: {t}")
    ask(kind != "letter" or t.head == "var", f"a letter is expected: {t}")
    ask(kind != "binder" or t.head in BINDERS, f"a sum, product, integral or maximum is expected: {t}")
    return t
