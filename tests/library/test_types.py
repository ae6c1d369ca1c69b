"""What a user's type checker sees: words that are not known, and what calls take and give."""

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from posenc_lib import SCALINGS
from posenc_lib.attend.linear import FEATURE_MAPS
from posenc_lib.attend.softmax import BACKENDS, Backend
from posenc_lib.rotary.scaling.rules import Scaling

pytest.importorskip("mypy")

#: Lines, each checked on its own: what mypy must say of it, or nothing.
LINES = json.loads(Path(__file__).with_name("typed_lines.json").read_text(encoding="utf-8"))
HEAD = """import torch
import posenc_lib as p
x = torch.ones(1, 8, 4, 64)
rope, layer = p.RotaryEmbedding(p.RotarySpec(64)), p.MultiHeadAttention(64, 8)
"""


@pytest.fixture(scope="module")
def said():
    """The messages of mypy, line by line."""
    program = HEAD + "\n".join(LINES)
    command = [sys.executable, "-m", "mypy", "--config-file=", "--ignore-missing-imports", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and not done.stderr, done.stdout + done.stderr
    found = {number: [] for number in range(1, program.count("\n") + 2)}
    for line in done.stdout.splitlines():
        if line.startswith("<string>:"):
            number, message = line.removeprefix("<string>:").split(":", 1)
            found[int(number)].append(message)
    return dict(zip(LINES, list(found.values())[HEAD.count("\n") :], strict=True))


@pytest.mark.parametrize("line", LINES)
def test_a_type_checker_sees(line, said):
    messages, expected = said[line], LINES[line]
    assert bool(messages) == (expected is not None), messages
    assert expected is None or expected in messages[0]


def test_the_words_that_type_checkers_know_are_those_that_are_known():
    assert get_args(Scaling) == tuple(SCALINGS), "Scaling and SCALINGS name the same rules, in the same order"
    assert get_args(Backend) == tuple(BACKENDS), "Backend and BACKENDS name the same ways, in the same order"
    assert set(FEATURE_MAPS) == {"elu+1", "softmax"}
