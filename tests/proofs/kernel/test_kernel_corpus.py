"""Certificates of the field's statements: the same in every process, rebuilt by the kernel alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tables import all_cases, written

from posenc_proofs import kernel

HOME = Path(__file__).parents[1]
DOZEN = [
    *("trigonometry: diagonal H", "rational: partial fractions", "rational: softmax ignores a shift"),
    *("matrices: orthogonal", "sums: Gram of the sinusoids", "sums: logits with embeddings"),
    *("rational: three softmax weights", "sums: complex sum form", "sums: product of sums"),
    *("powers: geometric ladder", "rational: symmetry of attention", "bounds: two terms"),
]


def certificates(names):
    """Those of some cases, by case and claim."""
    cases = all_cases()
    found = {}
    for name in names:
        for result in written(cases[name].text).results.values():
            found |= {f"{name} {claim}": text for claim, text in result.certificates.items()}
    return found


@pytest.fixture(scope="module")
def kept():
    return certificates(DOZEN)


WRITTEN = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from test_kernel_corpus import DOZEN, certificates
print(json.dumps(certificates(DOZEN[:: int(sys.argv[3])]), sort_keys=True))
"""


def test_a_statement_has_one_certificate_in_every_process(kept):
    """A set's order depends on the seed of the process; another process goes backwards."""
    command = [sys.executable, "-c", WRITTEN, str(HOME), str(Path(__file__).parent), "-1"]
    environment = {**os.environ, "PYTHONHASHSEED": "3"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(kept) >= 12 and json.loads(run.stdout) == kept


def test_a_certificate_does_not_depend_on_what_was_proved_before():
    """Equal terms may name their bound letters otherwise; the kernel's caches keep the first."""
    texts = []
    for name in "ik":
        text = f"for all a ∈ ℝ, n ∈ ℕ₊\neq-x: \\sum_{{{name}=0}}^n 2(a + {name}) {name}"
        text += f" = 2 \\sum_{{{name}=0}}^n {name} ({name} + a)"
        texts.append(written(text).results["eq-x"].certificates["eq-x"])
    assert texts[0].replace('"i"', '"k"') == texts[1]


ALONE = """
import importlib.util, sys
sys.modules["sympy"] = sys.modules["posenc_lib"] = None
spec = importlib.util.spec_from_file_location("kernel", sys.argv[1], submodule_search_locations=[sys.argv[2]])
kernel = sys.modules["kernel"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
import json
from kernel.pages import Claim, rebuilt
kept = json.loads(open(sys.argv[3], encoding="utf-8").read())
theorems, refused = rebuilt([Claim("a page", name, name, c) for name, c in kept.items()])
print(len(theorems), "rebuilt;", *(f"{name}: {reason}" for name, reason in refused.items()))
ours = [name for name in sys.modules if name.split(".")[0] in ("sympy", "mpmath", "torch", "numpy")]
assert ours == ["sympy"], ours
"""


def alone(kept, folder):
    """What the kernel says of certificates, in a process that has no SymPy."""
    path, package = folder / "results.json", Path(kernel.__file__)
    path.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, "-c", ALONE, str(package), str(package.parent), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_kernel_rebuilds_them_alone_without_sympy(kept, tmp_path):
    assert alone(kept, tmp_path) == f"{len(kept)} rebuilt;\n"


def test_a_certificate_that_is_changed_is_refused(kept, tmp_path):
    name, text = next(iter(kept.items()))
    row = json.loads(text)
    row["claim"]["relation"] = "!="
    assert alone({name: json.dumps(row)}, tmp_path).startswith(f"0 rebuilt; {name}: ")
