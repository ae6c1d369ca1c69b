"""A stored result says what made it, in one form, whoever wrote it."""

import json
import re
import subprocess

import pytest

from experiments import stored
from experiments.length_generalisation.__main__ import made as added
from experiments.stored import lacks, origin
from tools.notebooks import ROOT

RESULTS = {
    path.relative_to(ROOT).as_posix(): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(ROOT.glob("posenc_book/results/*.json"))
}
HISTORY = subprocess.run(
    ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True
)


def parts(result):
    """The result, and the parts of it that another command or an earlier run made."""
    inner = (part for part in result.values() if isinstance(part, dict) and "command" in part)
    return [result, *(one for part in inner for one in parts(part))]


@pytest.mark.parametrize("name", RESULTS)
def test_a_stored_result_says_what_made_it(name):
    assert lacks(RESULTS[name]) == []


def test_the_results_are_found():
    assert len(RESULTS) > 10


@pytest.mark.parametrize("name", RESULTS)
def test_the_command_of_a_stored_result_is_one_of_ours(name):
    for part in parts(RESULTS[name]):
        module, script = re.match(r"python (?:-m ([\w.]+)|(\S+))", part["command"]).groups()
        assert (ROOT / (script or f"{module.replace('.', '/')}/__main__.py")).exists(), part["command"]


@pytest.mark.skipif(HISTORY.stdout.strip() != "false", reason="no history here, or not all of it")
@pytest.mark.parametrize("name", RESULTS)
def test_the_commit_of_a_stored_result_is_in_the_history(name):
    for part in parts(RESULTS[name]):
        known = ["git", "merge-base", "--is-ancestor", part["commit"], "HEAD"]
        assert subprocess.run(known, cwd=ROOT).returncode == 0, part["commit"]


def fresh():
    made = origin("python -m experiments.some", seed=0, packages=["sympy", "no-such"], inputs={"a": "0" * 64})
    return made | {"commit": made["commit"].removesuffix("-dirty")}


def test_what_is_written_lacks_nothing():
    made = fresh() if HISTORY.returncode == 0 else fresh() | {"commit": "0" * 12}
    assert lacks(made) == [] and made["versions"].keys() == {"sympy"}


@pytest.mark.parametrize("name", list(fresh()))
def test_each_part_of_the_origin_is_missed(name):
    whole = fresh() | {"commit": "0" * 12}
    less = {key: value for key, value in whole.items() if key != name}
    assert lacks(less) == [name]
    assert lacks({**whole, "part": less}) == ([f"part: {name}"] if name != "command" else [])


def test_changed_code_an_unknown_version_and_a_short_digest_are_missed():
    whole = fresh() | {"commit": "0" * 12}
    assert lacks({**whole, "commit": "0" * 12 + "-dirty"}) == ["commit"]
    assert lacks({**whole, "versions": {"a": "not recorded"}}) == ["version of a"]
    assert lacks({**whole, "inputs": {"weights": "0" * 12}}) == ["sha256 of weights"]


def test_code_that_differs_from_its_commit_is_said(tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "code.py").write_text("1\n")
    assert stored.commit(tmp_path) == "none"
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    clean = stored.commit(tmp_path)
    (tmp_path / "code.py").write_text("2\n")
    assert re.fullmatch("[0-9a-f]{12}", clean) and stored.commit(tmp_path) == f"{clean}-dirty"


def test_a_row_that_was_made_is_read_again_by_the_same_committed_code_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "CACHE", tmp_path)
    numbers = iter(range(9))
    for code, found in (("a" * 12, 0), ("a" * 12, 0), ("b" * 12, 1), (f"{'b' * 12}-dirty", 2), ("none", 3)):
        monkeypatch.setattr(stored, "commit", lambda code=code: code)
        assert stored.kept("look-up, T5, 128, 3", lambda: {"loss": next(numbers)}) == {"loss": found}
    assert sorted(p.parent.name for p in tmp_path.rglob("*.json")) == ["a" * 12, "b" * 12]


def test_what_is_missing_is_made_and_the_earlier_run_keeps_its_origin(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "CACHE", tmp_path)
    before = fresh() | {"seed": [0], "rows": [{"task": "chain", "seed": 0}], "steps": 600}
    found = added(before, ("task", "seed"), [("chain", 0), ("chain", 1)], lambda task, seed: {"seed": seed})
    assert found["rows"] == [*before["rows"], {"seed": 1}]
    assert found["earlier"] == {**stored.header(before), "rows": 1}
    assert added({}, ("seed",), [(1,)], lambda seed: {"seed": 1}) == {"rows": [{"seed": 1}]}
    with pytest.raises(SystemExit, match="not the first"):
        added(before, ("task", "seed"), [("chain", 1), ("chain", 0)], dict)
