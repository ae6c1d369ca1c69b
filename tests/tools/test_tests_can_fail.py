"""A test that cannot fail says nothing: each asserts something, about something, and is run."""

import ast
from itertools import pairwise

import pytest

from tools.notebooks import ROOT

SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "tests").rglob("*.py"))
}
TREES = {name: ast.parse(source) for name, source in SOURCES.items()}
EVERYTHING = {"AssertionError", "Exception", "BaseException"}
#: What fails without ``assert``; ``prepare`` of a graph does, where there is a circle.
CALLS = {"raises", "warns", "fail", "gradcheck", "opcheck", "prepare"}
#: A busy machine would fail what asks them how long something took.
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time", "time", "time_ns"}
CALLS |= {"assert_close", "assert_allclose", "assert_array_equal"}


def called(node):
    """The last name of what is called: ``f`` of ``f(x)`` and of ``a.f(x)``."""
    return getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""


def names(node):
    """The last names of an expression or of a tuple of them; no expression names everything."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {getattr(part, "id", getattr(part, "attr", "")) for part in parts} if node else EVERYTHING


def empty(node):
    return isinstance(node, ast.List | ast.Tuple | ast.Set) and not node.elts


def always_true(said):
    """Whether an assertion holds whatever is computed: words, a generator, a name compared with itself."""
    if isinstance(said, ast.GeneratorExp | ast.Lambda | ast.JoinedStr):
        return True
    if isinstance(said, ast.Constant):
        return bool(said.value)
    if isinstance(said, ast.Call) and called(said) == "isinstance":
        return "object" in names(said.args[1])
    if getattr(getattr(said, "func", None), "id", "") == "all" and isinstance(said.args[0], ast.GeneratorExp):
        return empty(said.args[0].generators[0].iter)
    if not isinstance(said, ast.Compare) or len(said.ops) > 1:
        return False
    (operator,), (right,) = said.ops, said.comparators
    if called(said.left) == "len" and isinstance(operator, ast.GtE):
        return isinstance(right, ast.Constant) and right.value == 0
    fresh = any(isinstance(node, ast.Call) for node in ast.walk(said))  # two calls may differ
    return isinstance(operator, ast.Eq | ast.LtE | ast.GtE | ast.Is) and not fresh and (
        ast.dump(said.left) == ast.dump(right)
    )  # fmt: skip


def without_effect(tree):
    """What of a file asserts nothing whatever happens, each with its line."""
    for node in ast.walk(tree):
        said = None
        if isinstance(node, ast.Assert) and always_true(node.test):
            said = "always true"
        elif isinstance(node, ast.Assert) and {called(part) for part in ast.walk(node.test)} & CLOCKS:
            said = "depends on the clock"
        elif isinstance(node, ast.For | ast.comprehension) and empty(node.iter):
            said = "a loop over nothing"
        elif called(node) == "parametrize" and len(node.args) > 1 and empty(node.args[1]):
            said = "parametrised by nothing"
        elif called(node) == "suppress" and set().union(*map(names, node.args)) & EVERYTHING:
            said = "failures are suppressed"
        elif called(node) in ("raises", "warns"):
            words = [word.value for word in node.keywords if word.arg == "match"]
            silent = not words or (isinstance(words[0], ast.Constant) and words[0].value == "")
            if silent and words:
                said = "any message will do"
            elif silent and node.args and names(node.args[0]) & {"Exception", "BaseException"}:
                said = "any error will do"
        elif called(node) == "assume" and ast.unparse(node) == "assume(False)":
            said = "no example is left"
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield from (f"line {line}: {words}" for line, words in _in_a_test(node))
        if said:
            yield f"line {getattr(node, 'lineno', getattr(node, 'iter', node).lineno)}: {said}"


def _in_a_test(test):
    for statement, after in pairwise([*test.body, None]):
        if isinstance(statement, ast.Return) and after is not None:
            yield statement.lineno, "the rest never runs"
    for handler in (node for node in ast.walk(test) if isinstance(node, ast.ExceptHandler)):
        again = any(
            isinstance(node, ast.Raise | ast.Assert) for part in handler.body for node in ast.walk(part)
        )
        if names(handler.type) & EVERYTHING and not again:
            yield handler.lineno, "failures are caught"


def asserting(trees):
    """The names of all functions that assert something, themselves or by what they call."""
    functions = {}
    for node in (inner for tree in trees for inner in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(node)
    inside = {name: [part for node in nodes for part in ast.walk(node)] for name, nodes in functions.items()}
    found = {name for name, parts in inside.items() if any(isinstance(p, ast.Assert) for p in parts)} | CALLS
    while more := {n for n, parts in inside.items() if {called(p) for p in parts} & found} - found:
        found |= more
    return found


ASSERTING = asserting(TREES.values())


@pytest.mark.parametrize("name", SOURCES)
def test_every_test_can_fail(name):
    assert list(without_effect(TREES[name])) == []
    tests = {node.name for node in TREES[name].body if isinstance(node, ast.FunctionDef)}
    assert {test for test in tests if test.startswith("test_")} <= ASSERTING


def uncalled(name, everywhere):
    """Functions of a file of tests that are no tests, and that no file names: a test that lost its name."""
    for node in TREES[name].body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith(("test_", "pytest_")):
            fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
            if not fixture and node.name not in everywhere:
                yield f"{name}: {node.name}"


def test_no_test_lost_its_name():
    used = {
        getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute | ast.alias)
    }
    assert [lost for name in TREES for lost in uncalled(name, used)] == []


def test_what_is_collected_is_decided_in_one_place():
    """``conftest.py`` at the root; no other file leaves tests out or takes part in their collection."""
    for name, tree in TREES.items():
        for node in tree.body:
            given = node.targets if isinstance(node, ast.Assign) else []
            assert not set().union(*map(names, given)) & {"collect_ignore", "collect_ignore_glob", "__test__"}
            hook = isinstance(node, ast.FunctionDef) and node.name.startswith("pytest_")
            assert not hook, f"{name}: {node.name}"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def test():\n    assert (x for x in y)", "always true"),
        ("def test():\n    assert x.y == x.y", "always true"),
        ("def test():\n    assert f(x) == f(x)", None),
        ("def test():\n    assert len(x) >= 0", "always true"),
        ("def test():\n    assert len(x) >= 1", None),
        ("def test():\n    assert time.perf_counter() - began < 2", "depends on the clock"),
        ("def test():\n    assert isinstance(x, object)", "always true"),
        ("def test():\n    assert all(x for x in [])", "always true"),
        ("def test():\n    assert [x for x in ()]", "a loop over nothing"),
        ("@pytest.mark.parametrize('x', [])\ndef test(x): ...", "parametrised by nothing"),
        ("def test():\n    return\n    assert x", "the rest never runs"),
        (
            "def test():\n    try:\n        assert x\n    except AssertionError:\n        pass",
            "failures are caught",
        ),
        ("def test():\n    try:\n        f()\n    except Exception as e:\n        assert e.x", None),
        ("def test():\n    with suppress(AssertionError):\n        assert x", "failures are suppressed"),
        ("def test():\n    with pytest.raises((Exception, KeyError)):\n        f()", "any error will do"),
        ("def test():\n    with pytest.raises(KeyError, match=''):\n        f()", "any message will do"),
        ("def test():\n    assume(False)\n    assert x", "no example is left"),
    ],
)
def test_what_cannot_fail_is_seen(source, said):
    found = [line.partition(": ")[2] for line in without_effect(ast.parse(source))]
    assert said in found if said else found == []


def test_a_test_without_an_assertion_is_seen():
    trees = [ast.parse("def test_a(): print(x)\ndef test_b(): helped(x)\ndef helped(x): assert x")]
    assert {"test_b", "helped"} <= asserting(trees) and "test_a" not in asserting(trees)
