"""What a result is said for, in words: as ``latex.scopes`` reads it."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

from ..latex.matrices import INVERSE
from ..latex.names import plain_name
from ..latex.scopes import SETS, VARIANTS, WORDS, Scope
from ..latex.tokens import GREEK, Hand, Unread

BACK = {domain: sign for sign, domain in SETS.items()}
BACK_WORDS = {domain: word for word, domain in WORDS.items()}
MATRICES = {"M": "real %s × %s matrix", "invertible M": "invertible real %s × %s matrix"}
MATRICES |= {"column": "real %s-vector"}


def joined(one: Scope, other: Scope) -> Scope:
    """What two scopes say together; the interval of a letter is that which is said last, or none."""
    for name, domain in other.domains.items():
        if one.domains.get(name, domain) != domain:
            raise Unread(f"in the scope: two sets for {name}")
    kept = {name: ends for name, ends in one.intervals.items() if name not in other.domains}
    pairs: Iterable[tuple[Any, Any]] = zip(one._replace(intervals=kept), other, strict=True)
    return Scope(*(a + b if isinstance(a, list) else a | b for a, b in pairs))


def said(every: Scope, names: Iterable[str], hand: Hand, narrow: bool = True, assumed: bool = False) -> str:
    """The scope of some names among those that a derivation declares; a ``narrow`` one has its conditions.

    What is ``assumed`` says of whom it is.
    """
    names = set(names)
    if not narrow:
        wide = {n: d.replace("invertible ", "") for n, d in every.domains.items()}
        every = every._replace(conditions=[], domains=wide)
    plain = (name.partition("'")[0].removesuffix(INVERSE) for name in names)  # G of G', P of its inverse
    wanted = {name.removesuffix("[]").removesuffix("__") for name in plain} | every.sizes
    used = {n: d for n, d in every.domains.items() if n.removesuffix("[]").removesuffix("()") in wanted}
    twins = {n for n in used if f"{n}[]" in used}  # a letter and a sequence, θ and θ_i
    used = {n: d for n, d in used.items() if n.removesuffix("[]") not in twins or n in names}
    own = every.constants | every.sizes if assumed else set()
    letters = [n for n in used if not n.endswith(("[]", "()"))]
    parts = _listed(every, [n for n in letters if n not in own], hand)
    fixed_parts = _listed(every, [n for n in letters if n in own], hand)
    others = used.keys() - letters
    unknown = sorted((_kind(every, n, hand), n in every.given, shown(n[:-2], hand)) for n in others)
    groups = groupby(unknown, key=lambda row: row[:2])
    each = [(kind, [name for *_, name in group], given) for (kind, given), group in groups]
    for_all = ["for all " + ", ".join(parts)] if parts else []
    if assumed:
        of = [", ".join(fixed_parts)] if fixed_parts else []
        of += [f"the {_many(kind) if len(which) > 1 else kind} {', '.join(which)}" for kind, which, _ in each]
        whom = f" of {' and '.join(of)}" + "," * bool(for_all) if of else ""
        return " ".join([f"assumed{whom}", *(for_all or ["for these numbers"] * (not of))])
    kinds = [f"every {kind} {', '.join(which)}" + " as assumed" * given for kind, which, given in each]
    text = ("" if parts or not kinds else "for ") + " and ".join([*for_all, *kinds])
    fixed = [shown(n, hand) for n in used if n in every.constants]
    text += f", with {', '.join(fixed)} constant" if fixed else ""
    stated = ((a, sign, b) for a, sign, b in every.conditions if {a, b} <= used.keys())
    text += "".join(f", with {shown(a, hand)} {sign} {shown(b, hand)}" for a, sign, b in stated)
    return text or "for these numbers"


def typed(line: str) -> str:
    """A scope typed plainly, as it is written: in for ∈, N+ for ℕ₊, mu1 for μ_1."""
    line = re.sub(r"[ \t]*,[ \t]*", ", ", f"f{line[1:]}")
    line = re.sub("(?<!∞) in ", " ∈ ", line)  # as N → ∞ in ℕ₊
    line = re.sub(r"(?<![a-zA-Z\d])([a-zA-Z]+)(\d+)\b", r"\1_\2", line)
    line = re.sub(r"∈ (2?[ZNRC]\+?)(?=[,\s]|$)", lambda m: f"∈ {BACK.get(m[1], m[1])}", line)
    line = re.sub(r"\b(\w+) x \1 ", r"\1 × \1 ", line)
    return re.sub(r"(?<![a-zA-Z])[a-zA-Z]{2,}(?![a-zA-Z])", lambda m: GREEK.get(m[0], m[0]), line)


def domains(every: Scope, names: Iterable[str]) -> dict[str, str]:
    """What some names range over, in words."""
    found = {}
    for name in sorted(names):
        plain = plain_name(name)
        for ending in ("[]",) if name.endswith("[]") else ("[]", "()", ""):
            domain = every.domains.get(plain + ending, "")
            if domain in MATRICES:
                found[plain] = "matrix or vector"
            elif domain:
                found[plain] = "function" if ending == "()" else "sequence in " * bool(ending) + BACK[domain]
    return found


def _listed(every: Scope, letters: Iterable[str], hand: Hand) -> list[str]:
    """ "m, n ∈ ℤ", for each set."""
    found = sorted((shown(n, hand), _where(every, n)) for n in letters)
    sets = groupby(found, key=lambda pair: pair[1])
    return [f"{', '.join(name for name, _ in group)} ∈ {domain}" for domain, group in sets]


def _many(kind: str) -> str:
    return f"{kind[:-2]}ices" if kind.endswith("matrix") else f"{kind}s"


def _where(every: Scope, name: str) -> str:
    low, high = every.intervals.get(name, (0, 0))
    return f"[{_decimal(low)}, {_decimal(high)}]" if low != high else BACK[every.domains[name]]


def _decimal(q: Fraction | int) -> str:
    """0.1 for 1/10; 1/3 as it is."""
    digits = format(Decimal(q.numerator) / q.denominator, "f")
    return digits if Fraction(digits) == q else str(q)


def _kind(every: Scope, name: str, hand: Hand) -> str:
    """ "real sequence", "real d × d matrix function"."""
    domain = every.domains[name]
    if domain in MATRICES:
        (size,) = every.sizes
        kind = MATRICES[domain].replace("%s", shown(size, hand))
        return kind + " function" * (name[:-2] in every.depending)
    kind = BACK_WORDS.get(domain) or BACK[domain]
    return f"{kind} {'sequence' if name.endswith('[]') else 'function'}"


def shown(name: str, hand: Hand) -> str:
    """theta_1 as θ_1, W__Q as W^Q, x__star as x⋆, in the form that the page draws."""
    letter, above, more = name.partition("__")
    if above:
        return f"{shown(letter, hand)}^{more}".replace("^star", "⋆")
    head, _, below = name.partition("_")
    form = hand.forms.get(f"\\{head}", "")
    if form in VARIANTS.values():
        head = next(sign for sign, variant in VARIANTS.items() if variant == form)
    elif head in GREEK:
        head = GREEK[head]
    elif hand.forms.get(head, "").startswith(r"\mathcal"):
        head = unicodedata.lookup(f"MATHEMATICAL BOLD SCRIPT CAPITAL {head}")
    return head + (f"_{below}" if below else "")
