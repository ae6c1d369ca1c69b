"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

import pytest

from tools.weights import weights

MOST = {
    "posenc_lib": 7_045,  # a check from the shell, a compiled bias in blocks, foreign, misspelt keys refused
    "posenc_proofs": 6_370,
    "posenc_book": 2_930,  # stored results travel with it; planes foretold; a plan by layers in 5.4
    "formal": 590,
    "tools": 3_410,  # ranked search, what those who share and cite ask for, make quick, Rocq, Chinese words
    "experiments": 1_310,  # does relativity matter; which plane fails, foretold; weights that save a base
    "benchmarks": 1_220,
    "tests": 50,
    "tests/library": 7_040,  # each key of any family, in each form, for every model type; broken configs
    "tests/proofs": 2_990,
    "tests/tools": 3_935,  # two more engines; 26 questions to the search; what a page says of itself
    "tests/book": 2_410,  # what 6.3 and 5.4 say of single planes; the model types that 5.5 names
    "tests/experiments": 720,  # turns of the position, cancelled waves, planes foretold, multipliers
    "tests/benchmarks": 80,
}
WEIGHTS = weights()


@pytest.mark.parametrize("folder", WEIGHTS)
def test_a_folder_is_no_heavier_than_agreed(folder):
    assert WEIGHTS[folder] <= MOST[folder]
