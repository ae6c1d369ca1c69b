"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 6_300,
    "posenc_proofs": 9_000,
    "posenc_book": 2_450,
    "tools": 3_300,
    "experiments": 1_500,
    "benchmarks": 900,
    "tests": 50,
    "tests/library": 9_000,
    "tests/proofs": 6_000,
    "tests/tools": 3_500,
    "tests/book": 2_400,
    "tests/experiments": 700,
    "tests/benchmarks": 200,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
