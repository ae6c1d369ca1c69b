"""The book's own results: what each says, how it is shown, and the nearest earlier work, as a page."""

from itertools import groupby
from typing import Any

from posenc_book.stored import stored
from tools.chapter_numbers import dotted

from .ledger import WORDS, cite, verdict
from .records import Known, Page, by_rocq, own_results


def problems(entries: list[dict[str, Any]], pages: list[Page]) -> list[str]:
    """Numbers out of order, results that are not shown on the page that is named, or by nothing."""
    shown = {label: page.name for label, (page, _) in own_results(pages).items()}
    found = []
    for number, entry in enumerate(entries, 1):
        if entry["id"] != f"R{number}":
            found.append(f"results: {entry['id']} stands where R{number} is expected; numbers never move")
        if not entry.get("labels") and not entry.get("stored"):
            found.append(f"results: {entry['id']} names neither labels nor what was stored")
        page = f"book/{entry['page']}"
        absent = [label for label in entry.get("labels", []) if shown.get(label) != page]
        found += [f"results: {entry['id']} names {label}, which {page} does not show" for label in absent]
    return found


def as_markdown(entries: list[dict[str, Any]], pages: list[Page]) -> str:
    """A heading with a fixed anchor for each result, what it says, and how it is known."""
    known = own_results(pages)
    return "\n\n".join(_entry(entry, known) for entry in entries) + "\n"


def _entry(entry: dict[str, Any], known: Known) -> str:
    records = [known[label][1] for label in entry.get("labels", [])]
    groups = groupby(records, lambda record: _known(record, known))
    ways = [f"{', '.join(map(cite, alike))} {how}" for how, alike in groups]
    ways += [_measured(name) for name in entry.get("stored", [])]
    place = dotted(entry["page"]) or entry["page"]
    return "\n\n".join((
        f"({entry['id']})=\n### {entry['id']}. {entry['title']}",
        entry["says"].strip(),
        f"{{doc}}`{place} <../{entry['page']}>`: {'; '.join(ways)}. Since {entry['since']}.",
        f"*Nearest:* {entry['nearest'].strip()}",
    ))  # fmt: skip


def _known(record: dict[str, Any], known: Known) -> str:
    """Verdict of the kernel, and of Rocq; for a theorem in words those of its steps."""
    if record["kind"] != "words":
        found = verdict(record)
        return WORDS.get(found, found) + ", again by Rocq" * (by_rocq(record) == "proved again")
    steps = [known[used][1] for used in record["uses"]]
    proved = sum(step["status"] == "proved" for step in steps)
    again = sum(by_rocq(step) == "proved again" for step in steps)
    return f"in words, {proved} of its {len(steps)} steps proved, {again} again by Rocq"


def _measured(name: str) -> str:
    """What a stored result, or the part of it behind ``#``, says of itself."""
    file, _, part = name.partition("#")
    record = stored(file)[part] if part else stored(file)
    seeds = record["seed"]
    how = f"an experiment with {len(seeds)} seeds" if isinstance(seeds, list) else "a stored computation"
    how += " in ball arithmetic" if "python-flint" in record["versions"] else ""
    return f"{how}, `{file}.json`{f' under `{part}`' * bool(part)}, run on {record['date']}"
