"""``python -m posenc_lib.proofs.kernel book``: results rebuilt, and the axioms used.

Takes notebooks, folders of notebooks, and files with one JSON object: the name of a claim, and its
certificate. A certificate may rest on claims of all of them. What a page recalls has a certificate, too: its
one premise is the result of that label, wherever that is proved.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import ChainMap, Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from .axioms import AXIOMS
from .recall import chain, name_here
from .replay import replay
from .terms import Refused, ask
from .theorem import Theorem

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


def files(path: Path) -> list[Path]:
    """The notebooks of a folder; a file is itself."""
    found = sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]
    return [file for file in found if ".ipynb_checkpoints" not in file.parts]


def records(notebook: Path) -> Iterator[dict[str, Any]]:
    """What a notebook keeps of its results."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = (output for cell in cells for output in cell.get("outputs", []))
    yield from (output["data"][STEP] for output in outputs if STEP in output.get("data", {}))


def found(path: Path) -> Iterator[Claim]:
    """The claims of a notebook, of all notebooks of a folder, or of a JSON file."""
    for file in files(path):
        if file.suffix != ".ipynb":
            content = json.loads(file.read_text(encoding="utf-8"))
            yield from (Claim(file.name, name, name, json.dumps(c)) for name, c in content.items())
            continue
        for record in records(file):
            label, here = record["label"], name_here(record)
            for name, text in record["certificates"].items():
                recalls = label + name.removeprefix(here) if record["kind"] == "recalled" else ""
                yield Claim(file.name, here, name, text, recalls)


def chains(claims: list[Claim]) -> dict[str, list[str]]:
    """Each result of several rows, or entry of one, and the claims of its rows: it is their chain."""
    found: dict[str, dict[int, str]] = {}
    for claim in claims:
        row = re.fullmatch(ROW, claim.name.removeprefix(claim.label))
        if row and row["row"]:
            found.setdefault(claim.label + (row["entry"] or ""), {})[int(row["row"])] = claim.name
    return {name: [rows[n] for n in sorted(rows)] for name, rows in found.items()}


def rebuilt(claims: list[Claim]) -> tuple[dict[str, Theorem], dict[str, str]]:
    """The theorem of each claim, and why the others have none; a claim may rest on one that stands later.

    Raises:
        ValueError: if two claims have one name, or results of two places one label.
    """
    theorems: dict[str, Theorem] = {}
    whole: dict[str, Theorem] = {}
    rows = chains(claims)
    waiting, refused = claims, dict.fromkeys((c.name for c in claims), "")
    if twice := _twice([*(c.name for c in claims), *rows]):
        raise ValueError(f"two claims have one name: {twice}")
    if twice := _twice([label for label, _ in {(c.label, c.place) for c in claims}]):
        raise ValueError(f"two results have one label: {twice}")
    while waiting:
        later = []
        for claim in waiting:
            try:
                th = replay(claim.certificate, Rebuilt(theorems, whole)).theorem
                _require_of_label(claim)
                theorems[claim.name] = th
            except Refused as reason:
                refused[claim.name] = str(reason)
                later.append(claim)
        for name in [name for name in rows if theorems.keys() >= set(rows[name])]:
            with suppress(Refused):
                whole[name] = chain([theorems[row] for row in rows.pop(name)])
        if len(later) == len(waiting):
            break
        waiting = later
    return theorems, {name: reason for name, reason in refused.items() if name not in theorems}


def _twice(names: list[str]) -> str:
    return ", ".join(sorted(name for name, count in Counter(names).items() if count > 1))


def _require_of_label(claim: Claim) -> None:
    """Refuse a claim that is called as another result's; and, of what is recalled, any proof of its own."""
    own = re.fullmatch(rf"{re.escape(claim.label)}{ROW}", claim.name)
    ask(own is not None, f"a claim of {claim.label} is called otherwise")
    last = json.loads(claim.certificate)["steps"][-1]
    ask(not claim.recalls or last[:2] == ["recall", claim.recalls], f"it is not {claim.recalls}, recalled")


def main(paths: list[Path]) -> int:
    """Prints a line for each refused claim, the axioms used, and counts; 1 if one was refused, else 0."""
    start = time.perf_counter()
    claims = [claim for path in paths for claim in found(path)]
    theorems, refused = rebuilt(claims)
    for claim in claims:
        if claim.name in refused:
            print(f"{claim.place}: {claim.name}: refused: {refused[claim.name]}")
    lost = {claim.label for claim in claims if claim.name in refused}
    kept = [claim for claim in claims if claim.label not in lost]
    results = dict.fromkeys(claim.label for claim in kept if not claim.recalls)
    recalled = {claim.label for claim in kept if claim.recalls}
    used = Counter(
        axiom
        for label in results
        for axiom in set[str]().union(*(theorems[c.name].axioms for c in kept if c.label == label))
    )
    for axiom, count in used.most_common():
        print(f"{count:6} rest on {axiom} ({AXIOMS[axiom].reference})")
    said = f"{len(recalled)} recalled, {len(lost)} refused, in {time.perf_counter() - start:.1f} s"
    print(f"{len(results)} results rebuilt from {len(theorems)} claims, {said}")
    return 1 if lost or not results else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m posenc_lib.proofs.kernel", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    sys.exit(main(parser.parse_args().files))
