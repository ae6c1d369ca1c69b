"""The command line of ``python -m tools.faults``."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tools.faults
from tools.faults import report
from tools.faults.catalogue import BadFault, Fault, load
from tools.faults.copies import Copy
from tools.faults.plant import planted
from tools.faults.trial import Verdict, alone, nobody_objects, nothing_is_told, together
from tools.notebooks import ROOT


def bundles(faults: list[Fault]) -> list[list[Fault]]:
    """Those that are tried one after another on one copy: all that need pages, or have one objector."""
    found: dict[str, list[Fault]] = {}
    for fault in faults:
        found.setdefault("pages" if fault.group else fault.objects, []).append(fault)
    return sorted(found.values(), key=lambda bundle: not bundle[0].group)  # renders take longest


def tried(copy: Copy, bundle: list[Fault]) -> Iterator[Verdict]:
    """The verdicts on a bundle, after a look whether anybody objects to the project as it is.

    Raises:
        BadFault: somebody does.
    """
    if bundle[0].group:
        nothing_is_told(copy, bundle)
        for group in dict.fromkeys(fault.group for fault in bundle):
            yield from together(copy, [fault for fault in bundle if fault.group == group])
    else:
        nobody_objects(copy, bundle[0].objects)
        yield from (alone(copy, fault) for fault in bundle)


def run(faults: list[Fault], jobs: int) -> tuple[list[Verdict], list[str]]:
    """Try ``faults`` in ``jobs`` copies at a time.

    Returns:
        the verdicts, and why there are none on the others.
    """
    found: list[Verdict] = []
    problems: list[str] = []
    one_at_a_time = threading.Lock()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies: queue.Queue[Copy] = queue.Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def on_a_copy(bundle: list[Fault]) -> None:
            copy = copies.get()
            try:
                for verdict in tried(copy, bundle):
                    with one_at_a_time:
                        found.append(verdict)
                    word = {True: "caught", False: "MISSED", None: "undecided"}[verdict.caught]
                    print(f"  {word}  {verdict.fault}  {verdict.message}".rstrip(), flush=True)
                    if verdict.caught is None:
                        problems.append(f"{verdict.fault}: its time was over before anybody objected")
            except BadFault as error:
                problems.append(str(error))
            finally:
                copies.put(copy)

        for _ in pool.map(on_a_copy, bundles(faults)):
            pass
        for _ in range(jobs):
            copies.get().close()
    order = {fault: place for place, fault in enumerate(map(str, faults))}
    return sorted(found, key=lambda verdict: order[str(verdict.fault)]), problems


def chosen(faults: list[Fault], kinds: list[str]) -> list[Fault]:
    """Those of ``kinds``, or all."""
    if unknown := set(kinds) - (known := {fault.kind for fault in faults}):
        raise BadFault(f"no kind {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return [fault for fault in faults if not kinds or fault.kind in kinds]


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.faults", description=(tools.faults.__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND", help="faults of these kinds")
    parser.add_argument("--list", action="store_true", help="say what would be planted; try nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at a time")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        faults = chosen(load(), options.only)
        for fault in faults:
            planted(fault, (ROOT / fault.file).read_text(encoding="utf-8"))
        if options.list:
            print("\n".join(f"{fault}  ({fault.file}; {fault.objects})" for fault in faults))
            return 0
        verdicts, problems = run(faults, options.jobs)
    except BadFault as error:
        print(f"faults: {error}", file=sys.stderr)
        return 2
    print(report.table(verdicts))
    missed = report.unexplained(verdicts)
    for line in [*(f"nobody noticed  {name}" for name in missed), *problems]:
        print(line, file=sys.stderr)
    spent = sum(os.times()[2:4])  # of the commands
    print(f"{time.monotonic() - start:.0f} s, {options.jobs} at a time, {spent:.0f} s of processor time")
    return 2 if problems else 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
