"""A fault's trial, in a copy of the project: it is planted, and those who should object are asked."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.browser import chromium
from tools.faults.catalogue import BadFault, Fault
from tools.faults.plant import planted
from tools.notebooks import ROOT

PYTEST = ["pytest", "--nbval", "-q", "-rfE", "-p", "no:cacheprovider", "--color=no"]
RENDER = ["jupyter-book", "build", ".", "-q", "-W", "-n", "--keep-going"]
COMMANDS = {
    "ruff": ["ruff", "check", "--no-cache", "--output-format=concise", "."],
    "format": ["ruff", "format", "--no-cache", "--check", "."],
    "mypy": ["mypy", "--no-error-summary"],
    "reference": ["tools.make_reference", "--check"],
}
TIMEOUT = 600  # seconds a command may take
CACHES = (".mypy_cache", ".cache/matplotlib", ".cache/fonts")  # saves time, decides nothing


class Verdict(NamedTuple):
    """Whether a fault was noticed, and what was said first."""

    fault: Fault
    caught: bool
    message: str


def project_files() -> list[str]:
    """What git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


class Copy:
    """A copy of the project in ``root``; the checkout is never written to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in project_files():
            self._restore(name)
        for name in CACHES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, root / name)
        own = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        own |= {"CHROMIUM": path} if (path := chromium()) else {}  # ours is not in the copy
        self.environment = {key: value for key, value in os.environ.items() if key != "CI"} | own

    @contextmanager
    def with_planted(self, faults: Iterable[Fault]) -> Iterator[None]:
        """The copy with ``faults`` in it; afterwards every tracked file is as it was."""
        try:
            for fault in faults:
                path = self.root / fault.file
                changed = planted(fault, path.read_text(encoding="utf-8"))
                if changed is None:
                    path.unlink()
                else:
                    path.write_text(changed, encoding="utf-8")
            yield
        finally:
            for name in project_files():
                self._restore(name)

    def _restore(self, name: str) -> None:
        original, mine = ROOT / name, self.root / name
        if not mine.exists() or mine.stat().st_mtime_ns != original.stat().st_mtime_ns:
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(original, mine)

    def run(self, command: list[str]) -> tuple[int, str]:
        """The status of a command on the copy's own library, and what it says; a module or a script of ours.

        Raises:
            BadFault: its time is over, which says nothing of any fault.
        """
        script = Path(sys.executable).with_name(command[0])
        start = [sys.executable, "-m", command[0]] if command[0] != RENDER[0] else [str(script)]
        try:
            done = subprocess.run(
                [*start, *command[1:]], cwd=self.root, env=self.environment, timeout=TIMEOUT,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BadFault(f"{shlex.join(command)} ran longer than {TIMEOUT} s") from None
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
        return done.returncode, said.replace(f"{self.root}/", "").replace(f"{ROOT}/", "")


def command(objects: str) -> list[str]:
    """What to run for a fault that is not in a group: up to the first failure."""
    words = shlex.split(objects)
    return COMMANDS.get(objects) or (words[1:] if words[0] == "-m" else [*PYTEST, "-x", *words])


def tried(copy: Copy, bundle: list[Fault]) -> Iterator[Verdict]:
    """The verdicts on faults with one objector, or that share a render of the pages.

    Raises:
        BadFault: somebody objects without a fault, too; a verdict would mean nothing.
    """
    if not bundle[0].group:
        status, said = copy.run(command(bundle[0].objects))
        if status:
            raise BadFault(f"{bundle[0].objects} objects though there is no fault: {first_line(said)}")
        for fault in bundle:
            with copy.with_planted([fault]):
                status, said = _renewed(copy, [fault])
                if not status:
                    status, said = copy.run(command(fault.objects))
            yield Verdict(fault, status != 0, first_line(said) if status else "")
        return
    before = _rendered(copy, bundle)
    for group in dict.fromkeys(fault.group for fault in bundle):
        faults = [fault for fault in bundle if fault.group == group]
        with copy.with_planted(faults):
            after = _rendered(copy, faults)
        for fault in faults:
            line = re.compile(f"^.*(?:{fault.says}).*$", re.MULTILINE)
            if line.search(before):
                raise BadFault(f"{fault}: what it is known by is said without it, too")
            told = line.search(after)
            yield Verdict(fault, bool(told), told[0].strip()[:200] if told else "")


def _renewed(copy: Copy, faults: list[Fault]) -> tuple[int, str]:
    pages = sorted({page for fault in faults for page in fault.renew})
    return copy.run(["tools.execute", *pages]) if pages else (0, "")


def _rendered(copy: Copy, faults: list[Fault]) -> str:
    """All that is said while pages are executed, rendered and looked at."""
    shutil.rmtree(copy.root / "_build", ignore_errors=True)  # Sphinx warns only of pages that it reads
    said = [_renewed(copy, faults), copy.run(["tools.make_reference"])]
    said.append(copy.run(RENDER))
    if looks := sorted({word for fault in faults for word in shlex.split(fault.objects)[1:]}):
        said.append(copy.run([*PYTEST, *looks]))
    return "\n".join(text for _, text in said)


def first_line(said: str) -> str:
    """The line that tells what is wrong: pytest's first assertion, else what failed, else the first."""
    lines = [line for line in said.splitlines() if line.strip()]
    told = [line[1:].strip() for line in lines if line.startswith("E  ") and line[1:].strip()]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return next(iter([*told, *failed, *lines]), "")[:200]
