"""The values for which a result is said to hold, as it stands below it: "for all m, n ∈ ℤ, x ∈ [0, 1]"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from ..kernel.ring import poly, same
from ..kernel.terms import ONE, ZERO, Term, add, fun, sub, subterms
from ..kernel.theorem import Formula
from .normal import normal
from .tokens import Unread

SETS = {"ℤ": "Z", "ℕ": "N", "ℕ₊": "N+", "2ℕ₊": "E", "2ℤ": "Z", "ℝ": "R", "ℝ₊": "R+", "ℂ": "C"}
WORDS = {"real": "R", "positive": "R+", "complex": "C", "smooth real": "S", "smooth": "S"}
WITHIN = {  # the sets that contain each
    **{"E": {"E", "N+", "N", "Z", "R+", "R", "C"}, "N+": {"N+", "N", "Z", "R+", "R", "C"}},
    **{"N": {"N", "Z", "R", "C"}, "Z": {"Z", "R", "C"}, "R+": {"R+", "R", "C"}, "R": {"R", "C"}},
    **{"C": {"C"}, "S": {"S"}},
}
INTEGERS = {"Z", "N", "N+", "E"}
LETTERS = re.compile(r"((?:[^\s,∈]+, )*[^\s,∈]+) ∈ (\[[^\]]+\]|[^\s,]+)")
UNKNOWN = re.compile(r"every ([^,]+?) (function|sequence) ((?:[^\s,]+, )*[^\s,]+)")
CONSTANT = re.compile(r"with ((?:[^\s,]+, )*[^\s,]+) constant")
CONDITION = re.compile(r"with (\w+) (<=|<) (\w+)")


class Scope(NamedTuple):
    """Domains of names; intervals; constants; conditions; whether denominators are said not to vanish."""

    domains: dict[str, str]
    intervals: dict[str, tuple[Fraction, Fraction]]
    constants: set[str]
    conditions: list[tuple[str, str, str]]
    poles: bool


def scopes(text: str) -> list[Scope]:
    """What is said of the rows of a result; rows of one scope share it."""
    return [_scope(part) for part in text.split("; ")]


def _scope(text: str) -> Scope:
    domains: dict[str, str] = {}
    intervals = {}
    for letters, where in LETTERS.findall(text):
        for letter in map(_name, letters.removeprefix("for all ").split(", ")):
            if where.startswith("["):
                low, high = where[1:-1].split(", ")
                intervals[letter] = Fraction(low), Fraction(high)
            domains[letter] = SETS.get(
                where, "R+" if where.startswith("[") and intervals[letter][0] > 0 else "R"
            )
    for kind, sort, names in UNKNOWN.findall(text):
        for name in names.split(", "):
            domains[_name(name) + "[]" * (sort == "sequence")] = WORDS.get(kind) or SETS[kind]
    conditions = [(_name(a), sign, _name(b)) for a, sign, b in CONDITION.findall(text)]
    constants = {_name(c) for names in CONSTANT.findall(text) for c in names.split(", ")}
    return Scope(domains, intervals, constants, conditions, "no denominator vanishes" in text)


def _name(printed: str) -> str:
    """theta_1 for θ_1, W__Q for W^Q."""
    spelt = "".join(_letter(sign) for sign in printed)
    return spelt.replace("^", "__")


def _letter(sign: str) -> str:
    words = unicodedata.name(sign, "").split()
    if words[:1] != ["GREEK"]:
        return sign
    word = {"LAMDA": "LAMBDA"}.get(words[-1], words[-1])
    return word.capitalize() if words[1] == "CAPITAL" else word.lower()


def reaches(said: list[Scope], letters: Iterable[Term]) -> bool:
    """Whether a hypothesis is said to hold for all values of some letters."""

    def each(scope: Scope, x: Term) -> bool:
        name, domain = x.data
        return name not in scope.constants and scope.domains.get(name) in WITHIN[domain]

    return any(all(each(scope, x) for x in letters) for scope in said)


def require_said(
    said: list[Scope], names: dict[str, Term], conditions: list[Formula], row: list[Term]
) -> None:
    """Refuse letters of a row that no scope names, and conditions of its theorem that none states.

    Raises:
        Unread: naming what is not said.
    """
    reasons = [_missing(scope, names, conditions, row) for scope in said]
    if all(reasons):
        raise Unread(f"the scope does not say {reasons[0]}")


def _missing(scope: Scope, names: dict[str, Term], conditions: list[Formula], row: list[Term]) -> str:
    for name, t in names.items():
        spelt = (name, name.replace("__[]", "[]"), name.removesuffix("__"), name.partition("'")[0])
        domain = next((scope.domains[s] for s in spelt if s in scope.domains), None)
        if domain is None or t.data[1] not in WITHIN[domain]:
            return f"{name} ∈ {t.data[1]}"
    for h in conditions:
        if not (_in_words(scope, h, row) or _in_interval(scope, h) or _stated(scope, h, names)):
            return f"{h.left} {h.relation} {h.right}"
    return ""


def _in_words(scope: Scope, h: Formula, row: list[Term]) -> bool:
    """No denominator vanishes, and this is one."""
    below = [s.args[0] for t in row for s in subterms(normal(t)) if s.head == "inv"]
    asked = scope.poles and (h.relation, h.right) == ("!=", ZERO)
    return asked and any(_multiple(t, normal(h.left)) for t in below)


def _multiple(t: Term, of: Term) -> bool:
    """Equal but for the number that the normal form of an inverse takes out."""
    one, other = poly(fun("inv", t)), poly(fun("inv", of))
    return set(one) == set(other) and len(one) == 1


def _in_interval(scope: Scope, h: Formula) -> bool:
    if h.relation != "<=":
        return False
    for letter, (low, high) in scope.intervals.items():
        if h.right.head == "var" and h.right.data[0] == letter and h.left.head == "num":
            return h.left.data[0] <= low
        if h.left.head == "var" and h.left.data[0] == letter and h.right.head == "num":
            return h.right.data[0] >= high
    return False


def _stated(scope: Scope, h: Formula, names: dict[str, Term]) -> bool:
    """i < d is i <= d - 1 between integers."""
    for a, sign, b in scope.conditions:
        if a in names and b in names:
            x, y = names[a], names[b]
            whole = {x.data[1], y.data[1]} <= INTEGERS
            if whole and sign == "<":
                x, sign = add(x, ONE), "<="
            if sign == h.relation and same(sub(y, x), sub(h.right, h.left)):
                return True
    return False
