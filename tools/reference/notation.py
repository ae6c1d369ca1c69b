"""The notation table: every letter that a checked statement uses, its domains, and what it stands for."""

import re
from typing import Any

from sympy import Symbol, latex

from .ledger import list_table
from .records import Page

_ENTRY = re.compile(r"_\d+$")


def collect(pages: list[Page]) -> dict[str, dict[str, list[Page]]]:
    """name → domain → the pages whose results use it so; ``u_11`` and ``u_12`` are entries of one ``u``."""
    found: dict[str, dict[str, list[Page]]] = {}
    for page in pages:
        for record in page.results:
            for name, domain in sorted(record["letters"].items()):
                where = found.setdefault(_ENTRY.sub("", name), {}).setdefault(domain, [])
                if page not in where:
                    where.append(page)
    return found


def meaning_of(name: str, described: dict[str, dict[str, str]]) -> dict[str, str]:
    """The entry of a letter; a letter with an index that has none of its own takes the plain letter's."""
    return described.get(name.replace("__", "^")) or described.get(name.split("_")[0], {})


def problems(pages: list[Page], described: dict[str, dict[str, str]]) -> list[str]:
    """Letters that the results use and the notation table does not explain."""
    missing = "but not in tools/reference/notation.yml"
    used = {name: next(iter(domains.values()))[0].name for name, domains in sorted(collect(pages).items())}
    unknown = [name for name in used if not meaning_of(name, described)]
    return [f"notation: {name} is used on {used[name]} {missing}" for name in unknown]


def as_markdown(pages: list[Page], described: dict[str, dict[str, str]]) -> str:
    """The generated part of the notation page."""
    used = collect(pages)
    rows = []
    for name in sorted(used, key=lambda n: (n.lower(), n)):
        entry: dict[str, Any] = meaning_of(name, described)
        domains = "; ".join(used[name])
        places = {page.name: page for where in used[name].values() for page in where}
        links = ", ".join(f"{{doc}}`{page.from_reference}`" for page in places.values())
        row = (f"${latex(Symbol(name))}$", entry.get("meaning", ""), domains, entry.get("sources", ""), links)
        rows.append(row)
    heads = ("Letter", "Stands for", "Ranges over", "In the sources", "Used in")
    return list_table(heads, rows, "8 30 20 18 24") + "\n"
