"""Models leave Python, whole or as a decode step: without this library, in ONNX Runtime, traced.

What differs between encodings stands side by side in one model, because each export takes seconds.
"""

import subprocess
import sys
import warnings

import pytest
import torch
from pairs import BY_LENGTH, DIM, HEADS, made
from torch import nn
from whole_runs import WHOLE_RUNS, whole_runs

from posenc_lib import BIASES, KVCache, MultiHeadAttention, RotaryEmbedding, T5Bias, attention

WIDTH = HEADS * DIM
# A rotation, a table and a formula; once a week all of them.
NAMES = ["none", "rotary", "shaw", *BIASES] if WHOLE_RUNS else ["rotary", "t5", "fire"]
WHOLE = [*NAMES, "sinusoidal"]
# A cache does not ask which encoding it serves: each stands beside one that grows, or one of a fixed size.
CACHES = {"growing": ["longrope", "t5"], "fixed": ["rotary", "shaw"]}
# float32 sums in another order
CLOSE = {"rtol": 0, "atol": 2e-6}


def dims(**names):
    return {name: torch.export.Dim(name, min=least, max=512) for name, least in names.items()}


D = dims(batch=1, length=2, held=1, new=1)
WHOLE_SHAPES = ({0: D["batch"], 1: D["length"]},)
HELD = [{0: D["batch"], 2: D["held"]}, {0: D["batch"], 2: D["held"]}, {0: D["held"]}]


class Whole(nn.Module):
    """Outputs in the order of ``WHOLE``: attention with each encoding, and a layer that adds one."""

    def __init__(self):
        super().__init__()
        encodings = {name: made(name, dtype=torch.float32) for name in WHOLE}
        torch.manual_seed(0)
        self.layer = MultiHeadAttention(WIDTH, HEADS, encodings.pop("sinusoidal"))
        modules = {name: encoding or nn.Identity() for name, encoding in encodings.items()}
        self.encodings = nn.ModuleDict(modules)

    def forward(self, x):
        q, k, v = x.unflatten(-1, (3, HEADS, DIM)).permute(2, 0, 3, 1, 4).unbind()
        outs = []
        for name, encoding in self.encodings.items():
            outs.append(attention(q, k, v, encoding if name != "none" else None, causal=True))
        return [*outs, self.layer(x[..., :WIDTH], causal=True)]


class Steps(nn.Module):
    """Tensors in and out, as an engine holds them; ``used`` where the cache is preallocated."""

    def __init__(self, names):
        super().__init__()
        self.layers = nn.ModuleList()
        lengths = [64 if name in BY_LENGTH else None for name in names]
        self.told = [{"causal": True, "length": length, "return_cache": True} for length in lengths]
        for name in names:
            encoding = made(name, dtype=torch.float32)
            torch.manual_seed(0)
            given = {"num_kv_heads": 2, "qk_norm": True, "dropout": 0.1}
            self.layers.append(MultiHeadAttention(WIDTH, HEADS, encoding, **given))
        self.eval().requires_grad_(False)

    def forward(self, x, places, caches):
        outs = []
        for layer, told, (k, v, held, *used) in zip(self.layers, self.told, caches, strict=True):
            cache = KVCache(k, v, held, *(used or [None]), told["length"])
            out, cache = layer(x, position_ids=places, cache=cache, **told)
            outs.append([out, *cache[: 3 + len(used)]])
        return outs

    def first(self, x):
        at = torch.arange(x.shape[1])
        return [layer(x, position_ids=at, **told) for layer, told in zip(self.layers, self.told, strict=True)]


def texts():
    """What a model is exported with, and a text of other sizes."""
    torch.manual_seed(1)
    return torch.randn(2, 7, 3 * WIDTH), torch.randn(3, 11, 3 * WIDTH)


def step_inputs(steps, batch, tokens, new, slots=None):
    """New tokens, their positions, and the tensors of caches of ``tokens`` tokens."""
    torch.manual_seed(batch)
    x = torch.randn(batch, tokens + new, WIDTH)
    caches = [cache for _, cache in steps.first(x[:, :tokens])]
    caches = caches if slots is None else [cache.preallocated(slots) for cache in caches]
    held = [[t for t in cache[:4] if t is not None] for cache in caches]
    return x, (x[:, tokens:].clone(), torch.arange(tokens, tokens + new), held)


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
def whole():
    model, (example, _) = Whole(), texts()
    return model, torch.export.export(model, (example,), strict=False, dynamic_shapes=WHOLE_SHAPES)


