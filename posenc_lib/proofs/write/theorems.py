"""The theorems behind a derivation's rows: found by the search, rebuilt by the kernel, certified."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sympy import Basic, Symbol
from sympy.core.relational import Relational

from ..kernel import Refused, Result, replay
from ..kernel.terms import ONE, Term, add, has_words, letters, sub
from ..kernel.theorem import Formula, Theorem
from ..rules.identity import identity
from ..rules.rule import Rule
from ..search import equations, inequalities, read
from ..search.matrix_models import possible
from ..search.order import turned
from ..search.proof import NotFound, Proof
from ..search.unfold import both, unfolded
from ..terms.statement import Statement
from .conditions import divisors_not_said, in_words, orders_not_said
from .definitions import Head
from .reading import Reading

NOT_REBUILT = (NotFound, Refused, read.Outside, ValueError, NotImplementedError)
STRONGER = {"<=": "<"}


class Claim(NamedTuple):
    """What one certificate shows: its name, its JSON, and what the kernel says of it."""

    name: str
    certificate: str
    result: Result


class Unsaid(NotFound):
    """Shown, but not as the row says it: under another condition, or from fewer premises."""


class Theorems:
    """What a derivation has shown, as theorems of the kernel; a defined name is a hypothesis."""

    def __init__(self) -> None:
        self.proof, self.reading = Proof(), Reading()
        self.meanings: dict[str, Theorem] = {}
        self.models: dict[str, Theorem] = {}
        self.supposed: dict[str, list[Theorem]] = {}  # hypotheses, by label
        self.possible: dict[Theorem, Theorem] = {}  # hypotheses as the definitions of now show them
        self.claimed: dict[str, Theorem] = {}  # by the name of the claim, as the kernel rebuilt them
        self.rows: dict[str, list[list[Theorem]]] = {}  # by label: for each row, its entries
        self.defined: dict[str, tuple[Head, Any]] = {}  # by label

    def unfolded(self, t: Term) -> Theorem:
        return unfolded(self.proof, t, self.meanings)

    def term(self, e: Any) -> Term:
        """A scalar without defined names, for a rule."""
        (t,) = self.reading.terms(e)
        return self.unfolded(t).right

    # What is taken for granted

    def define(self, label: str, head: Head, body: Any) -> None:
        """``head := body`` as a hypothesis for all its parameters."""
        self.defined[label] = head, body
        self.possible.clear()
        with suppress(*NOT_REBUILT):
            for left, right in self.reading.define(head, body):
                self.meanings[left.data[0]] = self.proof.step("assume", list(left.args), left, "=", right)

    def assume(self, label: str, said: Statement, constants: Collection[Symbol] = ()) -> None:
        """A hypothesis, for all letters but the constants."""
        left, relation, right = turned(*said[:3])
        with suppress(*NOT_REBUILT):
            fixed, rows = {read.term(c) for c in constants}, []
            for a, b in self.reading.sides(left, right):
                universal = sorted(letters(a, b) - fixed, key=str)
                rows.append(self.proof.step("assume", universal, a, relation, b))
            self.supposed[label], self.rows[label] = rows, [rows]

    def recall(self, label: str, name: str, said: Statement) -> tuple[Claim, ...]:
        """What another page proves under a label, with what its names stand for here, as claims ``name``.

        Raises:
            NotFound, Outside, ValueError: if the kernel has no terms for it.
        """
        left, relation, right = turned(*said[:3])
        supposed = [self._condition(c) for c in said.where if isinstance(c, Relational)]
        sides, rows = self.reading.sides(left, right), []
        for k, (a, b) in enumerate(sides, 1):
            own = f"{label}[{k}]" if len(sides) > 1 else label
            there = self.proof.proved_elsewhere(own, a, relation, b)
            self.claimed[own] = there
            rows.append(self.proof.step("recall", there, [*self._meant(a, b), *supposed], a, relation, b))
        self.rows[label] = [rows]
        return self.claims(name, rows)

    def _condition(self, c: Relational) -> Theorem:
        left, relation, right = turned(c.lhs, {"==": "="}.get(c.rel_op, c.rel_op), c.rhs)
        return self.proof.step("assume", [], read.term(left), relation, read.term(right))

    def _meant(self, *sides: Term) -> list[Theorem]:
        """The definitions of all names in some terms, and in what these stand for."""
        asked = frozenset[Formula]().union(*(self.unfolded(side).hypotheses for side in sides))
        return [d for d in self.meanings.values() if d.hypotheses <= asked]

    def model(self, head: Head, body: Any) -> None:
        """A definition by which hypotheses can hold, or a value of a constant."""
        self.possible.clear()
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
        if label in self.defined:
            head, body = self.defined[label]
            return [self.row(head, "=", body, identity)]
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

    def row(
        self, left: Any, relation: str, right: Any, by: Rule, where: Sequence[Basic] = ()
    ) -> list[Theorem]:
        """The theorems of a row, one for each entry or case; ``where`` are the conditions that it states.

        Raises:
            Unsaid: naming the condition that it does not state, or if the rule names what it does not need.
            NotFound, Refused, Outside, ValueError, NotImplementedError: if there is no proof.
        """
        found, asked = self._row(left, relation, right, by)
        missing = divisors_not_said(self.proof, found, where)
        if not by.reach():
            missing += orders_not_said(found, where)
        taken = {h for rows in self.supposed.values() for th in rows for h in th.hypotheses}
        missing = [h for h in missing if h not in taken | self.proof.elsewhere]
        if missing:
            conditions = " and ".join(dict.fromkeys(map(in_words, missing)))
            raise Unsaid(f"shown only where {conditions}: state it as a condition, where=[…]")
        for weaker in by.weaker():
            try:
                self._row(left, relation, right, weaker)
            except NOT_REBUILT:
                continue
            raise Unsaid(f"only {', '.join(map(str, weaker.references()))} is used")
        return asked

    def holds(self, said: Statement, by: Rule = identity) -> bool:
        """Whether the kernel rebuilds a row, of which nothing is kept."""
        try:
            for th in self.row(*said[:3], by, said.where):
                self._replayed(th)
        except NOT_REBUILT:
            return False
        return True

    def claims(self, name: str, theorems: list[Theorem]) -> tuple[Claim, ...]:
        """Certificates, each replayed; later ones may name what they show."""
        made = []
        for k, th in enumerate(theorems, 1):
            own = f"{name}[{k}]" if len(theorems) > 1 else name
            if id(th) in self.proof.claims:  # an entry that says the same has a claim: this one repeats it
                th = self.proof.step("rewrite", th, [], th.right)
            text, result = self._replayed(th)
            self.claimed[own] = result.theorem
            self.proof.claim(own, th)
            made.append(Claim(own, text, result))
        return tuple(made)

    def _replayed(self, th: Theorem) -> tuple[str, Result]:
        text = self.proof.certificate(th, self._shown_possible(th))
        return text, replay(text, self.claimed, self.proof.elsewhere)

    def _row(self, left: Any, relation: str, right: Any, by: Rule) -> tuple[list[Theorem], list[Theorem]]:
        """What the search found without defined names, and the same as it was asked for, or nothing."""
        left, relation, right = turned(left, relation, right)
        cases = by.cases(self.reading.sides(left, right))
        opened = [(self.unfolded(a), self.unfolded(b)) for a, b in cases]
        found = by.find(self.proof, [(u.right, v.right) for u, v in opened], relation, self)
        if len(found) != len(opened):
            raise NotFound("the search found something else")
        return found, [
            self._as_asked(u, th, v, relation, by) for (u, v), th in zip(opened, found, strict=True)
        ]

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

    def _shown_possible(self, th: Theorem) -> list[Theorem]:
        """The definitions that a theorem rests on, and its other hypotheses proved from definitions."""
        found = [d for d in self.meanings.values() if d.hypotheses <= th.hypotheses]
        of_matrices = [h for h in th.hypotheses if has_words(h.left, h.right)]
        found += possible(self.proof, of_matrices, self.reading.columns)
        for h in itertools.chain(*self.supposed.values()):
            if h.hypotheses <= th.hypotheses.difference(of_matrices):
                if h not in self.possible:
                    self.possible[h] = self._possible(h)
                found.append(self.possible[h])
        return found

    def _possible(self, h: Theorem) -> Theorem:
        """A hypothesis proved from definitions, those of the model too."""
        every = {**self.meanings, **self.models}
        a, b = (unfolded(self.proof, side, every) for side in (h.left, h.right))
        left, right = a.right, b.right
        if h.relation == "=":
            shown = equations.identity(self.proof, left, right, False)
        else:
            shown = inequalities.sum_up(self.proof, left, h.relation, right, [], sub(right, left))
        return self.proof.between(a, shown, b)
