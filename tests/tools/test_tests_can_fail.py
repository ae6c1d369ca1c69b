"""Every test asserts something and can fail, and none is left out for good: what ruff does not see."""

import ast

import pytest

from tools.notebooks import ROOT

FILES = sorted([*(ROOT / "tests").rglob("*.py"), ROOT / "conftest.py"])
TREES = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
#: What fails without ``assert``; ``prepare`` of a graph does, where there is a circle.
CALLS = {"raises", "warns", "fail", "gradcheck", "opcheck", "prepare", "assert_close", "assert_allclose"}
CALLS |= {"assert_array_equal"}


def called(node):
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def asserting():
    """The names of all functions that assert something, themselves or by what they call."""
    inside = {}
    for node in (n for tree in TREES.values() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        inside.setdefault(node.name, []).extend(ast.walk(node))
    found = {name for name, parts in inside.items() if any(isinstance(p, ast.Assert) for p in parts)} | CALLS
    while more := {n for n, parts in inside.items() if {called(p) for p in parts} & found} - found:
        found |= more
    return found


ASSERTING = asserting()


@pytest.mark.parametrize("name", TREES)
def test_every_test_can_fail_and_none_is_left_out_for_good(name):
    tests = {
        n.name for n in TREES[name].body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")
    }
    assert tests <= ASSERTING
    marks = {ast.unparse(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Attribute)}
    assert not marks & {"pytest.mark.skip", "pytest.mark.xfail"}
