"""The only entry: a certificate, plain JSON, to the theorem that it proves.

    {"version": 1,
     "claim": {"hypotheses": [[letters, left, relation, right], ...],
               "left": term, "relation": word, "right": term},
     "terms": [term, ...], "steps": [[rule, argument, ...], ...], "model": [step, ...]}

An argument is a term as ``terms.read`` takes it, or the number of one of ``terms``; the number of an earlier
step or the name of an earlier claim for a theorem; a list; a word. The last step has to prove the claim; the
steps of ``model`` to show that its hypotheses can hold, ``models``.

A page alone does not know the claims of others. It takes what they say as hypotheses, ``elsewhere``, which no
claim names; where all pages are replayed there are none, and the claims themselves stand in their place.
"""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from . import axioms, balls, binders, calculus, limits, ranges, words  # noqa: F401
from .domains import along, lies, opened
from .models import satisfied
from .terms import BINDERS, RATIONAL, Refused, Term, ask, is_matrix, letters, limited, read, sub, subterms
from .theorem import RELATIONS, RULES, Formula, Formulas, Supposed, Theorem, concluded

VERSION = 1
KEYS = {"version", "claim", "steps", "model"}


class Result(NamedTuple):
    """A theorem, the conditions to print with it, and the definitions that show its hypotheses possible."""

    theorem: Theorem
    conditions: frozenset[Formula]
    definitions: frozenset[Formula]


class Room(NamedTuple):
    """What the arguments of a step may name: terms, earlier steps, earlier claims."""

    terms: list[Term]
    steps: list[Theorem]
    claims: Mapping[str, Theorem]


@limited()
def replay(text: str, claims: Mapping[str, Theorem] | None = None, elsewhere: Supposed = ()) -> Result:
    """The claim of a certificate as a theorem, or Refused; ``claims`` are theorems of earlier replays.

    The theorem also has those hypotheses ``elsewhere`` that it rests on: nobody has proved them here.
    """
    elsewhere = frozenset(elsewhere)
    try:
        certificate = json.loads(text, object_pairs_hook=_once)
        version = certificate["version"]
        ask(type(version) is int and version == VERSION, f"version {VERSION} is expected: {version}")
        ask(set(certificate) - {"terms"} == KEYS, f"these keys are expected: {', '.join(sorted(KEYS))}")
        room = Room([], [], {} if claims is None else claims)
        for row in certificate.get("terms", []):
            room.terms.append(read(row, room.terms))
        for name, *args in certificate["steps"]:
            function, signature = RULES[name]
            room.steps.append(function(*_each(signature, args, room)))
        th = _claimed(certificate["claim"], room, elsewhere)
        proofs = _argument(["theorem"], certificate["model"], room)
        conditions, definitions = satisfied(th.hypotheses - elsewhere, proofs)
        for t in _sides(definitions):
            meant(t)
        _alike([th.left, th.right, *_sides(th.hypotheses | definitions)])
        return Result(th, conditions, definitions)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, ValueError) as error:
        raise error if type(error) is Refused else Refused(f"not a certificate: {error!r}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    ask(len(dict(pairs)) == len(pairs), f"a key stands twice: {', '.join(key for key, _ in pairs)}")
    return dict(pairs)


def _claimed(claim: dict[str, Any], room: Room, elsewhere: Formulas) -> Theorem:
    """The last theorem in the claim's own terms: they may name bound letters otherwise."""
    th = room.steps[-1]
    sides = [claim[key] for key in ("left", "relation", "right")]
    said = _argument(("term", "relation", "term"), sides, room)
    ask(said == (th.left, th.relation, th.right), "the last step proves something else")
    rows = _argument([(["letter"], "term", "relation", "term")], claim["hypotheses"], room)
    hypotheses = [Formula(frozenset(universal), *formula) for universal, *formula in rows]
    more = [f"{h.left} {h.relation} {h.right}" for h in (th.hypotheses - elsewhere) ^ set(hypotheses)]
    ask(not more, f"the claim has other hypotheses: {', '.join(more)}")
    for t in (said[0], said[2], *_sides(hypotheses)):
        meant(t)
    for h in (Formula(frozenset(), *said), *hypotheses):
        words.between_matrices(h)
    return concluded(said, [th], {*hypotheses, *(th.hypotheses & elsewhere)})


def _sides(formulas: Iterable[Formula]) -> list[Term]:
    return [side for h in formulas for side in (h.left, h.right)]


def _alike(terms: list[Term]) -> None:
    """No two letters or functions print alike, and a prime is the derivative of the function of that name."""
    every = [s for t in terms for s in subterms(t)]
    named = {(s.data[0].partition("'")[0], s.data[1], len(s.args)) for s in every if s.head in ("var", "app")}
    ask(len({name for name, *_ in named}) == len(named), "two letters or functions have one name")
    functions = {name for name, _, arity in named if arity}
    bound = {s.hint for s in every if s.head in BINDERS}
    ask(functions.isdisjoint(bound), "a bound letter is called as a function")


def meant(t: Term) -> None:
    """No sum, integral or maximum has a range or values by convention alone; no letter prints as another.

    An integral may still be one that does not exist: it is 0 then, by ``terms``.
    """
    parts = t.args
    ask(t.head != "oo", "infinity is no number")
    if t.head in BINDERS:
        x, body = opened(t)
        ends = all(lies(end, "R" if t.head == "int" else "Z") for end in t.args[:2])
        ask(along(t) != "C" if t.head == "lim" else ends, f"the range of {t}")
        ask(t.head != "max" or lies(body, "R"), f"the values of {t} may not be real")
        ask(t.head != "max" or lies(sub(t.args[1], t.args[0]), ">=0"), f"the range of {t} may be empty")
        ask(all(y.data[0] != t.hint for y in letters(body)), f"{t.hint} is bound and free")
        ask(all(x not in letters(u) for u in subterms(body) if u.hint == t.hint), f"{t.hint} is bound twice")
        parts = (body,) if t.head == "lim" else (*t.args[:2], body)
    for a in parts:
        meant(a)


def _each(signature: tuple[Any, ...], args: list[Any], room: Room) -> list[Any]:
    return [_argument(kind, a, room) for kind, a in zip(signature, args, strict=True)]


def _argument(kind: Any, a: Any, room: Room) -> Any:
    """An argument of the kind that a rule asks for: a list of a kind, a tuple of kinds, or a word."""
    if type(kind) is list:
        ask(type(a) is list, f"a list is expected: {a}")
        return [_argument(kind[0], b, room) for b in a]
    if type(kind) is tuple:
        return tuple(_each(kind, a, room))
    if kind == "theorem":
        if type(a) is str:
            return room.claims[a]
        ask(type(a) is int and a >= 0, f"the number of an earlier step is expected: {a}")
        return room.steps[a]
    if kind == "axiom":
        name, *args = a
        return name, _each(axioms.AXIOMS[name].signature, args, room)
    if kind in ("relation", "kind", "name"):
        ask(a in {"relation": RELATIONS, "kind": BINDERS}.get(kind, (a,)), f"a {kind} is expected: {a}")
        return a
    if kind == "rational":
        ask(RATIONAL.fullmatch(a) is not None, f"a rational number is expected: {a}")
        return Fraction(a)
    t = read(a, room.terms)
    ask(t.loose == 0, f"a bound letter without its binder: {t}")
    ask((kind == "matrix") == is_matrix(t), f"a matrix in its place is expected: {t}")
    ask(kind != "letter" or t.head == "var", f"a letter is expected: {t}")
    ask(kind != "binder" or t.head in BINDERS, f"a sum, product, integral or maximum is expected: {t}")
    return t
