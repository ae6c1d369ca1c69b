"""A proof while it is being found: kernel rules, and what they were called with."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from ..kernel.axioms import AXIOMS
from ..kernel.terms import BINDERS, ONE, ZERO, Term, neg
from ..kernel.theorem import RULES, Formula, Theorem

Parts = list[tuple[Term, Theorem]]


class NotFound(Exception):
    """No proof was found; the statement may be true all the same."""


def written(a: Any) -> Any:
    """A term, a number, a formula or a list of such as plain JSON, as ``kernel.terms.read`` takes it."""
    if isinstance(a, Term):
        data = [written(d) if type(d) is Fraction else d for d in a.data]
        args = [written(b) for b in a.args]
        if a.head == "^":
            return [a.head, *args, *data]
        return [a.head, *([a.hint] if a.head in BINDERS else data), *args]
    if isinstance(a, Fraction):
        return str(a)
    if isinstance(a, Formula):
        return [sorted(map(written, a.universal)), written(a.left), a.relation, written(a.right)]
    return [written(b) for b in a] if isinstance(a, (list, tuple)) else a


class Proof:
    """Steps, in order; ``certificate`` keeps those that its theorem rests on."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, tuple[Any, ...], Theorem]] = []
        self.number: dict[int, int] = {}
        self.normal: dict[Term, Theorem] = {}  # what `normal.normal` found

    def step(self, name: str, *args: Any) -> Theorem:
        th = RULES[name][0](*args)
        self.number[id(th)] = len(self.steps)
        self.steps.append((name, args, th))
        return th

    def axiom(self, name: str, *args: Any, signs: list[Theorem] | None = None) -> Theorem:
        return self.step("axiom", (name, list(args)), signs or [])

    def ring(self, left: Term, right: Term) -> Theorem:
        return self.step("ring", left, right)

    def combine(
        self,
        left: Term,
        right: Term,
        parts: Parts,
        unit: list[Term] | None = None,
        signs: list[Theorem] | None = None,
    ) -> Theorem:
        return self.step("combine", left, right, unit or [], parts, signs or [])

    def over(self, s: Term, th: Theorem, x: Term, signs: list[Theorem] | None = None) -> Theorem:
        """``th``, about the index x, over the range of the binder s."""
        return self.step("over", s.head, th, x, s.hint, *s.args[:2], signs or [])

    def adding(
        self,
        left: Term,
        relation: str,
        right: Term,
        parts: Parts,
        rest: Term = ZERO,
        signs: list[Theorem] | None = None,
    ) -> Theorem:
        return self.step("adding", left, relation, right, parts, rest, signs or [])

    def joined(self, first: Theorem, second: Theorem) -> Theorem:
        """a = b, c = b: a = c, where ring calls both b the same."""
        return self.combine(first.left, second.left, [(ONE, first), (neg(ONE), second)])

    def certificate(self, th: Theorem, model: list[Theorem] | None = None) -> str:
        """The JSON from which the kernel rebuilds ``th``."""
        needed: dict[int, None] = {}

        def visit(a: Any) -> None:
            if isinstance(a, Theorem):
                n = self.number[id(a)]
                if n not in needed:
                    visit(self.steps[n][1])
                    needed[n] = None
            elif isinstance(a, (list, tuple)):
                for b in a:
                    visit(b)

        visit([*(model or []), th])
        place = {n: k for k, n in enumerate(needed)}

        def coded(kind: Any, a: Any) -> Any:
            if kind == "theorem":
                return place[self.number[id(a)]]
            if kind == "axiom":
                return [a[0], *coded(AXIOMS[a[0]].signature, a[1])]
            if isinstance(kind, tuple):
                return [coded(k, b) for k, b in zip(kind, a, strict=True)]
            return [coded(kind[0], b) for b in a] if isinstance(kind, list) else written(a)

        steps = [[self.steps[n][0], *coded(RULES[self.steps[n][0]][1], self.steps[n][1])] for n in needed]
        claim = {
            "hypotheses": [written(h) for h in th.hypotheses],
            "left": written(th.left),
            "relation": th.relation,
            "right": written(th.right),
        }
        if needed and list(needed)[-1] != self.number[id(th)]:
            raise AssertionError("the theorem is the last step")
        return json.dumps(
            {"claim": claim, "steps": steps, "model": coded(["theorem"], model or [])},
            ensure_ascii=False,
            separators=(",", ":"),
        )
