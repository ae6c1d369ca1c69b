"""What the book calls proved is rebuilt, and read as it is shown, from the notebooks alone, without SymPy."""

import re
import resource
import shutil
import subprocess
import sys

import pytest

from posenc_proofs.__main__ import main
from posenc_proofs.kernel.pages import records
from tools.contents import page_names
from tools.notebooks import ROOT
from tools.reference.ledger import totals
from tools.reference.records import read_pages

PAGES = [path for name in page_names(ROOT) if (path := ROOT / f"{name}.ipynb").exists()]

ALONE = """
import sys
sys.modules["sympy"] = None
from pathlib import Path
from posenc_proofs.__main__ import main
sys.exit(main([Path("book")]))
"""


RECORDS = [record for path in PAGES for record in records(path)]


@pytest.fixture(scope="module")
def said():
    """What the command prints. "How to read the checks" says that it takes less than a minute."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == 0, run.stdout + run.stderr
    assert after.ru_utime - before.ru_utime < 60
    return run.stdout


def test_all_of_them_are_rebuilt_and_read_as_they_are_shown_without_sympy(said):
    proved = [record for record in RECORDS if record["status"] == "proved"]
    claims = sum(len(record["certificates"]) for record in RECORDS)
    recalled = len([record for record in RECORDS if record["status"] == "recalled"])
    counted = f"\n{len(proved)} results rebuilt from {claims} claims and read as they are shown"
    assert f"{counted}, {recalled} recalled, 0 wrong, in " in said
    assert recalled >= 6 and len(proved) > 400
    print(said)


def test_the_ledger_counts_the_axioms_as_the_kernel_does(said):
    counted = {axiom: int(n) for n, axiom in re.findall(r"^ *(\d+) rest on (\w+) ", said, flags=re.MULTILINE)}
    ours = totals(read_pages(ROOT))["by_axiom"]
    assert counted == ours and len(counted) > 15


def test_what_rests_on_another_page_falls_without_it(tmp_path, capsys):
    pages = {name: next(p for p in PAGES if p.name.startswith(name)) for name in ("24", "26")}
    for name, path in pages.items():
        shutil.copy(path, tmp_path / f"{name}.ipynb")
    assert main([tmp_path]) == 0
    assert main([tmp_path / "26.ipynb"]) == 1
    said = capsys.readouterr().out
    assert "eq-decay-far@other-frequencies: refused: no result eq-decay-far is rebuilt" in said
    assert "eq-choices-far: refused: no result eq-decay-far@other-frequencies is rebuilt" in said
