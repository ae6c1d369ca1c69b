"""The faults: what is changed in which file, and which part of ``make test`` or ``make book`` objects."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Fault:
    """One fault, as ``data/<kind>.yml`` says it under ``name``.

    Args:
        file: what is changed, from the root of the project.
        objects: who should object: ``ruff``, ``format``, ``mypy``, ``reference``, ``pages`` (the render, and
            tests that look at it), ``-m`` with a module and its arguments, which a test runs on all pages, or
            what pytest is given.
        renew: notebooks that are executed after the change, as ``make book`` would.
        group: faults of one group are planted together, because rendering is dear; each has its own verdict,
        says: by this pattern in what the objectors print.
        missed: why nobody objects, where that is known and accepted.
        change: how it is changed (see :func:`tools.faults.plant.planted`): all else that is said.
    """

    kind: str
    name: str
    file: str
    objects: str
    renew: Sequence[str] = ()
    group: str = ""
    says: str = ""
    missed: str = ""
    change: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


_OWN = {each.name for each in fields(Fault)}


def load() -> list[Fault]:
    """Every fault, kind by kind; the name of a file is the kind."""
    found = []
    for path in sorted(DATA.glob("*.yml")):
        for name, given in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            change = {key: given.pop(key) for key in list(given) if key not in _OWN}
            found.append(Fault(path.stem, name, change=change, **given))
    return found
