"""What a derivation knows so far: what is said of letters, defined, supposed and shown."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from ..kernel.terms import Term
from ..kernel.theorem import Theorem
from ..search.proof import Proof
from ..search.unfold import both, unfolded
from .blocks import Misread
from .reading import Reading


class Known:
    """The state of a derivation, which its rules, its wrong versions and its records read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reading, self.proof = Reading(), Proof()
        self.results: dict[str, Any] = {}  # by label
        self.meanings: dict[str, Theorem] = {}  # of names that are declared and defined
        self.models: dict[str, Theorem] = {}
        self.shown_models: list[str] = []
        self.matrix_models: dict[str, tuple[tuple[str, ...], list[list[Term]]]] = {}
        self.size = 0  # of the matrices in the model
        self.supposed: dict[str, list[Theorem]] = {}
        self.spoken: dict[str, list[Theorem]] = {}  # what a result uses of earlier ones, at their values
        self.chains: dict[str, list[list[Theorem]]] = {}
        self.claimed: dict[str, Theorem] = {}

    def opened(self, t: Term) -> Theorem:
        """t = t without names that are defined."""
        return unfolded(self.proof, t, self.meanings)

    def equations(self, label: str, at: Mapping[Term, Term]) -> list[Theorem]:
        """An earlier result as equations: its first side against each row reached by equalities."""
        chain = self._chain(label)
        equal = list(itertools.takewhile(lambda ths: all(th.relation == "=" for th in ths), chain))
        return [
            self._instance(label, list(entry), at)
            for n in range(1, len(equal) + 1)
            for entry in zip(*equal[:n], strict=True)
        ]

    def whole(self, label: str, at: Mapping[Term, Term]) -> Theorem:
        """An earlier result, its first side against the last."""
        (entry,) = zip(*self._chain(label), strict=True)
        return self._instance(label, list(entry), at)

    def _chain(self, label: str) -> list[list[Theorem]]:
        if label not in self.chains:
            raise Misread(f"{label} is no earlier result; there are {', '.join(self.chains) or 'none'}")
        return self.chains[label]

    def _instance(self, label: str, entry: list[Theorem], at: Mapping[Term, Term]) -> Theorem:
        th = self.proof.chain(entry)
        if at:
            th = self.proof.step("instantiate", th, list(at.items()), [])
        found = both(self.proof, th, self.meanings)
        self.spoken.setdefault(label, []).append(found)
        return found
