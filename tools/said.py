"""Numbers that a text says, filled in from what its page computed, so that nobody types them.

A code cell with the tags ``said`` and ``remove-cell`` ends in a mapping of names to texts, as
``{"first zero": f"{zero:.0f}"}``. Where a text cell has ``<!--=first zero-->6166<!--/-->``, execution
writes the present value between the marks; a reader sees the value alone, here, in Jupyter and on GitHub.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

MARKED = re.compile(r"<!--=([^>]+?)-->(.*?)<!--/-->", re.DOTALL)


def values(notebook: Any) -> dict[str, str]:
    """What the page's cells with the tag ``said`` computed."""
    found: dict[str, str] = {}
    for cell in notebook.cells:
        if "said" in cell.metadata.get("tags", []):
            for output in cell.get("outputs", []):
                found |= ast.literal_eval(output["data"]["text/plain"])
    return found


def fill(notebook: Any) -> None:
    """Write the present values between the marks."""
    known = values(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = MARKED.sub(lambda m: f"<!--={m[1]}-->{known.get(m[1], m[2])}<!--/-->", cell.source)


def problems(notebook: Any) -> Iterator[str]:
    """Marks that hide a line or whose text is not what the page computed, and values that no text says."""
    known = values(notebook)
    texts = [(k, cell.source) for k, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]
    marked = [(index, *found) for index, text in texts for found in MARKED.findall(text)]
    for index, text in texts:
        for line in re.findall(r"^\s*<!--=.*", text, re.MULTILINE):
            yield f"cell {index}: Markdown takes the line for HTML; begin it with a word: {line.strip()[:60]}"
    for index, name, text in marked:
        if known.get(name) != text:
            yield f"cell {index}: says {text!r} for {name!r}, the cell tagged said {known.get(name)!r}"
    for name in sorted(known.keys() - {name for _, name, _ in marked}):
        yield f"{name!r} is computed for a text, and no text says it"
