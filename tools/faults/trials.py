"""Each fault is planted in a copy of the project, and those who should object are asked.

make faults                                                     # every fault
.venv/bin/python -m pytest -q tools/faults/trials.py -k formula # those of one kind; -rP: with what is said
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.browser import chromium
from tools.faults.catalogue import Fault, load
from tools.faults.plant import planted
from tools.notebooks import ROOT

#: What Python is given, for each who is asked.
PYTEST = ["-m", "pytest", "--nbval", "-q", "-rfE", "-p", "no:cacheprovider", "--color=no"]
REFERENCE = ["-m", "tools.make_reference"]
RENDER = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "-q", "-W", "-n", "--keep-going"]
COMMANDS = {
    "ruff": ["-m", "ruff", "check", "--no-cache", "--output-format=concise", "."],
    "format": ["-m", "ruff", "format", "--no-cache", "--check", "."],
    "mypy": ["-m", "mypy", "--no-error-summary"],
    "reference": [*REFERENCE, "--check"],
}
TIMEOUT = 600  # seconds a command may take
CACHES = (".mypy_cache", ".cache/matplotlib", ".cache/fonts")  # saves time, decides nothing
FAULTS = sorted(load(), key=lambda fault: not fault.group)  # renders take longest


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
                path.write_text(planted(fault, path.read_text(encoding="utf-8")), encoding="utf-8")
            yield
        finally:
            for name in project_files():
                self._restore(name)

    def _restore(self, name: str) -> None:
        original, mine = ROOT / name, self.root / name
        if not mine.exists() or mine.stat().st_mtime_ns != original.stat().st_mtime_ns:
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(original, mine)

    def run(self, *asked: str) -> tuple[bool, str]:
        """Whether Python fails on the copy's own files, and what is said."""
        done = subprocess.run(
            [sys.executable, *asked], cwd=self.root, env=self.environment, timeout=TIMEOUT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        return done.returncode != 0, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).replace(f"{self.root}/", "")

    def renew(self, faults: Iterable[Fault]) -> tuple[bool, str]:
        """Execute the pages that these faults change."""
        pages = sorted({page for fault in faults for page in fault.renew})
        return self.run("-m", "tools.execute", *pages) if pages else (False, "")


def command(objects: str) -> list[str]:
    """What to run for a fault that is not in a group: up to the first failure."""
    words = shlex.split(objects)
    return COMMANDS.get(objects) or (words if words[0] == "-m" else [*PYTEST, "-x", *words])


@cache
def unspoilt(copy: Copy, objects: str) -> tuple[bool, str]:
    """Whether they object without a fault: then a verdict would mean nothing."""
    return copy.run(*command(objects))


@cache
def rendered(copy: Copy, group: str) -> str:
    """What is said while pages are executed, rendered and looked at, with a group's faults; "": with none."""
    shown = [fault for fault in FAULTS if fault.group and group in ("", fault.group)]
    looks = sorted({word for fault in shown for word in shlex.split(fault.objects)[1:]})
    with copy.with_planted(shown if group else []):
        shutil.rmtree(copy.root / "_build", ignore_errors=True)  # Sphinx warns only of pages that it reads
        said = [copy.renew(shown), copy.run(*REFERENCE), copy.run(*RENDER), copy.run(*PYTEST, *looks)]
    return "\n".join(text for _, text in said)


def objection(copy: Copy, fault: Fault) -> tuple[bool, str]:
    """Whether somebody objects to the fault, and what is said."""
    if fault.group:
        line = re.compile(f"^.*(?:{fault.says}).*$", re.MULTILINE)
        before, after = (line.search(rendered(copy, group)) for group in ("", fault.group))
        return bool(after) and not before, after[0] if after else ""
    with copy.with_planted([fault]):
        failed, said = copy.renew([fault])
        return (failed, said) if failed else copy.run(*command(fault.objects))


def trial(fault: Fault) -> Any:
    """A case of pytest; those of one render, and those with one objector, are tried on one copy."""
    marks = [pytest.mark.xdist_group("pages" if fault.group else fault.objects)]
    marks += [pytest.mark.xfail(reason=fault.missed, raises=AssertionError)] if fault.missed else []
    return pytest.param(fault, id=str(fault), marks=marks)


@pytest.fixture(scope="session")
def copy() -> Iterator[Copy]:
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        yield Copy(Path(folder))


@pytest.mark.parametrize("fault", list(map(trial, FAULTS)))
def test_somebody_objects(copy: Copy, fault: Fault) -> None:
    if not fault.group and unspoilt(copy, fault.objects)[0]:
        raise RuntimeError(f"{fault.objects} objects though there is no fault")
    objects, said = objection(copy, fault)
    print(said)
    assert objects, "nobody noticed"
