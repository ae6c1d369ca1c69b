"""Results that take too long to make while the book is built; they travel with the figures."""

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def stored(name: str) -> dict[str, Any]:
    """A stored result: what made it, and what it found.

    Args:
        name: of the page that shows it, as ``"49-base-bounds"``, or of a benchmark, as ``"rotary_gpu"``

    Raises:
        ValueError: there is none of this name.

    Example:
        >>> stored("49-base-bounds")["command"]
        'python -m experiments.base_bounds'
    """
    known = sorted(path.stem for path in RESULTS.glob("*.json"))
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}, got {name!r}")
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
