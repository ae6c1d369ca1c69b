"""Train, measure, and write the numbers with their origin beside the page that shows them."""

import datetime
import json
import sys
from collections.abc import Iterable
from typing import Any

import torch

from experiments.stored import BOOK, as_text, store

from . import SEEDS, interventions, rows, settings

PAGE = "5-practice/54-length-generalisation"
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
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python -m experiments.length_generalisation interventions",
        **interventions.machine(),
        **interventions.settings(),
        "rows": found,
    }
    whole = json.loads(FILE.read_text(encoding="utf-8")) | {"interventions": part}
    FILE.write_text(as_text(whole), encoding="utf-8")
    print(f"wrote {FILE.name}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:] == ["interventions"]:
        store_interventions(shown(interventions.rows(SEEDS)))
    elif not sys.argv[1:]:
        part = json.loads(FILE.read_text(encoding="utf-8"))["interventions"]
        results = shown(rows())
        store(PAGE, "length_generalisation", {**settings(), "rows": results, "interventions": part})
    else:
        sys.exit(f"the only argument is 'interventions', got {sys.argv[1:]}")
