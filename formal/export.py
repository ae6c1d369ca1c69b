"""The certificates of a page as Rocq terms of ``Check.v``: no proof is written here, only data."""

import json
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from posenc_proofs.kernel.replay import VERSION
from posenc_proofs.kernel.terms import RATIONAL

FUNCTIONS = {
    "exp": "Exp",
    "log": "Log",
    "sqrt": "Sqrt",
    "cos": "Cos",
    "sin": "Sin",
    "tan": "Tan",
    "cosh": "Cosh",
    "sinh": "Sinh",
    "tanh": "Tanh",
    "conj": "Conj",
    "abs": "Abs",
    "re": "Re_",
    "im": "Im_",
    "inv": "Inv",
    "Ci": "Ci",
    "Si": "Si",
    "erf": "Erf",
}
CONSTANTS = {"pi": "Pi", "euler": "Euler", "oo": "Oo"}
BINARY = {"pow": "Powc", "delta": "Delta"}
BINDERS = {"sum": "Sum", "prod": "Prod", "int": "Int", "max": "Max", "lim": "Lim"}
DOMAINS = {"Z": "DZ", "N": "DN", "N+": "DNp", "R": "DR", "R+": "DRp", "C": "DC", "S": "DS", "M": "DM"}
RELATIONS = {"=": "Eq_", "<=": "Le", "<": "Lt_", "!=": "Ne"}
AXIOMS = {"real": "Real_", "plain_power": "PlainPower", "erf_at_zero": "ErfAtZero"}


def number_of(name: str) -> str:
    """A positive number for a name, another for each; the name beside it, as a remark.

    >>> number_of("m")
    '365(*m*)'
    """
    number = int.from_bytes(b"\x01" + name.encode(), "big")
    return f"{number}(*{name}*)" if re.fullmatch(r"[\w'\[\]]+", name) else str(number)


def listed(items: Iterable[str]) -> str:
    return f"[{'; '.join(items)}]"


def rational(text: str) -> str:
    if RATIONAL.fullmatch(text) is None:
        raise ValueError(f"a rational number is expected: {text}")
    q = Fraction(text)
    return f"({q.numerator}#{q.denominator})"


