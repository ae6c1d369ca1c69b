"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 7_020,  # a model checked from the shell, a compiled bias in blocks, foreign keys refused
    "posenc_proofs": 7_080,
    "posenc_book": 2_860,  # stored results travel with it
    "formal": 590,
    # a search that ranks, what those who share and cite ask for, make quick, Rocq's theorems, own results
    "tools": 3_660,
    "experiments": 1_160,  # does relativity matter: five matrices of the position, what one learns to cancel
    "benchmarks": 1_230,
    "tests": 50,
    "tests/library": 7_950,  # each key of any family, in each form, for every model type; broken configs
    "tests/proofs": 3_270,
    "tests/tools": 3_920,  # 26 questions to the search; what a page says of itself; rows seen and heard
    "tests/book": 2_390,  # what 6.3 says of models without relativity
    "tests/experiments": 620,  # the turns of the position, and the waves that one of them cancels
    "tests/benchmarks": 80,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
