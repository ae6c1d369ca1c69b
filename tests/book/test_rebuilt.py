"""What the book calls proved is rebuilt, and read as it is shown, from the notebooks alone, without SymPy."""

import pickle
import re
import resource
import shutil
import subprocess
import sys
from typing import NamedTuple

import mpmath
import pytest
from wrong_versions import HOLDS, failures, number, unmarked

from posenc_proofs.__main__ import main
from posenc_proofs.kernel.pages import records
from posenc_proofs.kernel.terms import Term
from posenc_proofs.kernel.theorem import Formula
from posenc_proofs.latex.definitions import rows
from posenc_proofs.latex.tokens import Hand, Unread
from tools.contents import page_names
from tools.notebooks import ROOT
from tools.reference.ledger import totals
from tools.reference.records import read_pages

PAGES = [path for name in page_names(ROOT) if (path := ROOT / f"{name}.ipynb").exists()]

# A theorem is made by rules alone: of each the sides and hypotheses are handed over, which are terms.
ALONE = """
import copyreg, pickle, sys
sys.modules["sympy"] = None
from pathlib import Path
from posenc_proofs import __main__ as command
from posenc_proofs.kernel.terms import Term
copyreg.pickle(Term, lambda t: (Term, (t.head, t.data, t.args, t.hint)))
made, rebuilt = {}, command.rebuilt
def kept(claims):
    theorems, refused = rebuilt(claims)
    made.update({name: (th.left, th.right, th.hypotheses) for name, th in theorems.items()})
    return theorems, refused
command.rebuilt = kept
status = command.main([Path("book")])
Path(sys.argv[1]).write_bytes(pickle.dumps(made))
sys.exit(status)
"""


class Stated(NamedTuple):
    """What a theorem states."""

    left: Term
    right: Term
    hypotheses: frozenset[Formula]


NONE_SHOWN = {
    "eq-acc-split": "an integral of an unknown function has no value at a point"
}  # label: why no wrong version of a row is shown; two-jets show none at all
RECORDS = [record for path in PAGES for record in records(path)]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What the command prints, and what it rebuilt: in less than a minute, "How to read the checks" says."""
    path, before = tmp_path_factory.mktemp("alone") / "theorems", resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, "-c", ALONE, path], cwd=ROOT, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == 0, run.stdout + run.stderr
    assert after.ru_utime - before.ru_utime < 60
    return run.stdout, {name: Stated(*said) for name, said in pickle.loads(path.read_bytes()).items()}


def test_all_of_them_are_rebuilt_and_read_as_they_are_shown_without_sympy(alone):
    said, _ = alone
    proved = [record for record in RECORDS if record["status"] == "proved"]
    claims = sum(len(record["certificates"]) for record in RECORDS)
    recalled = len([record for record in RECORDS if record["status"] == "recalled"])
    counted = f"\n{len(proved)} results rebuilt from {claims} claims and read as they are shown"
    assert f"{counted}, {recalled} recalled, 0 wrong, in " in said
    assert recalled >= 6 and len(proved) > 400
    print(said)


def test_the_ledger_counts_the_axioms_as_the_kernel_does(alone):
    said, _ = alone
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


def offered(page):
    return (r for r in records(page) if r.get("wrong_versions"))


@pytest.mark.parametrize("page", [p for p in PAGES if any(offered(p))], ids=lambda p: p.stem)
def test_wrong_versions_fail_where_they_say(page, alone):
    of_page = list(offered(page))
    tried, unread = 0, []
    with mpmath.workdps(50):
        for record in of_page:
            of_derivation = [r for r in records(page) if r["derivation"] == record["derivation"]]
            try:
                for wrong, relation, a, b in failures(record, of_derivation, alone[1]):
                    assert not HOLDS[relation](a - b), (record["label"], wrong)
                    for text, side in ((wrong["left"], a), (wrong["right"], b)):
                        assert mpmath.almosteq(number(text), side, 1e-5, 1e-5), (record["label"], wrong, side)
                    tried += 1
            except Unread as reason:
                unread.append(f"{record['label']}: {reason}")
    print(page.stem, tried, unread)
    assert tried > 0 or len(unread) == len(of_page)


def rows_without(record):
    """The rows of a proved result that show no wrong version."""
    return set(range(1, record["rows"] + 1)) - {wrong["row"] for wrong in record["wrong_versions"]}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_every_proved_row_shows_a_wrong_version_or_is_listed(page):
    for record in (r for r in records(page) if r["status"] == "proved"):
        assert "wrong_versions" in record, f"{record['label']}: execute the page"
        two_jet = any(method.startswith("two-jet") for method in record["methods"])
        assert two_jet or not rows_without(record) or record["label"] in NONE_SHOWN, record["label"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_what_is_shown_is_not_the_row_and_says_where_it_is_not(page):
    for record in records(page):
        of_record = rows(re.sub(r"\\overset{\?}{(.+?)}", r"\1", record["latex"]), Hand())
        right = {"".join(piece) for row in of_record for piece in (row.right,)}
        for wrong in record.get("wrong_versions", []):
            assert r"\wrong{" in wrong["latex"] and wrong["left"] != wrong["right"], wrong
            ((_, relation, side),) = rows(unmarked(wrong["latex"]), Hand())
            same = "".join(side) in right and relation == of_record[wrong["row"] - 1].relation
            assert not same or record["rows"] > 1, (record["label"], wrong)
