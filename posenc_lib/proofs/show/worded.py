"""A theorem that is stated in words: the checker proved its steps, and says no more than that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from .results import Result

MARK = "¶"
WORD = "in words"


@dataclass(frozen=True)
class Worded:
    """A title, a statement in Markdown, and the results that are its steps; nothing follows from it."""

    label: str
    derivation: str
    title: str
    words: str
    steps: tuple[Result | Worded, ...]
    kind: ClassVar[str] = "words"

    @property
    def uses(self) -> tuple[str, ...]:
        return tuple(step.label for step in self.steps)

    def badge(self, show: Callable[[Result | Worded], str] = lambda step: step.label) -> str:
        """One line: that it is in words, and what its steps are."""
        verb = "steps are" if len(self.steps) > 1 else "step is"
        return f"{MARK} {WORD}; its {verb} {', '.join(map(show, self.steps))}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "text/plain": f"{self.label}: {self.badge()}",
            "text/markdown": self.markdown(),
            "application/vnd.posenc.step+json": self.record(),
        }

    def markdown(self) -> str:
        """A quotation that prose elsewhere can link to, and the badge below it."""
        quoted = "\n".join(f"> {line}".rstrip() for line in f"**{self.title}.** {self.words}".splitlines())
        badge = f'<p class="check check-words">{self.badge(_linked)}</p>'
        return f'({self.label})=\n{quoted}\n\n<div class="check-box">{badge}</div>\n'

    def record(self) -> dict[str, Any]:
        """What the ledger keeps."""
        return {
            "label": self.label,
            "derivation": self.derivation,
            "kind": self.kind,
            "title": self.title,
            "latex": "",
            "meant": [],
            "words": self.words,
            "statement": "",
            "status": self.kind,
            "axioms": [],
            "certificates": {},
            "methods": [],
            "scope": "",
            "reach": "",
            "rows": 0,
            "reasons": [],
            "uses": list(self.uses),
            "rests_on": [],
            "source": "",
            "library": "",
            "counterexample": "",
            "mutants": {"refuted": 0, "equal": [], "open": 0},
            "wrong_versions": [],
        }


def _linked(step: Result | Worded) -> str:
    """An equation's label, of which the book makes its number; the title of a theorem."""
    if isinstance(step, Worded):
        return f'<a href="#{step.label}">{escape(step.title)}</a>'
    return f'<a href="#equation-{step.label}">{step.label}</a>'
