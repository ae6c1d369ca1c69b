"""A Sphinx extension: ``book/4-rotary/43-abel-bound`` is chapter 4.3, and its equations are (4.3.1), (4.3.2).

A chapter has one number, in the list of pages, in links and in its file's name, whose first digit is its
part's. Sphinx counts chapters through instead: a page put between two others would renumber all that follow.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.environment.collectors.toctree import TocTreeCollector

_NAME = re.compile(r".*/(\d)(\d+)-[^/]+")


def number(page: str) -> tuple[int, int] | None:
    """(4, 10) of ``book/4-rotary/410-partial``; None where the file's name has no number."""
    found = _NAME.fullmatch(page)
    return (int(found[1]), int(found[2])) if found else None


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx, whose collector has no option for it."""
    TocTreeCollector.assign_section_numbers = _assign
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _assign(collector: TocTreeCollector, env: Any) -> list[str]:
    before = env.toc_secnumbers
    env.toc_secnumbers = {}
    for page, title in env.titles.items():
        if chapter := number(page):
            listed = list(env.tocs[page].findall(nodes.reference))
            title["secnumber"] = listed[0]["secnumber"] = chapter
            env.toc_secnumbers[page] = {link["anchorname"]: None for link in listed} | {"": chapter}
    return [page for page, numbers in env.toc_secnumbers.items() if numbers != before.get(page)]
