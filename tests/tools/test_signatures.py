"""Public calls are listed; what a listed call loses is seen, and a release says it by its number."""

import re
import subprocess

import pytest

from tools.notebooks import ROOT
from tools.signatures import FILE, breaks, listed, may_break


def test_the_public_interface_is_the_one_that_is_listed():
    was, here = FILE.read_text(encoding="utf-8"), listed()
    assert breaks(was, here) == [], (
        "a call that may fail now: CONTRIBUTING, Versions; python -m tools.signatures"
    )
    assert breaks(here, was) == [], "new: python -m tools.signatures lists it"


def test_the_list_is_the_same_everywhere():
    assert not re.search(r"0x[0-9a-f]{6}|/\w+/", FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("f(x)", "f(x)", []),
        ("f(x)", "f(x)\ng(x)", []),
        ("f(x)\ng(x)", "f(x)", ["g(x)"]),
        ("f(x, *, base=2)", "f(x, *, base=3)", ["f(x, *, base=2)"]),
        ("f(x)", "f(y)", ["f(x)"]),
    ],
)
def test_what_goes_or_changes_is_a_break_and_what_comes_is_none(old, new, lost):
    assert breaks(old, new) == lost


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [("0.1.0", "0.2.0", True), ("0.1.0", "0.1.1", False), ("0.9.0", "1.0.0", True), ("1.2.0", "1.3.0", False),
     ("1.2.0", "2.0.0", True), ("0.1.0", "0.1.0", False)],
)  # fmt: skip
def test_a_break_needs_a_new_minor_version_before_1_and_a_new_major_one_after(before, after, allowed):
    assert may_break(before, after) == allowed


def test_what_broke_since_the_last_release_is_allowed_by_the_version():
    git = ["git", "-C", str(ROOT)]
    said = subprocess.run(
        [*git, "describe", "--tags", "--abbrev=0", "--match", "v*"], capture_output=True, text=True
    )
    if said.returncode:
        pytest.skip("no release yet, or no history here")
    tag = said.stdout.strip()
    file = f"{tag}:{FILE.relative_to(ROOT).as_posix()}"
    then = subprocess.run([*git, "show", file], capture_output=True, text=True)
    if then.returncode:
        pytest.skip(f"{tag} has no list")
    now = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    if lost := breaks(then.stdout, FILE.read_text(encoding="utf-8")):
        assert may_break(tag.removeprefix("v"), now), lost
