"""A Sphinx extension: formulas are set while the pages are written, by KaTeX, which runs in QuickJS.

Nothing is left for the reader's browser to do. Each formula is drawn in HTML and comes as MathML for screen
readers; on the pages ``rocq/…`` and in “Break it”, which hold hundreds, the MathML is alone, and browsers
draw it. What KaTeX refuses is a warning, and so ends the build.
"""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import quickjs
from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from tools.letters import own_letters
from tools.line_breaks import BREAK, LEVELS, breaking, cut
from tools.notebooks import ROOT

LOG = logging.getLogger(__name__)
#: The TeX, which nobody is shown; what holds it; a name that HTML implies; blanks of no width.
BLANK = r'<mspace></mspace>| columnspacing=""'
NEEDLESS = re.compile(rf'<annotation .*?</annotation>|</?semantics>| xmlns="[^"]*/MathML"|{BLANK}', re.DOTALL)
#: A class that KaTeX's style names.
CLASS = re.compile(r"\.([a-z][\w-]*)")
KATEX_STYLE = ROOT / "assets" / "katex" / "katex.min.css"
#: Browsers would set it as the sign of "divides", with room around it.
BAR = re.compile('<mo fence="true"(?=>[∣∥])')
UNSEEN = re.compile(r"</?mstyle[^>]*>|(?<=<m)((?!ath)\w+) [^>/]*(?=/?>)")  # of MathML that is read
#: A text before a formula, and behind it, cut where the punctuation at the formula begins and ends.
BEFORE = re.compile(r"^(.*?)([(\[“‘（]*)$", re.DOTALL)
BEHIND = re.compile(r"^([.,;:!?)\]’”…、，。；：？）]*)(.*)$", re.DOTALL)
NARROW = 14  # ems of KaTeX: parts of MathML, whose letters are wider
READ = re.compile(r'<span class="katex-mathml"><math[^>]*>(.*?)</math></span>')
SHORT = 9  # ems: what a line holds easily, on a phone, too


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_html_math_renderer("katex", (_inline, None), (_display, None))


def keep_together(app: Any, doctree: nodes.document, page: str) -> None:
    """A short formula and the punctuation at it in one element: browsers break lines beside a formula."""
    for formula in list(doctree.findall(nodes.math)):
        parent, k = formula.parent, formula.parent.index(formula)
        first, last = _text(parent, k - 1), _text(parent, k + 1)
        rest, opening = BEFORE.findall(first or "")[0]
        closing, more = BEHIND.findall(last or "")[0]
        if (opening or closing) and _is_short(formula.astext()):
            held = [nodes.Text(opening), formula.deepcopy(), nodes.Text(closing)]
            together = nodes.inline("", "", *held, classes=["together"])
            start, end = k - (first is not None), k + 1 + (last is not None)
            parent[start:end] = [nodes.Text(rest), together, nodes.Text(more)]


def _is_short(tex: str) -> bool:
    try:
        return typeset(tex).width < SHORT
    except ValueError:  # the writer says so
        return False


def _text(parent: nodes.Element, k: int) -> str | None:
    return parent[k].astext() if 0 <= k < len(parent) and isinstance(parent[k], nodes.Text) else None


@cache
def _function() -> Any:
    context = quickjs.Context()
    context.eval("console = {warn: text => { throw Error(text) }}")  # what KaTeX says of doubtful TeX
    context.eval(files("sphinxcontrib").joinpath("katex.min.js").read_text())
    context.eval(f"const NAMED = new Set({json.dumps(CLASS.findall(KATEX_STYLE.read_text()))})")
    for script in ("markup.js", "formulas.js"):
        context.eval(Path(__file__).with_name(script).read_text())
    return context.get("typeset")


class Formula(NamedTuple):
    """Widths in the formula's own ems, 0 in MathML; no line break divides the widest part."""

    widest: float
    width: float
    html: str

    @property
    def read(self) -> str:
        """What a screen reader reads, as the inner part of MathML."""
        return "".join(READ.findall(self.html))

    @property
    def seen(self) -> str:
        """What is drawn alone."""
        return READ.sub("", self.html)


@cache
def typeset(tex: str, display: bool = False, mathml: bool = False) -> Formula:
    """A formula in HTML or in MathML.

    Raises:
        ValueError: with KaTeX's words, if it refuses the formula.
    """
    widest, width, html = json.loads(_function()(tex.strip(), display, mathml))
    if width < 0:
        raise ValueError(f"{html}, in {tex!r}")
    html = BAR.sub(r'\g<0> lspace="0" rspace="0"', html) if mathml else UNSEEN.sub(r"\1", html)
    html = own_letters(NEEDLESS.sub("", html))
    return Formula(widest, width, html.replace("<mo>:</mo><mo>=</mo>", "<mo>≔</mo>"))


def flowing(side: str) -> list[str]:
    """MathML in parts between which a line may break; inside brackets as deep as a phone asks for."""
    for levels in range(LEVELS + 1):
        pieces = [rf"\displaystyle {{}} {piece}" for piece in breaking(side, levels).split(BREAK)]
        if max(map(_width, pieces)) <= NARROW:
            break
    return [typeset(piece, mathml=True).html for piece in pieces]


@cache
def _width(tex: str) -> float:
    """The same as ``typeset(tex).width``, in half the time; -1 if KaTeX refuses the formula."""
    return json.loads(_function()(tex, False, False, True))[1]


def in_parts(left: str, relation: str, right: str) -> str:
    """A row in parts; no line ends behind its relation, which is MathML."""
    first, *rest = flowing(right)
    kept = f'<span class="together">{relation} {first}</span>'
    return " ".join([*(flowing(left) if left else []), kept, *rest])


def in_lines(tex: str) -> str:
    """A chain, each of its rows in lines of its own."""
    left, rows = cut(tex.strip())
    shown = [(typeset(sign, mathml=True).html, right) for sign, right in rows]
    told = [in_parts("" if k else left, *row) for k, row in enumerate(shown)]
    return "<br>".join(told) or " ".join(flowing(left))


def typeset_checked(writer: Any, node: nodes.Element, tex: str, display: bool = False) -> Formula:
    """The same on the page that is written; what KaTeX refuses is a warning, at the place of ``node``."""
    try:
        return typeset(tex, display)
    except ValueError as refused:
        LOG.warning("%s", refused, location=node, type="katex")
        return Formula(0, 0, f"<code>{writer.encode(tex)}</code>")


def _inline(writer: Any, node: nodes.Element) -> None:
    html = typeset_checked(writer, node, node.astext()).html
    writer.body.append(writer.starttag(node, "span", "", CLASS="math") + html + "</span>")
    raise nodes.SkipNode


def _display(writer: Any, node: nodes.Element) -> None:
    tex = r"\\".join(part for part in node.astext().split("\n\n") if part.strip())
    if r"\\" in tex and not (node["nowrap"] or tex.lstrip().startswith(r"\begin{aligned}")):
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    _, width, html = typeset_checked(writer, node, tex, display=True)
    writer.body.append(writer.starttag(node, "div", "", CLASS="math", style=f"--ems:{width:.1f}"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append(html + "</div>\n")
    raise nodes.SkipNode
