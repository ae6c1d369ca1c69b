"""Planting changes what a fault says and nothing else, and each fault has its place and its objectors."""

import json
from dataclasses import replace

import nbformat
import pytest
from nbformat import v4

from tools.faults.catalogue import Fault
from tools.faults.plant import planted
from tools.faults.trials import COMMANDS, FAULTS, Copy, command, objection
from tools.notebooks import ROOT

NOTEBOOK = v4.new_notebook(
    cells=[
        v4.new_markdown_cell("# Title", id="a"),
        v4.new_code_cell("print(1)", id="b", outputs=[v4.new_output("stream", text="1\n")]),
    ]
)
PAGE = nbformat.writes(NOTEBOOK) + "\n"
DATA = '{"rows": [{"case": "a", "ratio": 1.5}, {"case": "b", "ratio": 2.5}]}'


def fault(**change):
    return Fault("kind", "name", "x.txt", "ruff", change=change)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"old": "b", "new": "B"}, "ac"),
        ({"old": "b", "new": "B"}, "abcb"),
        ({"cell": "print(2)", "old": "1", "new": "2"}, PAGE),
        ({"cell": "", "old": "print", "new": "p"}, PAGE),
        ({"cell": "print", "old": "nowhere", "new": "there"}, PAGE),
        ({"value": ["rows", {"case": "c"}, "ratio"], "new": 1.0}, DATA),
        ({"value": ["rows", 0, "time"], "new": 1.0}, DATA),
        ({"value": ["rows", 2], "new": 1.0}, DATA),
    ],
)
def test_a_fault_whose_place_is_gone_or_not_the_only_one_is_named(change, text):
    with pytest.raises(ValueError, match=r"kind: name: its place in x\.txt is gone"):
        planted(fault(**change), text)


def test_cells_and_values_are_changed_alone():
    before = nbformat.reads(PAGE, as_version=4)
    assert planted(fault(old="b", new="B"), "abc") == "aBc"
    forged = nbformat.reads(planted(fault(cell="print", old='"1\\n"', new='"2\\n"'), PAGE), as_version=4)
    assert forged.cells[1].outputs[0].text == "2\n" and forged.cells[1].source == "print(1)"
    longer = nbformat.reads(planted(fault(append="Words."), PAGE), as_version=4)
    assert longer.cells[:2] == before.cells and longer.cells[2].source == "Words."
    rows = json.loads(planted(fault(value=["rows", {"case": "b"}, "ratio"], new=1.0), DATA))["rows"]
    assert rows == [{"case": "a", "ratio": 1.5}, {"case": "b", "ratio": 1.0}]


def test_a_fault_is_caught_a_harmless_change_is_missed_and_the_copy_is_clean_again(tmp_path):
    module = "tools/weights.py"
    copy, before = Copy(tmp_path / "copy"), (ROOT / module).stat().st_mtime_ns
    slip = Fault("kind", "slip", module, "ruff", change={"old": "import io\n", "new": ""})
    harmless = replace(slip, change={"old": "Lines of code of each", "new": "Code lines of each"})
    (caught, said), (missed, _) = objection(copy, slip), objection(copy, harmless)
    assert caught and "F821" in said and module in said and not missed
    assert (copy.root / module).read_bytes() == (ROOT / module).read_bytes()
    assert (ROOT / module).stat().st_mtime_ns == before


def test_every_fault_has_its_place_and_those_who_should_object_are_there():
    for each in FAULTS:
        planted(each, (ROOT / each.file).read_text(encoding="utf-8"))
        assert bool(each.group) == bool(each.says) == each.objects.startswith("pages")
        asked = [word.partition("::")[0] for word in command(each.objects)]
        assert each.objects in COMMANDS or all((ROOT / word).exists() for word in asked if "/" in word)
    assert len(FAULTS) > 150
