"""Imports go one way: which room imports from which is said once, in a table of CONTRIBUTING.md."""

import ast
import re

import pytest

from tools.notebooks import ROOT

ROW = re.compile(r"^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
WALLS = {
    room: set(re.findall(r"`([\w/]+)`", uses))
    for room, uses in ROW.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
}


def room_of(path):
    """The innermost room of the table around ``path``."""
    return max((room for room in WALLS if f"{path}/".startswith(f"{room}/")), key=len, default=None)


def imported(file):
    """The modules that a file imports anywhere, as paths."""
    here = file.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.replace(".", "/") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level] if node.level else ()
            yield "/".join((*above, *(node.module or "").split("."))).rstrip("/")


@pytest.mark.parametrize("room", WALLS)
def test_a_room_imports_from_the_rooms_that_the_table_names(room):
    assert (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file()
    files = [
        f
        for f in (ROOT / room.split("/")[0]).rglob("*.py")
        if room_of(f.relative_to(ROOT).with_suffix("").as_posix()) == room
    ]
    found = {other for file in files for module in imported(file) if (other := room_of(module))} - {room}
    assert files and found == WALLS[room]


def test_the_table_has_no_circle():
    """Rooms stand in an order in which each imports from rooms above it."""
    order = list(WALLS)
    for room, uses in WALLS.items():
        assert uses <= set(order[: order.index(room)]), room


def test_every_folder_of_the_library_is_a_room():
    folders = {f"posenc_lib/{p.name}" for p in (ROOT / "posenc_lib").iterdir() if list(p.glob("*.py"))}
    assert folders <= set(WALLS)
