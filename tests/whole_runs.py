"""What takes long is a sample in ``make test``; with ``WHOLE_RUNS=1``, as once a week, it is run whole."""

import os

import pytest

WHOLE_RUNS = "WHOLE_RUNS" in os.environ
whole_runs = pytest.mark.skipif(not WHOLE_RUNS, reason="WHOLE_RUNS=1 asks for it, as once a week")
