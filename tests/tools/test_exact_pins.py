"""Which requirements are exact and which are free is a decision; what is installed is what is pinned."""

import re
from importlib.metadata import version

import pytest

from tools.notebooks import ROOT

#: No output or page depends on which version it is: what runs tests, or comes with jupyter-book.
FREE = {
    "jupyter-book", "brotli", "sphinx-design", "ipykernel", "nbclient", "pytest", "pytest-xdist",
    "hypothesis", "playwright",
}  # fmt: skip


def lines():
    for name in ("requirements.txt", "tests/requirements.txt"):
        for line in (ROOT / name).read_text().splitlines():
            if wanted := line.partition("#")[0].partition(";")[0].strip():
                yield re.fullmatch(r"([\w-]+)(.*)", wanted).groups()


WANTED = dict(lines())
PINNED = {name: rest.removeprefix("==") for name, rest in WANTED.items() if rest.startswith("==")}


def test_a_requirement_is_exact_or_one_of_those_that_may_be_free():
    assert set(WANTED) - set(PINNED) == FREE


@pytest.mark.parametrize("name", PINNED)
def test_what_is_installed_is_what_is_pinned(name):
    assert version(name).partition("+")[0] == PINNED[name], "run: make"
