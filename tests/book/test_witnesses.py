"""Where a source's claim is refuted, the author chose the point, and it is one of which the source speaks."""

import re
from fractions import Fraction

import nbformat
import pytest

from tools.contents import find_notebooks
from tools.reading import STEP

PAGES = find_notebooks()
POSITIONS = {"m", "n", "k"}


def cells(path):
    notebook = nbformat.read(path, as_version=4)
    return [
        c for c in notebook.cells if c.cell_type == "code" and "hide-cell" not in c.metadata.get("tags", [])
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_positions_are_not_negative_and_bases_are_above_one(path):
    for output in (out for cell in cells(path) for out in cell.outputs):
        shown = output.get("data", {})
        if STEP not in shown or "fails at" not in shown["text/plain"]:
            continue
        point = re.search(r"fails at (.*?): left side", shown["text/plain"])[1]
        values = dict(item.split(" = ") for item in point.split(", ") if " = " in item)
        assert all(int(values[name]) >= 0 for name in POSITIONS & values.keys()), point
        if path.parent.name == "2-sinusoid" and "b" in values:
            assert Fraction(values["b"]) > 1, point
