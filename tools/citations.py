"""Works of the same authors and year are told apart by a letter: 2021a, 2021b."""

from collections import defaultdict
from collections.abc import Iterable
from string import ascii_lowercase
from typing import Any

from pybtex.database import Entry
from pybtex.plugin import find_plugin


def letter_years(app: Any) -> None:
    """Before a page cites it, the bibliography as it was read is changed."""
    letter(app.env.get_domain("cite").bibdata.data.entries.values())


def letter(entries: Iterable[Entry]) -> None:
    """Years of entries that would be cited alike get letters, in the bibliography's order; n.d. gets none."""
    alike = defaultdict(list)
    for entry in find_plugin("pybtex.style.sorting", "author_year_title")().sort(entries):
        names = [" ".join(name.last_names) for name in entry.persons.get("author", [])]
        said = names if len(names) < 3 else [names[0], "et al."]
        alike[(*said, entry.fields["year"])].append(entry)
    for (*_, year), works in alike.items():
        if year.isdigit() and len(works) > 1:  # lettered years, of a build before, are no digits
            for work, mark in zip(works, ascii_lowercase, strict=False):
                work.fields["year"] = year + mark
