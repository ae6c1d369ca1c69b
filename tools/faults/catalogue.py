"""The faults: what is changed in which file, and which part of ``make test`` or ``make book`` objects."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tools.notebooks import ROOT

DATA = Path(__file__).parent / "data"
#: Who may object besides tests, which are named by what pytest is given; ``pages`` may be followed by tests.
COMMANDS = ("ruff", "format", "mypy", "reference", "pages")


class BadFault(Exception):
    """A fault that cannot be planted, or says nothing sensible; the message names it."""


@dataclass(frozen=True)
class Fault:
    """One fault, as ``data/<kind>.yml`` says it under ``name``.

    Args:
        file: what is changed, from the root of the project.
        change: how (see :func:`tools.faults.plant.planted`).
        objects: who should object: ``ruff``, ``format``, ``mypy``, ``reference``, ``pages`` (the render),
            ``-m`` with a module and its arguments, which a test runs on all pages, or what pytest is given.
        renew: notebooks that are executed after the change, as ``make book`` would.
        group: faults of one group are planted together, because rendering is dear; each has its own verdict,
        says: by this pattern in what the objectors print.
        missed: why nobody objects, where that is known and accepted.
    """

    kind: str
    name: str
    file: str
    objects: str
    change: dict[str, Any] = field(default_factory=dict)
    renew: tuple[str, ...] = ()
    group: str = ""
    says: str = ""
    missed: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    @property
    def objectors(self) -> list[str]:
        """``objects`` as a list: a command or paths of tests, options left out."""
        return [word for word in shlex.split(self.objects) if not word.startswith("-")]

    def problems(self) -> Iterable[str]:
        """What is wrong with what the data say of it, the place in its file left aside."""
        if not self.objects:
            yield "names nobody who should object"
        for word in self.objectors:
            place = word.partition("::")[0]
            if word not in COMMANDS and ("/" in place and not (ROOT / place).exists()):
                yield f"names {place}, which is not there"
        if bool(self.group) != bool(self.says) or bool(self.group) != (self.objectors[:1] == ["pages"]):
            yield "needs group and says if the pages are rendered for it, and only then"


_OWN = {"file", "objects", "renew", "group", "says", "missed"}


def read(path: Path) -> list[Fault]:
    """The faults of one file; its name is their kind."""
    found = []
    for name, given in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        own = {key: value for key, value in given.items() if key in _OWN}
        change = {key: value for key, value in given.items() if key not in _OWN}
        fault = Fault(path.stem, name, change=change, **own | {"renew": tuple(given.get("renew", ()))})
        for problem in fault.problems():
            raise BadFault(f"{fault}: {problem}")
        found.append(fault)
    return found


def load(folder: Path = DATA) -> list[Fault]:
    """Every fault, kind by kind."""
    return [fault for path in sorted(folder.glob("*.yml")) for fault in read(path)]
