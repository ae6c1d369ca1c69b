"""The short form: a text is read, and a derivation's methods are called: define, assume, recall, prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..page.cells import derived
from ..rules.identity import identity
from ..show.results import Result
from ..write.claims import Claim, eq, le, lt
from ..write.derivation import Derivation
from .blocks import Block, Row, blocks
from .expressions import parsed
from .reasons import rule
from .source import Piece

CLAIMS: dict[str, Callable[..., Claim]] = {"=": eq, "<=": le, "<": lt}
TURNED = {">=": "<=", ">": "<"}


def derive(D: Derivation, text: str, names: Mapping[str, Any]) -> list[Result]:
    """Definitions, hypotheses and results of ``text``, entered into ``D`` one after the other.

    A result is written as ``label: left``, then one row a line, ``= right -- reason``, with the rule in
    brackets where it is another than the identity: ``[follows eq-a, eq-b(n=m)]``, ``[induction N]``,
    ``[triangle]``, ``[termwise eq-a]``, ``[adding eq-a times r, rest s]``, ``[antiderivative F]``,
    ``[certified x from 1 to 2]``. ``f(x) := body -- reason`` defines, ``assume label: left = right -- why``
    assumes, ``recall label: left <= right`` repeats a result of another page. ``left >= right`` is read as
    right <= left, and has one row. Last lines ``source: …`` and ``library: …`` say where a result is printed,
    and what computes it. What follows # is a remark.

    Args:
        D: the derivation
        text: what is derived
        names: what the names stand for, such as ``globals()``

    Raises:
        TypeError: for arguments of another kind.
        Misread: naming the line and the column, what was expected, and what to write instead.
        Refuted, Undecided, ValueError: as ``Derivation.prove``.

    Example:
        >>> from posenc_lib.proofs import Derivation, naturals
        >>> i, N = naturals("i N")
        >>> gauss = '''
        ... eq-gauss: sum(i, i, 0, N)
        ...   = N*(N + 1)/2      -- Gauss [induction N]
        ... '''
        >>> [result] = derive(Derivation("short"), gauss, {"i": i, "N": N})
        >>> result.verdict.status
        'proved'
    """
    for name, value, kind in (("D", D, Derivation), ("text", text, str), ("names", names, Mapping)):
        if not isinstance(value, kind):
            raise TypeError(f"{name} must be a {kind.__name__}, got {value!r}")
    return [entered(D, block, names) for block in blocks(text)]


def entered(D: Derivation, block: Block, names: Mapping[str, Any]) -> Result:
    """One part of a text, entered into ``D``; ``derive`` says what is raised."""
    if block.kind == "prove" and not block.label:
        raise block.left.misread("a label is expected: write eq-name: left side")
    sides = [parsed(piece, names) for piece in (block.left, *(row.right for row in block.rows))]
    rows = list(block.rows)
    if rows[0].relation in TURNED:
        if len(rows) > 1:
            raise rows[1].right.misread(f"a result with {rows[0].relation} has one row")
        sides, rows = sides[::-1], [rows[0]._replace(relation=TURNED[rows[0].relation])]
    left, *rights = (side.expression for side in sides)
    terms = tuple(side.written.parts() for side in sides)
    if block.kind == "define":
        return D.define(left, rights[0], _words(rows[0].reason), block.label)
    if block.kind == "assume":
        return D.assume(block.label, left, rights[0], _words(rows[0].reason))
    if block.kind == "recall":
        return D.print_as(D.recall(block.label, left, rows[0].relation, rights[0]), terms)
    claims = [_claim(D, row, right, names) for row, right in zip(rows, rights, strict=True)]
    return D.print_as(D.prove(block.label, left, *claims, **block.beside), terms)


def _words(reason: Piece) -> str:
    """A reason on one line."""
    return " ".join(reason.text.split())


def _claim(D: Derivation, row: Row, right: Any, names: Mapping[str, Any]) -> Claim:
    if row.relation not in CLAIMS:
        raise row.right.misread(f"= <= or < is expected in a chain, not {row.relation}")
    by = rule(D, row.rule, names) if row.rule else identity
    return CLAIMS[row.relation](right, _words(row.reason), by)


def load_ipython_extension(shell: Any) -> None:
    """After ``%load_ext posenc_lib.proofs`` a cell ``%%derive D`` is read by ``derive``, and shown."""

    def magic(line: str, cell: str) -> None:
        from IPython.display import display

        names = shell.user_ns
        D = names.get(line.strip() or "D")
        if not isinstance(D, Derivation):  # a derivation in LaTeX
            derived(names, line, cell)
            return
        for result in derive(D, cell, names):
            display(result)

    shell.register_magic_function(magic, "cell", "derive")
