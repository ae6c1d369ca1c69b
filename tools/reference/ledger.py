"""The ledger: every result with its verdict, what it uses and rests on, as a page and as JSON."""

from collections import Counter
from collections.abc import Set
from pathlib import Path
from typing import Any

from posenc_proofs.kernel.axioms import AXIOMS
from posenc_proofs.latex.shown import in_words
from tools.contents import version

from .graph import svg
from .records import Known, Page, axioms, by_rocq, in_print, own_results, proved_again, rests_on, rocq_page

WORDS = {"defined": "definition", "words": "stated in words, its steps are proved"}  # else the verdict's own


def method_class(method: str) -> str:
    """``induction on n, base n = 1, upwards`` → ``induction``."""
    return method.split(" (")[0].split(":")[0].split(" on ")[0].split(",")[0]


def as_json(pages: list[Page]) -> dict[str, Any]:
    """The ledger for machines, with the version of the book that it is of."""
    known = own_results(pages)
    results = [
        record | {"page": page.name, "rests_on": rests_on(label, known), "axioms": axioms(label, known)}
        for label, (page, record) in known.items()
    ]
    return {"version": version(), "totals": totals(pages), "results": results}


def totals(pages: list[Page]) -> dict[str, Any]:
    """How many results, by verdict and by method, and how many wrong versions were made and refuted."""
    known = own_results(pages)
    records = [record for _, record in known.values()]
    shown = [r for r in records if r["status"] == "proved"]
    methods = Counter(method_class(m) for r in shown for m in r["methods"])
    return {
        "results": len(records),
        "rows": sum(r["rows"] for r in shown),
        "claims": sum(len(r["certificates"]) for r in shown),
        "claims_proved_again": sum(len(r["certificates"].keys() & proved_again()) for r in shown),
        "by_axiom": dict(Counter(axiom for r in shown for axiom in axioms(r["label"], known)).most_common()),
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
    parts = [_totals_text(pages), _axioms(pages)]
    for page in pages:
        own = [r for r in page.results if r["kind"] != "recalled"]
        if own:
            count = f"{len(own)} result" + "s" * (len(own) > 1)
            stated = f'<a href="../../{rocq_page(page.name)}.html">as statements</a>'
            parts += [f"## {page.title}", f"On {{doc}}`{page.from_reference}`: {count}, also {stated}."]
            parts += [svg(page, pages), f"````{{dropdown}} {count}"]
            parts += ["\n".join(_entry(record, page, known) for record in own), "````"]
    return "\n\n".join(parts) + "\n"


def front_as_markdown(pages: list[Page], slips: Set[str]) -> str:
    """Three numbers for the front page; ``slips`` are refuted as well, and no claims."""
    results = [record for _, record in own_results(pages).values()]
    verdicts = Counter(map(verdict, results))
    false = sum(verdict(r) == "false as printed" and r["label"] not in slips for r in results)
    again = sum(verdict(r) == "proved" and by_rocq(r) == "proved again" for r in results)
    twice = "each by two provers" if again == verdicts["proved"] else f"{again:,} of them again, in Rocq"
    slight = "{doc}`misprints or loose words <reference/sources-and-corrections>`"
    said = {
        f"results proved, {twice}": verdicts["proved"],
        "wrong versions of their rows refuted": totals(pages)["wrong_versions_refuted"],
        f"rows marked *false as printed*, {false} of them more than {slight}": verdicts["false as printed"],
    }
    lines = "".join(f"**{count:,}** {words}\n\n" for words, count in said.items())
    return f"```{{container}} numbers\n\n{lines}```\n"


def _totals_text(pages: list[Page]) -> str:
    t = totals(pages)
    verdicts = ", ".join(f"{k} {WORDS.get(v, v)}" for v, k in t["by_verdict"].items())
    methods = ", ".join(f"{k} by {m}" for m, k in t["by_method"].items())
    return (
        f"**{t['results']} results**: {verdicts}. The proved ones have {t['rows']} rows in all, "
        f"rebuilt as {t['claims']} claims, of which Rocq has proved {t['claims_proved_again']} again; "
        f"of the results, {methods} (a chain may use several).\n\n"
        f"**Wrong versions** of proved rows: {t['wrong_versions_refuted']} were refuted with a certified "
        f"point; {t['wrong_versions_equal']} turned out equal in value, or true as well; "
        f"{t['wrong_versions_open']} are open: tighter versions of inequalities with room to spare, which "
        "were not refuted, and which the rules, with the reasons given, do not accept."
    )


def _axioms(pages: list[Page]) -> str:
    """What the kernel takes for granted, and how many results need it."""
    used = totals(pages)["by_axiom"]
    rows = [
        (f"`{name}`", str(AXIOMS[name].statement.__doc__), AXIOMS[name].reference, str(count))
        for name, count in used.items()
    ]
    table = list_table(("Axiom", "What it says", "Source", "Results"), rows, "18 50 20 12")
    said = Path(__file__).with_name("axioms.md").read_text(encoding="utf-8")
    return f"## The axioms\n\n{said}\n{table}"


def _entry(record: dict[str, Any], page: Page, known: Known) -> str:
    """A result, in a list."""
    ground = " ".join(cite(known[used][1]) for used in rests_on(record["label"], known))
    if record["status"] == "proved" and not ground:
        ground = "definitions"
    if behind := axioms(record["label"], known):
        ground += "; axioms " + ", ".join(f"`{axiom}`" for axiom in behind)
    uses = " ".join(_used(*known[used], page) for used in record["uses"])
    named = f"- {cite(record)} `{record['label']}`"
    parts = [named, _known(record), uses and f"uses {uses}", ground and f"rests on {ground}"]
    return "\xa0· ".join(filter(None, parts))


def _known(record: dict[str, Any]) -> str:
    """Verdict, method, scope, wrong versions, source and library function in one line."""
    parts = [WORDS.get(known := verdict(record), known)]
    if record["status"] == "proved":
        parts += ["; ".join(record["methods"]), record["scope"]]
    parts += [f"Rocq: {again}"] if (again := by_rocq(record)) not in ("", "proved again") else []
    mutants = record["mutants"]
    parts += [in_words(mutants["refuted"], len(mutants["equal"]), mutants["open"])]
    parts += [in_print(record["source"])] if record["source"] else []
    parts += [f"`{record['library']}`"] if record["library"] else []
    return "\xa0· ".join(filter(None, parts))


def _used(where: Page, record: dict[str, Any], page: Page) -> str:
    """A result, with its page where that is another."""
    return cite(record) + ("" if where == page else f" on {{doc}}`{where.from_reference}`")


def cite(record: dict[str, Any]) -> str:
    """The number of an equation, or the title of a theorem in words, with its link."""
    if record["kind"] == "words":
        return f"{{ref}}`{record['title']} <{record['label']}>`"
    return f"{{eq}}`{record['label']}`"


def list_table(columns: tuple[str, ...], rows: list[tuple[str, ...]], widths: str, name: str = "") -> str:
    """A MyST list-table; empty cells are left blank. ``widths`` are per cent; ``name`` is a class."""
    options = [f":widths: {widths}"] + [f":class: {name}"] * bool(name)
    lines = ["````{list-table}", ":header-rows: 1", *options, ""]
    for row in (columns, *rows):
        for k, cell in enumerate(row):
            start = "* - " if k == 0 else "  - "
            lines.append((start + cell.replace("\n", " ")).rstrip())
    return "\n".join([*lines, "````"])
