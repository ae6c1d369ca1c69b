"""Results that take too long to make while the book is built, stored beside the page that shows them."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import torch

BOOK = Path(__file__).parents[1] / "book"
DIGITS = 4


def rounded(value: Any) -> Any:
    """Numbers to four significant digits, in dictionaries and lists of any depth."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def as_text(results: object) -> str:
    """JSON with each list of numbers on one line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    return re.sub(r"\[[^\[\]{}]*\]", lambda row: re.sub(r"\s+", " ", row[0]), text) + "\n"


def store(page: str, tool: str, results: dict[str, Any]) -> None:
    """Write ``book/<page>.json``: the results after the date, the command and torch's version."""
    origin = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": f"python -m experiments.{tool}",
        "torch": torch.__version__,
    }
    (BOOK / f"{page}.json").write_text(as_text({**origin, **results}), encoding="utf-8")
    print(f"wrote {page}.json")
