"""Models leave Python: exported programs run where this library is not installed, and in ONNX Runtime."""

import subprocess
import sys
import warnings

import pytest
import torch
from torch import nn

from posenc_lib import (
    BIASES,
    FIRE,
    ALiBi,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    Sandwich,
    SinusoidalEncoding,
    T5Bias,
    attention,
)

HEADS, DIM = 2, 16
MADE = {
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items()},
    "fire": lambda: FIRE(HEADS, width=4),
    "sandwich": lambda: Sandwich(HEADS, dim=6),
    "rotary": lambda: RotaryEmbedding(RotarySpec(DIM)),
    "shaw": lambda: RelativeAttention(DIM, 3),
    "sinusoidal": lambda: SinusoidalEncoding(HEADS * DIM),
    "none": lambda: None,
}
SHAPES = {"x": {0: torch.export.Dim("batch", min=1, max=64), 1: torch.export.Dim("length", min=2, max=512)}}
# float32 sums in another order
CLOSE = {"rtol": 0, "atol": 1e-6}


class Layer(nn.Module):
    def __init__(self, encoding):
        super().__init__()
        self.attend = MultiHeadAttention(HEADS * DIM, HEADS, encoding)

    def forward(self, x):
        return self.attend(x, causal=True)


class Grouped(nn.Module):
    """Four heads of queries for each of keys."""

    def __init__(self):
        super().__init__()
        self.bias = ALiBi(4 * HEADS)

    def forward(self, x):
        q = x.unflatten(-1, (4 * HEADS, DIM // 4)).transpose(1, 2)
        return attention(q, q[:, ::4], q[:, ::4], self.bias, causal=True)


def made(name):
    torch.manual_seed(0)
    return Grouped() if name == "grouped" else Layer(MADE[name]())


def inputs():
    """What a model is exported with, and a text of other sizes."""
    torch.manual_seed(1)
    return torch.randn(2, 7, HEADS * DIM), torch.randn(3, 11, HEADS * DIM)


ELSEWHERE = """
import sys
sys.modules["posenc_lib"] = None  # as if it were not installed: importing it raises
import torch
folder, names = sys.argv[1], sys.argv[2:]
x = torch.load(f"{folder}/x.pt")
for name in names:
    torch.save(torch.export.load(f"{folder}/{name}.pt2").module()(x), f"{folder}/{name}.out.pt")
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Outputs of the exported models, made in one process that cannot import this library."""
    folder = tmp_path_factory.mktemp("exported")
    example, other = inputs()
    torch.save(other, folder / "x.pt")
    names = [*MADE, "grouped"]
    for name in names:
        program = torch.export.export(made(name), (example,), dynamic_shapes=SHAPES)
        torch.export.save(program, folder / f"{name}.pt2")
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(folder), *names], check=True)
    return {name: torch.load(folder / f"{name}.out.pt") for name in names}


@pytest.mark.parametrize("name", [*MADE, "grouped"])
def test_exported_programs_run_without_the_library(name, elsewhere):
    torch.testing.assert_close(elsewhere[name], made(name)(inputs()[1]), **CLOSE)


def test_flex_leaves_no_operator_of_ours_in_an_export():
    if not hasattr(torch.compiler, "is_exporting"):
        pytest.skip("torch 2.6 does not tell that it exports")
    found = []

    class Flex(nn.Module):
        def forward(self, x):
            from posenc_lib._torch_state import captured

            found.append(torch.compiler.is_compiling())
            return captured(x.exp())

    program = torch.export.export(Flex(), (torch.ones(2),), strict=False)
    assert found == [True]
    assert not [node for node in program.graph.nodes if "posenc" in str(node.target)]


@pytest.mark.parametrize("name", [*MADE, "grouped"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_onnx_runtime_gives_the_same(name):
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    model, (example, other) = made(name), inputs()
    program = torch.onnx.export(model, (example,), dynamo=True, dynamic_shapes=SHAPES, verbose=False)
    session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
    for x in (example, other):
        (out,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
        torch.testing.assert_close(torch.from_numpy(out), model(x).detach(), **CLOSE)


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("name", MADE)
def test_torch_jit_trace_serves_other_lengths(name, grad):
    model, (example, other) = made(name), inputs()
    with warnings.catch_warnings(), torch.set_grad_enabled(grad):
        warnings.simplefilter("ignore")  # it is deprecated, and warns that our checks run once
        traced = torch.jit.trace(model, (example,), check_trace=False)
        for x in (example, other):
            torch.testing.assert_close(traced(x), model(x), **CLOSE)


@pytest.mark.parametrize("encoding", [RotaryEmbedding(RotarySpec(DIM)), T5Bias(HEADS)], ids=["rotary", "t5"])
def test_torch_jit_trace_reads_positions_at_every_call(encoding):
    """A run of positions in the example must not become a fact about all texts."""

    class At(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoding = encoding

        def forward(self, x, places):
            return attention(x, x, x, self.encoding, position_ids=places, causal=True)

    torch.manual_seed(0)
    x, model = torch.randn(1, HEADS, 6, DIM), At()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(model, (x, torch.arange(6)), check_trace=False)
        for places in (torch.arange(6), torch.tensor([4, 0, 9, 1, 3, 2])):
            torch.testing.assert_close(traced(x, places), model(x, places), **CLOSE)
