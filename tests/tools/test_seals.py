"""A stored number changes only together with its seal, and a seal does not mind how a file is laid out."""

import json

import pytest

from tools import seals
from tools.outline import difference


def test_no_stored_result_was_changed_by_hand():
    changed = difference(seals.SEALS.read_text(encoding="utf-8"), seals.seals())
    assert not changed, "if it was measured again, run: python -m tools.seals\n" + "\n".join(changed)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    write(tmp_path, [1.25, 2.5])
    return tmp_path


def write(project, rows, indent=1, **said):
    text = json.dumps({"date": "2026-01-01", "rows": rows, **said}, indent=indent)
    (project / "benchmarks" / "results" / "a.json").write_text(text)


def test_a_changed_number_is_named_by_file_and_key(project):
    before = seals.seals(project)
    write(project, [1.25, 2.51])
    lost, come = difference(before, seals.seals(project))
    assert lost.split()[1:] == come.split()[1:] == ["benchmarks/results/a.json", "rows"]
    assert (lost[0], come[0]) == ("-", "+")


def test_layout_and_words_about_the_run_do_not_break_a_seal(project):
    before = seals.seals(project)
    write(project, [1.25, 2.5], indent=None, commit="0123abc", seed=7)
    assert seals.seals(project) == before


def test_a_result_beside_a_page_has_a_seal(project):
    (project / "book" / "13-page.json").write_text('{"table": {"a": 1}}')
    assert [line.split()[1] for line in seals.seals(project).splitlines()] == [
        "benchmarks/results/a.json", "book/13-page.json",
    ]  # fmt: skip
