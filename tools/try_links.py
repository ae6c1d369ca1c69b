"""A Sphinx extension: a derivation that a page holds as text has a link that takes it to "Try it here".

The link's fragment is the text of a ``%%derive`` cell, with the letters that it uses and the earlier parts
that it rests on. What rests on Python, a hypothesis and its model say, stays without a link. Where a cell
is the answer of an exercise, a link above its solution brings the task, whose right sides are to be written,
and the exercise's address: the page shows its text, and leads back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard
from urllib.parse import quote

from docutils import nodes

from posenc_lib.proofs.cell.blocks import Block, blocks
from posenc_lib.proofs.cell.letters import DECLARATION, MANY, Letter, declared
from posenc_lib.proofs.cell.source import Misread
from posenc_lib.proofs.page import text as latex

PAGE = "book/reference/try-it"
CELL = re.compile(r"%%derive\b[ \t]*(\w*)[ \t]*\n")
LATEX = re.compile(r"%%derive[ \t]+([\w-]+)[ \t]*\n")  # of a name that Python does not bind, or with
SIGNS = re.compile(r"^for |[\\{]", re.MULTILINE)
WORD = re.compile(r"[^\W\d][\w-]*")
NAME = re.compile(r"[^\W\d]\w*")
QUOTED = re.compile(r"""["']([^\W\d]\w*-[\w-]+)["']""")  # a label, in Python


AT_NEED = {"prove", "refute", "words", "recall"}  # what a text brings only where it is used
TO_WRITE = "  = ?  -- your line"


class Part(NamedTuple):
    """One definition or result of a text, as it is written, and as it is read."""

    text: str
    block: Any  # a Block of the one language or the other, or a line that says what letters are


class Linked(NamedTuple):
    """What a cell needs, line by line, and its own parts."""

    given: list[str]
    own: list[Part]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join([*self.given, *(part.text for part in self.own)])

    @property
    def task(self) -> str:
        """The same without what stands on the right sides of the cell's own equations."""
        return "\n".join([*self.given, *map(_asked, self.own)])


def _asked(part: Part) -> str:
    if isinstance(part.block, str) or part.block.kind != "prove":
        return part.text
    left = part.block.left if isinstance(part.block.left, str) else part.block.left.text
    return f"{part.block.label}: {left}\n{TO_WRITE}"


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("doctree-resolved", _add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def alone(cells: Sequence[str]) -> Linked | None:
    """The last cell, a ``%%derive``, as a text that needs no other; None if it rests on what Python says.

    Args:
        cells: the code cells of a page, in order, down to this one
    """
    letters: dict[str, Letter] = {}
    python: set[str] = set()  # names and labels that are made in Python
    entered: dict[str, list[Part]] = {}
    for cell in cells:
        if found := CELL.match(cell):
            entered.setdefault(found[1] or "D", []).extend(_parts(cell[found.end() :]))
            continue
        bound = _letters(cell)
        names = _assigned(cell)
        letters = {
            name: letter for name, letter in (letters | bound).items() if name in bound or name not in names
        }
        python = (python - set(bound)) | (names - set(bound)) | set(QUOTED.findall(cell))
        for name in names:
            entered.pop(name, None)  # another derivation
    last = CELL.match(cells[-1])
    assert last is not None
    own = _parts(cells[-1][last.end() :])
    earlier = entered[last[1] or "D"][: -len(own)]
    parts = _needed(earlier, own)
    used = set().union(*(_words(part.block) for part in parts))
    if used & python or any(part.block.kind == "assume" for part in parts):
        return None
    lines = _declarations({name: letter for name, letter in letters.items() if name in used})
    return Linked([*lines, *(part.text for part in parts[: -len(own)])], own)


def _parts(text: str) -> list[Part]:
    """A text cut at the lines that are not indented; remarks go."""
    lines = [line.rstrip() for line in re.sub(r"#[^\n]*", "", text).split("\n") if line.split("#")[0].strip()]
    starts = [k for k, line in enumerate(lines) if not line[0].isspace()]
    cut = ["\n".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return [Part(text, next(iter(blocks(text)))) for text in cut]


def _words(block: Block) -> set[str]:
    """Labels and names that a part uses."""
    sides = [block.left.text, *(row.right.text for row in block.rows)]
    rules = [row.rule.text for row in block.rows if row.rule]
    return set(NAME.findall(" ".join([*sides, *rules]))) | set(WORD.findall(" ".join(rules)))


def _needed(earlier: list[Part], own: list[Part]) -> list[Part]:
    """The parts of a text, and before them those whose labels or definitions it uses, or they use in turn."""
    kept, used = list(own), set().union(*(_words(part.block) for part in own))
    for part in reversed(earlier):
        head = NAME.match(part.block.left.text)
        made = {part.block.label} | ({head[0]} if part.block.kind == "define" and head else set())
        if made & used:
            kept.insert(0, part)
            used |= _words(part.block)
    return kept


def _letters(cell: str) -> dict[str, Letter]:
    found: dict[str, Letter] = {}
    for line in _declarations_of(cell):
        if DECLARATION.match(line):
            try:
                found |= declared(line)[0]
            except Misread:  # Python that no text may hold
                continue
    return found


def _declarations_of(cell: str) -> Iterator[str]:
    """The assignments of a cell; ``n, i = counts("n"), naturals("i")`` is two, with a star or without."""
    for statement in _statements(cell):
        if not isinstance(statement, ast.Assign):
            continue
        (names, made) = statement.targets[0], statement.value
        if not isinstance(names, ast.Tuple) or not isinstance(made, ast.Tuple):
            yield ast.unparse(statement)
            continue
        left = list(names.elts)
        for value in made.elts:
            many = isinstance(value, ast.Starred)
            call = value.value if isinstance(value, ast.Starred) else value
            count = len(str(ast.literal_eval(call.args[0])).split()) if many and _has_names(call) else 1
            own, left = left[:count], left[count:]
            yield f"{', '.join(map(ast.unparse, own))} = {ast.unparse(call)}"


def _has_names(call: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.args[0], ast.Constant)


def _statements(cell: str) -> list[ast.stmt]:
    """Python's, without IPython's lines."""
    if cell.startswith("%%"):  # a derivation in LaTeX: it has no link yet
        return []
    return ast.parse(re.sub(r"^%.*", "", cell, flags=re.MULTILINE)).body


def _assigned(cell: str) -> set[str]:
    """The names that Python code binds at the margin."""
    return {
        node.id
        for statement in _statements(cell)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
    }


def _declarations(letters: dict[str, Letter]) -> Iterator[str]:
    """Lines that declare the letters: those of one domain together."""
    together: dict[str, list[str]] = {}
    for name, letter in letters.items():
        if letter.maker in MANY and name == letter.spelled:
            together.setdefault(letter.maker, []).append(name)
        else:
            yield f'{name} = {letter.maker}("{letter.spelled}")'
    for maker, names in together.items():
        yield f'{", ".join(names)} = {maker}("{" ".join(names)}")'


def in_latex(cells: Sequence[str]) -> Linked | None:
    """The last cell, a derivation in LaTeX, with what is said, defined and supposed in it, and what it uses.

    None if it is in words, or rests on what another page proves.
    """
    cut = [(at[1], _pieces(cell[at.end() :])) for cell in cells if (at := LATEX.match(cell))]
    (name, own), used, given = cut[-1], _mentioned(cut[-1][1]), []
    for piece in reversed([piece for other, pieces in cut[:-1] if other == name for piece in pieces]):
        block = piece.block
        if isinstance(block, str) or block.kind not in AT_NEED or block.label in used:
            given.insert(0, piece)
            used |= _mentioned([piece])
    kinds, shown = (
        {piece.block.kind for piece in pieces if not isinstance(piece.block, str)}
        for pieces in ([*given, *own], own)
    )
    if kinds & {"recall", "words"} or not shown & {"prove", "refute"}:
        return None
    return Linked([piece.text for piece in given], own)


def _pieces(text: str) -> list[Part]:
    cut = re.split(r"\n(?=\S)", re.sub(r"(?<!\\)#.*", "", text).strip("\n"))
    return [Part(piece.rstrip(), next(latex.blocks(piece))) for piece in cut if piece.strip()]


def _mentioned(pieces: Sequence[Part]) -> set[str]:
    """The words in the rules of rows, labels among them."""
    rows = (row for piece in pieces if not isinstance(piece.block, str) for row in piece.block.rows)
    return {word for row in rows for word in WORD.findall(row.rule)}


def links(cells: Sequence[str]) -> dict[int, Linked]:
    """For each cell with a derivation that can stand alone: its number, and what it is."""
    bound = set().union(*map(_assigned, cells))
    typed = {
        k
        for k, cell in enumerate(cells)
        if (at := LATEX.match(cell)) and (at[1] not in bound or SIGNS.search(cell))
    }
    found = {}
    for k, cell in enumerate(cells):
        if k in typed:
            found[k] = in_latex([cells[n] for n in sorted(typed) if n <= k])
        elif CELL.match(cell):
            found[k] = alone([one for n, one in enumerate(cells[: k + 1]) if n not in typed])
    return {k: linked for k, linked in found.items() if linked is not None}


def _add_links(app: Any, doctree: nodes.document, page: str) -> None:
    sources = [node for node in doctree.findall(nodes.literal_block) if _is_code(node)]
    there, folds = app.builder.get_relative_uri(page, PAGE), _solutions(doctree)
    for k, linked in links([node.astext() for node in sources]).items():
        sources[k].parent.append(_link(there, "Try it here", quote(linked.text)))
        if fold := folds.get(id(sources[k])):
            place, exercise = fold.parent.index(fold), _begun(fold)
            exercise["ids"] = exercise["ids"] or [nodes.make_id(f"exercise-{exercise.astext()[:2]}")]
            back = f"{app.builder.get_relative_uri(PAGE, page)}#{exercise['ids'][0]}"
            words = "Write it and let it be checked"
            fold.parent.insert(place, _link(there, words, f"{quote(linked.task)}&from={quote(back)}"))


def _begun(fold: nodes.Element) -> nodes.Element:
    """Where an exercise begins: the last paragraph with a number before its solution, or the first."""
    before = [p for p in fold.parent.children[: fold.parent.index(fold)] if isinstance(p, nodes.paragraph)]
    return next((p for p in reversed(before) if re.match(r"\d+\. ", p.astext())), before[0])


def _link(there: str, words: str, fragment: str) -> nodes.paragraph:
    link = nodes.reference("", words, refuri=f"{there}#text={fragment}", internal=True)
    return nodes.paragraph("", "", link, classes=["try-link"])


def _solutions(doctree: nodes.document) -> dict[int, nodes.Element]:
    """The fold of the solution in which code stands, by the identity of the code."""
    folds = [node for node in doctree.findall(nodes.Element) if node.tagname == "dropdown_main"]
    return {id(code): fold for fold in folds for code in fold.findall(nodes.literal_block)}


def _is_code(node: nodes.Element) -> bool:
    return isinstance(node.parent, nodes.Element) and node.parent.get("nb_element") == "cell_code_source"
