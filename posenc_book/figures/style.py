"""One look for every figure: SVG in the page's own ink, with alt text and a digest of its data."""

import base64
import hashlib
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape, unescape
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import LogFormatterSciNotation

INK = "#010203"  # replaced by currentColor, so that axes and text follow light and dark pages
# Okabe and Ito's colours: told apart by colour-blind readers, visible on white and on black.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
SEQUENTIAL, DIVERGING = "cividis", "PuOr"
#: Inches, and points. On a phone, a screen and a sheet one can read the letters of a drawing of this width.
WIDTH, HEIGHT, LETTERS = 4.2, 2.7, 9.0
DIGITS = 6
_HASHED = re.compile(r'\bid="(\w*[0-9a-f]{10})"')
#: A letter alone, or times an angle: no part of a word or a name, nor "a", "A" and "I", which are words.
_LETTER = re.compile(r"(?<![\w&'-])([b-zB-HJ-Z]?[α-ω]|[b-zB-HJ-Z])(?![a-zA-Zα-ω0-9_'-])")
_LONG = re.compile(r"-?\d+\.\d{4,}")  # coordinates in points: last bits, which differ between machines

SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text: selectable, and legible to a screen reader
    "svg.hashsalt": "posenc",
    "font.family": "sans-serif",
    "font.size": LETTERS,
    "figure.constrained_layout.use": True,
    "savefig.transparent": True,
    "axes.prop_cycle": cycler(color=COLOURS, linestyle=LINES),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"), INK
    ),
}  # fmt: skip


def figure(height: float = HEIGHT, rows: int = 1, columns: int = 1, **options: Any) -> Any:
    """A figure in the book's style and its axes, as ``matplotlib.pyplot.subplots`` returns them."""
    with mpl.rc_context(SETTINGS):
        made = Figure(figsize=(WIDTH, height), layout="constrained")
        return made, made.subplots(rows, columns, **options)


def _power(value: float) -> str:
    """A tick of a logarithmic axis, without letters smaller than the others: 0.01, 1000, 10⁶."""
    exponent = round(math.log10(value))
    return f"{value:g}" if -4 < exponent < 5 else "10" + str(exponent).translate(RAISED)


def key(part: Figure | Axes, columns: int = 2) -> None:
    """The names of what is drawn, each once: above ``part``, where they hide nothing of it."""
    panels: Sequence[Any] = part.axes if isinstance(part, Figure) else [part]
    place: Any = (
        {"loc": "lower left", "bbox_to_anchor": (0, 1)} if part in panels else {"loc": "outside upper left"}
    )
    found = [axes.get_legend_handles_labels() for axes in panels]
    named = {name: line for lines, names in found for line, name in zip(lines, names, strict=True)}
    part.legend(named.values(), named, ncols=columns, handlelength=1.7, columnspacing=1.2, **place)


def name_lines(axes: Any, at: Mapping[str, tuple[float, float]] | None = None) -> None:
    """Each line's name in its colour behind its last point, moved apart from other names. To be called when
    the axes have their limits; ``key`` leaves these names out.

    Args:
        at: for a name inside, the x of its middle, and its points above the line (or below, if negative).
    """
    inside, ends = dict(at or {}), []
    axes.figure.draw_without_rendering()  # so that points have places
    for line in [line for line in axes.get_lines() if line.get_label()[0] != "_"]:
        name, points, where = line.get_label(), line.get_xydata(), line.get_transform()
        words = name.replace(", ", ",\n") if ", " in name else fill(name, 14)
        look = {"xycoords": where, "textcoords": "offset points", "color": line.get_color()}
        if name in inside:
            x, up = inside.pop(name)
            near = points[abs(points[:, 0] - x).argmin()]
            axes.annotate(words, near, (0, up), ha="center", va="bottom" if up > 0 else "top", **look)
        else:
            high = where.transform(points[-1])[1] * 72 / axes.figure.dpi
            ends.append((high, 1.3 * LETTERS * (1 + words.count("\n")), words, points[-1], look))
        line.set_label(f"_{name}")
    if inside:
        raise ValueError(f"at must name lines that have no name yet, got {sorted(inside)}")
    ends.sort(key=lambda end: end[0])
    high, room = np.array([end[:2] for end in ends]).reshape(-1, 2).T
    free, each = high - room.cumsum() + room / 2, range(len(ends))
    for i, (_, _, words, end, look) in enumerate(ends):
        # the least squares of moves after which the places, less the room below them, do not fall
        up = max(min(free[j : k + 1].mean() for k in each[i:]) for j in each[: i + 1]) - free[i]
        thread = {"arrowstyle": "-", "lw": 0.6, "color": look["color"], "relpos": (0, 0.5), "shrinkB": 0}
        axes.annotate(words, end, (10, up), va="center", arrowprops=thread if abs(up) > 2 else None, **look)


