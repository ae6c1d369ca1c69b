"""Of each font, pages load the characters that the book shows, and no others.

A cut font is kept in ``.cache/``, under a digest of the font and the characters: a second build cuts nothing.
"""

import hashlib
import io
import logging
import re
from collections import defaultdict
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont

from tools.letters import LETTERS
from tools.notebooks import CACHE
from tools.whole_files import write_whole

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it names each table that it cuts

TYPED = set(map(chr, range(32, 127)))  # into the search field, and by scripts
NOT_TEXT = re.compile(r"<(svg|pre|math|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
ITALIC = re.compile(r'<(em|i|cite|var|dfn|div class="why")>(.*?)</(?:em|i|cite|var|dfn|div)>', re.DOTALL)
DRAWN = re.compile(r'<var class="katex-html".*?</var>', re.DOTALL)  # of a formula: tools/markup.js
READ = re.compile(r"(?<!class=\"katex-mathml\">)<math.*?</math>", re.DOTALL)  # which nothing else draws
SYMBOL = re.compile(r'<(i|span)(?: class="([^"]*)")?[^>]*>([^<]+)</(?:i|span)>')
#: The letters of these fonts are marked, symbol by symbol; KaTeX's others may be asked for any character.
ALPHABETS = {
    "i": "KaTeX_Math-Italic", "boldsymbol": "KaTeX_Math-BoldItalic", "mathit": "KaTeX_Main-Italic",
    "mathbf": "KaTeX_Main-Bold", "textbf": "KaTeX_Main-Bold", "textit": "KaTeX_Main-Italic",
    "amsrm": "KaTeX_AMS-Regular", "mathbb": "KaTeX_AMS-Regular", "mathcal": "KaTeX_Caligraphic-Regular",
    "mathfrak": "KaTeX_Fraktur-Regular", "mathscr": "KaTeX_Script-Regular",
    "mathtt": "KaTeX_Typewriter-Regular", "texttt": "KaTeX_Typewriter-Regular",
    "mathsf": "KaTeX_SansSerif-Regular", "textsf": "KaTeX_SansSerif-Regular",
}  # fmt: skip


def characters(pages: Iterable[str]) -> dict[str, set[str]]:
    """What pages show, by font: those of ``ALPHABETS``, ``"KaTeX"`` for its others, ``"serif"`` for words.

    What words stand in italics is ``"serif-italic"`` besides; ``"math"`` is what browsers draw from MathML.
    """
    shown: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for formula in DRAWN.findall(page):
            for tag, classes, symbols in SYMBOL.findall(formula):
                fonts = [ALPHABETS[name] for name in (tag, *classes.split()) if name in ALPHABETS]
                for font in fonts or ["KaTeX"]:
                    shown[font] |= set(unescape(symbols))
            shown["KaTeX"] |= set(unescape(NOT_TEXT.sub("", SYMBOL.sub("", formula))))
        for mathml in READ.findall(page):
            shown["math"] |= set(unescape(re.sub("<[^>]*>", "", mathml)))
            italic = re.findall("<mi>(.)<", mathml)
            shown["math"] |= {LETTERS.get(("italic", letter), letter) for letter in italic}
        words = DRAWN.sub("", page)
        shown["serif"] |= set(unescape(NOT_TEXT.sub("", words)))
        slanted = "".join(text for _, text in ITALIC.findall(words))
        shown["serif-italic"] |= set(unescape(NOT_TEXT.sub("", slanted)))
    shown["serif"] |= TYPED
    return shown


def cut(font: bytes, wanted: set[str]) -> bytes:
    """The WOFF2 ``font`` with the glyphs of ``wanted`` alone."""
    with TTFont(io.BytesIO(font)) as opened:
        cutter = subset.Subsetter(subset.Options(hinting=False))
        cutter.populate(unicodes=map(ord, wanted))
        cutter.subset(opened)
        written = io.BytesIO()
        opened.save(written)
        return written.getvalue()


def cut_all(app: Any) -> None:
    """Cut the site's fonts."""
    out = Path(app.outdir)
    shown = characters(page.read_text() for page in sorted(out.rglob("*.html")))
    shown["math"] |= characters(script.read_text() for script in out.rglob("*.wrong.js"))["math"]
    for path in sorted((out / "_static").rglob("*.woff2")):
        of_all = "KaTeX" if path.stem.startswith("KaTeX_") else "serif"
        own = path.stem in (*ALPHABETS.values(), "serif-italic", "math")
        wanted = shown[path.stem if own else of_all] or {"x"}  # Firefox calls a font without outlines broken
        whole = path.read_bytes()
        kept = CACHE / "fonts" / hashlib.sha256(whole + "".join(sorted(wanted)).encode()).hexdigest()
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(kept, cut(whole, wanted))
        path.write_bytes(kept.read_bytes())
