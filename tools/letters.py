"""Letters of mathematics as Unicode has them: of MathML's variants browsers draw the upright one alone."""

import re
from unicodedata import decomposition, name

ALPHABETS = re.compile(
    r"(?:MATHEMATICAL )?(BOLD ITALIC|BOLD|ITALIC|SCRIPT|DOUBLE-STRUCK)"
    r" (?:SMALL|CAPITAL|DIGIT|\w+ SYMBOL|PARTIAL|NABLA)"
)
VARIANT = re.compile(r'(<m\w+) mathvariant="([\w-]+)">([^<&]+)')
#: (variant, letter) → the sign of its own that Unicode has for it.
LETTERS = {("italic", "h"): "ℎ"} | {
    (found[1].lower().replace(" ", "-"), chr(int(decomposition(sign).removeprefix("<font> "), 16))): sign
    for sign in map(chr, [*range(0x2102, 0x213A), *range(0x1D400, 0x1D7D8)])
    if decomposition(sign).startswith("<font> ") and (found := ALPHABETS.match(name(sign)))
}


def own_letters(mathml: str) -> str:
    """Letters of a variant as signs of their own; upright is said where a letter would be slanted.

    Example:
        >>> own_letters('<mi mathvariant="bold-italic">q</mi><mi mathvariant="normal">⊤</mi>')
        '<mi>𝒒</mi><mi>⊤</mi>'
    """
    return VARIANT.sub(_own, mathml)


def _own(found: re.Match[str]) -> str:
    start, variant, text = found.groups()
    if variant == "normal":
        return found[0] if ("italic", text) in LETTERS else f"{start}>{text}"
    return f"{start}>" + "".join(LETTERS[variant, letter] for letter in text)
