"""Train, measure, and write the numbers with where they come from beside the page that shows them."""

import json
import sys
from collections.abc import Iterable
from typing import Any

import torch

from experiments.stored import BOOK, origin, store, write

from . import SEEDS, interventions, rows, settings

PAGE = "5-practice/54-length-generalisation"
COMMAND = "python -m experiments.length_generalisation"
FILE = BOOK / f"{PAGE}.json"


def shown(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """All results, each printed when it is there."""
    kept = []
    for row in results:
        kept.append(row)
        print(json.dumps(row, ensure_ascii=False), flush=True)
    return kept


def store_interventions(found: list[dict[str, Any]]) -> None:
    """Write the part ``interventions`` and leave the rest as it was stored."""
    part = {
        **origin(f"{COMMAND} interventions", seed=list(SEEDS)),
        **interventions.machine(),
        **interventions.settings(),
        "rows": found,
    }
    whole = json.loads(FILE.read_text(encoding="utf-8")) | {"interventions": part}
    write(FILE, whole)


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:] == ["interventions"]:
        store_interventions(shown(interventions.rows(SEEDS)))
    elif not sys.argv[1:]:
        part = json.loads(FILE.read_text(encoding="utf-8"))["interventions"]
        results = shown(rows())
        store(PAGE, origin(COMMAND, seed=list(SEEDS)), {**settings(), "rows": results, "interventions": part})
    else:
        sys.exit(f"the only argument is 'interventions', got {sys.argv[1:]}")
