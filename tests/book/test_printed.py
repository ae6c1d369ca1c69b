"""What the pages print of their results is what the kernel rebuilt, and a slip in print is noticed."""

import re
import subprocess
import sys

import pytest

from posenc_lib.proofs.kernel.__main__ import found, rebuilt, records
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread
from tools.notebooks import ROOT

NOT_READ = {  # label: why it cannot be compared
    "eq-alibi-power": "a power of a matrix, by induction",
    "eq-alibi-three": "a power of a matrix, by induction",
}

ALONE = """
import sys
sys.modules["sympy"] = None
from pathlib import Path
from posenc_lib.proofs.reread.__main__ import main
main([Path("book")])
"""


def test_every_result_is_printed_as_it_is_proved():
    run = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=True)
    print(run.stdout)
    *lines, last = run.stdout.splitlines()
    assert {line.partition(":")[0] for line in lines} == set(NOT_READ)
    count, others = map(int, re.findall(r"(\d+) (?:results|are)", last))
    proved = [r for page in (ROOT / "book").rglob("*.ipynb") for r in records(page) if r["certificates"]]
    assert (count, others) == (len(proved) - len(NOT_READ), len(NOT_READ)) and count > 400


SLIPS = [
    *((r"\+", "-"), (r"(?<=[\w})]) - ", " + "), (r"\\cos", r"\\sin"), (r"\\sin", r"\\cos")),
    *((r"\\le(?= )", "="), (r"\^\{\*\}", ""), (r"\\mathrm\{i\} ", ""), (r"\\sum", r"\\prod")),
    *((r"\\theta", r"\\phi"), (r"\bm\b", "n"), (r"\bn\b", "m"), (r"\bi\b", "j"), (r"\d+", "7")),
]
# True as well: the first argument of a mean over the planes stands for nothing but its name.
TRUE_AS_WELL = {"eq-000-5", "eq-sin-even", "eq-003-6", "eq-sin-exercise"}


@pytest.mark.parametrize("page", ["2-sinusoid/21-definition-and-shift", "4-rotary/42-rotation-algebra"])
def test_a_slip_in_print_is_noticed(page):
    path = ROOT / "book" / f"{page}.ipynb"
    theorems, _ = rebuilt(list(found(path)))
    of_page = list(records(path))
    tried, missed = 0, set()
    for record in (r for r in of_page if r["certificates"] and r["label"] not in NOT_READ):
        others = [r for r in of_page if r["derivation"] == record["derivation"]]
        for old, new in SLIPS:
            wrong = re.sub(old, new, record["latex"], count=1)
            if wrong == record["latex"]:
                continue
            tried += 1
            changed = [{**r, "latex": wrong} if r is record else r for r in others]
            try:
                Derived(changed, theorems).confirm(record["label"])
                missed.add(record["label"])
            except Unread:
                pass
    assert tried > 80 and missed <= TRUE_AS_WELL, missed
