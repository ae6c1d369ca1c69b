"""What takes long is a sample in ``make test``; with ``WHOLE_RUNS=1``, as once a week, it is run whole."""

import os

import pytest

WHOLE_RUNS = "WHOLE_RUNS" in os.environ


def sample(cases, every):
    """All of them where the run is whole, else one of so many."""
    return list(cases)[:: 1 if WHOLE_RUNS else every]


whole_runs = pytest.mark.skipif(not WHOLE_RUNS, reason="WHOLE_RUNS=1 asks for it, as once a week")
