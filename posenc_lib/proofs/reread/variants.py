"""A scope line as a teacher writes it: letters in script, and variants of Greek ones."""

from __future__ import annotations

import re
import unicodedata

from .pieces import FORMS
from .typed import Hand

VARIANTS = {
    "φ": r"\varphi",
    "ϕ": r"\phi",
    "ε": r"\varepsilon",
    "ϵ": r"\epsilon",
    "ϑ": r"\vartheta",
    "ϱ": r"\varrho",
}
PLAIN = {r"\phi": "φ", r"\epsilon": "ε", r"\theta": "θ", r"\rho": "ρ"}


def plain(said: str, hand: Hand) -> str:
    """A scope in plain letters; those in script and variants of Greek ones are noted as they are drawn."""
    out = ""
    for sign in said:
        if sign in VARIANTS:
            form = VARIANTS[sign]
            hand.drawn(FORMS.get(form, form), form)
            out += PLAIN[FORMS.get(form, form)]
        elif "SCRIPT CAPITAL" in unicodedata.name(sign, "") and sign.isalpha():
            letter = unicodedata.normalize("NFKC", sign)
            out += hand.drawn(letter, rf"\mathcal{{{letter}}}")
        else:
            out += sign
    for name in re.findall(r"(?<![A-Za-z^_])[A-Za-z](?![A-Za-z])", out):
        hand.forms.setdefault(name, name)
    return out
