"""How the wrong versions of a row fared, counted and said."""

from __future__ import annotations

from dataclasses import dataclass, field


def in_words(refuted: int, equal: int, left_open: int) -> str:
    """How wrong versions fared; "" if none was made.

    Example:
        >>> in_words(12, 2, 0)
        '12 wrong versions refuted, 2 true as well'
    """
    if not refuted + equal + left_open:
        return ""
    parts = [f"{refuted:,} wrong version{'s' * (refuted != 1)} refuted"]
    parts += [f"{equal:,} true as well"] if equal else []
    parts += [f"{left_open:,} open"] if left_open else []
    return ", ".join(parts)


@dataclass
class Counts:
    """How wrong versions fared: refuted at a certified point, true as well, or left open."""

    refuted: int = 0
    equal: list[str] = field(default_factory=list)
    open: int = 0

    def __str__(self) -> str:
        return in_words(self.refuted, len(self.equal), self.open)