def _italic(words: str, tag: str) -> str:
    """``words`` as HTML, with letters that stand for quantities set in italics; a call stays as it is."""
    safe = escape(words, quote=False)
    return safe if re.search(r"\w\w\(", words) else _LETTER.sub(tag, safe)


def _shorter(number: re.Match[str]) -> str:
    """Three decimals, a thousandth of a point."""
    short = f"{float(number[0]):.3f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _long(drawing: Figure) -> Iterator[tuple[str, np.ndarray]]:
    """Each line, row of bars and heat map of more than 8 values: its name, and the values. Level lines,
    scales of colours, and ornaments, which are lines labelled "_aside", say nothing about data.
    """
    for axes in drawing.axes:
        lines = [(line.get_label(), line.get_ydata(orig=False)) for line in axes.get_lines()]
        maps = [("a heat map", part.get_array()) for part in (*axes.images, *axes.collections)]
        rows = [row for row in axes.containers if isinstance(row, BarContainer)]
        bars = [("bars", row.datavalues) for row in rows]
        for name, values in [*lines, *maps, *bars] if axes.get_label() != "<colorbar>" else []:
            flat = np.asarray(() if values is None else values, np.float64).ravel()
            flat = flat[~np.isnan(flat)]  # where nothing is drawn
            if len(flat) > 8 and np.ptp(flat) and name != "_aside":
                yield str(name), flat


def _held(values: np.ndarray, drawn: np.ndarray) -> bool:
    """Whether ``drawn`` is the array, one of its rows along any axis, or their mean."""
    rows = [values.ravel(), *(np.moveaxis(values, k, -1).reshape(-1, n) for k, n in enumerate(values.shape))]
    return any(
        np.isclose(row, drawn, rtol=1e-5, atol=1e-7, equal_nan=True).all(-1).any()
        for row in (*rows, *(row.mean(0) for row in rows[1:]))
        if row.shape[-1] == len(drawn)
    )


