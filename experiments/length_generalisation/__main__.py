"""Train, measure, and write the numbers with where they come from beside the page that shows them."""

import json
import sys
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import torch

from experiments.stored import RESULTS, header, origin, store, write

from . import SEEDS, bases, cancelled, interventions, planes, relativity, row, settings
from .model import ENCODINGS
from .tasks import TASKS

PAGE = "54-length-generalisation"
COMMAND = "python -m experiments.length_generalisation"
FILE = RESULTS / f"{PAGE}.json"

Key = tuple[Any, ...]


def made(
    before: dict[str, Any], names: Sequence[str], keys: Sequence[Key], make: Callable[[Key], dict[str, Any]]
) -> dict[str, Any]:
    """A row for each key, printed when it is there, and which of them an earlier run made."""
    kept = before.get("rows", [])
    if [tuple(old[name] for name in names) for old in kept] != list(keys[: len(kept)]):
        sys.exit("the stored rows are not the first of those to be made: run without 'missing'")
    rows = list(kept)
    for key in keys[len(kept) :]:
        rows.append(make(key))
        print(f"{len(rows)} of {len(keys)}:", json.dumps(rows[-1], ensure_ascii=False), flush=True)
    return {"rows": rows} | ({"earlier": {**header(before), "rows": len(kept)}} if kept else {})


def tables(before: dict[str, Any], command: str) -> dict[str, Any]:
    """All encodings on all tasks, seed by seed."""
    keys = [(task, encoding, seed) for seed, task, encoding in product(SEEDS, TASKS, ENCODINGS)]
    found = made(before, ("task", "encoding", "seed"), keys, lambda key: row(*key))
    seeds = sorted({seed for _, _, seed in keys[found.get("earlier", {}).get("rows", 0) :]})
    return {**origin(command, seed=seeds), **settings(), **found}


def changes(before: dict[str, Any], command: str) -> dict[str, Any]:
    """Every job with every seed."""
    found = made(
        before,
        ("task", "encoding", "steps", "seed"),
        interventions.wanted(),
        lambda key: interventions.row(interventions.Job(*key[:-1]), key[-1]),
    )
    made_by = origin(command, seed=list(SEEDS))
    return {**made_by, **interventions.machine(), **interventions.settings(), **found}


def one_by_one(before: dict[str, Any], command: str) -> dict[str, Any]:
    """Planes changed one at a time, with every seed."""
    found = made(before, ("task", "seed"), planes.wanted(), lambda key: planes.row(*key))
    return {**origin(command, seed=list(SEEDS)), **planes.settings(), **found}


def turned(before: dict[str, Any], command: str) -> dict[str, Any]:
    """Every matrix on every task, with every seed."""
    names = ("task", "turn", "last start", "seed")
    found = made(before, names, relativity.wanted(), lambda key: relativity.row(*key))
    return {**origin(command, seed=list(SEEDS)), **relativity.settings(), **found}


def compared(before: dict[str, Any], command: str) -> dict[str, Any]:
    """Planes changed one at a time and what was predicted of them, for every base, with every seed."""
    names = ("task", "encoding", "seed")
    found = made(before, names, bases.wanted(), lambda key: bases.row(*key))
    return {**origin(command, seed=list(SEEDS)), **bases.settings(), **found}


def made_relative(before: dict[str, Any], command: str) -> dict[str, Any]:
    """The repeated list on every task, with every seed."""
    found = made(before, ("task", "seed"), cancelled.wanted(), lambda key: cancelled.row(*key))
    return {**origin(command, seed=list(SEEDS)), **found}


PARTS = {
    "interventions": changes,
    "planes": one_by_one,
    "relativity": turned,
    "cancelled": made_relative,
    "bases": compared,
}

if __name__ == "__main__":
    wanted = sys.argv[1:]
    name = next((part for part in PARTS if wanted[:1] == [part]), "")
    if wanted[bool(name) :] not in ([], ["missing"]):
        sys.exit(f"the arguments are [{' | '.join(PARTS)}] [missing], got {wanted}")
    torch.set_num_threads(1)
    whole = json.loads(FILE.read_text(encoding="utf-8"))
    before = (whole.get(name, {}) if name else whole) if "missing" in wanted else {}
    found = PARTS.get(name, tables)(before, " ".join([COMMAND, *wanted]))
    if name:
        write(FILE, whole | {name: found})
    else:
        store(PAGE, found, {part: whole[part] for part in PARTS})
