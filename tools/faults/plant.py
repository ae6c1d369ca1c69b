"""A fault's change, made in the text of its file. Nothing here writes a file."""

import json
from typing import Any

from tools.faults.catalogue import Fault


def planted(fault: Fault, text: str) -> str:
    """``text`` of ``fault.file`` with the fault in it.

    The change is one of

    * ``old``, ``new``: a text that stands there once, and what stands there instead;
    * ``append``: what is added at the end, to a notebook as a text cell;
    * ``cell``, ``old``, ``new``: in the one cell whose source holds this text something, outputs included, is
      replaced as above;
    * ``value``, ``new``: a path into JSON (keys, numbers, and mappings that pick the row with these values).

    Raises:
        ValueError: its place is not there, or there more than once; the message names the fault.
    """
    ways = {"append": _appended, "cell": _other_cell, "value": _other_value}
    chosen = [way for key, way in ways.items() if key in fault.change] or [_replaced]
    try:
        (way,) = chosen
        changed = way(text, **fault.change)
    except (LookupError, ValueError, TypeError) as error:
        raise ValueError(f"{fault}: its place in {fault.file} is gone ({error}); find it another") from None
    if changed == text:
        raise ValueError(f"{fault}: nothing changes in {fault.file}")
    return changed


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands there {text.count(old)} times")
    return text.replace(old, new)


def _appended(text: str, append: str) -> str:
    if not text.startswith('{\n "cells"'):
        return text + append
    notebook = json.loads(text)
    name, lines = f"planted-{len(notebook['cells'])}", append.splitlines(keepends=True)
    notebook["cells"].append({"cell_type": "markdown", "id": name, "metadata": {}, "source": lines})
    return _as_json(notebook)


def _other_cell(text: str, cell: str, old: str, new: str) -> str:
    notebook = json.loads(text)
    (number,) = (k for k, c in enumerate(notebook["cells"]) if cell in "".join(c["source"]))
    changed = _replaced(json.dumps(notebook["cells"][number], ensure_ascii=False), old, new)
    notebook["cells"][number] = json.loads(changed)
    return _as_json(notebook)


def _other_value(text: str, value: list[Any], new: Any) -> str:
    data = json.loads(text)
    *way, last = value
    inside = data
    for step in way:
        inside = _row(inside, step) if isinstance(step, dict) else inside[step]
    if last not in (inside if isinstance(inside, dict) else range(len(inside))):
        raise LookupError(f"no {last!r} there")
    inside[last] = new
    return _as_json(data)


def _as_json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _row(rows: list[dict[str, Any]], wanted: dict[str, Any]) -> dict[str, Any]:
    (row,) = (row for row in rows if all(row.get(key) == value for key, value in wanted.items()))
    return row
