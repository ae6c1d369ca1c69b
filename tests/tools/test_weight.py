"""How heavy a folder may be: lines of code. A change that needs more argues for it, here."""

from tools.weights import weights

MOST = {
    "posenc_lib": 7_043,  # a check from the shell, a compiled bias in blocks, foreign, misspelt keys refused
    "posenc_proofs": 6_266,  # what no definition may redefine; letters that nothing captures
    "posenc_book": 3_028,  # stored results; planes foretold, more rivals; maps, spirals, clocks, bands
    "formal": 572,
    "tools": 3_299,  # ranked search, what those who share and cite ask for; two drawings with Chinese words
    "experiments": 1_332,  # does relativity matter; planes foretold; weights that save; fast planes
    "benchmarks": 1_216,
    "tests": 16,
    "tests/library": 6_984,  # each key of any family, in each form, for any model type; broken configs
    "tests/proofs": 2_866,
    "tests/tools": 3_884,  # two more engines; 26 questions to the search; what the Chinese tables fold, lines
    "tests/book": 2_665,  # single planes in 6.3, 5.4; model types that 5.5 names; keys and caches elsewhere
    "tests/experiments": 738,  # turns of the position, cancelled waves, planes foretold, multipliers
    "tests/benchmarks": 79,
}


def test_no_folder_is_heavier_than_agreed():
    heavier = {folder: lines for folder, lines in weights().items() if lines > MOST[folder]}
    assert not heavier, "raise their lines in this file, and say why"
