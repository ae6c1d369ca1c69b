"""A proof while it is being found: kernel rules, and what they were called with."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from ..kernel.domains import along, lies
from ..kernel.replay import VERSION
from ..kernel.ring import canon, poly
from ..kernel.terms import BINDERS, ONE, ZERO, Term, at, fresh, letters, neg, substitute, subterms, var
from ..kernel.theorem import RULES, Formula, Theorem

MINUS = neg(ONE)
Parts = list[tuple[Term, Theorem]]
Signs = Sequence[Theorem]
Terms = Sequence[Term]


def _alike(these: tuple[Term, Term], those: tuple[Term, Term]) -> bool:
    """Equal also in the names of bound letters."""
    pairs = zip(these, those, strict=True)
    parts = (pair for a, b in pairs for pair in zip(subterms(a), subterms(b), strict=True))
    return these == those and all(s.hint == t.hint for s, t in parts)


def _in_order(h: Formula) -> tuple[str, str, str, list[str]]:
    return h.left.text, h.relation, h.right.text, sorted(map(str, h.universal))


def replaced_by(t: Term, equations: Iterable[Theorem]) -> Term:
    """t with left sides by right ones, in turn, as ``rewrite`` does it."""
    for eq in equations:
        t = substitute(t, {eq.left: eq.right})
    return t


def indexed(s: Term) -> tuple[Term, Term]:
    """A letter for the index of a binder, named as its author did where that is free; and the body for it."""
    x = unused(s.hint, along(s), s)
    return x, at(s, x)


def unused(name: str, domain: str, *terms: Term) -> Term:
    """A letter of this name, or with a number behind it, that stands in none of the terms."""
    taken = {x.data[0] for x in letters(*terms)}
    names = (name, *(f"{name}{k}" for k in range(len(taken) + 1)))
    return var(next(n for n in names if n not in taken), domain)


class NotFound(Exception):
    """No proof was found; the statement may be true all the same."""


class Written:
    """Terms as plain JSON, as ``kernel.terms.read`` takes it; one that occurs twice stands in ``table``."""

    def __init__(self) -> None:
        self.rows: list[Term] = []
        self.uses: Counter[int] = Counter()
        self._row: dict[Any, int] = {}
        self._seen: dict[int, int] = {}
        self._place: dict[int, int] = {}

    def count(self, t: Term) -> int:
        """The number of the term, which occurs here."""
        n = self._number(t)
        self.uses[n] += 1
        return n

    def _number(self, t: Term) -> int:
        if id(t) not in self._seen:
            args = tuple(map(self._number, t.args))
            key = (t.head, t.data, t.hint, args)  # equal terms may name bound letters otherwise
            if key not in self._row:
                self._row[key] = len(self.rows)
                self.rows.append(t)
                self.uses.update(args)
            self._seen[id(t)] = self._row[key]
        return self._seen[id(t)]

    def table(self) -> list[Any]:
        """What occurs twice, each row with those before it."""
        rows = []
        for n, t in enumerate(self.rows):
            if self.uses[n] > 1:
                rows.append(self._plain(t))
                self._place[n] = len(self._place)
        return rows

    def plain(self, t: Term) -> Any:
        n = self._number(t)
        return self._place[n] if n in self._place else self._plain(t)

    def _plain(self, t: Term) -> list[Any]:
        data = [str(d) if type(d) is Fraction else d for d in t.data]
        if t.head == "^":
            return [t.head, *map(self.plain, t.args), *data]
        return [t.head, *([t.hint] if t.head in BINDERS else data), *map(self.plain, t.args)]


class Proof:
    """Steps, in order; ``certificate`` keeps those that its theorem rests on.

    A new proof clears the kernel's caches, which name bound letters as the first of equal terms did: so the
    certificate of a statement does not depend on the statements before it.
    """

    def __init__(self) -> None:
        for cached in (poly, canon, lies):
            cached.cache_clear()
        self.steps: list[tuple[str, tuple[Any, ...], Theorem]] = []
        self.number: dict[int, int] = {}
        self.normal: dict[Term, Theorem] = {}  # what `normal.normal` found
        self.lemmas: dict[str, Theorem] = {}  # what ``lemma`` proved
        self.claims: dict[int, tuple[str, Theorem]] = {}
        self.elsewhere: set[Formula] = set()  # what other pages prove

    def step(self, name: str, *args: Any) -> Theorem:
        th = RULES[name][0](*args)
        self.number[id(th)] = len(self.steps)
        self.steps.append((name, args, th))
        return th

    def claim(self, name: str, th: Theorem) -> None:
        """From now on certificates name ``th`` as a claim, and do not prove it again."""
        self.claims[id(th)] = name, th

    def proved_elsewhere(self, name: str, left: Term, relation: str, right: Term) -> Theorem:
        """A claim of another page, as a hypothesis that certificates name and do not state.

        A letter that stands in neither side tells it from what the page itself supposes.
        """
        universal = [*letters(left, right), fresh("Z", left, right)]
        th = self.step("assume", universal, left, relation, right)
        self.elsewhere |= th.hypotheses
        self.claim(name, th)
        return th

    def lemma(self, name: str, proved: Callable[[], Theorem]) -> Theorem:
        """A theorem that is proved once."""
        if name not in self.lemmas:
            self.lemmas[name] = proved()
        return self.lemmas[name]

    def axiom(self, name: str, *args: Any, signs: Signs = ()) -> Theorem:
        return self.step("axiom", (name, list(args)), signs)

    def ring(self, left: Term, right: Term) -> Theorem:
        return self.step("ring", left, right)

    def combine(self, left: Term, right: Term, parts: Parts, unit: Terms = (), signs: Signs = ()) -> Theorem:
        """``combine``, or a theorem that says so already."""
        parts = [(c, th) for c, th in parts if th.left != th.right]
        if not unit and not parts:
            return self.ring(left, right)
        if not unit and [c for c, _ in parts] == [ONE]:
            ((_, th),) = parts
            if _alike((th.left, th.right), (left, right)):
                return th
        return self.step("combine", left, right, unit, parts, signs)

    def rewrite(self, th: Theorem, equations: list[Theorem], right: Term) -> Theorem:
        """``rewrite``, or a theorem that says so already."""
        equations = [eq for eq in equations if eq.left != eq.right]
        known = [th, *equations] if th.left == th.right and len(equations) == 1 else [th]
        for said in known:
            if said.relation == th.relation and _alike((said.left, said.right), (th.left, right)):
                return said
        return self.step("rewrite", th, equations, right)

    def over(self, s: Term, th: Theorem, x: Term) -> Theorem:
        """``th``, about the index x, over the range of the binder s."""
        return self.step("over", s.head, th, x, s.hint, *s.args[:2], [])

    def adding(
        self, left: Term, relation: str, right: Term, parts: Parts, rest: Term = ZERO, signs: Signs = ()
    ) -> Theorem:
        return self.step("adding", left, relation, right, parts, rest, signs)

    def joined(self, first: Theorem, second: Theorem) -> Theorem:
        """a = b, c = b: a = c, where ring calls both b the same."""
        return self.combine(first.left, second.left, [(ONE, first), (MINUS, second)])

    def between(self, left: Theorem, th: Theorem, right: Theorem) -> Theorem:
        """a = a', a' R b', b = b': a R b."""
        ends, parts = (left.left, right.left), [(ONE, left), (ONE, th), (MINUS, right)]
        return self.adding_up(ends[0], th.relation, ends[1], parts, [left, right])

    def adding_up(self, left: Term, relation: str, right: Term, parts: Parts, signs: Signs = ()) -> Theorem:
        """``combine`` of equations, ``adding`` of inequalities."""
        if relation == "=":
            return self.combine(left, right, parts)
        return self.adding(left, relation, right, parts, ZERO, signs)

    def chain(self, rows: list[Theorem]) -> Theorem:
        """a R b, b S c, ...: a related to the last; strict where one row is."""
        if len(rows) == 1:
            return rows[0]
        relations = {th.relation for th in rows}
        relation = next(sign for sign in ("<", "<=", "=") if sign in relations or sign == "=")
        return self.adding_up(rows[0].left, relation, rows[-1].right, [(ONE, th) for th in rows])

    def behind(self, *ths: Theorem) -> tuple[dict[int, None], set[int]]:
        """The steps that theorems rest on, in order, and which theorems these are, claims among them."""
        needed: dict[int, None] = {}
        seen: set[int] = set()

        def visit(a: Any) -> None:
            if isinstance(a, Theorem):
                n = self.number.get(id(a), -1)
                seen.add(id(a))
                if id(a) not in self.claims and n not in needed:
                    visit(self.steps[n][1])
                    needed[n] = None
            elif isinstance(a, (list, tuple)):
                for b in a:
                    visit(b)

        visit(ths)
        return needed, seen

    def certificate(self, th: Theorem, model: Sequence[Theorem] = ()) -> str:
        """The JSON from which the kernel rebuilds ``th``."""
        terms = Written()
        needed, _ = self.behind(*model, th)
        place = {n: k for k, n in enumerate(needed)}

        def coded(a: Theorem | Fraction | Term, term: Callable[[Term], Any] = terms.plain) -> Any:
            if isinstance(a, Theorem):
                return self.claims[id(a)][0] if id(a) in self.claims else place[self.number[id(a)]]
            return term(a) if isinstance(a, Term) else str(a)

        steps = [_row(*self.steps[n][:2]) for n in needed]
        hypotheses = sorted(th.hypotheses - self.elsewhere, key=_in_order)
        said = [(sorted(universal, key=str), *row) for universal, *row in hypotheses]
        claim = {"hypotheses": said, "left": th.left, "relation": th.relation, "right": th.right}
        json.dumps([steps, claim], default=partial(coded, term=terms.count))
        whole = {"version": VERSION, "claim": claim, "terms": terms.table(), "steps": steps, "model": model}
        return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), default=coded)


def _row(name: str, args: tuple[Any, ...]) -> list[Any]:
    """A step as a list; of an axiom, its name stands before its own arguments."""
    if name == "axiom":
        (axiom, given), *signs = args
        args = ([axiom, *given], *signs)
    return [name, *args]
