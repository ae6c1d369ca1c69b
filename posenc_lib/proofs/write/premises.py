"""What a later step may use: the definitions and earlier results of a derivation, and instances of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Basic, Expr, Symbol

from ..reread.names import require_own
from ..show.printer import aligned
from ..show.readable import looks, names_of, require_apart
from ..show.results import Result
from ..show.worded import Worded
from ..terms.any_size import require_kinds, size_of, unknown
from ..terms.binders import bound_letters
from ..terms.expression import expression
from ..terms.letters import require_one_role, require_ranges
from ..terms.matrices import NamedMatrix, shapes_of
from ..terms.statement import Statement
from ..terms.undefined import require_domain
from ..values.blockwise import same_blocks
from ..values.substitution import substitute
from ..values.whole_parts import whole_parts
from .claims import Instance, label_of
from .definitions import Definitions
from .sides import prepared


class Premises:
    """Definitions, earlier results, and how statements are read with them."""

    def __init__(self, name: str, source: str = "") -> None:
        self.name, self.source = name, source
        self.definitions = Definitions()
        self.results: dict[str, Result] = {}
        self.said: dict[
            str, tuple[Basic, ...]
        ] = {}  # the conditions under which a result was shown, by label
        self.worded: dict[str, Worded] = {}
        self.constants: set[Symbol] = set()
        self.shapes: dict[str, Any] = {}
        self.kinds: list[NamedMatrix] = []  # the matrices of any size so far
        self.printed: dict[str, str] = {}  # how the atoms of all results look, so that none look alike

    def at(self, label: str, mapping: dict[Basic, Basic] | None = None, **named: Any) -> Instance:
        """An instance of an earlier result: ``D.at("eq-a", {m: n})`` or ``D.at("eq-a", n=m)``."""
        if not isinstance(mapping, Mapping | None):
            raise TypeError(f"{label}: at takes a mapping from letters to values, got {mapping!r}")
        result = self._earlier(label)
        symbols = {s.name: s for s in result.free_symbols()}
        strange = [key for key in mapping or {} if key not in symbols.values()]
        if strange:
            raise ValueError(f"{label} has no free letter {strange}; it has {sorted(symbols)}")
        unknown = set(named) - set(symbols)
        if unknown:
            raise ValueError(f"{label} has no symbol {sorted(unknown)}; it has {sorted(symbols)}")
        given = {**(mapping or {}), **{symbols[k]: v for k, v in named.items()}}
        values = {symbol: self.meaning(value) for symbol, value in given.items()}
        if self.is_conditional(label):
            self.require_fixed(*values)
        for symbol, value in values.items():
            require_domain(symbol, value)
        return Instance(label, tuple(values.items()))

    def premises(self, reference: Any) -> list[Statement]:
        """What an earlier result says, from which conclusions may be drawn: as a whole, and its equations."""
        result = self._usable(reference)
        said = dict.fromkeys([result.statement(), *result.equations()])
        return [self._instance(reference, statement) for statement in said]

    def _usable(self, reference: Any) -> Result:
        """An earlier result from which conclusions may be drawn."""
        result = self._earlier(label_of(reference))
        if result.kind in ("refuted", "sampled"):
            raise ValueError(f"{result.label} was {result.kind}: nothing follows from it")
        for link in result.links:
            if link.reach:
                raise ValueError(
                    f"{result.label} {link.reach}: nothing may be concluded from it for all values"
                )
        return result

    def _instance(self, reference: Any, statement: Statement) -> Statement:
        """A statement with its names unfolded, then some letters replaced; no bound letter may be touched."""
        sides = [self.meaning(side) for side in (statement.left, statement.right)]
        values = dict(reference.values) if isinstance(reference, Instance) else {}
        touched = set(values).union(*(value.free_symbols for value in values.values()))
        for letter in sorted(bound_letters(*sides) & touched, key=str):
            raise ValueError(f"{letter} is bound in {label_of(reference)}: rename it there or in {reference}")
        left, right = (substitute(side, values) for side in sides)
        return self._unfolded(left, statement.relation, right)

    def meaning(self, e: Expr) -> Expr:
        """An expression with every defined name replaced by what it stands for."""
        return self.definitions.unfold(whole_parts(expression(e)))

    def is_conditional(self, reference: Any) -> bool:
        """Whether an earlier result is a hypothesis, or rests on one."""
        return any(self.results[base].kind == "assumed" for base in self._bases(label_of(reference)))

    def require_fixed(self, *letters: Basic) -> None:
        """Refuse to let a constant vary in what rests on a hypothesis.

        Raises:
            ValueError: naming the constant.
        """
        for letter in sorted(self.constants & set(letters), key=str):
            raise ValueError(f"{letter} is a constant: nothing may be put for it, and nothing runs over it")

    def _require_shapes(self, *sides: Any) -> None:
        """One shape and one kind for each named matrix, in all results together."""
        size_of(*sides)
        require_kinds(*sides, *self.kinds)
        self.kinds = unknown(*sides, *self.kinds)
        for name, shape in shapes_of(*sides).items():
            if self.shapes.setdefault(name, shape) != shape:
                raise ValueError(f"{name} stands for matrices of shapes {self.shapes[name]} and {shape}")

    def _require_readable(self, *sides: Any) -> None:
        """Refuse names that look alike in all results together, and those of what everybody knows."""
        for name in sorted(names_of(*sides)):
            require_own(name)
        require_apart(self.printed, looks(*sides))

    def _unfolded(self, left: Any, relation: str, right: Any, where: tuple[Basic, ...] = ()) -> Statement:
        written = [expression(side) for side in (left, right)]
        self._require_shapes(*written)
        if relation != "=" and size_of(*written) is not None:
            raise ValueError(f"matrices of any size are equal, or nothing is said of them: got {relation}")
        self._require_readable(*written)
        sides = [self.definitions.unfold(whole_parts(side)) for side in written]
        require_one_role(*sides)
        require_ranges(*sides)
        a, b = prepared(*same_blocks(*sides))
        return Statement(a, relation, b, tuple(self.definitions.unfold(condition) for condition in where))

    def _bases(self, label: str) -> tuple[str, ...]:
        """What a result rests on in the end: hypotheses, citations, samples, results of other pages."""
        result = self._earlier(label)
        return result.rests_on if result.kind in ("proved", "defined") else (label,)

    def _earlier(self, label: str) -> Result:
        if label not in self.results:
            raise ValueError(
                f"{label} is not an earlier result of this derivation; it has {sorted(self.results)}"
            )
        return self.results[label]

    def _keep(self, result: Result) -> Result:
        label = (
            result.label or f"def-{self.name}-{sum(r.kind == 'defined' for r in self.results.values()) + 1}"
        )
        self._require_free(label)
        spoken_of = [result, *(self.results[base] for base in result.rests_on if base in self.results)]
        sides = [side for r in spoken_of for side in (r.left, *(link.right for link in r.links))]
        names = self.definitions.used(*sides) if result.kind != "defined" else []
        own = (aligned(head, [(":=", body, "")]) for head, body in names)
        behind = (meaning for used in result.uses for meaning in self.results[used].meant)
        meant = tuple(dict.fromkeys((*own, *behind)))
        self.results[label] = replace(result, label=label, meant=meant)
        return self.results[label]

    def theorem(
        self, label: str, title: str, words: str, rests_on: Sequence[str | Result | Worded]
    ) -> Worded:
        r"""A theorem stated in words, shown with its steps: never as proved, and nothing follows from it.

        Args:
            label: a name that prose links to, e.g. "thm-sum"
            title: what it is called, e.g. "Theorem 1"
            words: the statement, in Markdown
            rests_on: its steps, proved on the same page: labels of this derivation, or results of another

        Raises:
            ValueError: if the label is taken, a part is empty, or a step is no proved result.

        Example:
            >>> from sympy import cos, sin
            >>> from posenc_lib.proofs import Derivation, eq, reals
            >>> a = reals("a")
            >>> D = Derivation("circle")
            >>> step = D.prove("eq-one", cos(a)**2 + sin(a)**2, eq(1, "Pythagoras"))
            >>> words = "The circle is a curve of *degree 2*."
            >>> D.theorem("thm-circle", "Theorem 1", words, ["eq-one"]).badge()
            '¶ in words; its step is eq-one'
        """
        self._require_free(label)
        for name, text in (("label", label), ("title", title), ("words", words)):
            if not isinstance(text, str) or not text.strip():
                raise ValueError(f"{name} must be words, got {text!r}")
        if isinstance(rests_on, str) or not rests_on:
            raise ValueError(f"{label}: rests_on must list one step or more, got {rests_on!r}")
        steps = tuple(self._step(label, step) for step in rests_on)
        self.worded[label] = Worded(label, self.name, title, words.strip(), steps)
        return self.worded[label]

    def _step(self, label: str, step: str | Result | Worded) -> Result | Worded:
        if isinstance(step, str):
            step = self.worded[step] if step in self.worded else self._earlier(step)
        if not isinstance(step, (Result, Worded)):
            raise ValueError(f"{label}: a step must be a label or a result, got {step!r}")
        if step.kind not in ("proved", "words"):
            raise ValueError(f"{label}: its step {step.label} must be proved, it is {step.kind}")
        return step

    def _require_free(self, label: str) -> None:
        if not isinstance(label, str):
            raise TypeError(f"a label must be a string such as 'eq-a', got {label!r}")
        if label in self.results or label in self.worded:
            raise ValueError(f"the label {label} is taken; every result has its own")
