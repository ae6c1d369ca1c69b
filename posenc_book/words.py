"""Numbers as a sentence says them."""

_WORDS = "zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve"


def in_words(number: float) -> str:
    """A whole number up to twelve in letters; ``number`` may be a tenth of it away.

    Raises:
        ValueError: if ``number`` is not near one of them.

    Example:
        >>> in_words(7.3)
        'seven'
    """
    words, nearest = _WORDS.split(", "), round(number)
    if not 0 <= nearest < len(words) or abs(number - nearest) > 0.1 * nearest:
        raise ValueError(f"number must be within a tenth of 0 to {len(words) - 1}, got {number}")
    return words[nearest]


def per_cent(share: float) -> str:
    """A share in whole per cent.

    Example:
        >>> per_cent(0.073)
        '7 %'
    """
    return f"{100 * share:.0f} %"
