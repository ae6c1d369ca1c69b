"""An executed answer stands in the fold of its solution.

In a notebook the cell that answers an exercise, tagged ``hide-cell``, follows the solution in words. On the
site the two are one fold, with the code and what it shows; where the cell alone is the solution, a fold is
made for it.
"""

from typing import Any

from docutils import nodes
from sphinx_design.shared import create_component, is_component

TITLE = "Solution"


def into_solutions(app: Any, doctree: nodes.document, page: str) -> None:
    """Move answers of exercises into their solutions."""
    for section in list(doctree.findall(nodes.section)):
        if section[0].astext().lower().startswith("exercise"):
            _gather(section)


def _gather(section: nodes.section) -> None:
    solution: nodes.Element | None = None
    for part in list(section):
        if not _is_answer(part):
            solution = part if _is_solution(part) else None
            continue
        if solution is None:
            solution = _fold()
            section.insert(section.index(part), solution)
        section.remove(part)
        part["hide_mode"] = ""
        solution += part


def _fold() -> nodes.Element:
    title = nodes.rubric("", TITLE)
    look = {"container_classes": ["sd-mb-3"], "title_classes": [], "body_classes": []}
    bare = {"icon": None, "chevron": None}
    return create_component("dropdown", children=[title], opened=False, has_title=True, **bare, **look)


def _is_solution(part: nodes.Element) -> bool:
    return is_component(part, "dropdown") and part[0].astext() == TITLE


def _is_answer(part: nodes.Element) -> bool:
    return part.get("nb_element") == "cell_code" and part.get("hide_mode") == "all"
