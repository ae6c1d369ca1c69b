"""A mutant changes one expression, the same ones are drawn again, and the stored verdicts are whole."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
import yaml

import tools.mutants.__main__ as command_line
from tools.faults.catalogue import BadFault
from tools.faults.copies import Ran
from tools.mutants.__main__ import SAMPLE, STORED, chosen_of, drawn, found_again, merged, table, trials
from tools.mutants.operators import mutants
from tools.notebooks import ROOT

RESULT = json.loads(STORED.read_text(encoding="utf-8"))
ROWS = RESULT["mutants"]
TEXT = '''
"""Not 1 < 2."""

LIMIT = 3


def f(x: "int < 3", *rest, deep=True):
    """Nor 1 < 2."""
    if x is None or not rest:
        raise ValueError(f"x = {x + 1}")
    π = g(x, rest[0], deep=deep) - 2.0
    return (x.double() * π) ** 2 if π <= 3 else -1
'''
MORE = """
def f(x, n, kind):
    if kind == "odd":
        n += 1
    if kind:
        with torch.no_grad():
            cos = x["a"][..., :n].sin()
        return cos if 0 < n <= max(n) else x.get("b")
    raise TypeError("of which the words are free")
"""
CHANGES = {
    "comparison": ["x is not None", "π < 3"],
    "and, or": ["x is None and (not rest)"],
    "sign": ["x is None or rest", "else 1"],
    "flag": ["deep=False"],
    "number": ["rest[1]", "5.0", "** 3", "<= 4", "-2"],
    "arithmetic": ["(g(x, rest[0], deep=deep) + 2.0)", "(x.double() / π)", "* 2)"],
    "keyword left out": ["g(x, rest[0])"],
    "arguments exchanged": ["g(rest[0], x, deep=deep)"],
    "call left out": ["π = x - 2.0", "(x * π)"],
    "condition": ["-1 if π <= 3 else"],
    "error": ["raise TypeError"],
}
MORE_CHANGES = {
    "comparison": ["kind !=", "0 <= n <= max(n)", "0 < n < max(n)"],
    "condition": ["if not kind:", "x.get('b') if 0 < n <= max(n) else cos"],
    "arithmetic": ["n -= 1"],
    "name": [".enable_grad()", ".cos()", "return sin", "min(n)"],
    "word": ["'odd_'", "x['a_']", "get('b_')"],
    "slice bound": ["[..., :None]"],
    "call left out": ["[..., :n]\n", "<= n else", "else x\n"],
    "number": ["+= 2", "1 < n"],
    "error": ["raise ValueError"],
}
CASES = [(text, of, name) for text, of in ((TEXT, CHANGES), (MORE, MORE_CHANGES)) for name in of]


@pytest.mark.parametrize(("text", "changes", "operator"), CASES, ids=[case[2] for case in CASES])
def test_each_operator_changes_one_expression(text, changes, operator):
    found = [one for one in mutants(text) if one.operator == operator]
    assert len(found) == len(changes[operator])
    for change in changes[operator]:
        (one,) = (one for one in found if change in one.diff.split("\n+")[1] + "\n")
        gone, come = one.diff.split("\n+")
        assert text.replace(gone[1:], come) == one.text and one.function == "f"
        compile(one.text, "mutant", "exec")


def test_nothing_else_is_changed():
    assert {one.operator for one in mutants(TEXT)} == set(CHANGES)
    assert {one.operator for one in mutants(MORE)} == set(MORE_CHANGES)
    assert mutants("LIMIT = 1 < 2\n") == []
    strict = mutants("def f(x, y):\n    return zip(x, y, strict=True)\n")
    assert [one.operator for one in strict] == ["arguments exchanged", "call left out"]


def test_a_number_before_a_dot_stays_a_number():
    (one,) = (m for m in mutants("def f(a):\n    return g(2).to(a)\n") if m.text.endswith("(2).to(a)\n"))
    assert one.operator == "call left out"


def test_the_same_mutants_are_drawn_again_and_others_by_another_seed():
    module = "posenc_lib/hf/forms.py"
    assert drawn(module, 5, 0) == drawn(module, 5, 0) != drawn(module, 5, 1)
    assert drawn(module, 5, 0)[:3] == drawn(module, 3, 0)
    assert len({one.operator for one in drawn(module, 5, 0)}) == 5


def row(**other):
    known = {
        "module": "tools/walls.py",
        "function": "walls",
        "line": 16,
        "operator": "sign",
        "diff": "-a\n+b",
    }
    return known | {"verdict": "survived", "by": ""} | other


def test_a_mutant_is_found_again_where_its_line_still_is():
    (one,) = drawn("tools/walls.py", 1, 0)
    known = row(function=one.function, operator=one.operator, diff=one.diff, line=one.line + 5)
    assert found_again(known) == one and found_again(known | {"diff": "-gone\n+come"}) is None


def test_a_verdict_takes_the_place_of_an_earlier_one_and_keeps_its_reason():
    before = [row(why="equivalent: because"), row(line=3)]
    assert merged(before, [row()]) == [row(line=3), row(why="equivalent: because")]
    now = [row(verdict="killed", by="tests/t.py::test")]
    first, killed = merged(before, now)
    assert first == row(line=3) and killed["why"] == "at first survived, killed now by tests/t.py::test"
    assert merged([killed], [row(verdict="killed", by="")])[0]["why"] == killed["why"]
    assert re.search(r"all +2 +1 +1 +0", table([first, killed]))


# --- in place, and in the file

SMALL = """def f(x, limit=3):
    return 2 * x < limit


