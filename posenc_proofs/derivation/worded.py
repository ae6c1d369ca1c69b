"""A theorem that is stated in words: the checker proved its steps, and says no more than that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..latex.shown import badge, bundle


@dataclass(frozen=True)
class Worded:
    """A title, a statement in Markdown, and its steps by label, with a title where they are in words, too."""

    label: str
    derivation: str
    title: str
    words: str
    steps: dict[str, str]
    kind: ClassVar[str] = "words"

    def badge(self) -> str:
        """One line: that it is in words, and what its steps are."""
        return badge(self.record())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return bundle(self.record(), {**self.steps, self.label: self.title})

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
