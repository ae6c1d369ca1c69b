"""What a derivation keeps of each step, and how it shows itself in a notebook and in the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from sympy import Basic, Indexed, Symbol, srepr
from sympy.matrices import MatrixBase

from ..terms.statement import Statement
from ..terms.verdict import Verdict
from .printer import RELATION_LATEX, aligned
from .wrong import WrongVersion

MARK = {
    "proved": "✔",
    "refuted": "✘",
    "assumed": "◇",
    "defined": "≔",
    "recalled": "↩",
    "sampled": "≈",
    "cited": "❝",
}
WORD = {
    "proved": "proved",
    "refuted": "false as printed",
    "assumed": "assumed here",
    "defined": "definition",
    "recalled": "proved elsewhere",
    "sampled": "evidence, not proof",
    "cited": "cited, not checked here",
}


@dataclass(frozen=True)
class Mutation:
    """How the wrong versions of a step fared.

    ``refuted`` fail at a certified point. ``equal`` are not wrong: equal in value, or bounds that hold too.
    ``open`` are the rest, tighter versions of a bound with room to spare: neither refuted, nor accepted by
    the rule with the reasons given. ``shown`` are a few wrong versions of the row as it is printed, for
    readers to look at.
    """

    refuted: int = 0
    equal: tuple[str, ...] = ()
    open: int = 0
    shown: tuple[WrongVersion, ...] = field(default=(), compare=False)

    def __add__(self, other: Mutation) -> Mutation:
        counts = self.refuted + other.refuted, self.equal + other.equal, self.open + other.open
        return Mutation(*counts, self.shown + other.shown)

    def __str__(self) -> str:
        return in_words(self.refuted, len(self.equal), self.open)


def in_words(refuted: int, equal: int, left_open: int) -> str:
    """How wrong versions fared: "12 wrong versions refuted, 2 true as well"; "" if none was made.

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


@dataclass(frozen=True)
class Link:
    """One row: a relation, its right side, the reason, and what the check said."""

    relation: str
    right: Any
    because: str
    verdict: Verdict
    mutation: Mutation = field(default_factory=Mutation)
    remainder: str = ""
    reach: str = ""


