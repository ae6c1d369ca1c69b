"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

from tools.weights import weights

MOST = {
    "posenc_lib": 7_043,  # a check from the shell, a compiled bias in blocks, foreign, misspelt keys refused
    "posenc_proofs": 6_393,  # what no definition may redefine; letters that nothing captures
    "posenc_book": 3_007,  # stored results; planes foretold, more rivals; maps, spirals, clocks, bands
    "formal": 590,
    "tools": 3_248,  # folded goals, ranked search, what those who share and cite ask for, dates of runs
    "experiments": 1_315,  # does relativity matter; planes foretold; weights that save; positions dropped
    "benchmarks": 1_220,
    "tests": 50,
    "tests/library": 6_942,  # each key of any family in each form; a StaticCache shared; one token in place
    "tests/proofs": 2_996,
    "tests/tools": 3_753,  # two more engines; 26 questions to the search; the page of each wheel; Chinese
    "tests/book": 2_426,  # single planes in 6.3, 5.4; model types that 5.5 names; clocks and bands in 4
    "tests/experiments": 730,  # turns of the position, cancelled waves, planes foretold, multipliers
    "tests/benchmarks": 80,
}


def test_no_folder_is_heavier_than_agreed():
    heavier = {folder: lines for folder, lines in weights().items() if lines > MOST[folder]}
    assert not heavier, "raise their lines in this file, and say why"
