"""A Sphinx extension: the picture that chats and social networks show beside a link to the book.

The unit arrows of a walk, whose end is the score of two tokens, and the title. Each build draws it anew.
"""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import torch

from posenc_lib import inv_freq, partial_sums
from tools.page_head import address

NAME = "preview.png"
SIZE = (12.0, 6.3)  # inches of a hundred pixels: what Open Graph asks for


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("html-page-context", _name_it)
    app.connect("build-finished", _draw, priority=900)  # after files that no page loads are deleted
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def tags(title: str, site: str) -> str:
    """The lines of a page's head that name the picture."""
    said = {"og:title": title, "og:type": "article", "og:image": f"{site}_static/{NAME}",
            "og:image:alt": "A walk of unit arrows that curls up"}  # fmt: skip
    lines = (f'<meta property="{name}" content="{escape(value)}">' for name, value in said.items())
    return "".join(lines) + '<meta name="twitter:card" content="summary_large_image">'


def draw(path: Path, title: str, distance: int = 60, dim: int = 128) -> None:
    """The walk at ``distance`` for the usual frequencies, and the title, as a PNG file."""
    walk = partial_sums(torch.tensor([distance]), inv_freq(dim))[0]
    at = torch.cat((torch.zeros(1, dtype=walk.dtype), walk)).numpy()
    figure = plt.figure(figsize=SIZE, dpi=100, facecolor="#fffdf8")
    axes = figure.add_axes((0.52, 0.08, 0.44, 0.84))
    axes.plot(at.real, at.imag, color="#0072b2", linewidth=2, marker="o", markersize=4)
    axes.plot([at.real[0], at.real[-1]], [at.imag[0], at.imag[-1]], color="#d55e00", linewidth=3)
    axes.set_aspect("equal")
    axes.axis("off")
    first, rest = title.split(", ", 1)
    figure.text(0.05, 0.55, first, fontsize=36, family="serif", weight="bold", color="#1a1a1a")
    figure.text(0.05, 0.42, rest, fontsize=28, family="serif", color="#1a1a1a")
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)


def _name_it(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    title = unescape(re.sub(r"<[^>]*>", "", context.get("title") or app.config.html_title))
    context["metatags"] = context.get("metatags", "") + tags(title, address(app.config))


def _draw(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        draw(Path(app.outdir) / "_static" / NAME, app.config.html_title)
