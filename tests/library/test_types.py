"""What a user's type checker sees: words that are not known, and what calls take and give."""

import ast
import inspect
import subprocess
import sys
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

# Each line is checked on its own: what mypy must say of it, or nothing.
LINES = {
    'p.RotarySpec(64, layout="neox")': "\"Literal['half', 'interleaved']\"",
    'p.RotarySpec(64, scaling="yran")': "Literal['default', 'linear', 'ntk', ",
    'p.RotarySpec(64, scaling="yarn", layout="interleaved")': None,
    'p.RotaryEmbedding(64, layout="neox")': "No overload variant",
    'p.RotaryEmbedding(64, base=5e5, scaling="linear", params={"factor": 2.0})': None,
    "p.RotaryEmbedding(p.RotarySpec(64), base=5e5)": "No overload variant",
    'p.apply_rotary(x, x, x, layout="neox")': "Literal['half', 'interleaved']",
    'p.attention(x, x, x, backend="flash")': "Literal['sdpa', 'dense', 'flex']",
    'p.MultiHeadAttention(64, 8, backend="flash")': "Literal['sdpa', 'dense', 'flex']",
    'p.permute_layout(x, "half", "neox")': "Literal['half', 'interleaved']",
    'p.linear_attention(x, x, x, feature_map="relu")': "Literal['elu+1', 'softmax']",
    'p.positions_context_parallel(8, 0, 2, scheme="striped")': "Literal['contiguous', 'zigzag']",
    'p.SinusoidalEncoding(8, layout="neox")': "Literal['half', 'interleaved']",
    "reveal_type(rope(x, x))": "tuple[torch._tensor.Tensor, torch._tensor.Tensor]",
    "reveal_type(layer(x, causal=True))": '"torch._tensor.Tensor"',
    "reveal_type(p.SinusoidalEncoding(8)(x))": '"torch._tensor.Tensor"',
    "reveal_type(p.LearnedEncoding(8, 8)(x))": '"torch._tensor.Tensor"',
    "reveal_type(p.LinearEncoding(8)(x))": '"torch._tensor.Tensor"',
    "reveal_type(p.RelativeAttention(8, 2)(x, x, x))": '"torch._tensor.Tensor"',
    "reveal_type(p.TrainableFrequencies(4)(x))": '"torch._tensor.Tensor"',
    "reveal_type(p.ALiBi(8).bias(x, x))": '"torch._tensor.Tensor"',
    "reveal_type(p.__version__)": 'str"',
    "rope(x)": 'Missing positional argument "k"',
    'rope(x, x, position_ids="0, 1")': 'incompatible type "str"',
    'layer(x, mask="causal")': 'matches argument types "Tensor", "str"',
    "layer(x, is_causal=True)": 'Unexpected keyword argument "is_causal"',
    "reveal_type(layer(x, position_ids=x, causal=True, return_cache=True)[1])": "KVCache",
    "layer(x, causal=True, return_cache=True)": "No overload variant",
}
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
