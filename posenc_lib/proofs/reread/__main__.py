"""``python -m posenc_lib.proofs.reread book``: what notebooks print, compared with the kernel's theorems.

The equation, the definitions and hypotheses it rests on, and the values for which it is said to hold are read
again, without SymPy.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from ..kernel.__main__ import files, found, rebuilt, records
from .statements import Derived
from .tokens import Unread


def unread(pages: list[Path]) -> tuple[int, dict[str, str]]:
    """How many results are printed as they are proved, and what differs or cannot be read of the others."""
    theorems, _ = rebuilt([claim for page in pages for claim in found(page)])
    count, reasons = 0, {}
    for page in pages:
        derivations: dict[str, list[dict[str, Any]]] = {}
        for record in records(page):
            derivations.setdefault(record["derivation"], []).append(record)
        for of_one in derivations.values():
            derived = Derived(of_one, theorems)
            for label in (r["label"] for r in of_one if r["certificates"] or r["kind"] == "recalled"):
                try:
                    derived.confirm(label)
                    count += 1
                except Unread as reason:
                    reasons[label] = str(reason)
    return count, reasons


def main(paths: list[Path]) -> int:
    """Prints a line for each result that is not printed as it is proved, and counts; 1 if there is one."""
    start = time.perf_counter()
    count, reasons = unread([page for path in paths for page in files(path)])
    for label, reason in reasons.items():
        print(f"{label}: {reason}")
    seconds = f"in {time.perf_counter() - start:.1f} s"
    print(f"{count} results are printed as they are proved, {len(reasons)} are not known to be, {seconds}")
    return 1 if reasons or not count else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m posenc_lib.proofs.reread", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    sys.exit(main(parser.parse_args().files))
