"""Below a chapter's title stand its number and the minutes it takes; the core is marked, and leads on.

The minutes are those of the open layer, folds and solutions closed: 130 words a minute, half a minute for a
displayed step, a minute for a picture.
"""

from typing import Any

from docutils import nodes

from tools.chapter_numbers import dotted, number
from tools.folds import around
from tools.reference.cards import core

WORDS_A_MINUTE, A_STEP, A_PICTURE = 130, 0.5, 1.0
FOLDED = ("fold", "step", "dropdown_main")


def minutes(document: nodes.document) -> int:
    """How long the open layer of a page takes, to five minutes."""
    words = sum(len(p.astext().split()) for p in document.findall(nodes.paragraph) if _is_open(p))
    steps = sum(node.tagname == "step" and _is_open(node) for node in document.findall(nodes.Element))
    pictures = sum("<figure" in raw.astext() and _is_open(raw) for raw in document.findall(nodes.raw))
    return max(5, 5 * round((words / WORDS_A_MINUTE + steps * A_STEP + pictures * A_PICTURE) / 5))


def said(page: str, document: nodes.document) -> str:
    """The line below the title."""
    first = f", page {core().index(page) + 1} of {len(core())} of a first reading" if page in core() else ""
    return f"Chapter {dotted(page)}, about {minutes(document)} minutes{first}"


def _is_open(node: nodes.Node) -> bool:
    named = ((above.tagname, above.get("design_component", "")) for above in around(node))
    return not any(tag in FOLDED or "dropdown" in component for tag, component in named)


def say(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the line below the title of a chapter; a page of the core ends with a link to the next."""
    if doctree is not None and number(page):
        line = f'</h1>\n<p class="facts">{said(page, doctree)}</p>'
        context["body"] = context["body"].replace("</h1>", line, 1)
    if page in core()[:-1]:
        then = core()[core().index(page) + 1]
        link = f'<a href="{app.builder.get_relative_uri(page, then)}">{app.env.titles[then].astext()}</a>'
        context["body"] += f'<p class="facts">A first reading goes on with {link}.</p>\n'
