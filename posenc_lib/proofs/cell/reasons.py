"""What stands in the brackets behind a reason: the rule, and the earlier results that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..rules.adding import adding
from ..rules.antiderivative import antiderivative
from ..rules.bounds import (
    cauchy_schwarz,
    exponential_tangent,
    maximum,
    one_term,
    sine_chord,
    triangle,
    trigonometric_integrals,
)
from ..rules.certified import certified
from ..rules.follows import follows
from ..rules.identity import identity
from ..rules.induction import induction
from ..rules.rule import Rule
from ..rules.termwise import termwise
from ..write.derivation import Derivation
from .expressions import parsed
from .source import Piece

PLAIN: dict[str, Rule] = {
    "identity": identity,
    "triangle": triangle,
    "cauchy_schwarz": cauchy_schwarz,
    "maximum": maximum,
    "one_term": one_term,
    "sine_chord": sine_chord,
    "exponential_tangent": exponential_tangent,
    "trigonometric_integrals": trigonometric_integrals,
}
REFERENCE = re.compile(r"(?P<label>[^\W\d][\w-]*)\s*(\((?P<values>.*)\))?", re.DOTALL)
NUMBER = re.compile(r"-?\d+")


def rule(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    """The rule that is named: ``follows eq-a, eq-b(n=m)``, ``induction N``, ``triangle``, …

    Raises:
        Misread: for a rule that is not among them, naming those that are.
    """
    name = piece.text.split(None, 1)[0] if piece.text else ""
    rest = piece.part(len(name))
    if name in PLAIN:
        if rest.text:
            raise rest.misread(f"nothing is expected after {name}")
        return PLAIN[name]
    if name not in WITH:
        known = ", ".join([*WITH, *PLAIN])
        raise piece.misread(f"a rule is expected, one of {known}; others are given in Python, by D.prove")
    if not rest.text:
        raise piece.misread(f"{name} needs more: write [{EXAMPLE[name]}]")
    return WITH[name](D, rest, names)


def _parts(piece: Piece) -> list[Piece]:
    """The parts between commas that stand in no bracket."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(piece.text):
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            found.append(piece.part(start, place))
            start = place + 1
    return [*found, piece.part(start)]


def _reference(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Any:
    """``eq-a``, or ``eq-a(n=m, k=2)``."""
    found = REFERENCE.fullmatch(piece.text)
    if found is None:
        raise piece.misread("an earlier result is expected, such as eq-a or eq-a(n=m)")
    label, values = found["label"], found["values"]
    if values is None:
        return label
    inside = piece.part(found.start("values"), found.end("values"))
    given = {}
    for part in _parts(inside):
        name, equals, _ = part.text.partition("=")
        if not equals:
            raise part.misread("letter=value is expected, such as n=m")
        given[name.strip()] = parsed(part.part(len(name) + 1), names)[0]
    try:
        return D.at(label, **given)
    except ValueError as error:
        raise piece.misread(str(error)) from None


def _follows(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    used, times = [], {}
    for part in _parts(piece):
        if part.text.startswith("times "):
            times["times"] = parsed(part.part(len("times ")), names)[0]
        else:
            used.append(_reference(D, part, names))
    return follows(*used, **times)


def _induction(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    letter, *used = _parts(piece)
    name, _, first = letter.text.partition(" from ")
    if first and not NUMBER.fullmatch(first.strip()):
        raise letter.misread("a whole number is expected after from", len(name))
    over = parsed(letter.part(0, len(name)), names)[0]
    start = int(first) if first else 1 if over.is_positive else 0
    return induction(over, start, [_reference(D, part, names) for part in used])


def _termwise(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    return termwise(_reference(D, piece, names))


def _antiderivative(_: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    return antiderivative(parsed(piece, names)[0])


def _adding(D: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    weights, rest = {}, 0
    for part in _parts(piece):
        if part.text.startswith("rest "):
            rest = parsed(part.part(len("rest ")), names)[0]
        else:
            label, _, weight = part.text.partition(" times ")
            value = parsed(part.part(len(label) + len(" times ")), names)[0] if weight else 1
            weights[_reference(D, part.part(0, len(label)), names)] = value
    return adding(weights, rest)


def _certified(_: Derivation, piece: Piece, names: Mapping[str, Any]) -> Rule:
    box = []
    for part in _parts(piece):
        found = re.fullmatch(r"(.+?)\sfrom\s(.+)\sto\s(.+)", part.text, re.DOTALL)
        if found is None:
            raise part.misread("a range is expected, such as x from 1 to 2")
        box.append(tuple(parsed(part.part(*found.span(k)), names)[0] for k in (1, 2, 3)))
    return certified(*box)


WITH: dict[str, Callable[[Derivation, Piece, Mapping[str, Any]], Rule]] = {
    "follows": _follows,
    "induction": _induction,
    "termwise": _termwise,
    "antiderivative": _antiderivative,
    "adding": _adding,
    "certified": _certified,
}
EXAMPLE = {
    "follows": "follows eq-a, eq-b(n=m)",
    "induction": "induction N",
    "termwise": "termwise eq-each",
    "antiderivative": "antiderivative sin(t)",
    "adding": "adding eq-a times r, rest s",
    "certified": "certified x from 1 to 2",
}
