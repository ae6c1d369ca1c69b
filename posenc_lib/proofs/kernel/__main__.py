"""``python -m posenc_lib.proofs.kernel book``: results rebuilt, and the axioms used.

Takes notebooks, folders of notebooks, and files with one JSON object: the name of a claim, and its
certificate. A certificate may rest on claims of all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .axioms import AXIOMS
from .replay import replay
from .terms import Refused
from .theorem import Theorem

STEP = "application/vnd.posenc.step+json"


class Claim(NamedTuple):
    """A claim of a result: where it stands, the result's label, its own name, its certificate."""

    place: str
    label: str
    name: str
    certificate: str


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
            for name, text in record["certificates"].items():
                yield Claim(file.name, record["label"], name, text)


def rebuilt(claims: list[Claim]) -> tuple[dict[str, Theorem], dict[str, str]]:
    """The theorem of each claim, and why the others have none; a claim may rest on one that stands later."""
    theorems: dict[str, Theorem] = {}
    waiting, refused = claims, dict.fromkeys((c.name for c in claims), "")
    if len(refused) < len(claims):
        raise ValueError("two claims have one name")
    while waiting:
        later = []
        for claim in waiting:
            try:
                theorems[claim.name] = replay(claim.certificate, theorems).theorem
            except Refused as reason:
                refused[claim.name] = str(reason)
                later.append(claim)
        if len(later) == len(waiting):
            break
        waiting = later
    return theorems, {name: reason for name, reason in refused.items() if name not in theorems}


def main(paths: list[Path]) -> int:
    """Prints a line for each refused claim, the axioms used, and counts; 1 if one was refused, else 0."""
    start = time.perf_counter()
    claims = [claim for path in paths for claim in found(path)]
    theorems, refused = rebuilt(claims)
    for claim in claims:
        if claim.name in refused:
            print(f"{claim.place}: {claim.name}: refused: {refused[claim.name]}")
    lost = {claim.label for claim in claims if claim.name in refused}
    results = dict.fromkeys(claim.label for claim in claims if claim.label not in lost)
    used = Counter(
        axiom
        for label in results
        for axiom in set[str]().union(*(theorems[c.name].axioms for c in claims if c.label == label))
    )
    for axiom, count in used.most_common():
        print(f"{count:6} rest on {axiom} ({AXIOMS[axiom].reference})")
    seconds = f"in {time.perf_counter() - start:.1f} s"
    print(f"{len(results)} results rebuilt from {len(theorems)} claims, {len(lost)} refused, {seconds}")
    return 1 if lost or not results else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m posenc_lib.proofs.kernel", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    sys.exit(main(parser.parse_args().files))
