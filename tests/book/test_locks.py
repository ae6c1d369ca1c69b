"""A sign flipped anywhere is noticed: in a derivation, in a formula of the library, in a stored output.

Each test changes a sign in a copy of the project and runs there the part of the test command that must fail.
"""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from tools.notebooks import ROOT, canonical

CHAPTER = "book/4-rotary/42-rotation-algebra.ipynb"


@pytest.fixture
def project(tmp_path):
    """A copy of the project, without what was built."""
    built = shutil.ignore_patterns(
        ".git", ".venv", "_build", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info"
    )
    shutil.copytree(ROOT, tmp_path / "copy", ignore=built)
    return tmp_path / "copy"


def run_tests(project, *arguments):
    """The test command in ``project``, on its own copy of the library, up to the first failure."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-x", "-q", "-p", "no:cacheprovider", "--color=no"]
    environment = os.environ | {"PYTHONPATH": str(project)}
    return subprocess.run(
        [*command, *arguments], cwd=project, env=environment, capture_output=True, text=True, timeout=300
    )


def change_cell(project, change):
    """Apply ``change`` to the chapter's code cells in turn until it returns True; the number of that cell."""
    path = project / CHAPTER
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        if change(cell):
            path.write_text(canonical(notebook), encoding="utf-8")
            return number
    pytest.fail(f"{CHAPTER} has nothing to change: this test must be written anew")


def flip_a_claim(cell):
    """Turn the first + between two terms on the right of an equation into −."""
    before = cell.source
    if before.startswith("%%derive"):
        cell.source = re.sub(r"(?m)^(  = (?:(?!--).)*?) \+ ", r"\1 - ", before, count=1)
    return cell.source != before


def flip_a_shown_sign(cell):
    """Turn the first + between two terms of a displayed equation into −."""
    for output in cell.outputs:
        shown = output.get("data", {}).get("text/markdown", "")
        if "$$" in shown and " + " in shown:
            output.data["text/markdown"] = shown.replace(" + ", " - ", 1)
            return True
    return False


def failed_cell(ran):
    assert ran.returncode == 1, ran.stdout + ran.stderr
    failed = re.search(rf"^FAILED {CHAPTER}::Cell (\d+)", ran.stdout, re.MULTILINE)
    assert failed, ran.stdout
    return int(failed[1])


def test_a_sign_flipped_in_a_derivation_is_refuted(project):
    cell = change_cell(project, flip_a_claim)
    ran = run_tests(project, CHAPTER)
    assert failed_cell(ran) == cell
    assert "Refuted" in ran.stdout, ran.stdout


def test_a_sign_flipped_in_a_stored_output_differs(project):
    cell = change_cell(project, flip_a_shown_sign)
    ran = run_tests(project, CHAPTER)
    assert failed_cell(ran) == cell
    assert "Cell outputs differ" in ran.stdout, ran.stdout


FORMULAS = {  # of the rotation, in posenc_lib/rotary/engine/eager.py
    "torch.complex(cos, sin)": "torch.complex(cos, -sin)",
    "addcmul(a * cos, b, sin, value=-1), torch.addcmul(b * cos, a, sin)": (
        "addcmul(a * cos, b, sin), torch.addcmul(b * cos, a, sin, value=-1)"
    ),
}


def flip_formulas(project, formulas):
    module = project / "posenc_lib/rotary/engine/eager.py"
    source = module.read_text()
    for formula in formulas:
        assert formula in source, f"{formula} has moved: this test must be written anew"
        source = source.replace(formula, FORMULAS[formula])
    module.write_text(source)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_sign_flipped_in_the_rotation_fails_the_library_tests(project, formula):
    flip_formulas(project, [formula])
    ran = run_tests(project, "tests/library/rotary/test_rotary.py")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert re.search(r"^FAILED tests/library/rotary/test_rotary\.py", ran.stdout, re.MULTILINE), ran.stdout


def test_a_rotation_the_wrong_way_round_fails_the_chapter(project):
    flip_formulas(project, FORMULAS)
    failed_cell(run_tests(project, CHAPTER))
