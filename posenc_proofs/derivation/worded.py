"""A theorem that is stated in words: the checker proved its steps, and says no more than that."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar


@dataclass(frozen=True)
class Worded:
    """A title, a statement in Markdown, and its steps by label, with a title where they are in words, too."""

    label: str
    derivation: str
    title: str
    words: str
    steps: dict[str, str]
    kind: ClassVar[str] = "words"

    def badge(self, linked: bool = False) -> str:
        """One line: that it is in words, and what its steps are."""
        verb = "steps are" if len(self.steps) > 1 else "step is"
        shown = (_link(*step) for step in self.steps.items()) if linked else self.steps
        return f"¶ in words; its {verb} {', '.join(shown)}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "text/plain": f"{self.label}: {self.badge()}",
            "text/markdown": self.markdown(),
            "application/vnd.posenc.step+json": self.record(),
        }

    def markdown(self) -> str:
        """A quotation that prose elsewhere can link to, and the badge below it."""
        quoted = "\n".join(f"> {line}".rstrip() for line in f"**{self.title}.** {self.words}".splitlines())
        badge = f'<p class="check check-words">{self.badge(linked=True)}</p>'
        return f'({self.label})=\n{quoted}\n\n<div class="check-box">{badge}</div>\n'

    def record(self) -> dict[str, Any]:
        """What the ledger keeps."""
        texts = ("latex", "scope", "reach", "source", "library", "counterexample")
        lists = ("meant", "axioms", "methods", "reasons", "rests_on", "wrong_versions")
        return {
            **{"label": self.label, "derivation": self.derivation, "kind": self.kind, "status": self.kind},
            **{"title": self.title, "words": self.words, "uses": list(self.steps), "letters": {}},
            **dict.fromkeys(texts, ""),
            **{name: [] for name in lists},
            **{"certificates": {}, "rows": 0, "mutants": {"refuted": 0, "equal": [], "open": 0}},
        }


def _link(label: str, title: str) -> str:
    """An equation's label, of which the book makes its number; the title of a theorem."""
    return f'<a href="#{label if title else f"equation-{label}"}">{escape(title) or label}</a>'
