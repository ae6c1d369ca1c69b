"""A checked step as people write it, rows beneath each other, the reason beside each.

What a notebook shows as one formula with a line of words beneath becomes a grid: left side, relation, right
side, reason, number. A mark at the number opens the step's story: how it was shown, for which values, from
what. The pieces are cut from the LaTeX that was compared with the theorem, nothing is added.
"""

from functools import cache
from html import escape
from typing import Any

from docutils import nodes
from sphinx.addnodes import desc
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from posenc_proofs.derivation.records import MARK, WORD
from posenc_proofs.latex.shown import in_words
from tools.equation_links import reference
from tools.folds import around
from tools.formulas import Formula, typeset_checked
from tools.line_breaks import LEVELS, breaking, cut
from tools.notebooks import ROOT
from tools.reference.records import by_rocq, in_print, read_pages, rocq_page

LOG = logging.getLogger(__name__)
PLAIN = {"=": "=", "<": "&lt;", ">": "&gt;"}
WIDE_LEFT = 9  # ems: a longer left side has a line of its own
WIDE = 27  # ems: as does one with which no right side would fit beside
NARROW = 21.5  # ems: what is wider breaks inside its brackets, for phones


@cache
def _records() -> dict[str, dict[str, dict[str, Any]]]:
    """Page → label → record; what is recalled has no label on its page, and is known by its LaTeX."""
    named = {"recalled": "latex"}
    pages = read_pages(ROOT)
    return {page.name: {r[named.get(r["kind"], "label")]: r for r in page.results} for page in pages}


class step(nodes.General, nodes.Element):
    """A checked step: its rows are in ``record``, its story in its children."""


def as_rows(app: Any, doctree: nodes.document, page: str) -> None:
    """Put a step in the place of a formula and the check box beneath it."""
    records = _records().get(page, {})
    for formula in list(doctree.findall(nodes.math_block)):
        box = formula.next_node(nodes.raw, descend=False, siblings=True)
        record = records.get(formula.get("label") or formula.astext().strip())
        if record and box is not None and 'class="check-box"' in box.astext():
            box.parent.remove(box)
            story = _story(record, page, app.builder.get_relative_uri(page, rocq_page(page)))
            made = step("", story, ids=formula["ids"], record=record, number=formula["number"])
            formula.replace_self(made)
        elif formula.get("number"):
            LOG.warning("numbered, but no result of this page: %s", formula.astext(), location=formula)
        elif not _in_docstring(formula):
            formula["classes"].append("in-words")
    for cell in doctree.findall(nodes.container):
        steps = list(cell.findall(step))
        if steps and (cell.get("nb_element"), cell.get("hide_mode")) == ("cell_code", "input"):
            _put_code(cell, steps[-1][0])


def _story(record: dict[str, Any], page: str, rocq: str) -> nodes.definition_list:
    wrong, kind = record["mutants"], record["kind"]
    word, begun = ("Assumed", "assumed ") if kind == "assumed" else ("For", "for ")
    scope = record["scope"].removeprefix(begun) if kind != "refuted" else ""
    again: nodes.Node = nodes.Text(by_rocq(record))
    if record["certificates"] and kind != "recalled":
        again = nodes.reference("", "", again, refuri=f"{rocq}#{record['label']}")
    told = {
        "How": [nodes.Text("; ".join(record["methods"]))],
        word: [nodes.Text(scope)],
        "Proved": _references([record["label"]] * (kind == "recalled"), page),
        "Rocq": [again],
        "SymPy": [nodes.Text(record.get("sympy", ""))],
        "From": _references(record["uses"], page),
        "Assumes": _references(record["rests_on"], page),
        "Wrong versions": [nodes.Text(in_words(wrong["refuted"], len(wrong["equal"]), wrong["open"]))],
        "Axioms": [nodes.Text(", ".join(axiom.replace("_", " ") for axiom in record["axioms"]))],
        "In print": [nodes.Text(in_print(record["source"]))],
    }
    items = nodes.definition_list()
    for word, said in told.items():
        if any(part.astext() for part in said):
            items += item(word, nodes.paragraph("", "", *said))
    return items


def _references(labels: list[str], page: str) -> list[nodes.Node]:
    return [part for label in labels for part in (nodes.Text(", "), reference(label, page))][1:]


def _in_docstring(node: nodes.Node) -> bool:
    """Whose formulas are computed by tests of their own (``tests/library/test_docstring_formulas.py``)."""
    return any(isinstance(above, desc) for above in around(node))


