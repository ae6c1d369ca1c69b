"""A number with a unit that a text says is one that its page prints, or that is computed from its source.

``sentences.py`` has the sentences. One that is not there any more, or is there with another number, is red;
so is a number with a unit for which no sentence accounts.
"""

import gzip
import re

import pytest
from measured import flat, is_printed, measured, printed_by, text_of, unbound
from sentences import COMPUTED, GIVEN

from tools import try_it
from tools.notebooks import ROOT


@pytest.mark.parametrize("place", COMPUTED)
def test_what_is_said_is_what_was_stored(place):
    text = text_of(ROOT / place)
    assert [said for said in COMPUTED[place] if flat(said) not in text] == []


@pytest.mark.parametrize("place", GIVEN)
def test_no_number_with_a_unit_stands_alone(place):
    path = ROOT / place
    text, listed = text_of(path), GIVEN[place]
    assert [said for said in listed if flat(said) not in text] == [], "listed, and not said any more"
    printed = printed_by(path) if path.suffix == ".ipynb" else ""
    assert unbound(text, [*COMPUTED.get(place, []), *listed], printed) == []


def test_what_the_first_check_loads():
    files = try_it.shipped().values()
    if not files:
        pytest.skip("python -m tools.pyodide loads it")
    packed = sum(min(len(data), len(gzip.compress(data, 6))) for data in files)
    said = f"{packed / 1e6:.0f} to {sum(map(len, files)) / 1e6:.0f} MB"
    assert all(said in text_of(ROOT / place) for place in ("book/reference/try-it.md", "CHANGELOG.md")), said


def test_the_readme_s_versions_are_those_that_are_asked_for():
    text = text_of(ROOT / "README.md")
    needed, lowest, python = (
        re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))[1]
        for file, pattern in (
            ("pyproject.toml", r"torch>=([\d.]+)"),
            ("pyproject.toml", r'requires-python = ">=([\d.]+)"'),
            ("Makefile", r"version_info < \((\d+, \d+)\)"),
        )
    )
    (pinned,) = re.findall(r"^torch==(\d+\.\d+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert f"You need Python {python.replace(', ', '.')} or newer" in text
    assert f"It needs only torch, {needed} or newer, and Python {lowest} or newer" in text
    assert f"its tests pass with {needed}" in text and f"FlexAttention, are tested with {pinned}." in text


@pytest.mark.parametrize(
    "said", ["4.5 times", "89 to 95 %", "eight or nine times", "half a millisecond", "six minutes"]
)
def test_numbers_with_a_unit_are_seen(said):
    text = f"It costs {said} of that, `2 %` of code, $3$ % aside, in a second layer."
    assert [text[a:b] for a, b in measured(text)] == [said]
    assert unbound(text, [f"costs {said} of"]) == [] != unbound(text, [f"for {said} of"])


def test_a_number_is_printed_with_the_digits_that_it_is_said_with():
    assert is_printed("4.50 times", "ratio 4.498") and not is_printed("4.51 times", "ratio 4.498")
    assert not is_printed("12 %", "ratio 12.1"), "two digits are found anywhere"
    assert is_printed("2 MiB", "80 MiB and 2 MiB") and not is_printed("2 MiB", "12 MiB")
