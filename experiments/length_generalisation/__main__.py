"""Train, measure, and write the numbers with where they come from beside the page that shows them."""

import json
import sys
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import torch

from experiments.stored import RESULTS, header, kept, origin, rounded, store, write

from . import SEEDS, bases, cancelled, dropped, fast, interventions, planes, relativity, settings, training
from .model import ENCODINGS
from .tasks import TASKS

PAGE = "54-length-generalisation"
COMMAND = "python -m experiments.length_generalisation"
FILE = RESULTS / f"{PAGE}.json"

Key = tuple[Any, ...]


def made(
    before: dict[str, Any], names: Sequence[str], keys: Sequence[Key], run: Callable[..., dict[str, Any]]
) -> dict[str, Any]:
    """A row for each key, printed when it is there, and which of them an earlier run made."""
    stored = before.get("rows", [])
    if [tuple(old[name] for name in names) for old in stored] != list(keys[: len(stored)]):
        sys.exit("the stored rows are not the first of those to be made: run without 'missing'")
    rows = list(stored)
    for key in keys[len(stored) :]:
        rows.append(kept(f"{run.__module__}, {key}", lambda key=key: rounded(run(*key))))
        print(f"{len(rows)} of {len(keys)}:", json.dumps(rows[-1], ensure_ascii=False), flush=True)
    return {"rows": rows} | ({"earlier": {**header(before), "rows": len(stored)}} if stored else {})


def tables(before: dict[str, Any], command: str) -> dict[str, Any]:
    """All encodings on all tasks, seed by seed."""
    keys = [(task, encoding, seed) for seed, task, encoding in product(SEEDS, TASKS, ENCODINGS)]
    found = made(before, ("task", "encoding", "seed"), keys, training.run)
    seeds = sorted({seed for _, _, seed in keys[found.get("earlier", {}).get("rows", 0) :]})
    return {**origin(command, seed=seeds), **settings(), **found}


#: Each part's module, and what names a row of it.
PARTS: dict[str, tuple[Any, Key]] = {
    "interventions": (interventions, ("task", "encoding", "steps", "seed")),
    "planes": (planes, ("task", "seed")),
    "relativity": (relativity, ("task", "turn", "last start", "seed")),
    "cancelled": (cancelled, ("task", "seed")),
    "bases": (bases, ("task", "encoding", "seed")),
    "dropped": (dropped, ("task", "seed")),
    "fast": (fast, ("task", "encoding", "seed")),
}


def part(name: str, before: dict[str, Any], command: str) -> dict[str, Any]:
    """Every row that a part's module wants."""
    module, names = PARTS[name]
    found = made(before, names, module.wanted(), module.run)
    return {**origin(command, seed=list(SEEDS)), **module.settings(), **found}


if __name__ == "__main__":
    wanted = sys.argv[1:]
    name = next((part for part in PARTS if wanted[:1] == [part]), "")
    if wanted[bool(name) :] not in ([], ["missing"]):
        sys.exit(f"the arguments are [{' | '.join(PARTS)}] [missing], got {wanted}")
    torch.set_num_threads(1)
    whole = json.loads(FILE.read_text(encoding="utf-8"))
    before = (whole.get(name, {}) if name else whole) if "missing" in wanted else {}
    command = " ".join([COMMAND, *wanted])
    if name:
        write(FILE, whole | {name: part(name, before, command)})
    else:
        store(PAGE, tables(before, command), {name: whole[name] for name in PARTS})
