r"""A derivation as its reader sees it: each row is read from the LaTeX that is shown, proved, and replayed.

D = Derivation("walk")
D.write(r'''
for all j ∈ ℕ, x ∈ ℤ and every real sequence θ
eq-one: \cos(x\theta_j)^2 + \sin(x\theta_j)^2
  = 1     -- Pythagoras
''')
"""

import itertools
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from ..kernel import replay
from ..kernel.domains import lies
from ..kernel.terms import ONE, Term, add, has_words, is_matrix, letters, limited, num, sub
from ..kernel.theorem import Theorem
from ..latex.scopes import reaches
from ..latex.statements import STRONGER, Said, names_in, third_order
from ..latex.tokens import Misplaced
from ..refutation import failing, slips
from ..search import equations, inequalities, matrices
from ..search.normal import unfolded
from ..search.proof import NotFound
from ..text import scope
from ..text.blocks import Block, Misread, blocks, parts, placed
from ..text.reading import Known
from ..witness import opinion
from . import tactics
from .records import Result, shown

SEARCHED = 6  # times what a replay may compute: four times what any row of the book needs


class Refuted(ValueError):
    """A row that is false at a point."""


class Derivation(Known):
    """What is said of letters, defined, supposed and shown, under one name, which the ledger uses."""

    def __init__(self, name: str, page: dict[str, Result] | None = None) -> None:
        super().__init__(name)
        self.page = {} if page is None else page  # the results of all derivations of a page
        self.suppositions: dict[str, Said] = {}  # hypotheses that the model was not yet seen to satisfy

    def write(self, text: str) -> list[Result]:
        """Scope lines, definitions, hypotheses, results, one after the other.

        Raises:
            Misread, Unread: for what is not of the form, or cannot be read, and what to write instead.
            Refuted: with a point at which a row is false.
            NotFound: for a row that is not proved.
        """
        return [result for block in blocks(text) if (result := self.enter(block, text)) is not None]

    def enter(self, block: Block | str, text: str) -> Result | None:
        """One block of a text, in which the place of what cannot be read is counted."""
        try:
            if isinstance(block, str):
                self.reading.declare(block)
                self._require_free()
                return None
            if (there := self.page.get(block.label)) is not None:
                shown_there = there.kind in ("proved", "recalled") and there.derivation != self.name
                if block.kind != "recall" or not shown_there:
                    raise Misread(f"the label {block.label} is taken; every result has its own")
            with limited(SEARCHED):
                result = getattr(self, f"_{block.kind}")(block)
        except Misplaced as reason:
            raise placed(reason, text) from None
        if not isinstance(result, Result):
            return None
        self.results[result.label] = result
        self.page.setdefault(result.label, result)
        return result

    def _words(self, block: Block) -> Result:
        """A theorem in words: its steps are proved, or in words, on the same page."""
        titles = {block.label: block.beside["title"]}
        for label in parts(block.beside["steps"]):
            step = self.page.get(label)
            if step is None or step.kind not in ("proved", "words"):
                raise Misread(f"{block.label}: its step {label} is not proved on this page")
            titles[label] = step.titles.get(label, "")
        words, steps = block.left.strip(), list(titles)[1:]
        return Result(block.label, self.name, "words", words=words, titles=titles, uses=steps)

    def _define(self, block: Block) -> Result:
        name = self._let(block)
        count = sum(r.kind == "defined" for r in self.results.values())
        block = block._replace(label=block.label or f"def-{self.name}-{count + 1}")
        letters = scope.domains(self.reading.said, [name]) or {name: "as defined"}
        return shown(self, block, "defined", methods=["definition"], letters=letters)

    def _let(self, block: Block) -> str:
        """The name; one that is declared stays a name, and the definition is a hypothesis about it."""
        name, declared = self.reading.define(block.left, block.only.right)
        if not declared:
            return name
        left, right = self._stands_for(block)
        if any(p.head != "var" for p in left.args):
            raise Misread(f"the head of a definition: {block.left}")
        if left.head == "var":
            raise Misread(f"{block.left} stands for every number of its set: define a new letter")
        if not lies(right, left.data[1]):
            raise Misread(f"{block.left} is declared, and its body is not known to lie in its set")
        self.meanings[left.data[0]] = self.proof.step("assume", list(left.args), left, "=", right)
        self._require_order()
        self.reading.opaque.add(left.data[0])
        return name

    def _assume(self, block: Block) -> Result:
        said = self.reading.row(block.left, block.only.relation, block.only.right)
        fixed = {t for t in letters(*said.left, *said.right) if t.data[0] in self.reading.said.constants}
        if said.blocks:
            raise Misread(f"{block.label} is assumed of blocks: assume it of one entry")
        if not reaches(self.reading.said, letters(*said.left, *said.right) - fixed):
            raise Misread(f"{block.label} is assumed for all values of its letters, and the scope has fewer")
        pairs = zip(said.left, said.right, strict=True)
        formulas = [(sorted(letters(a, b) - fixed, key=str), a, said.relation, b) for a, b in pairs]
        ths = [self.proof.step("assume", *formula) for formula in formulas]
        self.supposed[block.label], self.chains[block.label] = ths, [ths]
        self.suppositions[block.label] = said
        return shown(self, block, "assumed", [said], methods=["hypothesis"])

    def _model(self, block: Block) -> None:
        head, arguments = self.reading.head(block.left)
        known = self.reading.names().known
        if head in known and is_matrix(known[head]):
            rows = self.reading.matrix(block.only.right, arguments)
            self.matrix_models[head], self.size = (arguments, rows), len(rows)
        else:
            left, right = self._stands_for(block)
            self.models[left.data[0]] = self.proof.step("assume", list(left.args), left, "=", right)
            self._require_order()
            self._require_free()
        self.shown_models.append(f"{block.left} := {block.only.right}")

    def _require_free(self) -> None:
        """Refuse a model of what has an interval or a condition, in which it may not lie."""
        if taken := self.reading.said._replace(constants=set()).limited & self.models.keys():
            raise Misread(f"{min(taken)} has an interval, or a condition: a model is for a letter without")

    def _require_order(self) -> None:
        """Refuse definitions and models that go in a circle."""
        uses = {n: names_in([th.right]) for n, th in {**self.meanings, **self.models}.items()}
        for _ in uses:
            uses = {n: used for n, used in uses.items() if not used.keys().isdisjoint(uses)}
        if uses:
            raise Misread(f"in a circle: {', '.join(uses)}")

    def _stands_for(self, block: Block) -> tuple[Term, Term]:
        """A name at its letters, and the number that it is there."""
        said = self.reading.row(block.left, "=", block.only.right)
        if len(said.left) != 1:
            raise Misread(
                f"{block.left} is declared as a number, and stands for {len(said.left)}: use \\boldsymbol"
            )
        if said.left[0].head not in ("var", "app"):
            raise Misread(f"{block.left} is known, or no name: a name is expected that the scope declares")
        return said.left[0], said.right[0]

    def _recall(self, block: Block) -> Result:
        said = self.reading.row(block.left, block.only.relation, block.only.right)
        ths = []
        for k, (a, b) in enumerate(zip(said.left, said.right, strict=True), 1):
            own = f"{block.label}[{k}]" if len(said.left) > 1 else block.label
            there = self.claimed[own] = self.proof.proved_elsewhere(own, a, said.relation, b)
            names = names_in([self.opened(a).right, a, b])
            supposed = [self.meanings[n] for n in names if n in self.meanings]
            supposed += self._conditions(letters(a, b))
            one = [(ONE, there)]
            if said.relation == "=":
                ths.append(self.proof.step("combine", a, b, [], one, supposed))
            else:
                ths.append(self.proof.adding(a, said.relation, b, one, signs=supposed))
        self.chains[block.label] = [ths]
        certificates = self._certified(f"{block.label}@{self.name}", ths)
        methods = [f"proved elsewhere as {block.label}"]
        return shown(self, block, "recalled", [said], [ths], certificates=certificates, methods=methods)

    def _conditions(self, of: AbstractSet[Term]) -> list[Theorem]:
        """What the scope says of two of some letters: i < d as i <= d - 1."""
        said = [(a, sign, b) for a, sign, b in self.reading.conditions() if {a, b} <= of]
        ends = [(a, b if sign == "<=" else add(b, num(-1))) for a, sign, b in said]
        return [self.proof.step("assume", [], a, "<=", b) for a, b in ends if lies(a, "Z") and lies(b, "Z")]

    def _refute(self, block: Block) -> Result:
        said = self.reading.row(block.left, block.only.relation, block.only.right)
        if said.blocks:
            raise Misread(f"{block.label} speaks of blocks: refute one entry")
        written = block.beside.get("at", "")
        at = tactics.values(self, written)
        for pair, (place, value) in zip(parts(written), at.items(), strict=False):
            ends = self.reading.said.intervals.get(place.data[0])
            apart = (sub(value, num(ends[0])), sub(num(ends[1]), value)) if ends else ()
            if not all(lies(t, ">=0") for t in apart) or not lies(value, place.data[1]):
                left, _, right = map(str.strip, pair.partition("="))
                raise Misread(f"{right} is not known to lie in the set of {left}")
        found = failing.counterexample(self, said, at)
        if not found:
            raise NotFound(f"{block.label}: no point was found at which it fails")
        methods = ["certified counterexample"]
        return shown(self, block, "refuted", [said], methods=methods, counterexample=found)

    def _prove(self, block: Block) -> Result:
        self.spoken = {}
        rows, chain, methods, uses = [], [], [], []
        certificates: dict[str, str] = {}
        left, sides = block.left, failing.Sides(self)
        for n, row in enumerate(block.rows, 1):
            here = self.reading.row(left, row.relation, row.right)
            rows.append(here)
            way = tactics.two_jets(self, here.small) if here.small else tactics.way(self, row.rule)
            try:
                ths = self._found(here, way.find)
            except (NotFound, ValueError, NotImplementedError) as reason:
                self._refuted(block.label, n, here, reason)
                raise
            self._require_used(way, ths)
            name = block.label if len(block.rows) == 1 else f"{block.label}.{n}"
            certificates |= self._certified(name, ths)
            self._require_model(way.uses)
            self._require_spoken_of(here, way.uses)
            here = here._replace(left=(way.value,)) if way.value else here
            asked = [h for th in ths for h in th.hypotheses if h.relation != "=" and not h.universal]
            failing.confirm(sides, here, [(h.left, h.relation, h.right) for h in asked])
            chain.append(ths)
            methods.append(way.method)
            uses += way.uses
            left = row.right
        self.chains[block.label] = chain
        known = {"certificates": certificates, "methods": list(dict.fromkeys(methods))}
        known |= {"uses": list(dict.fromkeys(uses)), "rests_on": self.grounds(uses)}
        result = shown(self, block, "proved", rows, chain, **known, sympy_says=opinion.of_rows(chain))
        result.wrong, result.counts = slips.of_rows(sides, block, rows)
        return result

    def _require_model(self, uses: Iterable[str]) -> None:
        """Refuse hypotheses that the model does not satisfy: from what cannot be anything follows."""
        for label in self.grounds(uses):
            said = self.suppositions.get(label)
            if said is not None and (found := failing.failure(failing.Sides(self), said)) is not None:
                remedy = "give one, such as model h_i := 1"
                raise Misread(f"the model does not satisfy {label}: {found}; {remedy}")
            self.suppositions.pop(label, None)

    def _require_spoken_of(self, here: Said, uses: Iterable[str]) -> None:
        """Refuse a hypothesis that says nothing somewhere where the row does: where it divides by 0."""
        below = failing.divisors(self.opened(t).right for t in (*here.left, *here.right))
        for label in (label for label in uses if self.grounds([label])):
            sides = [t for th in self.spoken.get(label, ()) for t in (th.left, th.right)]
            for t in failing.divisors(sides) - below:
                raise Misread(f"{label} says nothing where {t} vanishes, and the row does")

    def _require_used(self, way: tactics.Way, ths: Sequence[Theorem]) -> None:
        """Refuse what is not proved here and not needed: it would be said that the row rests on it."""
        _, taken = self.proof.behind(*ths)
        for label, premises in zip(way.uses, way.premises, strict=False):
            if self.grounds([label]) and not any(id(th) in taken for th in premises):
                raise Misread(f"{label} is not used: leave it out")

    def _refuted(self, label: str, n: int, here: Said, reason: Exception) -> None:
        """Say where a row that is not proved is false, if a point is found."""
        if here.small and failing.is_not_of_third_order(self, here):
            raise Refuted(f"{label}, row {n}: false: its sides differ by more than third order") from reason
        false = None if here.small else failing.failure(failing.Sides(self), here)
        if false is not None:
            raise Refuted(f"{label}, row {n}: false {false}") from reason

    # Theorems

    def _found(self, said: Said, find: tactics.Find) -> list[Theorem]:
        """The theorems of a row as it stands, its entries one by one."""
        pairs = [(self.opened(a), self.opened(b)) for a, b in zip(said.left, said.right, strict=True)]
        ths = find([(u.right, v.right) for u, v in pairs], said.relation)
        out = []
        for (u, v), th in zip(pairs, ths, strict=True):
            ok = th.relation in (said.relation, STRONGER.get(said.relation))
            if said.small:
                rest = th.right.args[-1]
                ok = ok and third_order(rest, said.small)
                v = self.proof.combine(add(v.left, rest), add(v.right, rest), [(ONE, v)])
            if not ok or (th.left, th.right) != (u.right, v.right):
                raise NotFound("the search found something else")
            out.append(self.proof.between(u, th, v))
        return out

    def _certified(self, name: str, ths: Sequence[Theorem]) -> dict[str, str]:
        """Certificates by claim, each replayed by the kernel."""
        made = {}
        for k, found in enumerate(ths, 1):
            own = f"{name}[{k}]" if len(ths) > 1 else name
            claimed = id(found) in self.proof.claims
            th = self.proof.step("rewrite", found, [], found.right) if claimed else found
            certificate = self.proof.certificate(th, self._possible(th))
            self.claimed[own] = replay(certificate, self.claimed, self.proof.elsewhere).theorem
            self.proof.claim(own, th)
            made[own] = certificate
        return made

    def _possible(self, th: Theorem) -> list[Theorem]:
        """What shows that the hypotheses of a theorem can hold: definitions, and the model."""
        out = [d for d in self.meanings.values() if d.hypotheses <= th.hypotheses]
        of_matrices = [h for h in th.hypotheses if has_words(h.left, h.right)]
        out += matrices.possible(self.proof, of_matrices, self.reading.said.columns)
        rest = th.hypotheses.difference(of_matrices)
        supposed = itertools.chain(*self.supposed.values())
        return out + [self._held(h) for h in supposed if h.hypotheses <= rest]

    def _held(self, h: Theorem) -> Theorem:
        """A hypothesis, proved in the model."""
        every = {**self.meanings, **self.models}
        a, b = (unfolded(self.proof, side, every) for side in (h.left, h.right))
        try:
            if h.relation == "=":
                held = equations.identity(self.proof, a.right, b.right, False)
            else:
                gap = sub(b.right, a.right)
                held = inequalities.sum_up(self.proof, a.right, h.relation, b.right, [], gap)
        except NotFound:
            said = f"{h.left} {h.relation} {h.right}"
            raise Misread(f"no model is known in which {said} holds: write model h_i := …, above") from None
        return self.proof.between(a, held, b)

    def grounds(self, used: Iterable[str]) -> list[str]:
        """What results rest on in the end and is not proved here."""
        results = [self.results[label] for label in used]
        found = ([r.label] if r.kind in ("assumed", "recalled") else r.rests_on for r in results)
        return list(dict.fromkeys(itertools.chain(*found)))
