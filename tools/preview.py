"""The picture that chats and social networks show beside a link: a page's title and its first figure."""

import re
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

import matplotlib
import resvg_py
from fontTools.ttLib import TTFont

from tools.notebooks import CACHE, ROOT

FIGURE = re.compile(r'<svg role="img" .*?</svg>', re.DOTALL)
#: Ink and paper are those of assets/book.css; Open Graph asks for this size.
CARD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" color="#1c1e22" fill="#1c1e22">'
    '<rect width="1200" height="630" fill="#fdfcf8"/><g font-family="Posenc Serif">{}</g>{}</svg>'
)


def picture(title: str, book: str, figure: str) -> bytes:
    """A PNG file: the page's title and the book's, and beside them ``figure``, an SVG element."""
    told = [(44, 100 + 56 * k, line) for k, line in enumerate(wrap(title, 17))]
    told.append((26, 585, book if title != book else ""))
    texts = (f'<text x="50" y="{y}" font-size="{size}">{escape(line)}</text>' for size, y, line in told)
    drawn = figure.replace("<svg ", '<svg x="480" y="45" width="670" height="540" ', 1)
    card = CARD.format("".join(texts), drawn)
    fonts = {"font_files": _fonts(), "font_family": "DejaVu Sans", "sans_serif_family": "DejaVu Sans"}
    return bytes(resvg_py.svg_to_bytes(svg_string=card, skip_system_fonts=True, **fonts))


@cache
def _fonts() -> list[str]:
    """The book's serif, unpacked, and the font of the figures."""
    serif = CACHE / "serif.ttf"
    serif.parent.mkdir(exist_ok=True)
    with TTFont(ROOT / "assets" / "fonts" / "serif-normal.woff2") as font:
        font.flavor = None
        font.save(serif)
    return [str(serif), str(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))]
