"""Models leave Python, whole or as a decode step: without this library, in ONNX Runtime, traced."""

import subprocess
import sys
import warnings

import pytest
import torch
from pairs import BY_LENGTH, DIM, HEADS, made
from torch import nn

from posenc_lib import BIASES, KVCache, MultiHeadAttention, RotaryEmbedding, T5Bias, attention

WIDTH = HEADS * DIM
NAMES = ["none", "rotary", "shaw", *BIASES]
WHOLE = [*NAMES, "sinusoidal", "alibi, grouped", "shaw, grouped"]
STEPS = [name for name in [*NAMES, "longrope"] if name != "sandwich"]
# float32 sums in another order
CLOSE = {"rtol": 0, "atol": 2e-6}


def dims(**names):
    return {name: torch.export.Dim(name, min=least, max=512) for name, least in names.items()}


D = dims(batch=1, length=2, held=1, new=1)
WHOLE_SHAPES = {"x": {0: D["batch"], 1: D["length"]}}
STEP_SHAPES = {
    "x": {0: D["batch"], 1: D["new"]}, "places": {0: D["new"]},
    "k": {0: D["batch"], 2: D["held"]}, "v": {0: D["batch"], 2: D["held"]}, "held": {0: D["held"]}
}  # fmt: skip


class Whole(nn.Module):
    def __init__(self, name):
        super().__init__()
        name, _, grouped = name.partition(", ")
        encoding = made(name, dtype=torch.float32)
        torch.manual_seed(0)
        shared = 2 if grouped else HEADS
        self.attend = MultiHeadAttention(WIDTH, HEADS, encoding, num_kv_heads=shared)

    def forward(self, x):
        return self.attend(x, causal=True)


class Step(nn.Module):
    """Tensors in and out, as an engine holds them; ``used`` where the cache is preallocated."""

    def __init__(self, name):
        super().__init__()
        encoding = made(name, dtype=torch.float32)
        torch.manual_seed(0)
        self.layer = MultiHeadAttention(WIDTH, HEADS, encoding, num_kv_heads=2, qk_norm=True, dropout=0.1)
        self.told = {"causal": True, "length": 64 if name in BY_LENGTH else None, "return_cache": True}
        self.eval().requires_grad_(False)

    def forward(self, x, places, k, v, held, used=None):
        cache = KVCache(k, v, held, used, self.told["length"])
        out, cache = self.layer(x, position_ids=places, cache=cache, **self.told)
        return out, *cache[: 3 if used is None else 4]

    def first(self, x):
        return self.layer(x, position_ids=torch.arange(x.shape[1]), **self.told)


def texts():
    """What a model is exported with, and a text of other sizes."""
    torch.manual_seed(1)
    return torch.randn(2, 7, WIDTH), torch.randn(3, 11, WIDTH)


def step_inputs(step, batch, tokens, new, slots=None):
    """New tokens, their positions, and the tensors of a cache of ``tokens`` tokens."""
    torch.manual_seed(batch)
    x = torch.randn(batch, tokens + new, WIDTH)
    cache = step.first(x[:, :tokens])[1]
    cache = cache if slots is None else cache.preallocated(slots)
    held = [t for t in cache[:4] if t is not None]
    return x, (x[:, tokens:].clone(), torch.arange(tokens, tokens + new), *held)


ELSEWHERE = """
import sys
sys.modules["posenc_lib"] = None  # as if it were not installed: importing it raises
import torch
folder, names = sys.argv[1], sys.argv[2:]
for name in names:
    given = torch.load(f"{folder}/{name}.in.pt")
    torch.save(torch.export.load(f"{folder}/{name}.pt2").module()(*given), f"{folder}/{name}.out.pt")
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What exported programs give, in one process that cannot import this library."""
    folder, names = tmp_path_factory.mktemp("exported"), []

    def export(name, model, example, other, **shapes):
        names.append(name)
        torch.save(other, folder / f"{name}.in.pt")
        torch.export.save(torch.export.export(model, example, strict=False, **shapes), folder / f"{name}.pt2")

    for name in WHOLE:
        export(f"{name} whole", Whole(name), *((x,) for x in texts()), dynamic_shapes=WHOLE_SHAPES)
    for name in STEPS:
        step = Step(name)
        growing = (step_inputs(step, *sizes)[1] for sizes in ((2, 7, 3), (3, 12, 5)))
        export(f"{name} growing", step, *growing, dynamic_shapes=STEP_SHAPES)
        export(f"{name} fixed", step, *(step_inputs(step, 2, n, 1, slots=16)[1] for n in (7, 12)))
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(folder), *names], check=True)
    return {name: torch.load(folder / f"{name}.out.pt") for name in names}


