"""Certify, and write the rows with their date and versions beside the page that shows them."""

import datetime
import json
from importlib.metadata import version
from pathlib import Path

import torch

from . import PLANES, STEP, rows

TARGET = Path(__file__).parents[2] / "book" / "4-rotary" / "49-base-bounds.json"

if __name__ == "__main__":
    torch.set_num_threads(1)
    results = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python -m tools.base_bounds",
        "torch": torch.__version__,
        "python-flint": version("python-flint"),
        "width": 2 * PLANES,
        "step": STEP,
        "rows": rows(),
    }
    TARGET.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {TARGET.name}")
