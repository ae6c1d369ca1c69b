"""Train, measure, and write the numbers with their origin beside the page that shows them."""

import datetime
import json
from pathlib import Path

import torch

from tools.trained_model.__main__ import as_text

from . import rows, settings

TARGET = Path(__file__).parents[2] / "book" / "5-practice" / "53-length-generalisation.json"

if __name__ == "__main__":
    results = []
    for row in rows():
        results.append(row)
        print(json.dumps(row, ensure_ascii=False), flush=True)
    origin = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python -m tools.length_generalisation",
        "torch": torch.__version__,
    }
    TARGET.write_text(as_text({**origin, **settings(), "rows": results}), encoding="utf-8")
    print(f"wrote {TARGET.name}")