@pytest.mark.parametrize("name", WHOLE)
def test_exported_programs_run_without_the_library(name, elsewhere):
    torch.testing.assert_close(elsewhere[f"{name} whole"], Whole(name)(texts()[1]), **CLOSE)


@pytest.mark.parametrize("kind", ["growing", "fixed"])
@pytest.mark.parametrize("name", STEPS)
def test_a_decode_step_runs_without_the_library(name, kind, elsewhere):
    """A growing one serves other batches and lengths."""
    step, batch, new = Step(name), *((3, 5) if kind == "growing" else (2, 1))
    whole, cache = step.first(step_inputs(step, batch, 12, new)[0])
    out, k, v, held, *used = elsewhere[f"{name} {kind}"]
    assert [int(x) for x in used] == ([] if kind == "growing" else [13])
    assert k.shape[2] == (17 if kind == "growing" else 16)
    torch.testing.assert_close(out, whole[:, 12:], **CLOSE)
    filled = k[:, :, : 12 + new], v[:, :, : 12 + new], held[: 12 + new]
    torch.testing.assert_close(filled, cache[:3], **CLOSE)


def test_flex_leaves_no_operator_of_ours_in_an_export():
    if not hasattr(torch.compiler, "is_exporting"):
        pytest.skip("torch 2.6 does not tell that it exports")
    compiling = []

    class Flex(nn.Module):
        def forward(self, x):
            from posenc_lib._torch_state import captured

            compiling.append(torch.compiler.is_compiling())
            return captured(x.exp())

    program = torch.export.export(Flex(), (torch.ones(2),), strict=False)
    assert compiling == [True]
    assert not [node for node in program.graph.nodes if "posenc" in str(node.target)]


def onnx(model, example, shapes):
    """What calls the model in ONNX Runtime."""
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    program = torch.onnx.export(model, example, dynamo=True, dynamic_shapes=shapes, verbose=False)
    session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
    names = [given.name for given in session.get_inputs()]

    def run(*given):
        named = dict(zip(names, (x.numpy() for x in given), strict=True))
        return [torch.from_numpy(x) for x in session.run(None, named)]

    return run


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_onnx_runtime_gives_the_same(name):
    model, (example, other) = Whole(name), texts()
    run = onnx(model, (example,), WHOLE_SHAPES)
    for x in (example, other):
        torch.testing.assert_close(run(x)[0], model(x).detach(), **CLOSE)


@pytest.mark.parametrize("name", ["rotary", "longrope", "t5"])  # half a minute each on a busy machine
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_onnx_runtime_decodes(name):
    """Three steps, one token each, every one beside the cache that the one before gave."""
    step = Step(name)
    run = onnx(step, step_inputs(step, 2, 7, 3)[1], STEP_SHAPES)
    x, (_, _, *cache) = step_inputs(step, 3, 9, 3)
    whole, _ = step.first(x)
    for at in range(9, 12):
        out, *cache = run(x[:, at : at + 1], torch.arange(at, at + 1), *cache)
        torch.testing.assert_close(out, whole[:, at : at + 1], **CLOSE)


@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "sinusoidal"])
def test_torch_jit_trace_serves_other_lengths(name, grad):
    model, (example, other) = Whole(name), texts()
    with warnings.catch_warnings(), torch.set_grad_enabled(grad):
        warnings.simplefilter("ignore")  # it is deprecated, and warns that our checks run once
        traced = torch.jit.trace(model, (example,), check_trace=False)
        for x in (example, other):
            torch.testing.assert_close(traced(x), model(x), **CLOSE)


@pytest.mark.parametrize("encoding", [RotaryEmbedding(DIM), T5Bias(HEADS)], ids=["rotary", "t5"])
@torch.no_grad()
def test_torch_jit_trace_reads_positions_at_every_call(encoding):
    """A run of positions in the example must not become a fact about all texts."""

    class At(nn.Module):
        def forward(self, x, places):
            return attention(x, x, x, self.encoding, position_ids=places, causal=True)

    torch.manual_seed(0)
    x, model = torch.randn(1, HEADS, 6, DIM), At()
    model.encoding = encoding
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(model, (x, torch.arange(6)), check_trace=False)
        for places in (torch.arange(6), torch.tensor([4, 0, 9, 1, 3, 2])):
            torch.testing.assert_close(traced(x, places), model(x, places), **CLOSE)
