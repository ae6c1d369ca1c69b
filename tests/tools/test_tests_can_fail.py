"""Every test asserts something and can fail, and none is left out for good: what ruff does not see."""

import ast

import pytest

from tools.notebooks import ROOT

FILES = sorted([*(ROOT / "tests").rglob("*.py"), ROOT / "conftest.py"])
TREES = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
EVERYTHING = {"AssertionError", "Exception", "BaseException"}
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


def without_effect(tree):
    for node in ast.walk(tree):
        if called(node) == "suppress" and {getattr(a, "id", "") for a in node.args} & EVERYTHING:
            yield f"line {node.lineno}: failures are suppressed"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in (
            "pytest.mark.xfail",
            "pytest.mark.skip",
        ):
            yield f"line {node.lineno}: left out without a condition"
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield from (
                f"line {s.lineno}: the rest never runs" for s in node.body[:-1] if isinstance(s, ast.Return)
            )
            for caught in (part for part in ast.walk(node) if isinstance(part, ast.ExceptHandler)):
                again = any(isinstance(part, ast.Raise | ast.Assert) for part in ast.walk(caught))
                if not again and (caught.type is None or ast.unparse(caught.type) in EVERYTHING):
                    yield f"line {caught.lineno}: failures are caught"


ASSERTING = asserting()


@pytest.mark.parametrize("name", TREES)
def test_every_test_can_fail(name):
    assert list(without_effect(TREES[name])) == []
    tests = {
        n.name for n in TREES[name].body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")
    }
    assert tests <= ASSERTING


@pytest.mark.parametrize(
    "source",
    [
        "def test():\n    return\n    assert x",
        "def test():\n    try:\n        assert x\n    except AssertionError:\n        pass",
        "def test():\n    with suppress(AssertionError):\n        assert x",
        "pytestmark = pytest.mark.skip",
    ],
)
def test_what_cannot_fail_is_seen(source):
    assert list(without_effect(ast.parse(source)))
