"""Read the results that the book's notebooks show, and find what does not fit together."""

import json
import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import yaml

from formal import stored
from formal.claims import gathered
from posenc_proofs.latex.shown import MARKS, require_steps
from posenc_proofs.latex.tokens import Unread
from tools import contents
from tools.notebooks import ROOT
from tools.reading import STEP

#: What the book calls each article, and its entry in the bibliography.
ARTICLES = {
    "000": ("the rotation-matrix article", "unknown000rotation"),
    "001": ("the PyTorch article", "unknown001pytorch"),
    "002": ("Su's article", "su2021sinusoidal"),
    "003": ("the illustrated article", "unknown003illustrated"),
    "004": ("the RoFormer note", "unknown004roformer"),
}


def data(name: str) -> Any:
    """What people have typed for the module of this name, ``<name>.yml`` beside it."""
    return yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text(encoding="utf-8"))


def in_print(source: str) -> str:
    """``source 000 (5); 003 (5)``, as a record has it, with the articles' names for their numbers."""
    return re.sub(r"(?:\bsource )?\b(00[0-4])\b", lambda found: ARTICLES[found[1]][0], source)


@cache
def proved_again() -> Set[str]:
    """The claims that Rocq has proved again, from the certificates that the pages hold now."""
    return stored.proved_again(gathered([ROOT / "book"]))


def by_rocq(record: dict[str, Any]) -> str:
    """What Rocq says of a result; "" if it has no certificate."""
    claims = record["certificates"].keys()
    again = len(claims & proved_again())
    if not claims or again == len(claims):
        return "proved again" if claims else ""
    return f"{again} of {len(claims)} claims proved again" if again else "not yet proved again"


def rocq_page(page: str) -> str:
    """The page of the site on which the results of ``page`` stand as Rocq has them."""
    return f"rocq/{page.rpartition('/')[2]}"


@dataclass(frozen=True)
class Page:
    """A page of the book: its name in the table of contents, its title, and the results it shows."""

    name: str
    title: str
    results: tuple[dict[str, Any], ...] = ()

    @property
    def from_reference(self) -> str:
        """The page's name as seen from book/reference, for links."""
        return "../" + self.name.removeprefix("book/")


#: Label → the page where a result is proved, and its record.
Known = dict[str, tuple[Page, dict[str, Any]]]


def read_pages(root: Path) -> list[Page]:
    """Every page of the book that somebody wrote, in reading order."""
    written = {name: contents.source_of(name, root) for name in contents.page_names(root)}
    return [_read_page(name, path) for name, path in written.items() if path]


def _read_page(name: str, path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    cells = json.loads(text)["cells"] if path.suffix == ".ipynb" else []
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    results = tuple(output["data"][STEP] for output in outputs if STEP in output.get("data", {}))
    heads = (line[2:].strip() for line in contents.words(text).splitlines() if line.startswith("# "))
    return Page(name, next(heads, name), results)


def own_results(pages: list[Page]) -> Known:
    """Label → (page, record), for every result on the page where it is proved."""
    return {r["label"]: (page, r) for page in pages for r in page.results if r["kind"] != "recalled"}


def problems(pages: list[Page]) -> list[str]:
    """Everything that makes the ledger untrue, in words; empty if nothing does."""
    known = own_results(pages)
    counts = Counter(r["label"] for page in pages for r in page.results if r["kind"] != "recalled")
    found = [f"the label {label} is used by {k} results" for label, k in counts.items() if k > 1]
    for page in pages:
        for record in page.results:
            found += [f"{page.name}: {what}" for what in _record_problems(record, known)]
            found += [f"{page.name}: {what}" for what in _steps_problems(record, page)]
    return found + _cycles(known)


def _record_problems(record: dict[str, Any], known: Known) -> list[str]:
    label, found = record["label"], []
    if record["status"] not in MARKS:
        found.append(f"{label} is {record['status']}")
    if record["status"] == "proved" and not record["mutants"]["refuted"]:
        found.append(f"{label} is proved, but none of its wrong versions was refuted")
    found += [f"{label} uses {used}, which no page shows" for used in record["uses"] if used not in known]
    if record["kind"] == "recalled":
        found += _recalled_problems(record, known)
    return found


def _recalled_problems(record: dict[str, Any], known: Known) -> list[str]:
    """Why nothing can be recalled under this label; whether it says the same is for the kernel to see."""
    label = record["label"]
    if label not in known:
        return [f"{label} is recalled, but no page proves it"]
    page, original = known[label]
    found = [] if record["certificates"] else [f"{label} is recalled, but it has no certificate"]
    if original["status"] != "proved":
        found.append(f"{label} is recalled, but {page.name} says {original['status']}")
    return found


def _steps_problems(record: dict[str, Any], page: Page) -> list[str]:
    """The steps of a theorem in words are proved, or in words themselves, and shown on its own page."""
    try:
        require_steps(record, page.results)
    except Unread as reason:
        return [f"{record['label']} is in words: {reason}"]
    return []


def _cycles(known: Known) -> list[str]:
    try:
        TopologicalSorter({label: record["uses"] for label, (_, record) in known.items()}).prepare()
    except CycleError as error:
        return ["results rest on each other: " + " → ".join(reversed(error.args[1]))]
    return []


def axioms(label: str, known: Known) -> list[str]:
    """The kernel's axioms behind ``label``, those behind what it recalls among them."""
    behind = _reached(label, known, "rests_on")
    return sorted({axiom for record in behind.values() for axiom in record["axioms"]})


def rests_on(label: str, known: Known) -> list[str]:
    """The hypotheses and cited facts that ``label`` needs in the end, in order of first use."""
    behind = _reached(label, known, "uses")
    return [used for used, record in behind.items() if used != label and record["status"] == "assumed"]


def _reached(label: str, known: Known, links: str) -> dict[str, dict[str, Any]]:
    """The records of ``label`` and of all that its links lead to, depth first."""
    found: dict[str, dict[str, Any]] = {}
    waiting = [label]
    while waiting:
        here = waiting.pop()
        if here in known and here not in found:
            found[here] = known[here][1]
            waiting += reversed(found[here][links])
    return found
