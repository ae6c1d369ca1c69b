"""Sources and corrections: the inventory of the five articles against the book's pages and results."""

from collections import Counter
from typing import Any

from .ledger import list_table
from .records import ARTICLES, Page, own_results

VERDICTS = ("confirmed", "corrected", "overstated")
KINDS = ("wrong", "overstated", "imprecise", "typographical")
#: What a correction of this kind makes of its items; a slip of the pen leaves them confirmed.
MAKES = {"overstated": "overstated", "imprecise": "corrected", "wrong": "corrected"}
SHOWN = "What a page has not yet shown to fail is not listed here."
COUNT = 69  # 68 numbered items, and 41b
SLIPS = {"original": "in the original", "unknown": "original or copy: not known"}


def problems(data: dict[str, list[dict[str, Any]]], pages: list[Page]) -> list[str]:
    """Links to pages or results that do not exist, unknown verdicts, missing or repeated items."""
    names = {page.name.removeprefix("book/") for page in pages}
    known = own_results(pages)
    found = []
    numbers = Counter(str(item["id"]) for item in data["items"])
    expected = {str(k) for k in range(1, COUNT)} | {"41b"}
    found += [f"inventory: item {k} is listed {n} times" for k, n in numbers.items() if n > 1]
    found += [f"inventory: item {k} is missing" for k in sorted(expected - set(numbers))]
    for entry in (*data["items"], *data["corrections"]):
        where = f"inventory: source {entry['source']}, {entry['at']}"
        allowed, key = (VERDICTS, "verdict") if "verdict" in entry else (KINDS, "kind")
        if entry[key] not in allowed:
            found.append(f"{where}: {key} must be one of {allowed}, got {entry[key]!r}")
        elif key == "verdict" and entry[key] != (made := _made(entry["id"], data["corrections"])):
            found.append(f"{where}: item {entry['id']} is {entry[key]}, and its corrections say {made}")
        if (entry[key] == "typographical") != (entry.get("slip") in SLIPS):
            found.append(f"{where}: a slip, one of {tuple(SLIPS)}, is for what is typographical alone")
        linked = entry.get("pages", [])
        if not linked:
            found.append(f"{where}: every item names the pages that treat it")
        found += [f"{where}: there is no page book/{page}" for page in linked if page not in names]
        found += [f"{where}: no page shows {u}" for u in entry.get("labels", []) if u not in known]
    return found


def slips(data: dict[str, list[dict[str, Any]]]) -> set[str]:
    """The labels of results that refute a slip of the pen or loose words, and no claim."""
    slight = [entry for entry in data["corrections"] if entry["kind"] in ("typographical", "imprecise")]
    return {label for entry in slight for label in entry.get("labels", [])}


def as_markdown(data: dict[str, list[dict[str, Any]]]) -> str:
    """Both tables, with their totals."""
    items, corrections = data["items"], data["corrections"]
    verdicts = Counter(item["verdict"] for item in items)
    parts = [f"**{len(items)} items**: " + ", ".join(f"{verdicts[v]} {v}" for v in VERDICTS) + "."]
    for source, (name, key) in ARTICLES.items():
        own = [item for item in items if item["source"] == source]
        rows = [(str(i["id"]), i["at"], i["text"], _verdict(i), _links(i)) for i in own]
        parts += [f"(source-{source})=\n## {source}: {name}"]
        parts += [f"{name[0].upper() + name[1:]} is {{cite}}`{key}`."]
        parts += [list_table(("No.", "Place", "Item", "Verdict", "Shown in"), rows, "6 14 28 26 26", "cards")]
    for title, ours in (("the five sources", True), ("published papers and posts", False)):
        entries = [entry for entry in corrections if (entry["source"] in ARTICLES) is ours]
        kinds = Counter(entry["kind"] for entry in entries)
        counted = ", ".join(f"{kinds[k]} {k}" for k in KINDS if kinds[k])
        rows = [(f"{e['source']}, {e['at']}", _kind(e), _printed(e), e["holds"], _links(e)) for e in entries]
        heads = ("Place", "Kind", "What it says", "What holds", "Shown in")
        parts += [f"## Corrections to {title}", f"**{len(entries)} corrections**: {counted}. {SHOWN}"]
        parts += [list_table(heads, rows, "16 12 26 26 20", "cards")]
    return "\n\n".join(parts) + "\n"


def _made(number: int | str, corrections: list[dict[str, Any]]) -> str:
    """The verdict on an item to which its corrections lead, the gravest of them."""
    made = {MAKES.get(entry["kind"]) for entry in corrections if number in entry.get("items", [])}
    return next((v for v in ("corrected", "overstated") if v in made), "confirmed")


def _verdict(item: dict[str, Any]) -> str:
    return f"{item['verdict']}: {item['note']}" if "note" in item else item["verdict"]


def _kind(entry: dict[str, Any]) -> str:
    return f"{entry['kind']}, {SLIPS[entry['slip']]}" if "slip" in entry else entry["kind"]


def _printed(entry: dict[str, Any]) -> str:
    return f"{entry['quote']} ({entry['printed']})" if "quote" in entry else entry["printed"]


def _links(entry: dict[str, Any]) -> str:
    pages = [f"{{doc}}`../{page}`" for page in entry.get("pages", [])]
    labels = [f"{{eq}}`{label}`" for label in entry.get("labels", [])]
    return ", ".join(pages + labels)
