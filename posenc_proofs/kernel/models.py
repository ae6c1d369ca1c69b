"""Whether hypotheses can hold: a theorem whose hypotheses nothing satisfies says nothing."""

from .calculus import smooth
from .domains import lies
from .terms import Term, ask, letters, subterms
from .theorem import Formula, Formulas, Theorem, fixed
from .words import between_matrices, is_sum_of_words


def satisfied(hypotheses: Formulas, proofs: list[Theorem]) -> tuple[Formulas, Formulas]:
    """The conditions among hypotheses, to be printed, and the definitions by which the hypotheses can hold.

    A condition is a hypothesis about constants alone, without functions: x != 0, lo <= x. Any other
    hypothesis is a definition, or among ``proofs``, which have only definitions as hypotheses. Definitions
    hold together for suitable functions, whatever the other functions are (conservative extension).
    """
    conditions = {h for h in hypotheses if not h.universal and not _functions(h.left, h.right)}
    definitions = Formulas().union(*(p.hypotheses for p in proofs))
    proved = {(p.left, p.relation, p.right) for p in proofs}
    given = fixed(definitions)
    for h in hypotheses - conditions - definitions:
        ask(h[1:] in proved, f"not proved from definitions: {h}")
        ask(h.universal.isdisjoint(given), f"proved for one value of a letter, supposed for all: {h}")
    _in_order(definitions)
    values = {h.left for h in definitions}
    for h in conditions:
        free = values.isdisjoint(letters(h.left, h.right))
        ask(free or h[1:] in proved, "a condition on a letter with a value")
    return frozenset(conditions), definitions


def _functions(*terms: Term) -> set[str]:
    """Their names; a derivative goes by the name of its function."""
    named = (s for t in terms for s in subterms(t) if s.head in ("app", "word"))
    return {s.data[0].partition("'")[0] if s.head == "app" else s.head for s in named}


def _defined(h: Formula) -> Term:
    """What h defines: f(x, y), or the matrix that is a word by itself."""
    return h.left.args[0] if h.left.head == "word" and len(h.left.args) == 1 else h.left


def _in_order(definitions: Formulas) -> None:
    """Each is f(x, y) = body for all x, y, where any other letter of the body is a constant: for each value
    of the constants there is such an f. Or a constant has a value: hypotheses hold for some values of their
    constants. One for a name; no circle.
    """
    for h in definitions:
        f = _defined(h)
        ask(h.relation == "=", f"not a definition: {h}")
        ask(f.head == "app" or (f.head == "var" and f not in h.universal), f"not a name: {h}")
        ask("'" not in f.data[0], f"a derivative is not for choice: {h}")
        between_matrices(h)
        ask(len(set(f.args)) == len(f.args), "a parameter is named twice")
        ask(h.universal >= set(f.args), f"a parameter that is a constant: {h}")
        ask(letters(h.right) & h.universal <= set(f.args), f"a letter that is no parameter: {h}")
        domain, special = f.data[1], {"M": is_sum_of_words, "S": smooth}
        known = special[domain](h.right) if domain in special else lies(h.right, domain)
        ask(known, f"the body is not known to lie in {domain}")
    rest = {_defined(h).data[0]: _names(h) for h in definitions}
    ask(len(rest) == len(definitions), "a name is defined twice")
    for _ in definitions:
        rest = {name: used for name, used in rest.items() if used & set(rest)}
    ask(not rest, f"defined in a circle: {', '.join(rest)}")


def _names(h: Formula) -> set[str]:
    """The functions and constants that a definition's body uses."""
    return _functions(h.right) | {x.data[0] for x in letters(h.right) - h.universal}
