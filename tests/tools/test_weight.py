"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 7_020,  # a model checked from the shell, a compiled bias in blocks, foreign keys refused
    "posenc_proofs": 6_960,
    "posenc_book": 2_930,  # stored results travel with it; what short texts foretell of each plane
    "formal": 590,
    "tools": 3_450,  # a search that ranks, what those who share and cite ask for, make quick, Rocq's theorems
    "experiments": 1_205,  # does relativity matter; which plane fails, foretold
    "benchmarks": 1_230,
    "tests": 50,
    "tests/library": 7_640,  # each key of any family, in each form, for every model type; broken configs
    "tests/proofs": 3_265,
    "tests/tools": 3_880,  # two more engines; 26 questions to the search; what a page says of itself
    "tests/book": 2_410,  # what 6.3 and 5.4 say of models without relativity and of single planes
    "tests/experiments": 665,  # turns of the position, cancelled waves, planes foretold
    "tests/benchmarks": 80,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
