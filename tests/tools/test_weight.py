"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 7_050,  # a model checked from the shell, a compiled bias in blocks, foreign keys refused
    "posenc_proofs": 7_150,
    "posenc_book": 2_900,  # stored results travel with it
    "formal": 650,
    # a search that ranks, what those who share and cite ask for, make quick, Rocq's theorems, own results
    "tools": 3_700,
    "experiments": 1_050,
    "benchmarks": 1_300,
    "tests": 50,
    "tests/library": 9_060,  # each key of any family, in each form, for every model type; broken configs
    "tests/proofs": 3_450,
    "tests/tools": 3_950,  # 26 questions to the search; what a page says of itself; rows seen and heard
    "tests/book": 2_400,
    "tests/experiments": 650,
    "tests/benchmarks": 100,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
