"""The dependency graph of one page as static SVG: layers from left to right, every node a link.

Its colours and lines are in ``assets/book.css``.
"""

import textwrap
from graphlib import TopologicalSorter
from html import escape

from posenc_proofs.latex.shown import MARKS

from .records import Page, own_results

NODE_WIDTH, NODE_HEIGHT, GAP_X, GAP_Y, MARGIN = 168, 24, 36, 10, 8
LONGEST, SMALL = 34, ' font-size="9"'  # of the line that names another page


def layers(uses: dict[str, list[str]]) -> dict[str, int]:
    """Each node's layer: one more than the largest layer among what it uses."""
    depth: dict[str, int] = {}
    for label in TopologicalSorter(uses).static_order():
        depth[label] = 1 + max((depth[used] for used in uses[label]), default=-1)
    return depth


def positions(uses: dict[str, list[str]]) -> dict[str, tuple[int, int]]:
    """Column and row of each node; rows follow the mean row of what a node uses, so that lines cross less."""
    depth = layers(uses)
    place: dict[str, tuple[int, int]] = {}
    for column in range(max(depth.values(), default=-1) + 1):
        here = [label for label in uses if depth[label] == column]

        def pull(label: str) -> float:
            rows = [place[used][1] for used in uses[label]]
            return sum(rows) / len(rows) if rows else 0.0

        for row, label in enumerate(sorted(here, key=pull) if column else here):
            place[label] = (column, row)
    return place


def connected(page: Page, pages: list[Page]) -> dict[str, list[str]]:
    """Label → what it uses, for the page's results that use another or are used by one on this page."""
    known = own_results(pages)
    own = {r["label"]: r for r in page.results if r["kind"] != "recalled"}
    used = {u for r in own.values() for u in r["uses"]}
    inside = [label for label, r in own.items() if r["uses"] or label in used]
    outside = sorted(u for u in used if u not in own and u in known)
    return {label: [] for label in outside} | {label: list(own[label]["uses"]) for label in inside}


def svg(page: Page, pages: list[Page]) -> str:
    """The graph of ``page`` as one SVG element, or "" when nothing on it uses anything."""
    uses = connected(page, pages)
    if not uses:
        return ""
    place, known = positions(uses), own_results(pages)
    columns = 1 + max(column for column, _ in place.values())
    rows = 1 + max(row for _, row in place.values())
    across, down = NODE_WIDTH + GAP_X, NODE_HEIGHT + GAP_Y
    width = columns * across - GAP_X + 2 * MARGIN
    height = rows * down - GAP_Y + 2 * MARGIN
    corner = {label: (MARGIN + c * across, MARGIN + r * down) for label, (c, r) in place.items()}
    edges = "".join(_edge(corner[used], corner[label]) for label in uses for used in uses[label])
    nodes = "".join(_node(label, *known[label], corner[label], page) for label in uses)
    title = f"What uses what on the page “{page.title}”; the list below says the same in words"
    label = f'aria-label="{escape(title, quote=True)}"'
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-size="11"'
    drawn = f'<svg role="group" {label} {size}><g aria-hidden="true">{edges}</g>{nodes}</svg>'
    return f'<div class="dependency-graph" tabindex="0" role="region" {label}>{drawn}</div>'


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + NODE_WIDTH, start[1] + NODE_HEIGHT // 2
    x2, y2 = end[0], end[1] + NODE_HEIGHT // 2
    bend = (x2 - x1) // 2
    return f'<path d="M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"/>'


def _node(label: str, page: Page, record: dict[str, object], corner: tuple[int, int], here: Page) -> str:
    """A box with the label; below it, smaller, the page, where that is another than ``here``."""
    x, y = corner
    status = record["status"]
    kind = status if status == "proved" else "given" if status in ("assumed", "words") else "other"
    said = escape(f"{label}: {status}, on the page “{page.title}”")
    mark = MARKS[str(record["kind"])][0]
    shown = _line(x, y + (16 if page == here else 10), f"{mark} {label.removeprefix('eq-')}")
    if page != here:
        shown += _line(x, y + 20, textwrap.shorten(f"↩ {page.title}", LONGEST, placeholder=" …"), SMALL)
    anchor = label if record["kind"] == "words" else f"equation-{label}"
    box = f'<rect x="{x}" y="{y}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="4" class="{kind}"/>'
    return f'<a href="{page.from_reference}.html#{anchor}"><title>{said}</title>{box}{shown}</a>'


def _line(x: int, y: int, text: str, size: str = "") -> str:
    return f'<text x="{x + 8}" y="{y}"{size}>{escape(text)}</text>'
