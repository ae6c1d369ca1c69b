"""``book/4-rotary/43-abel-bound`` is chapter 4.3, and its equations are (4.3.1), (4.3.2).

A chapter has one number, in the list of pages, in links and in its file's name, whose first digit is its
part's. Sphinx counts chapters through instead: a page put between two others would renumber all that follow.
Equations that stand open are numbered without holes; one in a fold or a solution behind (4.3.2) is (4.3.2a).
"""

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase
from typing import Any

from docutils import nodes
from sphinx.environment.collectors.toctree import TocTreeCollector

from tools.folds import CLOSE, OPEN

_NAME = re.compile(r".*/(\d)(\d+)-[^/]+")


def number(page: str) -> tuple[int, int] | None:
    """(4, 10) of ``book/4-rotary/410-partial``; None where the file's name has no number."""
    found = _NAME.fullmatch(page)
    return (int(found[1]), int(found[2])) if found else None


def dotted(page: str) -> str:
    """4.10 for the same page; the empty word where the file's name has no number."""
    return ".".join(map(str, number(page) or ()))


def equations(document: nodes.document, numbered: Iterable[str]) -> dict[str, str]:
    """By its id what an equation is called on its page: 1, 2, 3 in the open; 3a, 3b in folds behind 3."""
    called: dict[str, str] = {}
    shown = hidden = 0
    for name, away in _names(document):
        if name in numbered and name not in called:
            shown, hidden = (shown, hidden + 1) if away else (shown + 1, 0)
            called[name] = f"{shown}{_letters(hidden)}"
    return called


def _names(within: nodes.Element, away: bool = False) -> Iterator[tuple[str, bool]]:
    """The ids of a page in order, and whether a fold, a solution or a hidden cell holds what has them."""
    folded = False
    for node in within.children:
        if isinstance(node, nodes.raw):
            folded = bool(OPEN.fullmatch(text := node.astext().strip())) or (folded and text != CLOSE)
        if isinstance(node, nodes.Element):
            dropped = node.get("hide_mode") == "all" or node.get("design_component") == "dropdown"
            inside = away or folded or dropped
            yield from ((name, inside) for name in node["ids"])
            yield from _names(node, inside)


def _letters(place: int) -> str:
    """The empty word, a, b … z, aa, ab …"""
    before, last = divmod(place - 1, len(ascii_lowercase))
    return _letters(before) + ascii_lowercase[last] if place else ""


def replace_sphinx_s_own() -> None:
    """Sphinx's collector has no option for it."""
    TocTreeCollector.assign_section_numbers = _assign
    TocTreeCollector.assign_figure_numbers = _assign_equations


_count = TocTreeCollector.assign_figure_numbers


def _assign_equations(collector: TocTreeCollector, env: Any) -> list[str]:
    _count(collector, env)
    for page, kinds in env.toc_fignumbers.items():
        if (chapter := number(page)) and (numbered := kinds.get("displaymath")):
            called = equations(env.get_doctree(page), numbered)
            kinds["displaymath"] = {name: (*chapter, called[name]) for name in numbered}
    before, env.told = getattr(env, "told", ""), _told(env)  # Sphinx keeps it for the next run
    return [] if env.told == before else list(env.found_docs)


def _told(env: Any) -> str:
    """What pages may say of each other: titles, numbers, where links lead, what they cite; no lines."""
    std, math, py, cite = (env.domaindata[domain] for domain in ("std", "math", "py", "cite"))
    kinds = [std["labels"], std["anonlabels"], math["objects"], py["objects"], env.toc_fignumbers]
    kinds.append({page: title.astext() for page, title in env.titles.items()})
    slugs = {page: said.get("myst_slugs", {}).values() for page, said in env.metadata.items()}
    kinds.append({page: [slug[1:] for slug in of_page] for page, of_page in slugs.items()})
    cited = [made._replace(line=0) for made in cite["citation_refs"]]
    return repr([sorted(map(repr, each)) for each in (*(kind.items() for kind in kinds), cited)])


def _assign(collector: TocTreeCollector, env: Any) -> list[str]:
    before = env.toc_secnumbers
    env.toc_secnumbers = {}
    for page, title in env.titles.items():
        if chapter := number(page):
            listed = list(env.tocs[page].findall(nodes.reference))
            title["secnumber"] = listed[0]["secnumber"] = chapter
            env.toc_secnumbers[page] = {link["anchorname"]: None for link in listed} | {"": chapter}
    return [page for page, numbers in env.toc_secnumbers.items() if numbers != before.get(page)]
