"""A stored number changes only together with its seal, and a seal does not mind how a file is laid out."""

import json

import pytest

from tools import seals
from tools.outline import difference


def test_no_stored_result_was_changed_by_hand():
    found = difference(seals.SEALS.read_text(encoding="utf-8"), seals.seals())
    assert not found, "if it was measured again, run: python -m tools.seals\n" + "\n".join(found)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    write(tmp_path, [1.25, 2.5])
    return tmp_path


def changed(before, after):
    """The lines that went and came, without those beside them."""
    return [line for line in difference(before, after) if line[0] in "+-"]


def write(project, rows, indent=1, **said):
    text = json.dumps({"date": "2026-01-01", "rows": rows, **said}, indent=indent)
    (project / "benchmarks" / "results" / "a.json").write_text(text)


def test_a_changed_number_is_named_by_file_and_key(project):
    before = seals.seals(project)
    write(project, [1.25, 2.51])
    lost, come = changed(before, seals.seals(project))
    assert lost.split()[1:] == come.split()[1:] == ["benchmarks/results/a.json", "rows"]
    assert (lost[0], come[0]) == ("-", "+")


def test_layout_does_not_break_a_seal(project):
    before = seals.seals(project)
    write(project, [1.25, 2.5], indent=None)
    assert seals.seals(project) == before


def test_single_numbers_and_words_share_a_seal(project):
    write(project, [1.25, 2.5], hardware="this one", steps=600)
    before = seals.seals(project)
    write(project, [1.25, 2.5], hardware="this one", steps=601)
    lost, come = changed(before, seals.seals(project))
    assert (
        lost.split()[1:] == ["benchmarks/results/a.json", "date,", "hardware,", "steps"] == come.split()[1:]
    )


def test_a_result_beside_a_page_has_a_seal(project):
    (project / "book" / "13-page.json").write_text('{"table": {"a": 1}}')
    assert [line.split()[1] for line in seals.seals(project).splitlines()] == [
        "benchmarks/results/a.json", "benchmarks/results/a.json", "book/13-page.json",
    ]  # fmt: skip


def test_the_command_says_what_went_and_what_came(tmp_path, monkeypatch, capsys):
    now = seals.seals()
    stale = tmp_path / "seals.txt"
    stale.write_text(now.replace(now[:16], "0" * 16, 1), encoding="utf-8")
    monkeypatch.setattr(seals, "SEALS", stale)
    assert seals.main(["--check"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line[:17] for line in said if line[0] in "+-"] == [f"-{'0' * 16}", f"+{now[:16]}"]
    assert seals.main([]) == 0 and stale.read_text(encoding="utf-8") == now
    assert seals.main(["--check"]) == 0
