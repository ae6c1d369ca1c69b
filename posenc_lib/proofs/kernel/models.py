"""Whether hypotheses can hold: a theorem whose hypotheses nothing satisfies says nothing."""

from __future__ import annotations

from .domains import lies
from .terms import Term, ask, letters, subterms
from .theorem import Formula, Theorem


def satisfied(th: Theorem, proofs: list[Theorem]) -> tuple[frozenset[Formula], frozenset[Formula]]:
    """The conditions of ``th``, to be printed with it, and the definitions by which its hypotheses can hold.

    A condition is a hypothesis about constants alone, without functions: x != 0, lo <= x. Any other
    hypothesis is a definition, or among ``proofs``, which have only definitions as hypotheses. Definitions
    hold together for suitable functions, whatever the other functions are (conservative extension).
    """
    conditions = {h for h in th.hypotheses if not h.universal and not _functions(h.left, h.right)}
    definitions = frozenset[Formula]().union(*(p.hypotheses for p in proofs))
    proved = {(p.left, p.relation, p.right) for p in proofs}
    for h in th.hypotheses - conditions - definitions:
        ask((h.left, h.relation, h.right) in proved, f"not proved from definitions: {h}")
    _in_order(definitions)
    return frozenset(conditions), definitions


def _functions(*terms: Term) -> set[str]:
    return {s.data[0] for t in terms for s in subterms(t) if s.head == "app"}


def _in_order(definitions: frozenset[Formula]) -> None:
    """Each is f(x, y) = body for all x, y; one for a name; no circle."""
    for h in definitions:
        f, params = h.left, h.left.args
        ask(h.relation == "=" and f.head == "app", f"not a definition: {h}")
        ask(len(set(params)) == len(params), "a parameter is named twice")
        ask(h.universal >= set(params), f"a parameter that is a constant: {h}")
        ask(letters(h.right) <= set(params), f"a letter that is no parameter: {h}")
        ask(lies(h.right, f.data[1]), f"the body is not known to lie in {f.data[1]}")
    rest = {h.left.data[0]: _functions(h.right) for h in definitions}
    ask(len(rest) == len(definitions), "a name is defined twice")
    for _ in definitions:
        rest = {name: used for name, used in rest.items() if used & set(rest)}
    ask(not rest, f"defined in a circle: {', '.join(rest)}")
