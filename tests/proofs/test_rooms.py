"""The rooms of the checker: what each may import, and nothing hidden inside a function."""

import ast
from pathlib import Path

import pytest

from posenc_lib import proofs

HOUSE = Path(proofs.__file__).parent
MAY_IMPORT = {
    "terms": set(),
    "values": {"terms"},
    "attack": {"terms", "values"},
    "show": {"terms"},
    "prove": {"terms", "values", "attack"},
    "rules": {"terms", "values", "attack", "show", "prove"},
    "write": {"terms", "values", "attack", "show", "prove", "rules"},
}
FILES = {
    path.relative_to(HOUSE).as_posix(): path
    for room in MAY_IMPORT
    for path in sorted((HOUSE / room).glob("*.py"))
}


def imports(path):
    """The relative imports of a file: the room, the module, and whether it stands at the margin."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            room, _, module = node.module.rpartition(".")
            yield room or path.parent.name, module, node.col_offset == 0


def test_every_module_has_a_room():
    assert [path.name for path in HOUSE.glob("*.py")] == ["__init__.py"]
    assert {path.name for path in HOUSE.iterdir() if path.is_dir()} - {"__pycache__"} == MAY_IMPORT.keys()


@pytest.mark.parametrize("file", FILES)
def test_arrows_lead_downwards_and_stand_at_the_top_of_the_file(file):
    room = file.split("/")[0]
    for other, module, at_the_margin in imports(FILES[file]):
        assert other in {room} | MAY_IMPORT[room], f"{file} imports {other}.{module}"
        assert at_the_margin, f"{file} imports {other}.{module} where nobody sees it"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_no_circle_inside_a_room(room):
    left = {
        path.stem: {module for other, module, _ in imports(path) if other == room}
        for path in (HOUSE / room).glob("*.py")
    }
    while ground := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in ground}
    assert left == {}