@pytest.fixture(scope="module")
def growing():
    steps = Steps(CACHES["growing"])
    shapes = {0: D["batch"], 1: D["new"]}, {0: D["new"]}, [HELD] * len(steps.layers)
    example = step_inputs(steps, 2, 7, 3)[1]
    return steps, torch.export.export(steps, example, strict=False, dynamic_shapes=shapes)


@pytest.fixture(scope="module")
def elsewhere(whole, growing, tmp_path_factory):
    """What exported programs give, in one process that cannot import this library."""
    folder, fixed = tmp_path_factory.mktemp("exported"), Steps(CACHES["fixed"])
    at_7, at_12 = (step_inputs(fixed, 2, n, 1, slots=16)[1] for n in (7, 12))
    programs = {
        "whole": (whole[1], texts()[1:]),
        "growing": (growing[1], step_inputs(growing[0], 3, 12, 5)[1]),
        "fixed": (torch.export.export(fixed, at_7, strict=False), at_12),
    }
    for name, (program, given) in programs.items():
        torch.save(given, folder / f"{name}.in.pt")
        torch.export.save(program, folder / f"{name}.pt2")
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(folder), *programs], check=True)
    return {name: torch.load(folder / f"{name}.out.pt") for name in programs}


@pytest.mark.parametrize("name", WHOLE)
def test_exported_programs_run_without_the_library(name, elsewhere, whole):
    at = WHOLE.index(name)
    torch.testing.assert_close(elsewhere["whole"][at], whole[0](texts()[1])[at], **CLOSE)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in CACHES.items() for name in names])
def test_a_decode_step_runs_without_the_library(name, kind, elsewhere):
    """A growing one serves other batches and lengths."""
    steps, batch, new = Steps([name]), *((3, 5) if kind == "growing" else (2, 1))
    ((whole, cache),) = steps.first(step_inputs(steps, batch, 12, new)[0])
    out, k, v, held, *used = elsewhere[kind][CACHES[kind].index(name)]
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


def onnx(program):
    """What calls an exported program in ONNX Runtime."""
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    written = torch.onnx.export(program, dynamo=True, optimize=False, verbose=False).model_proto
    session = onnxruntime.InferenceSession(written.SerializeToString())
    names = [given.name for given in session.get_inputs()]

    def run(*given):
        named = dict(zip(names, (x.numpy() for x in given), strict=True))
        return [torch.from_numpy(x) for x in session.run(None, named)]

    return run


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
@whole_runs
def test_onnx_runtime_gives_the_same(whole):
    model, program = whole
    run = onnx(program)
    for x in texts():
        for name, one, other in zip(WHOLE, run(x), model(x), strict=True):
            torch.testing.assert_close(
                one, other.detach(), **CLOSE, msg=lambda said, name=name: f"{name}: {said}"
            )


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
@whole_runs
def test_onnx_runtime_decodes(growing):
    """Three steps, one token each, every one beside the caches that the one before gave."""
    steps, program = growing
    run = onnx(program)
    x, (_, _, caches) = step_inputs(steps, 3, 9, 3)
    for at in range(9, 12):
        given = x[:, at : at + 1], torch.arange(at, at + 1), *(t for cache in caches for t in cache)
        found = run(*given)
        outs, caches = found[::4], [found[i + 1 : i + 4] for i in range(0, len(found), 4)]
        for out, (whole, _) in zip(outs, steps.first(x), strict=True):
            torch.testing.assert_close(out, whole[:, at : at + 1], **CLOSE)


@pytest.mark.parametrize("encoding", [RotaryEmbedding(DIM), T5Bias(HEADS)], ids=["rotary", "t5"])
@torch.no_grad()
def test_torch_jit_trace_reads_positions_at_every_call(encoding):
    """A run of positions in the example, or its length, must not become a fact about all texts."""

    class At(nn.Module):
        def forward(self, x, places):
            return attention(x, x, x, self.encoding, position_ids=places, causal=True)

    torch.manual_seed(0)
    x, model = torch.randn(1, HEADS, 9, DIM), At()
    model.encoding = encoding
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(model, (x[:, :, :6], torch.arange(6)), check_trace=False)
        for places in (torch.arange(9), torch.tensor([4, 0, 9, 1, 3, 2])):
            given = x[:, :, : len(places)], places
            torch.testing.assert_close(traced(*given), model(*given), **CLOSE)
