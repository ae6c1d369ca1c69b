"""Imports go one way: which room imports from which is said once, in a table of DESIGN.md."""

import ast
from functools import cache
from graphlib import TopologicalSorter

import pytest

from tools.notebooks import ROOT
from tools.walls import walls

WALLS = walls()


def room_of(path):
    """The innermost room of the table around ``path``."""
    return max((room for room in WALLS if f"{path}/".startswith(f"{room}/")), key=len, default=None)


def files_of(room):
    own = [*(ROOT / room).rglob("*.py"), *(ROOT / room).parent.glob(f"{(ROOT / room).name}.py")]
    files = {file.relative_to(ROOT).with_suffix("").as_posix(): file for file in own}
    return {name: file for name, file in files.items() if room_of(name) == room}


@cache
def imports(name, file):
    """The modules that a file imports anywhere, as paths, and whether the import stands at the margin."""
    return list(_imports(name, file))


def _imports(name, file):
    here = name.split("/")
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((one.name.replace(".", "/"), not node.col_offset) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level] if node.level else []
            base = "/".join([*above, *(node.module or "").split(".")]).rstrip("/")
            for one in node.names:  # a module of a folder, or a name that the module holds
                module = f"{base}/{one.name}"
                yield module if (ROOT / f"{module}.py").exists() else base, not node.col_offset
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            late = str(getattr(node.args[0], "value", ""))  # on purpose, and as much of an arrow
            yield from [(late.replace(".", "/"), True)] * late.startswith("posenc")


@pytest.mark.parametrize("room", WALLS)
def test_a_room_imports_from_the_rooms_that_the_table_names_and_says_so_at_the_top(room):
    every = [(room_of(other), top) for one in files_of(room).items() for other, top in imports(*one)]
    found = [(other, top) for other, top in every if other not in (None, room)]
    assert files_of(room) and {other for other, _ in found} == WALLS[room]
    assert all(top for _, top in found)


@pytest.mark.parametrize("room", WALLS)
def test_no_files_of_a_room_import_each_other_in_a_circle(room):
    files = files_of(room)
    names = {name.removesuffix("/__init__"): name for name in files}
    needs = {n: {names[o] for o, _ in imports(n, f) if o in names} - {n} for n, f in files.items()}
    TopologicalSorter(needs).prepare()  # raises where there is a circle, and names it


def test_rooms_stand_in_an_order_in_which_each_imports_from_those_above():
    order = list(WALLS)
    for room, uses in WALLS.items():
        assert uses <= set(order[: order.index(room)]), room


def test_every_folder_of_the_library_is_a_room():
    folders = [f for house in ("posenc_lib", "posenc_proofs") for f in (ROOT / house).iterdir()]
    assert {f.relative_to(ROOT).as_posix() for f in folders if list(f.glob("*.py"))} <= set(WALLS)
