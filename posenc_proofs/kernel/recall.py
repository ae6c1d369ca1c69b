"""A result as a whole, and a result that another page proves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from .domains import lies
from .ring import same
from .terms import Term, ask, letters, substitute
from .theorem import Formula, Theorem, concluded, fixed, instantiate, rule


def name_here(record: Mapping[str, Any]) -> str:
    """What the claims of a result are called: by its label; where it is recalled, by its derivation, too."""
    return f"{record['label']}@{record['derivation']}" if record["kind"] == "recalled" else record["label"]


@rule(["theorem"])
def chain(rows: list[Theorem]) -> Theorem:
    """a R b, b S c, ...: a is related to the last, strictly where one row is. An order says that its sides
    are real, and so is what equals them."""
    relations = {th.relation for th in rows}
    for one, other in pairwise(rows):
        ask(same(one.right, other.left), f"a row ends with {one.right}, the next begins with {other.left}")
    ask("!=" not in relations, "!= is no link of a chain")
    relation = "<" if "<" in relations else "<=" if "<=" in relations else "="
    return concluded((rows[0].left, relation, rows[-1].right), rows)


@rule("theorem", ["theorem"], "term", "relation", "term")
def recall(th: Theorem, supposed: list[Theorem], left: Term, relation: str, right: Term) -> Theorem:
    """H |- P(x): H' and what it does not say of H |- P(y), with H' the hypotheses of those supposed.

    A letter y is called as x, in a domain within its own: ``instantiate``. < also says <=. A hypothesis that
    another says is used through it, a definition whatever its letters are called.
    """
    here = frozenset[Formula]().union(*(s.hypotheses for s in supposed))
    this = instantiate(th, list(_called_alike(th, left, right)), [])
    ok = same(this.left, left) and same(this.right, right) and this.relation in (relation, "<")
    ok = ok and relation in (this.relation, "<=")
    ask(ok, f"{th.left} {th.relation} {th.right} is proved, not {left} {relation} {right}")
    rest = {h for h in th.hypotheses if not any(_says(known, h) for known in here)}
    return concluded((left, relation, right), [th, *supposed], here | rest)


def _called_alike(th: Theorem, left: Term, right: Term) -> Iterator[tuple[Term, Term]]:
    """A letter of th that may vary, and that of the same name in a statement, in a smaller domain."""
    named = {y.data[0]: y for y in letters(left, right)}
    for x in letters(th.left, th.right) - fixed(th.hypotheses):
        y = named.get(x.data[0], x)
        if y != x and lies(y, x.data[1]):
            yield x, y


def _says(known: Formula, h: Formula) -> bool:
    """Whether h is an instance of what is known, true for all values for which h is said."""
    values = dict(zip(known.left.args, h.left.args, strict=False)) if known.left.head == "app" else {}
    ok = all(x in known.universal and lies(value, x.data[1]) for x, value in values.items())
    ok = ok and h.universal.isdisjoint(fixed([known])) and known.relation == h.relation
    return ok and all(
        same(substitute(a, values), b) for a, b in ((known.left, h.left), (known.right, h.right))
    )