def item(word: str, said: nodes.Element) -> nodes.definition_list_item:
    """One entry of a story."""
    return nodes.definition_list_item("", nodes.term("", word), nodes.definition("", said))


def _put_code(cell: nodes.container, story: nodes.definition_list) -> None:
    """The code that a cell hides, which is the derivation's, goes into the story of its last step."""
    for code in [part for part in cell.children if part.get("nb_element") == "cell_code_source"]:
        cell.remove(code)
        story += item("Code", nodes.container("", *code.children, nb_element="cell_code_source"))
    cell["hide_mode"] = ""


def _side(writer: Any, node: step, tex: str, levels: int = 0) -> Formula:
    return typeset_checked(writer, node, rf"\displaystyle {breaking(tex, levels)}")


def _narrowed(writer: Any, node: step, tex: str, room: float) -> Formula:
    """The first that fits ``room`` on a phone, else the narrowest; few brackets have a fixed size."""
    made = []
    for levels in range(LEVELS + 1):
        made.append(_side(writer, node, tex, levels))
        if made[-1].widest <= room:
            break
    return min(made, key=lambda side: max(side.widest, room))


def _piece(name: str, formula: Formula) -> str:
    return f'<div class="{name} math" style="--ems:{formula.widest:.1f}">{formula.seen}</div>'


def _sentence(mathml: str, why: str, word: str) -> str:
    """A row as it is heard; what is seen of it, in pieces, is silent."""
    return f'<p class="katex-mathml"><math>{mathml}</math>{f", {escape(why)}" if why else ""}: {word}</p>'


def _relation(writer: Any, node: step, tex: str) -> tuple[str, str]:
    """As it is read, and as it is seen."""
    if tex in PLAIN:  # a character is all there is to set
        return f"<mo>{PLAIN[tex]}</mo>", f'<div class="rel" aria-hidden="true">{PLAIN[tex]}</div>'
    made = typeset_checked(writer, node, tex)
    return made.read, f'<div class="rel math">{made.seen}</div>'


def visit(writer: Any, node: step) -> None:
    """How a step begins on the site."""
    record = node["record"]
    kind, (left, rows) = record["kind"], cut(record["latex"])
    written = (left, *node.get("sides", [right for _, right in rows]))
    start, *sides = (_side(writer, node, tex) for tex in written)
    beside = start.width
    own = not rows or beside > WIDE_LEFT or beside + max(side.widest for side in sides) > WIDE
    shape = " own" if own else " short" if beside < 4 else ""
    room = NARROW - beside if shape == " short" else NARROW  # a short left side stands beside the others
    start, *sides = (_narrowed(writer, node, tex, room) for tex in written)
    body = [writer.starttag(node, "div", "", CLASS=f"calc {kind}{shape}", style=f"--left:{beside:.1f}")]
    body.append(_piece("lhs", start))
    word = "refuted" if kind == "refuted" and not record["source"] else WORD[kind]
    ends = [""] * len(rows)
    if node["number"]:  # it stands on the last row's line, behind its reason
        number = get_node_equation_number(writer, node)
        ends[-1:] = [f' <a class="eqno" href="#{node["ids"][0]}">({number})</a>']
    read, told = start.read, []
    for (tex, _), side, why, end in zip(rows, sides, record["reasons"], ends, strict=True):
        relation, shown = _relation(writer, node, tex)
        reason = f'<span aria-hidden="true">{escape(why)}</span>' if why else ""
        behind = f'<div class="why"><span>{reason}{end}</span></div>' if reason or end else ""
        row = f"{_sentence(read + relation + side.read, why, word)}{_piece('body', side)}{behind}"
        told.append(f'{shown}<div class="rest" style="--wide:{side.width:.1f}">{row}')
        read = ""
    body.append("</div>".join(told) or f'<div class="end">{_sentence(read, "", word)}{"".join(ends)}')
    shown = f'<span class="tick">{MARK[kind]}</span><span class="word">{word}</span>'
    body.append(f'<details class="story"><summary>{shown}</summary>')
    writer.body += body


def depart(writer: Any, node: step) -> None:
    """How it ends, behind its story."""
    record = node["record"]
    fails = f'<p class="fails">It fails {escape(record["counterexample"])}.</p>'
    writer.body.append(f"</details></div>{fails if record['kind'] == 'refuted' else ''}</div>\n")
