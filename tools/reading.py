"""What a reader meets in which order: headings, answers that stay folded, words before a displayed result."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

STEP = "application/vnd.posenc.step+json"
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *$")
_FENCE = re.compile(r"^ *(`{3,}|~{3,})")
_ASIDE = {"hide-cell", "said"}  # tags of cells that show a reader nothing where they stand
_EXERCISE = re.compile(r"^\*\*(\d+)\.\*\* ", re.MULTILINE)
_ANSWER = re.compile(r"^(\d+)[.:] ", re.MULTILINE)


class Heading(NamedTuple):
    """One heading of a page: its level, 1 to 6, and its words."""

    level: int
    title: str


def blocks(text: str) -> Iterator[tuple[Heading | None, str]]:
    """``text`` cut at its headings: each with the lines below it; lines above the first come with None."""
    heading, lines, fence = None, [], ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if fence else _HEADING.match(line)
        if found:
            yield heading, "\n".join(lines)
            heading, lines = Heading(len(found[1]), found[2]), []
        else:
            lines.append(line)
    yield heading, "\n".join(lines)


def problems(notebook: Any) -> Iterator[str]:
    """Exercises out of order, answers open or below others, unintroduced results, folds behind a colon."""
    yield from _open_answers(notebook)
    yield from _out_of_order(notebook)
    yield from _unexplained(notebook)
    shown = [(i, c) for i, c in enumerate(notebook.cells) if "remove-cell" not in c.metadata.get("tags", ())]
    for (index, cell), (_, behind) in pairwise(shown):
        if re.search(r"[^:]:$", cell.source) and behind.source.startswith("<!-- proof"):
            yield f"cell {index}: a sentence ends in a colon, and what comes next is folded away"


def labels(cell: Any) -> list[str]:
    """The labels of the checked results that a code cell shows, in order."""
    return [out.data[STEP]["label"] for out in cell.get("outputs", []) if STEP in out.get("data", {})]


def _open_answers(notebook: Any) -> Iterator[str]:
    level = 0  # of the heading "Exercises" that we are under, if any
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for heading, _ in blocks(cell.source):
                if heading and heading.title.lower().startswith("exercise"):
                    level = heading.level
                elif heading and heading.level <= level:
                    level = 0
        elif level and cell.cell_type == "code" and not _ASIDE.intersection(cell.metadata.get("tags", ())):
            yield f"cell {index}: an answer stands open below its exercise (tag the cell hide-cell)"


def _out_of_order(notebook: Any) -> Iterator[str]:
    exercise = ""  # the number of the last
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for number in _EXERCISE.findall(cell.source):
                if int(number) != int(exercise or 0) + 1:
                    yield f"cell {index}: exercise {number} comes after {exercise or 'none'}"
                exercise = number
        elif exercise:
            said = "".join(out.text for out in cell.get("outputs", []) if out.output_type == "stream")
            for answered in sorted(set(_ANSWER.findall(said)) - {exercise}):
                yield f"cell {index}: an answer to exercise {answered} stands below exercise {exercise}"


def _unexplained(notebook: Any) -> Iterator[str]:
    shown_since_words = False
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            shown_since_words = False
            continue
        tags = cell.metadata.get("tags", [])
        if cell.cell_type != "code" or "remove-cell" in tags or "hide-cell" in tags:
            continue
        results = labels(cell)
        if results and shown_since_words:
            yield f"cell {index}: {results[0]} is displayed with no word since the outputs before it"
        shown_since_words = shown_since_words or bool(cell.outputs)
