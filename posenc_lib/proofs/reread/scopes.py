"""The values for which a result is said to hold, as it stands below it: "for all m, n ∈ ℤ, x ∈ [0, 1]"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from ..kernel.ring import poly, same
from ..kernel.terms import ONE, ZERO, Term, add, fun, is_matrix, sub, subterms
from ..kernel.theorem import Formula
from .names import plain_name
from .normal import normal
from .products import INVERSE
from .tokens import Unread

SETS = {"ℤ": "Z", "ℕ": "N", "ℕ₊": "N+", "2ℕ₊": "E", "2ℤ": "2Z", "ℝ": "R", "ℝ₊": "R+", "ℂ": "C"}
WORDS = {"real": "R", "positive": "R+", "complex": "C", "smooth real": "S"}
WITHIN = {  # the sets that contain each
    **{"E": {"E", "N+", "N", "2Z", "Z", "R+", "R", "C"}, "N+": {"N+", "N", "Z", "R+", "R", "C"}},
    **{"N": {"N", "Z", "R", "C"}, "2Z": {"2Z", "Z", "R", "C"}, "Z": {"Z", "R", "C"}},
    **{"R+": {"R+", "R", "C"}, "R": {"R", "C"}, "C": {"C"}, "S": {"S"}},
    **{"M": {"M"}, "invertible M": {"M"}, "column": {"M"}},  # what holds for matrices holds for columns
}
INTEGERS = {"Z", "N", "N+", "E", "2Z"}
CONSTANTS = {"e": "exp", "pi": "pi", "gamma": "euler"}  # and their heads: what no letter is, is one of these
NAMES = r"((?:[^\s,∈]+, )*[^\s,∈]+)"
LETTERS = re.compile(rf"(?:, for all |for all |, |){NAMES} ∈ (\[[^\]]+\]|[^\s,]+)")
END = r"(-?\d+(?:\.\d+|/[1-9]\d*)?)"
INTERVAL = re.compile(rf"\[{END}, {END}\]", re.ASCII)
LAST = r"( as assumed)?(?=,| and |$)"
UNKNOWN = re.compile(rf"(?:for | and |)every ([^,]+?) (function|sequence) {NAMES}{LAST}")
MATRICES = re.compile(
    rf"(?:for | and |)every (invertible |)real (\w+)( × \2 matrix|-vector)( function|) {NAMES}{LAST}"
)
ASSUMED = re.compile(r"assumed(?: of (.*?))?(,? for all .*|, as .*| for these numbers|)")
MANY = {"matrices": "matrix", "functions": "function", "sequences": "sequence", "-vectors": "-vector"}
CONSTANT = re.compile(rf", with {NAMES} constant")
THROUGH = re.compile(r", as ([^\s,∈]+) → ∞ in ℕ₊")
CONDITION = re.compile(r", with (\w+) (<=|<) (\w+)")
POLES = ", where no denominator vanishes"
APART = re.compile(r", where [^,]+ ≠ 0(?:, [^,]+ ≠ 0)*")


class Scope(NamedTuple):
    """Domains of names; intervals; constants; conditions; whether denominators are said not to vanish."""

    domains: dict[str, str]
    intervals: dict[str, tuple[Fraction, Fraction]]
    constants: set[str]
    conditions: list[tuple[str, str, str]]
    poles: bool
    sizes: set[str]  # of matrices
    whole: set[str]  # letters that go to infinity through the integers
    depending: set[str]  # matrices of any size that depend on a letter
    given: set[str]  # names that are not any: something is assumed of them


def scopes(text: str) -> list[Scope]:
    """What is said of the rows of a result; rows of one scope share it."""
    return [_scope(part) for part in text.split("; ")]


def empty() -> Scope:
    """Nothing is said."""
    return Scope({}, {}, set(), [], False, set(), set(), set(), set())


def joined(one: Scope, other: Scope) -> Scope:
    """What two scopes say together; the interval of a letter is that which is said last, or none."""
    both = empty()
    for scope in (one, other):
        for name, domain in scope.domains.items():
            _say(both, name, domain)
            both.intervals.pop(name, None)
        both.intervals.update(scope.intervals)
        both.conditions.extend(scope.conditions)
        for mine, its in zip(both[5:], scope[5:], strict=True):
            mine.update(its)
        both.constants.update(scope.constants)
    return both._replace(poles=one.poles or other.poles)


def _scope(text: str) -> Scope:
    """Read from left to right, and to the end: a word that is not known says something that is not known."""
    scope = empty()._replace(poles=POLES in text)
    rest = text.replace(POLES, "", 1)
    if hypothesis := ASSUMED.fullmatch(rest):
        of, rest = hypothesis.groups()
        letters, *unknown = re.split(r"(?:^| and )the ", of or "")
        _take(scope, f"for all {letters}" if letters else "")
        scope.constants.update(scope.domains)
        for some in unknown:
            _take(scope, "every " + re.sub("|".join(MANY), lambda many: MANY[many[0]], some))
        scope.given.update(scope.domains)
    _take(scope, re.sub("^ ?for these numbers(?=,|$)", "", rest).removeprefix(" "))
    if hypothesis and (" every " in rest or any(d not in scope.given for d in scope.sizes)):
        raise Unread(f"in the scope: it does not say of whom this is assumed: {text}")
    if len(scope.sizes) > 1 or any(scope.domains.get(size) not in ("N+", "E") for size in scope.sizes):
        raise Unread(f"in the scope: matrices of the sizes {', '.join(sorted(scope.sizes))}")
    return scope


def _take(scope: Scope, rest: str) -> None:
    while rest:
        for pattern, take in TAKES.items():
            if found := pattern.match(rest):
                take(scope, *found.groups())
                rest = rest[found.end() :]
                break
        else:
            raise Unread(f"in the scope: {rest}")


def _say(scope: Scope, name: str, domain: str) -> None:
    if scope.domains.setdefault(name, domain) != domain:
        raise Unread(f"in the scope: two sets for {name}")


def _letters(scope: Scope, names: str, where: str) -> None:
    for letter in map(_name, names.split(", ")):
        if where.startswith("["):
            ends = INTERVAL.fullmatch(where)
            if ends is None:
                raise Unread(f"in the scope: the interval {where}")
            low, high = map(Fraction, ends.groups())
            if low >= high:
                raise Unread(f"in the scope: nothing lies in {where}")
            scope.intervals[letter] = low, high
            _say(scope, letter, "R+" if low > 0 else "R")
        elif where in SETS:
            _say(scope, letter, SETS[where])
        else:
            raise Unread(f"in the scope: the set {where}")


def _unknown(scope: Scope, kind: str, sort: str, names: str, given: str | None) -> None:
    if kind not in WORDS and kind not in SETS:
        raise Unread(f"in the scope: every {kind} {sort}")
    for name in names.split(", "):
        ending = "[]" if sort == "sequence" else "()"
        _say(scope, _name(name) + ending, WORDS.get(kind) or SETS[kind])
        scope.given.update([_name(name) + ending] if given else [])


def _matrices(
    scope: Scope, invertible: str, size: str, sort: str, function: str, names: str, given: str | None
) -> None:
    scope.sizes.add(_name(size))
    for name in names.split(", "):
        if function:
            scope.depending.add(_name(name))
        kind = "column" if sort == "-vector" else f"{invertible}M"
        _say(scope, f"{_name(name)}()", kind)
        scope.given.update([f"{_name(name)}()"] if given else [])


def matrices(said: Iterable[Scope]) -> dict[str, bool]:
    """Which matrices of any size are columns."""
    every = ((name, kind) for scope in said for name, kind in scope.domains.items() if "M" in WITHIN[kind])
    return {name.removesuffix("()"): kind == "column" for name, kind in every}


def columns(said: Iterable[Scope]) -> set[str]:
    """The names that are columns of any length."""
    return {name for name, column in matrices(said).items() if column}


def invertible(said: Iterable[Scope], name: str) -> bool:
    """Whether a matrix of any size is said to have an inverse, in all scopes that may be meant."""
    return all(scope.domains.get(f"{name}()") == "invertible M" for scope in said)


def _constant(scope: Scope, names: str) -> None:
    scope.constants.update(map(_name, names.split(", ")))


def _condition(scope: Scope, a: str, sign: str, b: str) -> None:
    scope.conditions.append((_name(a), sign, _name(b)))


def _through(scope: Scope, name: str) -> None:
    scope.whole.add(_name(name))


def whole(said: Iterable[Scope]) -> set[str]:
    """The letters that go to infinity through the integers, in all scopes that may be meant."""
    return set.intersection(*(scope.whole for scope in said))


TAKES: dict[re.Pattern[str], Callable[..., None]] = {
    THROUGH: _through,
    **{CONSTANT: _constant, CONDITION: _condition, LETTERS: _letters, MATRICES: _matrices, UNKNOWN: _unknown},
    **{APART: lambda scope: None},  # a narrower scope: what it says is not used
}


def _name(printed: str) -> str:
    """theta_1 for θ_1, W__Q for W^Q, x__star for x⋆."""
    spelt = "".join(_letter(sign) for sign in printed.replace("⋆", "^star"))
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
        narrower = name in scope.constants or name in scope.intervals
        return not narrower and scope.domains.get(name) in WITHIN[domain]

    whole = all(not (scope.conditions or scope.poles) for scope in said)
    return whole and all(each(scope, x) for scope in said for x in letters)


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


def require_given(said: Iterable[Scope], h: Formula) -> None:
    """Refuse "every", said of what a hypothesis is about.

    Raises:
        Unread: naming what is not any.
    """
    for scope in said:
        if wrong := about(h) & scope.domains.keys() - scope.given:
            raise Unread(
                f"the scope says 'every' of {', '.join(sorted(wrong))}, of which something is assumed"
            )


def about(h: Formula) -> set[str]:
    """The functions, sequences and matrices in a hypothesis, as a scope names them."""
    apps = {s for side in (h.left, h.right) for s in subterms(side) if s.head == "app"}
    names = {s.data[0] for s in apps if s.args or is_matrix(s)}  # others are letters that are defined
    return {
        plain_name(name).removesuffix(INVERSE) + ("[]" if name.endswith("[]") else "()") for name in names
    }


def said_of(every: list[Scope], row: int, rows: int) -> list[Scope]:
    """The scopes that may be meant for a row: rows of one scope share it, and it stands once."""
    if len(every) > rows:
        raise Unread("more scopes than rows")
    return [every[row]] if len(every) == rows else every


def _missing(scope: Scope, names: dict[str, Term], conditions: list[Formula], row: list[Term]) -> str:
    heads = {s.head for t in row for s in subterms(t)}
    for name, head in CONSTANTS.items():
        if name in scope.domains and name not in names and head in heads:
            return f"which of the two {name} is"
    for name, t in names.items():
        plain = plain_name(name).partition("'")[0]
        if plain.endswith(INVERSE):
            if invertible([scope], plain.removesuffix(INVERSE)):
                continue
            return f"that {plain.removesuffix(INVERSE)} has an inverse"
        ending = "" if t.head == "var" else "[]" if name.endswith("[]") else "()"
        domain = scope.domains.get(plain + ending)
        if domain is None or t.data[1] not in WITHIN[domain]:
            return f"{name} ∈ {t.data[1]}"
    for h in conditions:
        if not (_in_words(scope, h, row) or _in_interval(scope, h) or _stated(scope, h, names)):
            return f"{h.left} {h.relation} {h.right}"
    return ""


def _in_words(scope: Scope, h: Formula, row: list[Term]) -> bool:
    """No denominator vanishes, and this is one; that of a tangent is its cosine."""
    parts = [s for t in row for s in subterms(t)]
    below = [normal(s.args[0]) for s in parts if s.head == "inv"]
    below += [normal(fun("cos", s.args[0])) for s in parts if s.head == "tan"]
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
