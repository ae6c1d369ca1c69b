"""The ledger: every result with its verdict, what it uses and rests on, as a page and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from posenc_lib.proofs.show.results import in_words

from .graph import svg
from .records import Page, own_results, rests_on

WORDS = {
    "proved": "proved",
    "refuted": "refuted",
    "false as printed": "false as printed",
    "assumed": "assumed",
    "cited": "cited",
    "defined": "definition",
    "sampled": "sampled",
}
COLUMNS = ("Result", "What is known", "Uses", "Rests on")
WIDTHS = (26, 46, 14, 14)


def method_class(method: str) -> str:
    """``induction on n, base n = 1, upwards`` → ``induction``."""
    return method.split(" (")[0].split(":")[0].split(" on ")[0].split(",")[0]


def as_json(pages: list[Page]) -> dict[str, Any]:
    """The ledger for machines."""
    known = own_results(pages)
    results = [
        record | {"page": page.name, "rests_on": rests_on(label, known)}
        for label, (page, record) in known.items()
    ]
    return {"totals": totals(pages), "results": results}


def totals(pages: list[Page]) -> dict[str, Any]:
    """How many results, by verdict and by method, and how many wrong versions were made and refuted."""
    records = [record for _, record in own_results(pages).values()]
    methods = Counter(method_class(m) for r in records if r["status"] == "proved" for m in r["methods"])
    return {
        "results": len(records),
        "rows": sum(r["rows"] for r in records if r["status"] == "proved"),
        "by_verdict": dict(Counter(map(verdict, records)).most_common()),
        "by_method": dict(methods.most_common()),
        "wrong_versions_refuted": sum(r["mutants"]["refuted"] for r in records),
        "wrong_versions_equal": sum(len(r["mutants"]["equal"]) for r in records),
        "wrong_versions_open": sum(r["mutants"]["open"] for r in records),
    }


def verdict(record: dict[str, Any]) -> str:
    """The verdict; a refuted claim that a source makes is false as printed there."""
    return "false as printed" if record["status"] == "refuted" and record["source"] else record["status"]


def as_markdown(pages: list[Page]) -> str:
    """The body of the ledger page."""
    known = own_results(pages)
    parts = [_totals_text(pages)]
    for page in pages:
        own = [r for r in page.results if r["kind"] != "recalled"]
        if own:
            rows = [_row(record, known) for record in own]
            graph = svg(page, pages)
            parts += [f"## {page.title}", f"On {{doc}}`{page.from_reference}`: {len(own)} results."]
            parts += [graph] if graph else []
            parts += [list_table(COLUMNS, rows, WIDTHS), _statements(own)]
    return "\n\n".join(parts) + "\n"


def _totals_text(pages: list[Page]) -> str:
    t = totals(pages)
    verdicts = ", ".join(f"{k} {WORDS[v]}" for v, k in t["by_verdict"].items())
    methods = ", ".join(f"{k} by {m}" for m, k in t["by_method"].items())
    return (
        f"**{t['results']} results**: {verdicts}. The proved ones have {t['rows']} rows in all; "
        f"of the results, {methods} (a chain may use several).\n\n"
        f"**Wrong versions** of proved rows: {t['wrong_versions_refuted']} were refuted with a certified "
        f"point; {t['wrong_versions_equal']} turned out equal in value, or true as well; "
        f"{t['wrong_versions_open']} are open: tighter versions of inequalities with room to spare, which "
        "were not refuted, and which the rules, with the reasons given, do not accept."
    )


def _row(record: dict[str, Any], known: dict[str, tuple[Page, dict[str, Any]]]) -> tuple[str, ...]:
    ground = " ".join(_cite(used) for used in rests_on(record["label"], known))
    if record["status"] == "proved" and not ground:
        ground = "definitions"
    uses = " ".join(map(_cite, record["uses"]))
    return f"{_cite(record['label'])} `{record['label']}`", _known(record), uses, ground


def _known(record: dict[str, Any]) -> str:
    """Verdict, method, scope, wrong versions, source and library function in one line."""
    parts = [WORDS[verdict(record)]]
    if record["status"] in ("proved", "sampled"):
        parts += ["; ".join(record["methods"]), record["scope"]]
    mutants = record["mutants"]
    parts += [in_words(mutants["refuted"], len(mutants["equal"]), mutants["open"])]
    parts += [record["source"]] if record["source"] else []
    parts += [f"`{record['library']}`"] if record["library"] else []
    return " · ".join(filter(None, parts))


def _statements(records: list[dict[str, Any]]) -> str:
    items = (f"{_cite(r['label'])}\n\n$$\n{r['latex']}\n$$\n" for r in records)
    return "\n".join(["````{dropdown} The same results as statements", *items, "````"])


def _cite(label: str) -> str:
    return f"{{eq}}`{label}`"


def list_table(columns: tuple[str, ...], rows: list[tuple[str, ...]], widths: tuple[int, ...] = ()) -> str:
    """A MyST list-table; empty cells are left blank. ``widths`` are per cent."""
    options = [f":widths: {' '.join(map(str, widths))}"] if widths else []
    lines = ["````{list-table}", ":header-rows: 1", *options, ""]
    for row in (columns, *rows):
        for k, cell in enumerate(row):
            start = "* - " if k == 0 else "  - "
            lines.append((start + cell.replace("\n", " ")).rstrip())
    return "\n".join([*lines, "````"])
