"""Every promise of the reference's page names tests, and they exist."""

import ast
import re

import pytest

from tools.notebooks import ROOT

PAGE = (ROOT / "book" / "reference" / "promises.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[([\w`, ]+)\]\(https://github\.com/[\w-]+/[\w-]+/blob/main/([\w/.]+)\)")
TESTED, NOT_TESTED = PAGE.split("## What is not tested")
NAMED = [(test, file) for tests, file in LINK.findall(TESTED) for test in re.findall(r"\w+", tests)]


@pytest.mark.parametrize(("test", "file"), NAMED, ids=[test for test, _ in NAMED])
def test_a_test_that_is_named_exists(test, file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_has_one():
    rows = [line for line in TESTED.splitlines() if line.startswith("| ") and "| tests |" not in line]
    assert len(rows) > 20 and all(LINK.search(row) for row in rows)
    assert not LINK.search(NOT_TESTED)
