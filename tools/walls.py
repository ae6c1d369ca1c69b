"""Which room imports from which, read from the table in DESIGN.md: rooms in reading order."""

import re

from tools.notebooks import ROOT

_ROW = re.compile(r"^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)


def walls() -> dict[str, set[str]]:
    """Each room → the rooms that it imports from."""
    table = _ROW.findall((ROOT / "DESIGN.md").read_text(encoding="utf-8"))
    return {room: set(re.findall(r"`([\w/]+)`", uses)) for room, uses in table}
