"""What a notebook in this book must look like before anyone compares its outputs.

nbval lets pass a cell never run, counts out of order, a stored traceback and a cell that opted out of
the comparison. A reader would then see something that no execution produced. :func:`problems` finds those,
and what ``tools/reading.py``, ``tools/said.py`` and ``tools/untrusted.py`` find: whatever trips a reader.
"""

import re
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Tag

from tools import reading, said
from tools.untrusted import left_behind

_OPT_OUTS = {"nbval-ignore-output", "nbval-skip", "nbval-raises-exception", "pytest-validate-ignore-output"}
_OPT_OUT_TAGS = _OPT_OUTS | {"raises-exception", "skip-execution"}
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/svg+xml")
_BARE_MARKDOWN_IMAGE = re.compile(r"!\[\s*\]\(")
_IMAGE_DIRECTIVE = re.compile(r"^ *(`{3,}|:{3,}) *\{(?:image|figure)\}(.*?)^ *\1", re.MULTILINE | re.DOTALL)


def problems(notebook: Any) -> list[str]:
    """Every reason why ``notebook`` (nbformat 4) is not a clean, complete, readable run; empty if none."""
    found = []
    expected = 1
    for index, cell in enumerate(notebook.cells):
        where = f"cell {index}"
        if cell.cell_type == "markdown":
            found += [f"{where}: {what}" for what in _markdown_images(cell.source)]
        if cell.cell_type != "code":
            continue
        count = cell.execution_count
        if count is None:
            found.append(f"{where}: never run (execution_count is null)")
        elif count != expected:
            found.append(f"{where}: execution count {count}, expected {expected}: not one clean run")
        expected += 1
        found += [f"{where}: {what}" for what in (*_opt_outs(cell), *_outputs(cell))]
    return [*found, *reading.problems(notebook), *said.problems(notebook)]


def _opt_outs(cell: Any) -> Iterator[str]:
    comments = set(re.findall(r"^[ \t]*#+[ \t]*(.*?)[ \t]*$", cell.source, re.M))
    used = {tag for tag in cell.metadata.get("tags", []) if tag.lower() in _OPT_OUT_TAGS}
    used |= {comment for comment in comments if comment.lower().replace("_", "-") in _OPT_OUTS}
    reason = cell.metadata.get("nbval_reason", "")
    if used and not (isinstance(reason, str) and reason.strip()):
        yield f"opts out of the comparison ({', '.join(sorted(used))}) without metadata.nbval_reason"


def _outputs(cell: Any) -> Iterator[str]:
    settings = cell.metadata.get("mystnb", {})
    alt = settings.get("image", {}).get("alt", "")
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"stored traceback: {output.ename}: {output.evalue}"
        if output.output_type == "stream" and output.name == "stderr":
            yield f"printed to stderr: {output.text.strip()[:200]!r}"
        data = output.get("data", {})
        if not alt.strip():
            yield from (f"{mime} without metadata.mystnb.image.alt" for mime in _IMAGES if mime in data)
        html = data.get("text/html", "")
        yield from _html_images(html)
        if dropped := left_behind(html):
            yield f"HTML that leaves rubbish before it is run: {' '.join(dropped)[:60]}"
        yield from _markdown_images(data.get("text/markdown", ""))


def _markdown_images(text: str) -> Iterator[str]:
    if _BARE_MARKDOWN_IMAGE.search(text):
        yield "image without alternative text: ![](…)"
    for directive in _IMAGE_DIRECTIVE.finditer(text):
        if not re.search(r"^ *:alt: *\S", directive[2], re.MULTILINE):
            yield f"image directive without :alt: ({directive[2].strip()[:60]})"
    yield from _html_images(text)


def _html_images(text: str) -> Iterator[str]:
    """The images that a screen reader could not name."""
    for image in BeautifulSoup(text, "html.parser").find_all(["img", "svg"]):
        if any(map(_is_named, [image, *image.parents])):
            continue
        if image.name == "svg":
            yield '<svg> without role="img" and aria-label'
        elif not image.get("alt", "").strip() and image.get("role") != "presentation":
            yield "<img> without alt"


def _is_named(element: Tag) -> bool:
    """Whether it and all that it holds has a name, or says nothing."""
    labelled = (element.get("aria-label") or element.get("aria-labelledby") or "").strip()
    return bool(element.get("role") == "img" and labelled) or element.get("aria-hidden") == "true"
