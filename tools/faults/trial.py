"""A fault's trial: it is planted, those who should object are asked, and what they say decides."""

from __future__ import annotations

import re
import shlex
import shutil
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tools.faults.catalogue import BadFault, Fault
from tools.faults.copies import Copy, Ran
from tools.notebooks import ROOT

PYTEST = ["pytest", "--nbval", "-q", "-rfE", "-p", "no:cacheprovider", "--color=no"]
RENDER = ["jupyter_book.cli.main:main", "build", ".", "-q", "-W", "-n", "--keep-going"]
COMMANDS = {
    "ruff": ["ruff", "check", "--no-cache", "--output-format=concise", "."],
    "format": ["ruff", "format", "--no-cache", "--check", "."],
    "mypy": ["mypy", "--no-error-summary"],
    "reference": ["tools.make_reference", "--check"],
}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Verdict(NamedTuple):
    """Whether a fault was noticed, what was said first, and how long it took (of a group: all of it).

    Where the time was over before anybody had objected, ``caught`` is None: nothing is known.
    """

    fault: Fault
    caught: bool | None
    message: str
    seconds: float


def command(objects: str) -> list[str]:
    """What to run for a fault that is not in a group: up to the first failure."""
    words = shlex.split(objects)
    return COMMANDS.get(objects) or (words[1:] if words[0] == "-m" else [*PYTEST, "-x", *words])


def alone(copy: Copy, fault: Fault) -> Verdict:
    """The trial of one fault by itself."""
    start = time.monotonic()
    with copy.with_planted([fault]):
        ran = _renewed(copy, [fault])
        if ran.status == 0:
            ran = copy.run(*command(fault.objects))
    said = first_line(ran.said).replace(f"{copy.root}/", "") if ran.status else ""
    return Verdict(fault, None if ran.late else ran.status != 0, said, time.monotonic() - start)


def together(copy: Copy, faults: list[Fault]) -> list[Verdict]:
    """The trial of faults that share one render, and one run of what looks at the pages."""
    start = time.monotonic()
    with copy.with_planted(faults):
        runs = list(_rendered(copy, faults))
    seconds, late = time.monotonic() - start, any(ran.late for ran in runs)
    return [
        Verdict(fault, True if line else None if late else False, line, seconds)
        for fault, line in zip(faults, _told(copy, faults, runs), strict=True)
    ]


def _told(copy: Copy, faults: list[Fault], runs: Iterable[Ran]) -> list[str]:
    """For each fault the line by which it is known, of all that is printed; empty if there is none."""
    said = _COLOURS.sub("", "\n".join(ran.said for ran in runs))
    found = [re.search(f"^.*(?:{fault.says}).*$", said, re.MULTILINE) for fault in faults]
    return [line[0].replace(f"{copy.root}/", "").strip()[:200] if line else "" for line in found]


def _renewed(copy: Copy, faults: list[Fault]) -> Ran:
    pages = sorted({page for fault in faults for page in fault.renew})
    return copy.run("tools.execute", *pages) if pages else Ran(0, "")


def _rendered(copy: Copy, faults: list[Fault]) -> Iterator[Ran]:
    yield _renewed(copy, faults)
    yield copy.run("tools.make_reference")
    shutil.rmtree(copy.root / "_build", ignore_errors=True)  # Sphinx warns only of pages that it reads
    yield copy.run(*RENDER)
    looks = sorted({word for fault in faults for word in shlex.split(fault.objects)[1:]})
    if looks:
        yield copy.run(*PYTEST, *looks)


def nobody_objects(copy: Copy, objects: str) -> None:
    """Without a fault nobody may object, else a verdict would mean nothing.

    Raises:
        BadFault: somebody does.
    """
    ran = copy.run(*command(objects))
    if ran.status:
        raise BadFault(f"{objects} objects though there is no fault: {first_line(ran.said)}")


def nothing_is_told(copy: Copy, faults: list[Fault]) -> None:
    """The same of faults in groups: no pattern by which one is known is printed without it."""
    for fault, line in zip(faults, _told(copy, faults, _rendered(copy, faults)), strict=True):
        if line:
            raise BadFault(f"{fault}: what it is known by is said without it, too: {line}")


def first_line(said: str) -> str:
    """The line that tells what is wrong: pytest's first assertion, else the last line of all.

    It is stored, so the folder of this checkout is left out.
    """
    lines = [line for line in _COLOURS.sub("", said).replace(f"{ROOT}/", "").splitlines() if line.strip()]
    told = [line[1:].strip() for line in lines if line.startswith("E  ") and line[1:].strip()]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return next(iter([*told, *failed, *lines]), "")[:200]
