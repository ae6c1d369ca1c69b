"""Does a test notice when the code is changed? A few mutants of each module, drawn by a seed and stored.

    python -m tools.mutants                       # modules of sample.yml; writes tools/mutants/result.json
    python -m tools.mutants --only posenc_lib/hf/forms.py
    python -m tools.mutants --survivors           # those stored as survivors, planted again

A mutant is one small change of one expression (:mod:`tools.mutants.operators`). It is planted in a copy of
the project, and the tests that ``sample.yml`` names for its module run up to the first failure.
"""