def read(text: str) -> dict[str, Any]:
    """A certificate from its text; a key that stands twice is refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"a key stands twice: {', '.join(key for key, _ in pairs)}")
        return dict(pairs)

    found: dict[str, Any] = json.loads(text, object_pairs_hook=once)
    return found


class Writer:
    """One certificate: its shared terms are looked up where Rocq needs to see into them."""

    def __init__(self, certificate: dict[str, Any], source: Callable[[str], str] = str) -> None:
        if (version := certificate.get("version")) != VERSION:
            raise ValueError(f"certificates of version {VERSION} are expected, got {version!r}")
        self.certificate = certificate
        self.shared = certificate.get("terms", [])
        self.source = source

    def row(self, a: Any) -> list[Any]:
        """A term's head and arguments, not a number of a shared one."""
        return self.row(self.shared[a]) if type(a) is int else a

    def term(self, a: Any) -> str:
        if type(a) is int:
            return f"(Ref {a})"
        head, *rest = a
        if head == "num":
            return f"(Num {rational(rest[0])} {rational(rest[1])})"
        if head == "var":
            return f"(Var {number_of(rest[0])} {DOMAINS[rest[1]]})"
        if head == "bv":
            return f"(BV {rest[0]})"
        if head in ("app", "T"):
            turned = head == "T"
            _, name, domain, *args = self.row(rest[0]) if turned else a
            start = f"Mat {str(turned).lower()} {number_of(name)}" if domain == "M" else None
            return f"({start or f'App {number_of(name)} {DOMAINS[domain]}'} {self.terms(args)})"
        if head in ("+", "*", "word"):
            args = [self.row(b) if head == "word" else b for b in rest]
            return f"({ {'+': 'Add', '*': 'Mul', 'word': 'Word'}[head] } {self.terms(args)})"
        if head == "^":
            return f"(Pow {self.term(rest[0])} {rest[1]})"
        if head in BINDERS:
            return f"(Bind {BINDERS[head]} {' '.join(map(self.term, rest[1:]))})"
        if head in CONSTANTS:
            return f"(F0 {CONSTANTS[head]})"
        kind, name = ("F1", FUNCTIONS[head]) if head in FUNCTIONS else ("F2", BINARY[head])
        return f"({kind} {name} {' '.join(map(self.term, rest))})"

    def terms(self, items: Iterable[Any]) -> str:
        return listed(map(self.term, items))

    def letter(self, a: Any) -> str:
        _, name, domain = self.row(a)
        return f"({number_of(name)}%positive, {DOMAINS[domain]})"

    def theorem(self, a: Any) -> str:
        return self.source(a) if type(a) is str else f"(Step {a})"

    def theorems(self, items: Iterable[Any]) -> str:
        return listed(map(self.theorem, items))

    def formula(self, universal: list[Any], left: Any, relation: str, right: Any) -> str:
        letters = listed(map(self.letter, universal))
        return f"(Formula {letters} {self.term(left)} {RELATIONS[relation]} {self.term(right)})"

    def axiom(self, name: str, *args: Any) -> str:
        title = AXIOMS.get(name) or "".join(word.capitalize() for word in name.split("_"))
        if name == "linear":
            kind, lo, hi, parts = args
            return f"({title} {BINDERS[kind]} {self.term(lo)} {self.term(hi)} {self.parts(parts, self.term)})"
        if name == "triangle":
            return f"({title} {self.terms(args[0])})"
        return f"({' '.join([title, *map(self.term, args)])})"

    def parts(self, items: Iterable[Any], second: Callable[[Any], str]) -> str:
        return listed(f"({self.term(a)}, {second(b)})" for a, b in items)

    def range(self, lo: str, hi: str, cuts: list[str]) -> str:
        return f"({rational(lo)}, {rational(hi)}, {listed(map(rational, cuts))})%Q"

    def step(self, name: str, *args: Any) -> str:
        term, theorem, theorems = self.term, self.theorem, self.theorems
        if name == "ring":
            return f"Ring {term(args[0])} {term(args[1])}"
        if name == "assume":
            u, left, relation, right = args
            return f"Assume {listed(map(self.letter, u))} {term(left)} {RELATIONS[relation]} {term(right)}"
        if name == "instantiate":
            values = listed(f"({self.letter(x)}, {term(t)})" for x, t in args[1])
            return f"Instantiate {theorem(args[0])} {values} {theorems(args[2])}"
        if name == "rewrite":
            return f"Rewrite {theorem(args[0])} {theorems(args[1])} {term(args[2])}"
        if name == "combine":
            left, right, unit, parts, signs = args
            rest = f"{self.parts(parts, theorem)} {theorems(signs)}"
            return f"Combine {term(left)} {term(right)} {self.terms(unit)} {rest}"
        if name == "adding":
            left, relation, right, parts, rest, signs = args
            said = f"{term(left)} {RELATIONS[relation]} {term(right)}"
            return f"Adding {said} {self.parts(parts, theorem)} {term(rest)} {theorems(signs)}"
        if name in ("roots", "exponents"):
            return f"{name.capitalize()} {theorem(args[0])} {theorems(args[1])}"
        if name == "axiom":
            return f"Axiom_ {self.axiom(*args[0])} {theorems(args[1])}"
        if name == "over":
            kind, th, x, _hint, lo, hi, signs = args
            ends = f"{term(lo)} {term(hi)}"
            return f"Over {BINDERS[kind]} {theorem(th)} {self.letter(x)} {ends} {theorems(signs)}"
        if name == "induct":
            n, left, relation, right, base, steps, first = args
            said = f"{term(left)} {RELATIONS[relation]} {term(right)}"
            return f"Induct {self.letter(n)} {said} {theorem(base)} {theorems(steps)} {term(first)}"
        if name == "fundamental":
            f, x, _hint, lo, hi, signs = args
            return f"Fundamental {term(f)} {self.letter(x)} {term(lo)} {term(hi)} {theorems(signs)}"
        if name == "between":
            th, *sides = args
            return f"Between {theorem(th)} {' '.join(self.terms(map(self.row, a)) for a in sides)}"
        if name == "other_side":
            th, *sides = args
            return f"OtherSide {theorem(th)} {' '.join(self.terms(map(self.row, a)) for a in sides)}"
        if name in ("limit", "pressed"):
            th, x, *given = args
            given = given[1:] if name == "limit" else given
            return f"{name.capitalize()} {theorem(th)} {self.letter(x)} {' '.join(map(term, given))}"
        if name == "transposed":
            return f"Transposed {theorem(args[0])}"
        if name == "certified":
            left, relation, right, box = args
            ranges = listed(f"({self.letter(x)}, {self.range(*rest)})" for x, *rest in box)
            return f"Certified {term(left)} {RELATIONS[relation]} {term(right)} {ranges}"
        if name == "apart":
            return f"Apart {term(args[0])} {term(args[1])}"
        return f"Unknown {number_of(name)}"

    def claim(self) -> str:
        claim = self.certificate["claim"]
        hypotheses = listed(self.formula(*h) for h in claim["hypotheses"])
        said = f"{self.term(claim['left'])} {RELATIONS[claim['relation']]} {self.term(claim['right'])}"
        return f"Thm {hypotheses} {said}"

    def statement(self) -> str:
        """The claim, its shared terms written out."""
        return _Whole(self.certificate).claim()

    def written(self) -> str:
        steps = ";\n  ".join(self.step(*s) for s in self.certificate["steps"])
        return f"Cert\n {self.terms(self.shared)}\n ({self.claim()})\n [{steps}]"


class _Whole(Writer):
    def term(self, a: Any) -> str:
        return super().term(self.row(a) if type(a) is int else a)


def identifier(name: str) -> str:
    """A name that Rocq takes, of a claim or of a page."""
    return "c_" + re.sub(r"\W", lambda m: f"_{ord(m.group()):x}_", name)


def premises(certificate: dict[str, Any], known: set[str]) -> list[str]:
    """The names of results that the steps of a certificate rest on, in order."""
    found: list[str] = []

    def walk(a: Any) -> None:
        if type(a) is str and a in known and a not in found:
            found.append(a)
        elif type(a) is list:
            for b in a:
                walk(b)

    for _, *args in certificate["steps"]:
        walk(args)
    return found
