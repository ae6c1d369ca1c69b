"""Lists of pages for the front page: the shortest way through the book, and a card for each part."""

from tools.contents import Part
from tools.reference.records import data


def core() -> list[str]:
    """The pages of a first reading, in order."""
    return list(data("core"))


def core_as_markdown() -> str:
    """A numbered list of links to the core, and what each page gives, to be included in ``book/index``."""
    return "".join(f"{place}. {_link(page)}: {data('core')[page]}\n" for place, page in enumerate(core(), 1))


def as_markdown(parts: list[Part]) -> str:
    """A grid of cards, to be included in ``book/index``: a part with its title and links to its pages."""
    cards = (f":::{{grid-item-card}} {part.title}\n{_links(part)}\n:::" for part in parts)
    return "\n\n".join(["::::{grid} 1 1 2 2\n:gutter: 3", *cards, "::::"]) + "\n"


def _links(part: Part) -> str:
    return " \\\n".join(map(_link, part.pages))


def _link(page: str) -> str:
    return f"{{doc}}`{page.removeprefix('book/')}`"
