"""The theorems behind a derivation's rows: found by the search, rebuilt by the kernel, certified."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from sympy import Basic, Symbol

from ..kernel import Refused, Result, replay
from ..kernel.domains import lies
from ..kernel.terms import ONE, Term, add, letters
from ..kernel.theorem import Formula, Theorem
from ..search import read
from ..search.equations import identity
from ..search.proof import NotFound, Proof
from ..search.signs import signed
from ..search.unfold import both, unfolded
from ..terms.statement import POLES, Statement
from ..terms.undefined import divisors, gaps
from ..terms.verdict import Verdict
from .conditions import divisors_not_said, in_words, orders_not_said
from .definitions import Head
from .reading import Reading

NOT_REBUILT = (NotFound, Refused, read.Outside, ValueError, NotImplementedError)
STRONGER = {"<=": "<"}
NotSaid = Callable[[Iterable[Theorem], Sequence[Basic]], list[Formula]]


class Claim(NamedTuple):
    """What one certificate shows: its name, its JSON, and what the kernel says of it."""

    name: str
    certificate: str
    result: Result


class Shown(NamedTuple):
    """The claims of a row and what they ask for besides, in words; or why the kernel has none."""

    claims: tuple[Claim, ...]
    asks: tuple[str, ...] = ()
    reason: str = ""


def rebuilt_as(verdict: Verdict, shown: Shown) -> Verdict:
    """Proved, under the conditions that the theorem states; or checked, and why it is not proved."""
    scope = verdict.scope
    if shown.asks and POLES not in scope:
        scope += ", where " + ", ".join(shown.asks).replace("!=", "≠")
    status = "proved" if shown.claims else "checked"
    return replace(verdict, status=status, scope=scope, claims=shown.claims, reason=shown.reason)


class Unsaid(NotFound):
    """Shown only under a condition that the row does not state."""


class Theorems:
    """What a derivation has shown, as theorems of the kernel; a defined name is a hypothesis."""

    def __init__(self) -> None:
        self.proof, self.reading = Proof(), Reading()
        self.meanings: dict[str, Theorem] = {}
        self.models: dict[str, Theorem] = {}
        self.supposed: dict[str, list[Theorem]] = {}  # hypotheses, by label
        self.claimed: dict[str, Theorem] = {}  # by the name of the claim, as the kernel rebuilt them
        self.rows: dict[str, list[list[Theorem]]] = {}  # by label: for each row, its entries

    def unfolded(self, t: Term) -> Theorem:
        return unfolded(self.proof, t, self.meanings)

    def term(self, e: Any) -> Term:
        """A scalar without defined names, for a rule."""
        (t,) = self.reading.terms(e)
        return self.unfolded(t).right

    # What is taken for granted

    def define(self, head: Head, body: Any) -> None:
        """``head := body`` as a hypothesis for all its parameters."""
        with suppress(*NOT_REBUILT):
            for left, right in self.reading.define(head, body):
                self.meanings[left.data[0]] = self.proof.step("assume", list(left.args), left, "=", right)

    def assume(self, label: str, left: Any, right: Any, constants: set[Symbol]) -> None:
        """A hypothesis, for all letters but the constants."""
        with suppress(*NOT_REBUILT):
            fixed, rows = {read.term(c) for c in constants}, []
            for a, b in self.reading.sides(left, right):
                universal = sorted(letters(a, b) - fixed, key=str)
                rows.append(self.proof.step("assume", universal, a, "=", b))
            self.supposed[label], self.rows[label] = rows, [rows]

    def model(self, head: Head, body: Any) -> None:
        """A definition by which hypotheses can hold, or a value of a constant."""
        with suppress(*NOT_REBUILT):
            (left,), (right,) = self.reading.terms(head), self.reading.terms(body)
            self.models[left.data[0]] = self.proof.step("assume", list(left.args), left, "=", right)

    # What rules use

    def equations(self, references: Sequence[Any]) -> list[Theorem]:
        """Earlier results as equations without defined names."""
        found = []
        for reference in references:
            rows = self._rows(reference)
            for n in range(1, len(rows) + 1):
                if not rows[n - 1] or any(th.relation != "=" for th in rows[n - 1]):
                    break
                for entry in zip(*rows[:n], strict=True):
                    found.append(self._instance(reference, self.proof.chain(list(entry))))
        return found

    def relation(self, reference: Any) -> Theorem:
        """An earlier result, its first side against the last."""
        chains = list(zip(*self._rows(reference), strict=True))
        if len(chains) != 1:
            raise NotFound(f"{reference} is not rebuilt as one statement")
        return self._instance(reference, self.proof.chain(list(chains[0])))

    def _rows(self, reference: Any) -> list[list[Theorem]]:
        label = getattr(reference, "label", reference)
        rows = self.rows.get(label, [])
        if not all(rows) or not rows:
            raise NotFound(f"{label} is not rebuilt")
        return rows

    def _instance(self, reference: Any, th: Theorem) -> Theorem:
        values = [(read.term(x), *self.reading.terms(v)) for x, v in getattr(reference, "values", ())]
        if values:
            th = self.proof.step("instantiate", th, values, [])
        return both(self.proof, th, self.meanings)

    # What is shown

    def prove(
        self, label: str, left: Any, rows: Sequence[tuple[str, Any, Any]], where: Sequence[Any] = ()
    ) -> list[Shown]:
        """What the kernel rebuilds of a chain ``left = right = ...``; a row: relation, right side, rule.

        A theorem may ask that something is not 0, which is said with it; that one thing is at most another
        only if it stands in ``where``, or the rule names it.
        """
        shown: list[Shown] = []
        self.rows[label] = []
        for n, (relation, right, by) in enumerate(rows, 1):
            try:
                theorems = self._row(left, relation, right, by)
                self._require_said(orders_not_said, theorems, by, where)
                self.rows[label].append(theorems)
                name = f"{label}.{n}" if len(rows) > 1 else label
                asks = dict.fromkeys(map(in_words, divisors_not_said(theorems, where)))
                shown.append(Shown(self._claims(name, theorems), tuple(asks)))
            except NOT_REBUILT as reason:
                self.rows[label] += [[]] * (n - len(self.rows[label]))
                shown.append(Shown((), reason=str(reason) or type(reason).__name__))
            left = right
        return shown

    def require(self, row: Statement, by: Any) -> None:
        """Refuse a row without defined names that the kernel does not rebuild as it is stated.

        Raises:
            Unsaid: naming the condition that it does not state, or if the rule names what it does not need.
            NotFound, Refused, Outside, ValueError: if there is no proof.
        """
        denominators = {sign * base for base in divisors(row.left, row.right) for sign in (1, -1)}
        for gap in gaps(row.left, row.right):
            if gap in gaps(gap) or not (gap in denominators or self._not_zero(gap)):
                raise Unsaid(f"a side has no value where {gap} vanishes or has none")
        theorems = self._row(row.left, row.relation, row.right, by)
        for not_said in (orders_not_said, divisors_not_said):
            self._require_said(not_said, theorems, by, row.where)
        for th in theorems:
            replay(self.proof.certificate(th, self._shown_possible(th)), self.claimed)
        for weaker in by.weaker():
            try:
                self._row(row.left, row.relation, row.right, weaker)
            except NOT_REBUILT:
                continue
            raise Unsaid(f"only {', '.join(map(str, weaker.references()))} is used")

    def _not_zero(self, e: Any) -> bool:
        t = read.term(e)
        return lies(t, "!=0") or signed(self.proof, t) is not None

    def _require_said(
        self, not_said: NotSaid, theorems: list[Theorem], by: Any, where: Sequence[Basic]
    ) -> None:
        if not by.reach() and (missing := not_said(theorems, where)):
            conditions = " and ".join(dict.fromkeys(map(in_words, missing)))
            raise Unsaid(f"shown only where {conditions}: state it as a condition, where=[…]")

    def _row(self, left: Any, relation: str, right: Any, by: Any) -> list[Theorem]:
        """The theorems of a row, one for each entry or case: they say what was asked, or nothing is shown."""
        if relation in (">", ">="):
            left, relation, right = right, {">": "<", ">=": "<="}[relation], left
        cases = by.cases(self.reading.sides(left, right))
        opened = [(self.unfolded(a), self.unfolded(b)) for a, b in cases]
        rows = [(u.right, v.right) for u, v in opened]
        found = by.find(self.proof, rows, relation, self)
        if len(found) != len(rows):
            raise NotFound("the search found something else")
        return [self._as_asked(u, th, v, relation, by) for (u, v), th in zip(opened, found, strict=True)]

    def _as_asked(self, u: Theorem, th: Theorem, v: Theorem, relation: str, by: Any) -> Theorem:
        """The theorem th about the right sides of u and v as one about their left sides.

        A rule may allow a remainder, which th states behind the right side.
        """
        rest = th.right.args[1:] if by.remainder() else ()
        right = add(v.right, *rest) if rest else v.right
        said = (th.left, th.right) == (u.right, right) and by.accepts(rest)
        if not said or th.relation not in (relation, STRONGER.get(relation)):
            raise NotFound("the search found something else")
        if rest:
            there = self.proof.combine(add(v.left, *rest), right, [(ONE, v)])
            return self.proof.between(u, th, there)
        return self.proof.between(u, th, v)

    def _claims(self, name: str, theorems: list[Theorem]) -> tuple[Claim, ...]:
        """Certificates, each replayed; later ones may name what they show."""
        made = []
        for k, th in enumerate(theorems, 1):
            own = f"{name}[{k}]" if len(theorems) > 1 else name
            if id(th) in self.proof.claims:  # an entry that says the same has a claim: this one repeats it
                th = self.proof.step("rewrite", th, [], th.right)
            text = self.proof.certificate(th, self._shown_possible(th))
            result = replay(text, self.claimed)
            self.claimed[own] = result.theorem
            self.proof.claim(own, th)
            made.append(Claim(own, text, result))
        return tuple(made)

    def _shown_possible(self, th: Theorem) -> list[Theorem]:
        """The definitions that a theorem rests on, and its other hypotheses proved from definitions."""
        found = [d for d in self.meanings.values() if d.hypotheses <= th.hypotheses]
        every = {**self.meanings, **self.models}
        for h in itertools.chain(*self.supposed.values()):
            if h.hypotheses <= th.hypotheses:
                a, b = (unfolded(self.proof, side, every) for side in (h.left, h.right))
                found.append(self.proof.between(a, identity(self.proof, a.right, b.right, False), b))
        return found