def g(x):
    while x > 0:
        x -= 1
    return x + 0
"""
ITS_TEST = """from small import f, g


def test_f():
    assert f(1) and not f(1.6)


def test_g():
    assert g(2) == 0
"""


class Here:
    """In place of a copy: the project itself, and each command in a process of its own."""

    def __init__(self, root):
        self.root, self.planted = root, []

    def run(self, *arguments):
        path = os.pathsep.join(map(str, (self.root, ROOT)))
        ran = subprocess.run(
            [sys.executable, "-B", "-m", *arguments],
            cwd=self.root, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout + ran.stderr)

    @contextmanager
    def with_planted(self, faults):
        (fault,) = faults
        self.planted.append(fault.change["new"])
        (self.root / fault.file).write_text(fault.change["new"])
        yield
        (self.root / fault.file).write_text(fault.change["old"])


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A project of one module and its tests."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "small.py").write_text(SMALL)
    (root / "test_small.py").write_text(ITS_TEST)
    monkeypatch.setattr(command_line, "ROOT", root)
    monkeypatch.setattr(command_line, "LIMIT", 4)
    return Here(root)


def coming(*lines):
    return [one for line in lines for one in mutants(SMALL) if line in one.diff.split("\n+")[1]]


def test_what_nobody_objects_to_in_place_is_tried_in_the_file(small):
    """A default is read while the module loads, so it stays as it was; an endless loop has an end."""
    some = coming("return 3 * x", "limit=4", "x + 1", "x += 1", "x - 0")
    rows = trials(small, "small.py", some, "test_small.py")
    found = [(row["verdict"], row["by"]) for row in rows]
    f, g = ("killed", "test_small.py::test_f"), ("killed", "test_small.py::test_g")
    assert found == [f, f, g, ("timeout", ""), ("survived", "")]
    assert small.planted == [some[i].text for i in (1, 4)]
    assert (small.root / "small.py").read_text() == SMALL


def test_where_all_are_killed_nobody_may_object_to_the_module_itself(small):
    some = coming("return 3 * x")
    assert [row["verdict"] for row in trials(small, "small.py", some, "test_small.py")] == ["killed"]
    (small.root / "test_small.py").write_text(ITS_TEST.replace("not f(1.6)", "f(1.6)"))
    with pytest.raises(BadFault, match=r"small\.py: its tests object though there is no mutant"):
        trials(small, "small.py", some, "test_small.py")


def test_mutants_are_chosen_by_what_comes_as_well(small):
    assert [one.diff for one in chosen_of("small.py", ["limit=4"])] == [one.diff for one in coming("limit=4")]
    assert chosen_of("small.py", ["2 * x < limit", "nowhere"]) == []


# --- the stored verdicts


def test_the_stored_verdicts_say_what_made_them():
    for run in RESULT["runs"]:
        assert run["command"].startswith("python -m tools.mutants") and isinstance(run["seed"], int)
        assert re.fullmatch("[0-9a-f]{12}(-dirty)?", run["commit"]) and re.fullmatch(
            r"\d{4}-\d\d-\d\d", run["date"]
        )
        assert re.fullmatch(r"3\.\d+\.\d+", run["python"]) and {"torch", "pytest"} <= run["versions"].keys()
        assert all(re.match(r"\d+\.\d+", version) for version in run["versions"].values())
    assert RESULT["runs"]


def test_every_survivor_has_its_reason_and_every_other_its_killer():
    for one in ROWS:
        if one["verdict"] == "killed":
            assert one["by"], one
        else:
            words = {"survived": "equivalent", "timeout": "(equivalent|endless)"}[one["verdict"]]
            assert re.match(rf"{words}: .{{10}}", one["why"]), one


def test_the_sample_names_modules_and_tests_that_exist():
    sample = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
    for module, tests in sample.items():
        places = re.findall(r"tests/\S+\.py", tests)
        assert (ROOT / module).is_file() and places and all((ROOT / place).is_file() for place in places)
    assert {one["module"] for one in ROWS} <= sample.keys() and len(ROWS) >= 40
