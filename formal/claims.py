"""The claims of notebooks, each with its certificate and the claims that it rests on."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from posenc_proofs.kernel.pages import Claim, chains, found

from .export import identifier, premises, read


class One(NamedTuple):
    """A claim, its certificate, the claims that it rests on, and how its steps name them."""

    claim: Claim
    certificate: dict[str, Any]
    needs: list[str]
    sources: dict[str, str]


class Book(NamedTuple):
    """The claims of each page, and the page of each claim."""

    pages: dict[str, list[One]]
    homes: dict[str, str]

    def neighbours(self, page: str) -> list[str]:
        """The pages on which a page rests, without itself."""
        return sorted({self.homes[n] for one in self.pages[page] for n in one.needs} - {page})


def module(page: str) -> str:
    return re.sub(r"\W", "_", page.removesuffix(".ipynb"))


def gathered(paths: Iterable[Path]) -> Book:
    """A name that a step uses is a claim, or the chain of some."""
    claims = [claim for path in paths for claim in found(path)]
    rows = chains(claims)
    single = {c.name for c in claims}
    pages: dict[str, list[One]] = {}
    for c in claims:
        certificate = read(c.certificate)
        needs: list[str] = []
        sources: dict[str, str] = {}
        for name in premises(certificate, single | set(rows)):
            of = [name] if name in single else rows[name]
            needs += [n for n in of if n not in needs]
            numbers = "; ".join(f"{needs.index(n)}%N" for n in of)
            sources[name] = f"(Claim {numbers})" if name in single else f"(Rows [{numbers}])"
        pages.setdefault(module(c.place), []).append(One(c, certificate, needs, sources))
    homes = {one.claim.name: page for page, ones in pages.items() for one in ones}
    if not len(claims) == len(homes) == len(set(map(identifier, homes))):
        raise ValueError("two claims have one name")
    return Book(pages, homes)
