"""Drawings are served lighter and look the same."""

import base64
import math
import random
import re
from io import BytesIO

import numpy as np
import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from PIL import Image

from posenc_book.figures.style import Plot, figure, key
from tools.drawings import lighter_drawing, lighter_path, lighter_picture


def points(path):
    """The end points of a path's parts, as another program reads them."""
    pen = RecordingPen()
    parse_path(path, pen)
    return [(name, [tuple(point) for point in where]) for name, where in pen.value if name != "endPath"]


def drawn(seed):
    """A path as matplotlib writes it: lines, curves, loops, several parts."""
    draw = random.Random(seed)

    def at():
        return f"{draw.uniform(-400, 400):.3f} {draw.uniform(-9, 9):.3f}"

    parts = []
    for _ in range(draw.randint(1, 3)):
        parts.append(f"M {at()} ")
        for _ in range(draw.randint(1, 6)):
            letter = draw.choice("LLLQC")
            parts.append(f"{letter} {' '.join(at() for _ in range({'L': 1, 'Q': 2, 'C': 3}[letter]))} ")
        parts += ["z "] * draw.randint(0, 1)
    return "\n".join(parts)


@pytest.mark.parametrize("seed", range(40))
def test_a_lighter_path_goes_through_the_same_points_to_half_a_tenth(seed):
    whole, light = points(drawn(seed)), points(lighter_path(drawn(seed)))
    assert [name for name, _ in whole] == [name for name, _ in light]
    for (_, before), (_, after) in zip(whole, light, strict=True):
        assert np.abs(np.array(before) - np.array(after)).max(initial=0) <= 0.05 + 1e-9


def test_points_in_one_place_are_left_out_and_numbers_lose_what_they_do_not_need():
    assert lighter_path("M 36.769771 -7.001234 \nL 36.77 -7 \nL 1.5 12.345678") == "M36.8-7l-35.3 19.3"
    assert lighter_path("M 0 0 L 0.5 -0.5 L 1 0 z M 2 2 L 3 3") == "M0 0l.5-.5 .5 .5zm2 2l1 1"


def test_a_drawing_keeps_its_words_its_scales_and_the_names_that_it_uses():
    label, words = 'aria-label="0.12345"', '<text style="{}fill: red">1.2345 a</text>'
    svg = (
        f'<svg {label}> <g id="used"> <path id="m" d="M 1.25 2" transform="scale(0.015625)"/> <!-- $x$ -->'
        ' </g> <g id="lost"> <use href="#used" x="3.14159" transform="translate(1.2345 2)"/> </g>'
    )
    light = (
        f'<svg {label}><g id="used"><path id="m" d="M1.2 2" transform="scale(0.015625)"/></g><g>'
        '<use href="#used" x="3.1" transform="translate(1.2 2)"/></g>'
    )
    assert lighter_drawing(svg + words.format("font-family: 'A', b; ")) == light + words.format("")


def picture(colours, shape=(33, 33)):
    """A heat map as matplotlib writes it, in base64: a random one of ``colours`` at each pixel."""
    pixels = np.random.default_rng(0).choice(np.asarray(colours, np.uint8), shape)
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, format="png")
    return base64.b64encode(buffer.getvalue()).decode()


def decoded(png):
    return Image.open(BytesIO(base64.b64decode(png))).convert("RGBA").tobytes()


@pytest.mark.parametrize("count", [1, 20, 256])
def test_a_lighter_heat_map_has_the_same_pixels(count):
    png = picture([(k, 255 - k, 7 * k % 256, 255) for k in range(count)])
    light = lighter_picture(png)
    assert decoded(light) == decoded(png)
    assert len(light) < 0.8 * len(png)
    assert f"base64,{light}" in lighter_drawing(f'<svg><image href="data:image/png;base64,\n{png}"/></svg>')


def test_the_last_bits_of_a_machine_do_not_show_in_a_figure():
    def plotted(nudge):
        fig, axes = figure()
        axes.loglog([1, 10, 100], np.array([1.0, math.pi, 31.4]) * (1 + nudge))
        return Plot(fig, "A line", "A line that rises.", {"y": np.arange(3)})

    assert plotted(0).svg() == plotted(3e-13).svg() != plotted(1e-2).svg()


def test_letters_have_one_size_and_quantities_are_italic_but_not_words_nor_calls():
    fig, axes = figure()
    axes.loglog([1e-6, 1, 1e6], [1, 10, 100], label="T5's x₁ − mθ")
    axes.set(xlabel="f(q, k) of a pair", ylabel="attend(q, k)")
    key(fig)
    plot = Plot(fig, "|S| & I", "A line that rises.", {"y": np.arange(3)})
    shown = plot._repr_mimebundle_()["text/markdown"].replace('<tspan font-style="italic">', "<i>")
    assert set(re.findall(r"font-size: ([^;\"]*)", shown)) == {"9px"}
    shown = shown.replace("</tspan>", "</i>")
    assert ">|<i>S</i>| &amp; I<" in shown and ">T5's <i>x</i>₁ − <i>mθ</i><" in shown
    assert "><i>f</i>(<i>q</i>, <i>k</i>) of a pair<" in shown and ">attend(q, k)<" in shown
    assert ">10⁻⁶<" in shown and ">10⁶<" in shown


@pytest.mark.parametrize("scale", [1.0, -1.0])
@pytest.mark.parametrize("kind", ["plot", "bar", "pcolormesh"])
def test_a_figure_that_draws_other_numbers_than_its_data_is_refused(kind, scale):
    values = np.arange(12.0) + 1
    fig, axes = figure()
    axes.plot(np.sin(values), label="_aside")
    drawn = scale * values
    getattr(axes, kind)(*{"plot": [drawn], "bar": [values, drawn], "pcolormesh": [drawn.reshape(3, 4)]}[kind])
    if scale == 1:
        Plot(fig, "A line", "A line that rises.", {"y": values.reshape(3, 4), "z": values})
    else:
        with pytest.raises(ValueError, match=r"data must hold what is drawn, got 12 other values for"):
            Plot(fig, "A line", "A line that rises.", {"y": values})