@dataclass(frozen=True)
class Plot:
    """A finished figure: shows itself as inline SVG, and prints what it shows.

    Args:
        figure: the matplotlib figure
        title: the claim, shown above the figure
        alt: what the figure shows, for readers who cannot see it
        data: name → the numbers drawn, or their logarithms to base 10; each long line, row of bars and heat
            map is among them, and their digest is printed so that a changed figure fails the checks
        live: the figure in ``assets/figures`` that takes its place on the site, to be turned by hand, if any;
            this one stays where no script runs, in notebooks and on paper
        state: what the live figure shows first, as its script names it; numbers, texts, lists of them
    """

    figure: Figure
    title: str
    alt: str
    data: dict[str, np.ndarray]
    live: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in (("title", self.title), ("alt", self.alt)):
            if not value.strip():
                raise ValueError(f"{name} must say something, got {value!r}")
        if self.live and not re.fullmatch(r"[a-z]+(-[a-z]+)+", self.live):
            raise ValueError(f"live must be words joined by hyphens, as in 'two-hands', got {self.live!r}")
        for name, drawn in _long(self.figure):
            forms = [drawn, np.log10(drawn)] if drawn.min() > 0 else [drawn]
            if not any(_held(np.asarray(v, np.float64), form) for v in self.data.values() for form in forms):
                raise ValueError(f"data must hold what is drawn, got {len(drawn)} other values for {name!r}")

    def svg(self) -> str:
        """Inline SVG without a fixed size: ids unique on the page, ink the page's text colour."""
        tag = hashlib.sha256(self.title.encode()).hexdigest()[:6]
        text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{tag}-", self._drawing.replace(INK, "currentColor"))
        named = f'<svg role="img" aria-label="{escape(self.alt, quote=True)}" '
        sized = r'<svg (.*?)width="[\d.]+pt" height="[\d.]+pt"'
        return re.sub(sized, lambda found: named + found[1], text, count=1, flags=re.S)

    def image(self) -> str:
        """The figure as an ``<img>`` that needs no other file, dark ink on white paper.

        A notebook that has not been run here is shown without its inline SVG, but with its images.
        """
        drawn = self._drawing.replace("<svg ", '<svg style="background: white" ', 1)
        source = base64.b64encode(drawn.encode()).decode()
        return f'<img alt="{escape(self.alt, quote=True)}" src="data:image/svg+xml;base64,{source}">'

    @cached_property
    def _drawing(self) -> str:
        for axes in self.figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                if isinstance(axis.get_major_formatter(), LogFormatterSciNotation):
                    axis.set_major_formatter(lambda value, _: _power(value))
        for legend in self.figure.findobj(Legend):
            legend.set_frame_on(False)
        for label in self.figure.findobj(Text):
            label.set_fontsize(LETTERS)
            if label.get_color() == "black":
                label.set_color(INK)
        buffer = io.StringIO()
        with mpl.rc_context(SETTINGS):
            self.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        text = buffer.getvalue()
        text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.S)
        text = re.sub(r'\b(?:d|x|y)="[^"]*"', lambda found: _LONG.sub(_shorter, found[0]), text)
        italic = r'<tspan font-style="italic">\1</tspan>'
        text = re.sub(r"(?<=>)[^<>]+(?=</text>)", lambda found: _italic(unescape(found[0]), italic), text)
        # a line's own colour is too pale for letters: it is mixed with the ink
        text = re.sub(rf"(<text [^>]*fill: )(?!{INK})(#\w+)", rf"\1color-mix(in srgb, {INK} 40%, \2)", text)
        for k, name in enumerate(dict.fromkeys(_HASHED.findall(text))):  # of what was drawn, to its last bit
            text = text.replace(name, f"{name[:-10]}{k}-")
        return re.sub(r"\n\s*\n", "\n", text)  # an empty line would end the HTML inside Markdown

    def digest(self) -> str:
        """``name: shape, min, max, checksum`` for each array, rounded so that machines agree."""
        lines = []
        for name, values in self.data.items():
            rounded = np.round(np.asarray(values, dtype=np.float64), DIGITS) + 0.0
            code = hashlib.sha256(rounded.tobytes()).hexdigest()[:8]
            lines.append(f"{name}: {rounded.shape}, {rounded.min():.4g} … {rounded.max():.4g}, sha {code}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {
            "text/html": self._shown(self.image()),  # JupyterLab, Colab, GitHub
            "text/markdown": self._shown(self._alive(self.svg())),  # the book
            "text/plain": f"{self.title}\n{self.alt}\n{self.digest()}",
        }

    def _alive(self, drawing: str) -> str:
        if not self.live:
            return drawing
        state = escape(json.dumps(dict(self.state), ensure_ascii=False, separators=(",", ":")), quote=False)
        quoted = state.replace("'", "&#x27;")
        return f"<{self.live} class=\"live-figure\" data-state='{quoted}'>{drawing}</{self.live}>"

    def _shown(self, drawing: str) -> str:
        title = _italic(self.title, r"<i>\1</i>")
        return (
            f'<figure class="plot"><figcaption>{title}</figcaption>{drawing}'
            '<details class="digest"><summary>Data drawn</summary>'
            f"<pre>{escape(self.digest())}</pre></details></figure>"
        )
