"""What a user's type checker sees: words that are not known, and what calls take and give."""

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import get_args

import pytest
from torch import nn

import posenc_lib
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
    assert get_args(Scaling) == tuple(SCALINGS)
    assert get_args(Backend) == tuple(BACKENDS)
    assert set(FEATURE_MAPS) == {"elu+1", "softmax"}


CALLED = {
    thing
    for name in posenc_lib.__all__
    if isinstance(thing := getattr(posenc_lib, name), type)
    and issubclass(thing, nn.Module)
    and inspect.isfunction(vars(thing).get("forward"))
    and thing.forward.__name__ == "forward"
}


@pytest.mark.parametrize("kind", sorted(CALLED, key=lambda kind: kind.__name__))
def test_a_call_is_defined_for_type_checkers(kind):
    """By a def. What Pyright and Pylance give for ``__call__ = forward`` is Any, as torch has it."""
    (body,) = ast.parse(dedent(inspect.getsource(kind))).body
    hidden = [node for node in body.body if isinstance(node, ast.If) and node.test.id == "TYPE_CHECKING"]
    (call,) = (d for node in hidden for d in node.body if isinstance(d, ast.FunctionDef))
    assert (call.name, [ast.unparse(d) for d in call.decorator_list]) == ("__call__", ["called_as(forward)"])
    assert kind.__call__ is nn.Module.__call__  # nothing of it runs: hooks are torch's


def test_no_call_is_forgotten():
    names = "RotaryEmbedding MultiHeadAttention SinusoidalEncoding LearnedEncoding LinearEncoding"
    assert {k.__name__ for k in CALLED} == {*names.split(), "RelativeAttention", "TrainableFrequencies"}
