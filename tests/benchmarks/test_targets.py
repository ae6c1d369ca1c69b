"""The targets in the benchmarks' README are those of the stored results."""

import importlib.util

import pytest

from tools.notebooks import ROOT

HERE = ROOT / "benchmarks"


def load_targets():
    spec = importlib.util.spec_from_file_location("benchmark_targets", HERE / "targets.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


targets = load_targets()


@pytest.mark.parametrize("name", targets.TARGETS)
def test_the_readme_shows_the_stored_ratios_beside_their_targets(name):
    told = (HERE / "README.md").read_text(encoding="utf-8")
    assert targets.table(name) in told, (
        "run python benchmarks/targets.py, and read what the README says of it"
    )


def test_a_target_is_met_at_or_below_it_and_a_miss_is_bold():
    rows = [{"case": "a", "ratio": 1.3}]
    assert targets._ratio(rows, 1.3, {"case": "a"}) == "1.30"
    assert targets._ratio(rows, 1.29, {"case": "a"}) == "**1.30**"
    assert targets._ratio(rows, 1.29, {"case": "b"}) == "–"


def test_a_row_that_is_there_twice_is_an_error():
    with pytest.raises(ValueError, match="found 2"):
        targets._ratio([{"case": "a", "ratio": 1.0}] * 2, 2.0, {"case": "a"})
