"""Planting changes what a fault says and nothing else, and a verdict says who objected."""

import json
from dataclasses import replace

import nbformat
import pytest
from nbformat import v4

from tools.faults import trial
from tools.faults.__main__ import bundles
from tools.faults.catalogue import BadFault, Fault, load
from tools.faults.plant import planted
from tools.faults.trial import Copy, first_line, tried
from tools.notebooks import ROOT

FAULTS = load()

# --- planting

NOTEBOOK = v4.new_notebook(
    cells=[
        v4.new_markdown_cell("# Title", id="a"),
        v4.new_code_cell("print(1)", id="b", outputs=[v4.new_output("stream", text="1\n")]),
    ]
)
PAGE = nbformat.writes(NOTEBOOK) + "\n"
DATA = '{"rows": [{"case": "a", "ratio": 1.5}, {"case": "b", "ratio": 2.5}]}'


def fault(file="x.txt", **change):
    return Fault("kind", "name", file, "ruff", change=change)


def test_one_text_takes_the_place_of_another():
    assert planted(fault(old="b", new="B"), "abc") == "aBc"


@pytest.mark.parametrize("text", ["ac", "abcb"])
def test_a_fault_whose_place_is_gone_or_not_the_only_one_is_named(text):
    with pytest.raises(
        BadFault, match=r"kind: name: its place in x\.txt is gone \('b' stands there [02] times\)"
    ):
        planted(fault(old="b", new="B"), text)


@pytest.mark.parametrize(
    "change",
    [
        {"cell": "print(2)", "drop": True},
        {"cell": "", "drop": True},
        {"cell": "print", "old": "nowhere", "new": "there"},
    ],
)
def test_a_cell_that_is_gone_or_not_the_only_one_is_an_error(change):
    with pytest.raises(BadFault, match="its place in x"):
        planted(fault(**change), PAGE)


@pytest.mark.parametrize(
    "path", [["lines", 0], ["rows", {"case": "c"}, "ratio"], ["rows", 0, "time"], ["rows", 2]]
)
def test_a_value_that_is_gone_is_an_error(path):
    with pytest.raises(BadFault, match="its place in x"):
        planted(fault(value=path, new=1.0), DATA)


def test_a_fault_that_changes_nothing_is_an_error():
    with pytest.raises(BadFault, match="nothing changes"):
        planted(fault(old="b", new="b"), "abc")


def test_cells_and_values_are_changed_alone():
    before = nbformat.reads(PAGE, as_version=4)
    dropped = nbformat.reads(planted(fault(cell="print", drop=True), PAGE), as_version=4)
    assert dropped.cells == before.cells[:1]
    tagged = nbformat.reads(planted(fault(cell="print", tag="remove-cell"), PAGE), as_version=4)
    assert tagged.cells[1].metadata.tags == ["remove-cell"] and tagged.cells[0] == before.cells[0]
    forged = nbformat.reads(planted(fault(cell="print", old='"1\\n"', new='"2\\n"'), PAGE), as_version=4)
    assert forged.cells[1].outputs[0].text == "2\n" and forged.cells[1].source == "print(1)"
    longer = nbformat.reads(planted(fault(append="Words."), PAGE), as_version=4)
    assert longer.cells[:2] == before.cells and longer.cells[2].source == "Words."
    assert planted(fault(append="Words."), "Text.\n") == "Text.\nWords."
    rows = json.loads(planted(fault(value=["rows", {"case": "b"}, "ratio"], new=1.0), DATA))["rows"]
    assert rows == [{"case": "a", "ratio": 1.5}, {"case": "b", "ratio": 1.0}]
    assert planted(fault(remove=True), "text") is None


# --- trials

MODULE = "tools/weights.py"
SLIP = Fault("kind", "slip", MODULE, "ruff", {"old": "import io\nimport tokenize", "new": "import tokenize"})


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("faults") / "copy")


def test_a_fault_is_caught_a_harmless_change_is_missed_and_the_copy_is_clean_again(copy):
    before = (ROOT / MODULE).stat().st_mtime_ns
    harmless = replace(
        SLIP, name="none", change={"old": "Lines of code of each", "new": "Code lines of each"}
    )
    caught, missed = tried(copy, [SLIP, harmless])
    assert caught.caught and "F821" in caught.message and MODULE in caught.message
    assert not missed.caught and missed.message == ""
    gone = replace(SLIP, change={"remove": True}, objects="tests/tools/test_weight.py --collect-only")
    assert [verdict.caught for verdict in tried(copy, [gone])] == [True]
    for name in (MODULE, "tests/tools/test_weight.py"):
        assert (copy.root / name).read_bytes() == (ROOT / name).read_bytes(), name
    assert (ROOT / MODULE).stat().st_mtime_ns == before


def test_a_trial_that_takes_too_long_is_an_error(copy, monkeypatch):
    """It is not counted as an objection."""
    monkeypatch.setattr(trial, "TIMEOUT", 0.1)
    with pytest.raises(BadFault, match="ran longer"):
        list(tried(copy, [SLIP]))


def test_what_is_said_first():
    assert first_line("...\nE   assert 1 == 2\nFAILED a::b\n") == "assert 1 == 2"
    assert first_line("x\nFAILED a::b\n1 failed") == "FAILED a::b"
    assert first_line("") == ""


def test_faults_that_need_pages_or_have_the_same_objectors_are_tried_on_one_copy():
    a, b = replace(SLIP, name="a"), replace(SLIP, name="b")
    page = replace(SLIP, objects="pages", group="pages", says="words")
    look = replace(page, objects="pages tests/tools/test_site.py")
    assert bundles([a, page, b, look]) == [[page, look], [a, b]]


def test_every_fault_has_its_place():
    for fault in FAULTS:
        planted(fault, (ROOT / fault.file).read_text(encoding="utf-8"))
    assert len(FAULTS) > 150
