"""The search on statements of the field: nearly every true one is rebuilt by the kernel, no slip is."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

sys.path.insert(0, str(Path(__file__).parents[1]))
from corpus import FALSE, FALSE_BOUNDS, TRUE, TRUE_BOUNDS

from posenc_lib.proofs import kernel
from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.search import boxes, equations, inequalities
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.read import Outside, term, terms

NOT_READ = {"bilinear in a sum", "a transpose changes sides", "transpose of a named product"}
NOT_FOUND = {"first term", "the last frequency after NTK"}


def rebuilt(left, right):
    """The certificates of all entries, each replayed."""
    pairs = list(zip(terms(left), terms(right), strict=True))
    texts = []
    for a, b in pairs:
        proof = Proof()
        texts.append(proof.certificate(equations.identity(proof, a, b)))
        result = replay(texts[-1])
        assert (result.theorem.left, result.theorem.relation, result.theorem.right) == (a, "=", b)
        assert all(h.relation == "!=" for h in result.conditions)
    return texts


@pytest.fixture(scope="module")
def certificates():
    found = {}
    for name, left, right in TRUE:
        if name not in NOT_READ | NOT_FOUND:
            found |= {f"{name} {k}": json.loads(text) for k, text in enumerate(rebuilt(left, right))}
    return found


def test_true_statements_are_rebuilt_but_for_five_that_are_named(certificates):
    assert len({*NOT_READ, *NOT_FOUND}) == 5
    assert {name for name, *_ in TRUE} >= NOT_READ | NOT_FOUND
    assert len(certificates) >= len(TRUE) - 5


@pytest.mark.parametrize(("name", "left", "right"), FALSE, ids=[row[0] for row in FALSE])
def test_no_slip_is_rebuilt(name, left, right, monkeypatch):
    monkeypatch.setattr(equations, "MOST_PRODUCTS", 20_000)
    with pytest.raises((NotFound, Refused, Outside, NotImplementedError, ValueError)):
        rebuilt(left, right)


def bound(rule, left, right):
    proof, (a,), (b,) = Proof(), terms(left), terms(right)
    if hasattr(rule, "box"):
        box = [(term(x), *(Fraction(str(end)) for end in ends)) for x, *ends in rule.box]
        th = boxes.certified(proof, a, "<=", b, box)
    else:
        th = inequalities.bound(proof, rule.name, a, b)
    return replay(proof.certificate(th)).theorem


@pytest.mark.parametrize("row", TRUE_BOUNDS, ids=[row[0] for row in TRUE_BOUNDS])
def test_a_true_bound_is_rebuilt(row):
    th = bound(*row[1:])
    assert [th.left] == terms(row[2]) and th.relation == "<=" and [th.right] == terms(row[3])


@pytest.mark.parametrize("row", FALSE_BOUNDS, ids=[row[0] for row in FALSE_BOUNDS])
def test_a_bound_a_little_too_tight_is_not(row, monkeypatch):
    monkeypatch.setattr(boxes, "MOST_CELLS", 200)
    with pytest.raises((NotFound, Refused)):
        bound(*row[1:])


WRITTEN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from corpus import TRUE
from posenc_lib.proofs.search import equations
from posenc_lib.proofs.search.proof import Proof
from posenc_lib.proofs.search.read import terms
rows = [row for row in TRUE if row[0] in sys.argv[3:]]
found = {}
for name, left, right in rows[:: int(sys.argv[2])]:
    for k, (a, b) in enumerate(zip(terms(left), terms(right), strict=True)):
        proof = Proof()
        found[f"{name} {k}"] = proof.certificate(equations.identity(proof, a, b))
print(json.dumps(found, sort_keys=True))
"""
DOZEN = [
    *("tangent of a sum", "partial fractions", "tangent half angle, sine", "softmax ignores a shift"),
    *("inverse of a rotation", "Gram of the sinusoids", "logits with embeddings", "three softmax weights"),
    *("complex sum form", "product of sums", "geometric ladder", "symmetry of attention"),
]


def written_in(seed, step):
    """The certificates of some statements in a process of its own, forwards or backwards."""
    command = [sys.executable, "-c", WRITTEN, str(Path(__file__).parents[1]), str(step), *DOZEN]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_statement_has_one_certificate_in_every_process():
    """A set's order depends on the seed of the process."""
    once = written_in("1", 1)
    assert len(json.loads(once)) >= 12
    assert written_in("3", -1) == once


def test_a_certificate_does_not_depend_on_what_was_proved_before():
    """Equal terms may name their bound letters otherwise; the kernel's caches keep the first."""
    a, n = sympy.Symbol("a", real=True), sympy.Symbol("n", integer=True, positive=True)
    texts = []
    for name in "ik":
        k = sympy.Symbol(name, integer=True, nonnegative=True)
        left, right = (sympy.Sum(body, (k, 0, n)) for body in (2 * (a + k) * k, k * (k + a)))
        texts += rebuilt(left, 2 * right)
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
theorems, refused = rebuilt([Claim("a page", name, name, json.dumps(c)) for name, c in kept.items()])
print(len(theorems), "rebuilt;", *(f"{name}: {reason}" for name, reason in refused.items()))
ours = [name for name in sys.modules if name.split(".")[0] in ("sympy", "mpmath", "torch", "numpy")]
assert ours == ["sympy"], ours
"""


def alone(path):
    home = Path(kernel.__file__)
    command = [sys.executable, "-c", ALONE, str(home), str(home.parent), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_kernel_rebuilds_them_alone_without_sympy(certificates, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps(certificates, ensure_ascii=False), encoding="utf-8")
    run = alone(path)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{len(certificates)} rebuilt;\n"


def test_a_certificate_that_is_changed_is_refused(certificates, tmp_path):
    name, certificate = next(iter(certificates.items()))
    path = tmp_path / "results.json"
    path.write_text(json.dumps({name: {**certificate, "claim": {**certificate["claim"], "relation": "!="}}}))
    assert alone(path).stdout.startswith(f"0 rebuilt; {name}: ")
