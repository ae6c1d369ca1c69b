"""The fused kernels compiled for GPUs that are not here, and the benchmark that waits for one that is."""

import json
import os
import subprocess
import sys

import pytest
from whole_runs import whole_runs

from posenc_book.stored import stored
from tools.notebooks import ROOT

BENCHMARKS = ROOT / "benchmarks"
triton = pytest.importorskip("triton")


SCRIPT = """
import json, kernel_code
from machine_code import Instruction as I, bits, longest
code = [
    I("", "MOV", ""), I("@P0", "BRA", "`(.L_x_1)"), I("", "FADD", ""), I("", "BRA", "`(.L_x_2)"),  # short
    I("", "FMUL", ""), I("", "FMUL", ""), I("", "FMUL", ""),  # .L_x_1, long
    I("", "LDG.E.128", ""), I("@!P1", "BRA", "`(.L_x_2)"), I("", "EXIT", ""),  # .L_x_2, a loop
    I("", "BRA", "`(.L_x_3)"), I("", "NOP", ""),  # .L_x_3, padding
]
print(json.dumps({
    "longest": longest(code, {".L_x_1": 4, ".L_x_2": 7, ".L_x_3": 10}, trips=5),
    "bits": [bits(name) for name in ("LDG.E.128", "LDG.E", "STG.E.64", "LDG.E.U16")],
    "rows": kernel_code.rows(2048, 32, 8, 128, others=False),
}))
"""


def run(*arguments):
    """A fresh process, because a kernel is made for the interpreter or for a compiler, once and for all."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TRITON_")}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=BENCHMARKS, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def found():
    return json.loads(run("-c", SCRIPT).splitlines()[-1])


def test_kernels_move_each_byte_once_and_leave_the_gpu_waiting_for_memory(found):
    assert {row["gpu"] for row in found["rows"]} == {"A100", "H100"} and len(found["rows"]) == 8
    for row in found["rows"]:
        assert row["launches"] == 1 and row["stored"] == 1 and row["narrowest"] == 16, row
        assert 1 <= row["loaded"] < 2, row  # what exceeds 1 are tables, from cache
        assert row["float64"] == row["spills"] == 0, row
        assert row["issue_share"] < 0.5, row


def test_stored_figures_are_what_this_compiler_gives(found):
    kept = stored("kernel_code")
    if kept["versions"]["triton"] != triton.__version__:
        pytest.skip(f"stored with Triton {kept['versions']['triton']}")
    assert [row for row in kept["rows"] if row["case"].startswith("ours")] == found["rows"]


def test_longest_way_takes_the_dearer_branch_and_counts_loops(found):
    assert found["longest"] == {"MOV": 1, "BRA": 1 + 5, "FMUL": 3, "LDG.E.128": 5, "EXIT": 1}
    assert found["bits"] == [128, 32, 64, 16]


@whole_runs
def test_gpu_benchmark_is_rehearsed():
    small = ("--heads", "4", "--key_heads", "2", "--dim", "32")
    shown = run("rotary_gpu.py", "--rehearse", "1", *small).splitlines()[-1]
    cases = ("ours, half", "ours, interleaved, angles made inside", "ours, half, in place", "Hugging Face")
    assert [case for case in cases if case not in shown] == []