@dataclass(frozen=True)
class Result:
    """A labelled statement with its verdict. In a notebook it shows itself as a numbered equation."""

    label: str
    derivation: str
    left: Any
    links: tuple[Link, ...]
    kind: str
    source: str
    uses: tuple[str, ...] = ()
    library: str = ""
    rests_on: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()  # what the names in it stand for, as it is printed
    written: tuple[tuple[str, ...], ...] = ()  # its sides as their author wrote them: the terms of each

    @property
    def verdict(self) -> Verdict:
        """The weakest link decides."""
        order = ("refuted", "undecided", "sampled", "assumed", "cited", "defined", "recalled", "proved")
        return min((link.verdict for link in self.links), key=lambda v: order.index(v.status))

    @property
    def scope(self) -> str:
        """The values for which every row was shown."""
        return "; ".join(dict.fromkeys(link.verdict.scope for link in self.links if link.verdict.scope))

    @property
    def claims(self) -> tuple[Any, ...]:
        """What the kernel rebuilt of the rows, each with its certificate."""
        return tuple(claim for link in self.links for claim in link.verdict.claims)

    @property
    def right(self) -> Any:
        """The last right-hand side."""
        return self.links[-1].right

    @property
    def wrong_versions(self) -> Mutation:
        """How the wrong versions of all rows fared."""
        return sum((link.mutation for link in self.links), Mutation())

    def statement(self) -> Statement:
        """The first side against the last: strict where one row is, and in one direction."""
        relations = {link.relation for link in self.links} - {"=", ":="}
        strict = relations & {"<", ">", "!="}
        if len({relation[0] for relation in relations}) > 1:
            raise ValueError(f"{self.label}: rows in different directions, {sorted(relations)}")
        relation = min(strict or relations, default="=")
        return Statement(self.left, relation, self.right)

    def equations(self) -> list[Statement]:
        """The equations a later step may use: the first side against each row reached by equalities."""
        found = []
        for link in self.links:
            if link.relation not in ("=", ":="):
                break
            found.append(Statement(self.left, "=", link.right))
        return found

    def free_symbols(self) -> set[Symbol]:
        sides = [self.left, *(link.right for link in self.links)]
        sides = [side for side in sides if isinstance(side, (Basic, MatrixBase))]
        sequences = {entry.base.label for side in sides for entry in side.atoms(Indexed)}
        return {s for side in sides for s in side.free_symbols - sequences if isinstance(s, Symbol)}

    def latex(self) -> str:
        """The statement, as its author wrote it or as SymPy orders it; ≟ marks a false one."""
        asked = r"\overset{?}{%s}" if self.kind == "refuted" else "%s"
        left, *sides = self.written or (self.left, *(link.right for link in self.links))
        relations = [asked % RELATION_LATEX[link.relation] for link in self.links]
        rests = [link.remainder for link in self.links]
        return aligned(left, list(zip(relations, sides, rests, strict=True)))

    def badge(self, show: Callable[[str], str] = str) -> str:
        """One line: what was shown, how, for which values, and how many wrong versions were refuted."""
        verdict = self.verdict
        word = "refuted" if self.kind == "refuted" and not self.source else WORD[self.kind]
        parts = [f"{MARK[self.kind]} {word}"]
        if self.kind == "recalled":
            parts = [f"{parts[0]}: {show(self.label)}"]
        if self.kind in ("proved", "sampled"):
            parts.append("; ".join(dict.fromkeys(link.verdict.method for link in self.links)))
        parts += [self.scope] if self.scope and self.kind != "refuted" else []
        if self.kind == "refuted":
            parts.append(f"fails {verdict.counterexample}")
        parts += [str(self.wrong_versions)] if str(self.wrong_versions) else []
        parts += ["rests on " + ", ".join(map(show, self.rests_on))] if self.rests_on else []
        parts += [self.source] if self.source else []
        return " · ".join(parts)

    def reasons(self) -> list[str]:
        return [link.because for link in self.links if link.because]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "text/plain": f"{self.label}: {self.badge()}",
            "text/markdown": self.markdown(),
            "application/vnd.posenc.step+json": self.record(),
        }

    def markdown(self) -> str:
        """A numbered equation that prose elsewhere can cite, its reasons, and the badge.

        A recalled one has no number of its own: it points to the page that proves it.
        """
        reasons = self.reasons()
        listed = "".join(f"<li>{escape(reason)}</li>" for reason in reasons)
        why = f'<ol class="check-reasons">{listed}</ol>' if len(reasons) > 1 else ""
        if len(reasons) == 1:
            why = f'<p class="check-reasons">{escape(reasons[0])}</p>'
        shown = re.sub("\0(.*?)\0", r'<a href="#equation-\1">\1</a>', escape(self.badge("\0{}\0".format)))
        badge = f'<p class="check check-{self.kind}">{shown}</p>'
        number = "" if self.kind == "recalled" else f" ({self.label})"
        return f'$$\n{self.latex()}\n$${number}\n\n<div class="check-box">{why}{badge}</div>\n'

    def record(self) -> dict[str, Any]:
        """What the ledger keeps."""
        wrong = self.wrong_versions
        verdict = self.verdict
        return {
            "label": self.label,
            "derivation": self.derivation,
            "kind": self.kind,
            "latex": self.latex(),
            "meant": list(self.meant),
            "statement": f"{srepr(self.left)} {self.statement().relation} {srepr(self.right)}",
            "status": verdict.status,
            "axioms": sorted({axiom for claim in self.claims for axiom in claim.result.theorem.axioms}),
            "certificates": {claim.name: claim.certificate for claim in self.claims},
            "methods": list(dict.fromkeys(link.verdict.method for link in self.links)),
            "scope": self.scope,
            "reach": "; ".join(dict.fromkeys(link.reach for link in self.links if link.reach)),
            "rows": len(self.links),
            "reasons": [link.because for link in self.links],
            "uses": list(self.uses),
            "rests_on": list(self.rests_on),
            "source": self.source,
            "library": self.library,
            "counterexample": str(verdict.counterexample) if verdict.counterexample else "",
            "mutants": {"refuted": wrong.refuted, "equal": list(wrong.equal), "open": wrong.open},
            "wrong_versions": self._wrong_versions(),
        }

    def _wrong_versions(self) -> list[dict[str, Any]]:
        """Those of all rows, each with the number of its row."""
        before = [self.left, *(link.right for link in self.links)]
        found = []
        for k, link in enumerate(self.links):
            left = self.written[k] if self.written else before[k]
            author = self.written[k + 1] if self.written else None
            of_row = (wrong.record(left, link.relation, link.right, author) for wrong in link.mutation.shown)
            found += [{"row": k + 1, **wrong} for wrong in of_row]
        return found
