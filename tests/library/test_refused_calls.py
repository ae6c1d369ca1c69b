"""Calls that are refused, each in words of its own: the tables in ``refused/``, one row a call.

A section holds a call that is taken. A row says what is changed in it, the error, and words of its message.
"""

from pathlib import Path

import pytest
from call_data import applied, holds, public, read

SECTIONS = [
    section for path in sorted(Path(__file__).with_name("refused").glob("*.yml")) for section in read(path)
]
ROWS = [
    pytest.param(section, *row, id=f"{section['call']} {row[-1]}")
    for section in SECTIONS
    for row in section["refused"]
]


def call(section, arguments):
    function = getattr(section["of"], section["call"]) if "of" in section else public(section["call"])
    return applied(function, arguments)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["call"])
def test_the_call_is_taken_before_anything_is_changed(section):
    assert call(section, section["given"]) is not None


@pytest.mark.parametrize(("section", "change", "error", "words"), ROWS)
def test_what_does_not_fit_is_refused_in_these_words(section, change, error, words):
    arguments = change if isinstance(change, list) else section["given"] | change
    with pytest.raises({"TypeError": TypeError, "ValueError": ValueError}[error]) as refused:
        call(section, arguments)
    assert holds(str(refused.value), words), str(refused.value)
