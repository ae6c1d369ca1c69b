"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 7_000,  # a model checked from the shell, a compiled bias in blocks, a home for study tools
    "posenc_proofs": 7_150,
    "posenc_book": 2_850,
    "formal": 650,
    # a search that ranks, what those who share and cite ask for, make quick, Rocq's theorems on the site
    "tools": 3_600,
    "experiments": 1_050,
    "benchmarks": 1_300,
    "tests": 50,
    "tests/library": 8_910,
    "tests/proofs": 3_450,
    "tests/tools": 3_800,  # 26 questions to the search; what a page says of itself; rows seen and heard
    "tests/book": 2_400,
    "tests/experiments": 650,
    "tests/benchmarks": 100,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
