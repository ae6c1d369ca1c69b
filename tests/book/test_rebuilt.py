"""What the book calls proved is rebuilt, and read as it is shown, from the notebooks alone, without SymPy."""

import json
import re
import resource
import shutil
import subprocess
import sys

import pytest

from posenc_lib.proofs.kernel.pages import STEP, found, records
from posenc_lib.proofs.reread.__main__ import main
from tools.contents import page_names
from tools.notebooks import ROOT
from tools.reference.ledger import totals
from tools.reference.records import read_pages

PAGES = [path for name in page_names(ROOT) if (path := ROOT / f"{name}.ipynb").exists()]

ALONE = """
import sys
sys.modules["sympy"] = None
from pathlib import Path
from posenc_lib.proofs.reread.__main__ import main
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


def copied(tmp_path, change):
    """The command's answer for a page with one certificate changed."""
    page = next(path for path in PAGES if path.name.startswith("42"))
    notebook = json.loads(page.read_text(encoding="utf-8"))
    cells = (
        o["data"][STEP] for c in notebook["cells"] for o in c.get("outputs", []) if STEP in o.get("data", {})
    )
    record = next(r for r in cells if len(r["certificates"]) == 1)
    (name,) = record["certificates"]
    record["certificates"][name] = json.dumps(change(json.loads(record["certificates"][name])))
    (tmp_path / page.name).write_text(json.dumps(notebook), encoding="utf-8")
    return main([tmp_path / page.name]), name


def test_a_changed_certificate_is_refused(tmp_path, capsys):
    other = {"left": ["num", "1", "0"]}
    code, name = copied(tmp_path, lambda c: {**c, "claim": {**c["claim"], **other}})
    assert code == 1 and f"{name}: refused: the last step proves something else" in capsys.readouterr().out


def test_a_name_given_twice_is_refused(tmp_path, capsys):
    page = next(path for path in PAGES if path.name.startswith("42"))
    for copy in ("a", "b"):
        shutil.copy(page, tmp_path / f"{copy}.ipynb")
    assert main([tmp_path]) == 1
    assert "two claims have this name" in capsys.readouterr().out


def test_a_folder_gives_the_claims_of_its_notebooks():
    claims = list(found(ROOT / "book"))
    own = {c.label for c in claims if not c.recalls}
    assert own == {r["label"] for r in RECORDS if r["status"] == "proved"}
    assert {c.recalls for c in claims} - {""} == {r["label"] for r in RECORDS if r["status"] == "recalled"}


def test_what_rests_on_another_page_falls_without_it(tmp_path, capsys):
    pages = {name: next(p for p in PAGES if p.name.startswith(name)) for name in ("24", "26")}
    for name, path in pages.items():
        shutil.copy(path, tmp_path / f"{name}.ipynb")
    assert main([tmp_path]) == 0
    assert main([tmp_path / "26.ipynb"]) == 1
    said = capsys.readouterr().out
    assert "eq-decay-far@other-frequencies: refused: no result eq-decay-far is rebuilt" in said
    assert "eq-choices-far: refused: no result eq-decay-far@other-frequencies is rebuilt" in said
