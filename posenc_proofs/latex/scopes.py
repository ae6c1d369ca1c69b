"""The values for which a result is said to hold, as it stands below it: "for all m, n ∈ ℤ, x ∈ [0, 1]"."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ..kernel.domains import lies
from ..kernel.ring import poly, same
from ..kernel.terms import INTEGERS, ONE, ZERO, Term, add, fun, is_matrix, sub, subterms
from ..kernel.theorem import Formula
from .cursor import CONSTANTS
from .matrices import INVERSE
from .names import Definition, normal, plain_name
from .tokens import FORMS, GREEK, MATRICES, NAMED, Hand, Unread, refuse

SETS = {"ℤ": "Z", "ℕ": "N", "ℕ₊": "N+", "ℝ": "R", "ℝ₊": "R+", "ℂ": "C"}
WORDS = {"real": "R", "positive": "R+", "complex": "C", "smooth real": "S"}
# The sets that contain each; what holds for matrices holds for columns.
WITHIN = {"N+": {"N+", "N", "Z", "R+", "R", "C"}, "N": {"N", "Z", "R", "C"}, "Z": {"Z", "R", "C"}}
WITHIN |= {"R+": {"R+", "R", "C"}, "R": {"R", "C"}, "C": {"C"}, "S": {"S"}}
WITHIN |= {"M": {"M"}, "invertible M": {"M"}, "column": {"M"}}
VARIANTS = {"φ": r"\varphi", "ϕ": r"\phi", "ε": r"\varepsilon", "ϵ": r"\epsilon"}
VARIANTS |= {"ϑ": r"\vartheta", "ϱ": r"\varrho"}
NAMES = r"((?:[^\s,∈]+, )*[^\s,∈]+)"
COMPARED = r"(\w+) (<=|<) (\w+)"
END = r"(-?\d{1,99}(?:\.\d{1,99}|/[1-9]\d{0,99})?)"
INTERVAL = re.compile(rf"\[{END}, {END}\]", re.ASCII)
EVERY = "(?:for | and |)every "
LAST = r"( as assumed)?(?=,| and |$)"
ASSUMED = re.compile(r"assumed(?: of (.*?))?(,? for all .*|, as .*| for these numbers|)")
MANY = {"matrices": "matrix", "functions": "function", "sequences": "sequence", "-vectors": "-vector"}
SAYS_NOT = "the scope does not say"
POLES = ", where no denominator vanishes"


class Scope(NamedTuple):
    """Domains of names; intervals; constants; conditions; whether denominators are said not to vanish."""

    domains: dict[str, str]
    intervals: dict[str, tuple[Fraction, Fraction]]
    constants: set[str]
    conditions: list[tuple[str, str, str]]
    sizes: set[str]  # of matrices
    whole: set[str]  # letters that go to infinity through the integers
    depending: set[str]  # matrices of any size that depend on a letter
    given: set[str]  # names that are not any: something is assumed of them
    poles: bool = False

    @property
    def matrices(self) -> dict[str, bool]:
        """Which matrices of any size are columns."""
        every = ((name, kind) for name, kind in self.domains.items() if "M" in WITHIN[kind])
        return {name.removesuffix("()"): kind == "column" for name, kind in every}

    @property
    def columns(self) -> set[str]:
        """The names that are columns of any length."""
        return {name for name, column in self.matrices.items() if column}

    @property
    def limited(self) -> set[str]:
        """Letters of which more is said than their set."""
        return self.constants.union(self.intervals, *((a, b) for a, _, b in self.conditions))

    def invertible(self, name: str) -> bool:
        """Whether a matrix of any size is said to have an inverse."""
        return self.domains.get(f"{name}()") == "invertible M"


def empty() -> Scope:
    """Nothing is said."""
    return Scope({}, {}, set(), [], set(), set(), set(), set())


def scope(text: str, hand: Hand) -> Scope:
    """Read from left to right, and to the end: a word that is not known says something that is not known."""
    said = empty()._replace(poles=POLES in text)
    rest = _plain(text, hand).replace(POLES, "", 1)
    if hypothesis := ASSUMED.fullmatch(rest):
        of, rest = hypothesis.groups()
        letters, *unknown = re.split(r"(?:^| and )the ", of or "")
        _take(said, f"for all {letters}" if letters else "")
        said.constants.update(said.domains)
        for some in unknown:
            _take(said, "every " + re.sub("|".join(MANY), lambda many: MANY[many[0]], some))
        said.given.update(said.domains)
    _take(said, re.sub("^ ?for these numbers(?=,|$)", "", rest).removeprefix(" "))
    if hypothesis and (" every " in rest or any(d not in said.given for d in said.sizes)):
        raise Unread(f"in the scope: it does not say of whom this is assumed: {text}")
    if len(said.sizes) > 1 or any(said.domains.get(size) != "N+" for size in said.sizes):
        raise Unread(f"in the scope: matrices of the sizes {', '.join(sorted(said.sizes))}")
    return said


def _plain(text: str, hand: Hand) -> str:
    """The scope in plain letters; those in script and variants of Greek ones are noted as they are drawn."""
    for name in re.findall(r"(?<![A-Za-z^_])[A-Za-z](?![A-Za-z])", text):
        hand.drawn(name, name)
    out = ""
    for sign in text:
        if sign in VARIANTS:
            name = FORMS.get(VARIANTS[sign], VARIANTS[sign])
            out += GREEK[hand.drawn(name, VARIANTS[sign])[1:]]
        elif "SCRIPT CAPITAL" in unicodedata.name(sign, "") and sign.isalpha():
            letter = unicodedata.normalize("NFKC", sign)
            out += hand.drawn(letter, rf"\mathcal{{{letter}}}")
        else:
            out += sign
    return out


def _take(said: Scope, rest: str) -> None:
    while rest:
        for pattern, take in TAKES.items():
            if found := re.match(pattern, rest):
                take(said, *found.groups(""))
                rest = rest[found.end() :]
                break
        else:
            expected = "for all a, b ∈ ℝ and every real sequence h"
            raise Unread(f"in the scope: {rest}; a scope is written as: {expected}")


def _say(said: Scope, names: str, ending: str, domain: str, given: str = "") -> None:
    for name in _names(names):
        if said.domains.setdefault(name + ending, domain) != domain:
            raise Unread(f"in the scope: two sets for {name}{ending}")
        said.given.update([name + ending] if given else [])


def _letters(said: Scope, names: str, where: str) -> None:
    domain = SETS.get(where)
    if ends := INTERVAL.fullmatch(where):
        low, high = map(Fraction, ends.groups())
        refuse(low >= high, f"in the scope: nothing lies in {where}")
        said.intervals.update(dict.fromkeys(_names(names), (low, high)))
        domain = "R+" if low > 0 else "R"
    if domain is None:
        raise Unread(f"in the scope: the {'interval' if where.startswith('[') else 'set'} {where}")
    _say(said, names, "", domain)


def _unknown(said: Scope, kind: str, sort: str, names: str, given: str) -> None:
    domain = WORDS.get(kind) or SETS.get(kind)
    if domain is None:
        raise Unread(f"in the scope: every {kind} {sort}")
    _say(said, names, "[]" if sort == "sequence" else "()", domain, given)


def _matrices(said: Scope, kind: str, size: str, sort: str, function: str, names: str, given: str) -> None:
    said.sizes.update(_names(size))
    said.depending.update(_names(names) if function else [])
    _say(said, names, "()", "column" if sort == "-vector" else f"{kind}M", given)


TAKES: dict[str, Callable[..., None]] = {
    r", as ([^\s,∈]+) → ∞ in ℕ₊": lambda said, name: said.whole.update(_names(name)),
    rf", with {NAMES} constant": lambda said, names: said.constants.update(_names(names)),
    f", with {COMPARED}": lambda said, a, sign, b: said.conditions.append((*_names(a), sign, *_names(b))),
    rf"(?:, for all |for all |, |){NAMES} ∈ (\[[^\]]+\]|[^\s,]+)": _letters,
    rf"{EVERY}(invertible |)real (\w+)( × \2 matrix|-vector)( function|) {NAMES}{LAST}": _matrices,
    rf"{EVERY}([^,]+?) (function|sequence) {NAMES}{LAST}": _unknown,
}


def _names(printed: str) -> list[str]:
    """theta_1 for θ_1, W__Q for W^Q, x__star for x⋆."""
    if strange := re.search(r"[^\w^⋆', ]", printed):
        raise Unread(f"in the scope: {strange[0]!r} in the name {printed}")
    spelt = "".join(NAMED.get(sign, sign) for sign in printed.replace("⋆", "^star"))
    return spelt.replace("^", "__").split(", ")


def reaches(said: Scope, letters: Iterable[Term]) -> bool:
    """Whether a hypothesis is said to hold for all values of some letters."""
    fewer = said.constants | said.intervals.keys()
    named = (x.data for x in letters)
    every = (name not in fewer and said.domains.get(name) in WITHIN[domain] for name, domain in named)
    return not (said.conditions or said.poles) and all(every)


def require_said(said: Scope, names: dict[str, Term], conditions: list[Formula], row: list[Term]) -> None:
    """Refuse letters of a row that no scope names, and conditions of its theorem that none states.

    Raises:
        Unread: naming what is not said.
    """
    heads = {s.head for t in row for s in subterms(t)}
    for name, t in CONSTANTS.items():  # what no letter is, is one of these
        if name in said.domains and name not in names and t.head in heads:
            raise Unread(f"{SAYS_NOT} which of the two {name} is")
    for name, t in names.items():
        plain = plain_name(name).partition("'")[0]
        if plain.endswith(INVERSE):
            if not said.invertible(plain.removesuffix(INVERSE)):
                raise Unread(f"{SAYS_NOT} that {plain.removesuffix(INVERSE)} has an inverse")
            continue
        ending = "" if t.head == "var" else "[]" if name.endswith("[]") else "()"
        domain = said.domains.get(plain + ending)
        refuse(domain is None or t.data[1] not in WITHIN[domain], f"{SAYS_NOT} {name} ∈ {t.data[1]}")
    for h in conditions:
        if not (_in_words(said, h, row) or _in_interval(said, h) or _stated(said, h, names)):
            raise Unread(f"{SAYS_NOT} {h.left} {h.relation} {h.right}")


def require_new(said: Scope, defined: Mapping[str, Definition]) -> None:
    """Refuse what a scope or a definition names and is read already: a power, a value, a known number.

    Raises:
        Unread: naming it.
    """
    declared = {re.sub(r"\[\]|\(\)", "", name) for name in said.domains}
    functions = {name for name, meant in defined.items() if meant.letters}
    # Beside R_φ there may stand R^d_m.
    turns = {name for name in functions if MATRICES & {*defined[name].body}}
    for name in {*defined, *declared}:
        base, above, label = name.partition("__")
        label = label.partition("_")[0]
        known = {*declared, "e", "pi"} | defined.keys() - turns
        own = label.isalpha() and label not in ("top", "T", "H") and base not in known
        if above and label != "star" and not own:
            raise Unread(f"{base}^{label} reads as a power: name it otherwise, {base}^\\star, say")
        base = base.partition("_")[0]
        if base != name and base in functions and name not in functions:
            raise Unread(f"{base} is defined as a function, so {name} would be a value of it")
    for name, meant in defined.items():
        base, _, below = name.rpartition("_")
        if name.partition("_")[0] == "delta" or (name in ("e", "I") and not meant.letters):
            raise Unread(f"{name} is known: give yours another name")
        if f"{base}[]" in said.domains or f"{base}()" in said.domains:
            raise Unread(f"{base} is declared, so {name} is a value of it: assume what it is")
        letters = {below} if base.endswith("_") else {below, *below}  # x_{ab} may be two
        if base and not meant.bold and {said.domains.get(x) for x in letters} & {*SETS.values()}:
            raise Unread(f"{below} is declared, and {name} would not depend on it")


def require_given(said: Scope, h: Formula) -> None:
    """Refuse "every", said of what a hypothesis is about.

    Raises:
        Unread: naming what is not any.
    """
    if wrong := about(h) & said.domains.keys() - said.given:
        raise Unread(f"the scope says 'every' of {', '.join(sorted(wrong))}, of which something is assumed")


def about(h: Formula) -> set[str]:
    """The functions, sequences and matrices in a hypothesis, as a scope names them."""
    apps = {s for side in (h.left, h.right) for s in subterms(side) if s.head == "app"}
    used = {s.data[0] for s in apps if s.args or is_matrix(s)}  # others are letters that are defined
    return {plain_name(name).removesuffix(INVERSE) + ("[]" if name.endswith("[]") else "()") for name in used}


def _in_words(said: Scope, h: Formula, row: list[Term]) -> bool:
    """No denominator vanishes, and this is one, but for a number; that of a tangent is its cosine."""
    if not said.poles or (h.relation, h.right) != ("!=", ZERO):
        return False
    parts = [s for t in row for s in subterms(t) if s.head in ("inv", "tan")]
    below = [fun("cos", s.args[0]) if s.head == "tan" else s.args[0] for s in parts]
    asked = set(poly(fun("inv", normal(h.left))))
    return len(asked) == 1 and asked in [set(poly(fun("inv", normal(t)))) for t in below]


def _in_interval(said: Scope, h: Formula) -> bool:
    """A bound of one letter by a real number."""
    letter, number = (h.right, h.left) if h.left.head == "num" else (h.left, h.right)
    ends = said.intervals.get(letter.data[0]) if letter.head == "var" else None
    if h.relation != "<=" or ends is None or number.head != "num" or number.data[1]:
        return False
    return bool(number.data[0] <= ends[0] if number is h.left else ends[1] <= number.data[0])


def _stated(said: Scope, h: Formula, names: dict[str, Term]) -> bool:
    """x + c <= y + c is x <= y for a real c; i < d is i <= d - 1 between integers."""
    for a, sign, b in said.conditions:
        if a in names and b in names:
            x, y = names[a], names[b]
            if sign == "<" and {x.data[1], y.data[1]} <= {*INTEGERS}:
                x, sign = add(x, ONE), "<="
            real = lies(sub(h.left, x), "R")  # an order says that its sides are real
            if real and sign == h.relation and same(sub(y, x), sub(h.right, h.left)):
                return True
    return False
