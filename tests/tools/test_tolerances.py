"""A tolerance that nothing explains lets a run fail, whichever function compares; a needed one does not."""

import os
import shutil
import subprocess
import sys

import pytest
import torch
from whole_runs import whole_runs

from tools.notebooks import ROOT

F64 = torch.float64
START = "import numpy as np, pytest, torch\nX = torch.tensor([0.3, 1.0], dtype=torch.float64)\n\n\n"


@pytest.fixture
def run(tmp_path):
    """Runs a file of tests in a project of its own, with the plugin as it is here."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tools" / "__init__.py").touch()
    shutil.copy(ROOT / "tools" / "tolerances.py", tmp_path / "tools")

    def of(source, *options):
        (tmp_path / "tests" / "test_small.py").write_text(START + source)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.tolerances", "-p", "no:cacheprovider"]
        alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ran = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, env=alone)
        named = [line.removeprefix("FAILED ") for line in ran.stdout.splitlines() if line[:6] == "FAILED"]
        return ran.returncode, named

    return of


WIDE = {
    "the defaults of torch": "torch.testing.assert_close(X, X)",
    "torch": "torch.testing.assert_close({'x': X}, {'x': X * (1 + 1e-15)}, rtol=0, atol=1e-9)",
    "numpy": "np.testing.assert_allclose(X, X.numpy(), atol=1e-14)",
    "allclose of torch": "assert torch.allclose(X, X, rtol=0, atol=1e-10)",
    "allclose of numpy": "assert np.allclose(X, X)",
    "a number": "assert X[0].item() == pytest.approx(0.3, rel=1e-9)",
    "a list": "assert X.tolist() == pytest.approx([0.3, 1])",
    "float32": "torch.testing.assert_close(X.float(), X.float(), rtol=0, atol=0.1)",
}


def written(lines):
    """A test for each line of code, and the number of that line in the file."""
    source, places = "", {}
    for number, (name, line) in enumerate(lines.items()):
        places[name] = START.count("\n") + source.count("\n") + 2
        source += f"def test_{number}():\n    {line}\n\n\n"
    return source, places


NEEDED = {
    "rounding": "torch.testing.assert_close(X, X, rtol=0, atol=1e-13)",
    "the error": "torch.testing.assert_close(X, X + 1e-6, rtol=0, atol=1e-4)",
    "exact": "torch.testing.assert_close(X, X, rtol=0, atol=0)",
    "a wrong one is told from it": "assert not torch.allclose(X, 2 * X)",
    "other machines": "torch.testing.assert_close(X, X)  # elsewhere: the sum comes in another order",
    "one of several": "for e in (0, 1e-9):\n        torch.testing.assert_close(X, X + e, rtol=0, atol=1e-8)",
}


@whole_runs
def test_what_nothing_explains_is_named_and_what_is_needed_is_not(run):
    """What each process saw is put together."""
    source, places = written(WIDE | NEEDED)
    status, named = run(source, "-p", "xdist", "-n", "2")
    assert status == 1
    found = {line.split(": the tolerance is ")[0] for line in named}
    assert found == {f"tests/test_small.py:{places[name]}" for name in WIDE}
