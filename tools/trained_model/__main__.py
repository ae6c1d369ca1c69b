"""Measure, and write the numbers with their date and origin beside the page that shows them."""

import datetime
import json
import re
from pathlib import Path

import torch

from . import SENTENCES, measure
from .encoder import PACKAGE, SHA256, VERSION

TARGET = Path(__file__).parents[2] / "book" / "1-order" / "13-trained-model.json"


def as_text(results: object) -> str:
    """JSON with each list of numbers on one line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    return re.sub(r"\[[^\[\]{}]*\]", lambda row: re.sub(r"\s+", " ", row[0]), text) + "\n"


if __name__ == "__main__":
    origin = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python -m tools.trained_model",
        "package": f"{PACKAGE}=={VERSION}",
        "sha256 of the weights": SHA256,
        "torch": torch.__version__,
        "sentences": list(SENTENCES),
    }
    TARGET.write_text(as_text({**origin, **measure()}), encoding="utf-8")
    print(f"wrote {TARGET.name}")
