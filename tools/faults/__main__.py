"""The command line of ``python -m tools.faults``."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.faults.catalogue import BadFault, Fault, load
from tools.faults.plant import planted
from tools.faults.trial import Copy, Verdict, tried
from tools.notebooks import ROOT


def bundles(faults: list[Fault]) -> list[list[Fault]]:
    """Those that are tried one after another on one copy: all that need pages, or have one objector."""
    found: dict[str, list[Fault]] = {}
    for fault in faults:
        found.setdefault("pages" if fault.group else fault.objects, []).append(fault)
    return sorted(found.values(), key=lambda bundle: not bundle[0].group)  # renders take longest


def run(faults: list[Fault], jobs: int) -> tuple[list[Verdict], list[str]]:
    """Try ``faults`` in ``jobs`` copies at a time: the verdicts, and why there are none on the others."""
    found: list[Verdict] = []
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies: queue.Queue[Copy] = queue.Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def on_a_copy(bundle: list[Fault]) -> None:
            copy = copies.get()
            try:
                for verdict in tried(copy, bundle):
                    found.append(verdict)
                    word = "caught" if verdict.caught else "MISSED"
                    print(f"  {word}  {verdict.fault}  {verdict.message}".rstrip(), flush=True)
            except BadFault as error:
                problems.append(str(error))
            finally:
                copies.put(copy)

        list(pool.map(on_a_copy, bundles(faults)))
    return found, problems


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="faults of these kinds; none: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at a time")
    options = parser.parse_args(arguments)
    try:
        faults = [f for f in load() if f.kind in options.kinds or not options.kinds]
        for fault in faults:
            planted(fault, (ROOT / fault.file).read_text(encoding="utf-8"))
    except BadFault as error:
        print(f"faults: {error}", file=sys.stderr)
        return 2
    verdicts, problems = run(faults, options.jobs)
    missed = [str(v.fault) for v in verdicts if not v.caught and not v.fault.missed]
    for line in [*(f"nobody noticed  {name}" for name in missed), *problems]:
        print(line, file=sys.stderr)
    print(f"{len(faults)} planted, {sum(v.caught for v in verdicts)} caught, {len(missed)} missed")
    return 2 if problems else 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
