"""The claims that notebooks keep of their results, rebuilt; a claim may rest on one of another page.

What a page recalls has a certificate, too, and says what the result of that label says, wherever that is
proved; < also says <=.
"""

import json
import re
from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from .replay import replay
from .ring import same
from .terms import Refused, ask
from .theorem import Theorem, concluded

ROW = r"(\.(?P<row>\d+))?(?P<entry>\[\d+\])?"  # what a claim's name has after its result's
STEP = "application/vnd.posenc.step+json"


class Claim(NamedTuple):
    """A claim of a result: where it stands, the result's label, its own name, its certificate.

    ``recalls`` is the result of another page that it repeats; "" if it is proved where it stands.
    """

    place: str
    label: str
    name: str
    certificate: str
    recalls: str = ""


class Rebuilt(ChainMap[str, Theorem]):
    """The theorems of claims, and those of whole results, by name."""

    def __missing__(self, name: str) -> Theorem:
        raise Refused(f"no result {name} is rebuilt")


def name_here(record: Mapping[str, Any]) -> str:
    """What the claims of a result are called: by its label; where it is recalled, by its derivation, too."""
    return f"{record['label']}@{record['derivation']}" if record["kind"] == "recalled" else record["label"]


def chain(rows: list[Theorem]) -> Theorem:
    """a R b, b S c, ...: a is related to the last, strictly where one row is. An order says that its sides
    are real, and so is what equals them."""
    relations = {th.relation for th in rows}
    for one, other in pairwise(rows):
        ask(same(one.right, other.left), f"a row ends with {one.right}, the next begins with {other.left}")
    ask("!=" not in relations, "!= is no link of a chain")
    relation = "<" if "<" in relations else "<=" if "<=" in relations else "="
    return concluded((rows[0].left, relation, rows[-1].right), rows)


def files(path: Path) -> list[Path]:
    """The notebooks of a folder; a file is itself."""
    found = sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]
    return [file for file in found if ".ipynb_checkpoints" not in file.parts]


def outputs(notebook: Path) -> Iterator[dict[str, Any]]:
    """What the cells of a notebook show; a text, too, is an output of Markdown."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        yield from cell.get("outputs", [])
        if cell.get("cell_type") == "markdown":
            yield {"text": "".join(cell["source"])}


def records(notebook: Path) -> Iterator[dict[str, Any]]:
    """What a notebook keeps of its results."""
    yield from (output["data"][STEP] for output in outputs(notebook) if STEP in output.get("data", {}))


def found(path: Path) -> Iterator[Claim]:
    """The claims of a notebook, or of all notebooks of a folder."""
    of_pages = ((file, record) for file in files(path) for record in records(file))
    yield from (claim for file, record in of_pages for claim in claims_of(file, record))


def claims_of(file: Path, record: dict[str, Any]) -> Iterator[Claim]:
    """The claims of a result."""
    label, here = record["label"], name_here(record)
    for name, text in record["certificates"].items():
        recalls = label + name.removeprefix(here) if record["kind"] == "recalled" else ""
        yield Claim(file.name, here, name, text, recalls)


def chains(claims: list[Claim]) -> dict[str, list[str]]:
    """Each result of several rows, or entry of one, and the claims of its rows: it is their chain."""
    found: dict[str, dict[int, str]] = {}
    for claim in claims:
        if (row := re.fullmatch(ROW, claim.name.removeprefix(claim.label))) and row["row"]:
            found.setdefault(claim.label + (row["entry"] or ""), {})[int(row["row"])] = claim.name
    return {name: [rows[n] for n in sorted(rows)] for name, rows in found.items()}


def rebuilt(claims: list[Claim]) -> tuple[dict[str, Theorem], dict[str, str]]:
    """The theorem of each claim, and why the others have none; a claim may rest on one that stands later.

    Raises:
        ValueError: if two claims have one name, or results of two places one label.
    """
    theorems, whole = dict[str, Theorem](), dict[str, Theorem]()
    rows = chains(claims)
    refused = dict.fromkeys((c.name for c in claims), "")
    names = Counter([*(c.name for c in claims), *rows])
    labels = Counter(label for label, _ in {(c.label, c.place) for c in claims})
    for c in claims:
        if names[c.name] > 1:
            raise ValueError(f"{c.place}: {c.name}: two claims have this name")
        if labels[c.label] > 1:
            raise ValueError(f"{c.place}: {c.label}: two results have this label")
    earlier = Rebuilt(theorems, whole)
    waiting, later = list[Claim](), claims
    while len(later) != len(waiting):
        waiting, later = later, []
        for claim in waiting:
            try:
                th = replay(claim.certificate, earlier).theorem
                _require_of_label(claim, th, earlier[claim.recalls] if claim.recalls else th)
                theorems[claim.name] = th
            except Refused as reason:
                refused[claim.name] = str(reason)
                later.append(claim)
        for name in [name for name in rows if theorems.keys() >= set(rows[name])]:
            with suppress(Refused):
                whole[name] = chain([theorems[row] for row in rows.pop(name)])
    return theorems, {name: reason for name, reason in refused.items() if name not in theorems}


def _require_of_label(claim: Claim, th: Theorem, there: Theorem) -> None:
    """Refuse a claim that is called as another result's; and, of what is recalled, another statement."""
    own = re.fullmatch(rf"{re.escape(claim.label)}{ROW}", claim.name)
    ask(own is not None, f"a claim of {claim.label} is called otherwise")
    alike = same(th.left, there.left) and same(th.right, there.right)
    ask(alike and th.relation in (there.relation, there.relation + "="), f"not {claim.recalls}, recalled")
