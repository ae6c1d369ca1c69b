"""Seals of stored results: a measured number changes only together with its line in ``tools/seals.txt``.

    python -m tools.seals            # write the seals, after a measurement was repeated; says what changed
    python -m tools.seals --check    # compare only; `make test` does

Nobody repeats a measurement on a GPU, or an hour of training, to test a page. So an edit that changes a
stored number, by a search and replace say, would pass: page and table would be made from it. A seal is the
digest of what one key of a stored file holds, however it is laid out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.notebooks import ROOT
from tools.outline import difference
from tools.whole_files import write_whole

SEALS = Path(__file__).with_name("seals.txt")


def stored_results(root: Path = ROOT) -> Iterator[Path]:
    """Every stored result: the benchmarks', and those beside a page."""
    yield from sorted((root / "benchmarks" / "results").glob("*.json"))
    yield from sorted(p for p in (root / "book").rglob("*.json") if "generated" not in p.parts)


def seals(root: Path = ROOT) -> str:
    """One line for each part of each stored result: the file, the key, a digest of what it holds.

    Parts are lists and mappings; the single numbers and words of a file, date and hardware say, share a line.
    """
    lines = []
    for path in stored_results(root):
        stored = json.loads(path.read_text(encoding="utf-8"))
        parts = {key: part for key, part in stored.items() if isinstance(part, (list, dict)) and part}
        single = {key: part for key, part in stored.items() if not isinstance(part, (list, dict))}
        for key, part in [*parts.items(), *([(", ".join(single), single)] if single else [])]:
            digest = hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]
            lines.append(f"{digest}  {path.relative_to(root).as_posix()}  {key}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.seals")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    before = SEALS.read_text(encoding="utf-8") if SEALS.exists() else ""
    changed = difference(before, seals())
    if changed:
        print("\n".join(changed))
    if options.check:
        return 1 if changed else 0
    write_whole(SEALS, seals())
    return 0


if __name__ == "__main__":
    sys.exit(main())
