"""Every stored figure of the book: a claim, a description, a name for each axis, a drawing that is light."""

import html
import json
import re
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from posenc_book.figures.style import COLOURS, LINES, Plot
from tools.contents import find_notebooks

SVG = "{http://www.w3.org/2000/svg}"


def figures():
    """Page and number of each stored figure: title, description, drawing, digest of the data drawn."""
    for page in find_notebooks():
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
        outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
        shown = [data for data in outputs if '<figure class="plot"' in "".join(data.get("text/html", ""))]
        for number, data in enumerate(shown):
            text, drawn = "".join(data["text/html"]), "".join(data["text/markdown"])
            title = html.unescape(re.sub("</?i>", "", re.search(r"<figcaption>(.*?)</figcaption>", text)[1]))
            told = html.unescape(re.search(r'<img alt="(.*?)" src=', text, re.DOTALL)[1])
            drawing = re.search(r"<svg .*?</svg>", drawn, re.DOTALL)[0]
            digest = re.search(r"<pre>(.*?)</pre>", text, re.DOTALL)[1]
            yield f"{page.stem} {number}", title, told, drawing, digest


FIGURES = list(figures())
NAMES = [f[0] for f in FIGURES]
every_figure = pytest.mark.parametrize(("title", "told", "drawing"), [f[1:4] for f in FIGURES], ids=NAMES)


def test_all_are_looked_at():
    assert len(FIGURES) > 50


@every_figure
def test_the_description_tells_more_than_that_there_is_a_picture(title, told, drawing):
    assert len(told.split()) >= 18 and told[-1] in ".?!"
    assert not re.match(r"(An? |The )?(figure|picture|image|plot|chart)\b", told, re.IGNORECASE)
    assert told != title and 3 <= len(title.split()) <= 25


HEAVY = {"13-trained-model 0": 150_000}  # five planes of 127 points


@pytest.mark.parametrize(("name", "drawing", "digest"), [(f[0], *f[3:]) for f in FIGURES], ids=NAMES)
def test_a_drawing_is_light_and_made_of_numbers(name, drawing, digest):
    assert len(drawing.encode()) < HEAVY.get(name, 80_000)  # bytes; heavier ones slow the page down
    assert digest and not re.search(r"\b(nan|inf)\b", digest)


NAMED_ELSEWHERE = {  # title: where the name of an axis stands
    "The score depends only on the distance between q and k": "at its line; the other panel has no axes",
    "A table is a ruler of distances: Shaw's marks are even and stop, T5's get wider, and stop as well": (
        "inside, above each ruler"
    ),
}


@every_figure
def test_the_only_panel_of_a_figure_has_a_name_on_both_axes(title, told, drawing):
    groups = ElementTree.fromstring(drawing).iter(f"{SVG}g")
    axes = [g for g in groups if re.search(r"matplotlib\.axis_\d+$", g.get("id", ""))]
    if len(axes) == 2:
        assert title in NAMED_ELSEWHERE or all(_name(axis) or _ticks_are_words(axis) for axis in axes)


def _name(axis):
    """The text beside an axis that is no number at one of its ticks."""
    parts = [part for part in axis if re.search(r"-text_\d+$", part.get("id", ""))]
    return "".join("".join(part.itertext()) for part in parts).strip()


def _ticks_are_words(axis):
    ticks = [part for part in axis if re.search(r"-[xy]tick_\d+$", part.get("id", ""))]
    return any(re.search(r"[a-z]{3}", "".join(tick.itertext())) for tick in ticks)


@pytest.mark.parametrize("missing", ["title", "alt"])
def test_a_figure_without_words_is_not_made(missing):
    words = {"title": "A claim", "alt": "What is seen"} | {missing: " "}
    with pytest.raises(ValueError, match=f"{missing} must say something"):
        Plot(Figure(), data={}, **words)


def test_lines_are_told_apart_by_colour_and_by_dashes():
    assert len(set(COLOURS)) == len(COLOURS) == len(set(map(str, LINES))) == len(LINES) == 6
    lightness = [
        sum(int(c[i : i + 2], 16) * w for i, w in ((1, 0.21), (3, 0.72), (5, 0.07))) for c in COLOURS
    ]
    assert all(60 < value < 200 for value in lightness)  # seen on white and on black
