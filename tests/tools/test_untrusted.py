"""Stored outputs read well in a notebook that nobody has run yet, where unsafe HTML is dropped."""

import base64
import re

import numpy as np
import pytest

from posenc_book.figures.style import Plot, figure
from tools.guard import _html_images
from tools.untrusted import left_behind


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<p>a <b>table</b></p><table><tr><td>1</table>", []),
        ("<figure><img alt='a' src='data:,'><figcaption>b</figcaption></figure>", []),
        ("<style>p {}</style><script>1</script><p>a</p>", []),
        ("<svg><style>p {}</style><path/><text>0</text><g><text>50</text></g></svg>", ["0", "50"]),
        ("<math><mi>x</mi></math><iframe>y</iframe>", ["x", "y"]),
    ],
)  # fmt: skip
def test_what_is_left_behind(html, left):
    assert left_behind(html) == left


def plot():
    drawn, axes = figure()
    axes.plot([0, 1], [0, 1], label="line")
    axes.legend()
    return Plot(drawn, "A line < a curve", 'It "rises"', {"y": np.array([0.0, 1.0])})


def test_a_figure_is_an_image_in_notebooks_and_inline_on_the_site():
    shown = plot()._repr_mimebundle_()
    notebook, site = shown["text/html"], shown["text/markdown"]
    assert left_behind(notebook) == [] and "<svg" not in notebook
    (source,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', notebook)
    drawing = base64.b64decode(source).decode()
    assert drawing.startswith("<svg ") and "currentColor" not in drawing
    assert "background: white" in drawing and 'width="302.4pt"' in drawing
    assert "<svg" in site and "<img" not in site and "currentColor" in site
    for html in (notebook, site):
        assert not list(_html_images(html))  # it has a name
        assert "<figcaption>A line &lt; a curve</figcaption>" in html and "&quot;rises&quot;" in html
        assert "y: (2,), 0 … 1, sha" in html
    assert not re.search(r"\n\s*\n", site), "an empty line would end the HTML"
