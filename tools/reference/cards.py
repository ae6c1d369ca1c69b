"""The list of all pages on the front page: one card for each part of the book."""

from __future__ import annotations

from tools.contents import Part


def as_markdown(parts: list[Part]) -> str:
    """A grid of cards, to be included in ``book/index.md``: a part with its title and links to its pages."""
    cards = (f":::{{grid-item-card}} {part.title}\n{_links(part)}\n:::" for part in parts)
    return "\n\n".join(["::::{grid} 1 1 2 2\n:gutter: 3", *cards, "::::"]) + "\n"


def _links(part: Part) -> str:
    return " \\\n".join(f"{{doc}}`{page.removeprefix('book/')}`" for page in part.pages)
