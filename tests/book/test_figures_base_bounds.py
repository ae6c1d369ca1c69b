"""The figures of feasible bases show what their titles claim."""

import json
import math

import nbformat
import numpy as np
import torch

from posenc_book.figures import base_bounds
from posenc_lib import decay_kernel, inv_freq
from tools.notebooks import ROOT
from tools.reading import blocks

ROWS = [
    {"length": 1024, "base": 4293.44, "safe": {"base": 6018.28}},
    {"length": 2048, "base": 11587.24, "safe": None},
]


def test_first_negative_is_the_first():
    for base in (1e2, 1e3, 1e4):
        kernel = decay_kernel(torch.arange(5000), inv_freq(128, base))
        found = base_bounds.first_negative(inv_freq(128, base), 5000)
        assert kernel[found] < 0 and bool((kernel[:found] >= 0).all())


def test_first_negative_beyond_the_horizon_is_the_horizon():
    assert base_bounds.first_negative(inv_freq(128), 1707) == 1707
    assert base_bounds.first_negative(inv_freq(128), 1708) == 1707


def test_reached_keeps_the_shape():
    bases = torch.tensor([[100.0, 1000.0], [10000.0, 1e6]], dtype=torch.float64)
    expected = [[base_bounds.first_negative(inv_freq(128, b), 2000) for b in row] for row in bases.tolist()]
    assert base_bounds.reached(bases, 2000).tolist() == expected
    assert expected[1] == [1707, 2000]


def test_growth_shows_the_rows_and_what_is_quoted():
    plot = base_bounds.growth(ROWS, {"quoted": [4.3e3]})
    assert plot.data["quoted"] == [4.3e3]
    np.testing.assert_allclose(plot.data["smallest feasible"], [4293.44, 11587.24], rtol=1e-6)
    np.testing.assert_allclose(plot.data["safe"], [6018.28], rtol=1e-6)
    assert all(row["base"] > 2 * row["length"] / base_bounds.FIRST_ZERO for row in ROWS)
    labels = {text.get_text() for text in plot.figure.axes[0].get_legend().get_texts()}
    assert {"quoted", "smallest feasible", "length / 0.6165"} <= labels


def test_islands_lie_between_the_smallest_and_the_safe_base():
    first = base_bounds.islands(1024, 2e3, 4293.44, 6018.28, 12e3).data["first"]
    bases = np.geomspace(2e3, 12e3, len(first))
    assert (first[bases < 4293] < 1024).all() and (first[bases > 6019] >= 1024).all()
    between = first[(bases > 4294) & (bases < 6018)] >= 1024
    assert between.any() and not between.all()


def test_page_49_says_what_the_first_zero_is_before_it_divides_by_it():
    page = ROOT / "book" / "4-rotary" / "49-base-bounds.ipynb"
    told = ""
    for cell in nbformat.read(page, as_version=4).cells:
        if cell.cell_type == "markdown":
            for heading, body in blocks(cell.source):
                told = body if heading else told + body
        elif "FIRST_ZERO" in cell.source:
            assert "0.6165" in told and "integral" in told
            return
    raise AssertionError("page 49 no longer compares with the integral's first zero")


def test_the_page_on_choosing_recommends_safe_bases_rounded_up():
    part = ROOT / "book"
    rows = json.loads((part / "4-rotary" / "49-base-bounds.json").read_text("utf-8"))["rows"]
    page = nbformat.read(part / "5-practice" / "51-choosing.ipynb", as_version=4)
    shown = "".join(
        o.data.get("text/markdown", "") for c in page.cells for o in c.get("outputs", []) if "data" in o
    )
    for row in rows:
        safe = f"{math.ceil(row['safe']['base']):,}" if row["safe"] else "–"
        assert f"| {row['length']:,} | {safe} | {math.ceil(row['base']):,} |" in shown
