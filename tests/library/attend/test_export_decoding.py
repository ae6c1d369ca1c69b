"""A decode step beside its cache leaves Python: as an exported program, and in ONNX Runtime."""

import subprocess
import sys

import pytest
import torch
from torch import nn

from posenc_lib import BIASES, FIRE, KVCache, MultiHeadAttention, RelativeAttention, RotaryEmbedding

WIDTH, HEADS, SHARED, D = 32, 4, 2, 8
LONGROPE = {
    "short_factor": [1.0, 1.0, 1.5, 2.0],
    "long_factor": [1.0, 4.0, 8.0, 16.0],
    "original_max_position_embeddings": 8,
    "attention_factor": 1.2,
}
MADE = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(D),
    "longrope": lambda: RotaryEmbedding(D, scaling="longrope", params=LONGROPE),
    "shaw": lambda: RelativeAttention(D, 3),
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items() if name != "sandwich"},
    "fire": lambda: FIRE(HEADS, width=4),
}
# float32 sums in another order
CLOSE = {"rtol": 0, "atol": 2e-6}


class Step(nn.Module):
    """Tensors in and out, as an engine holds them; ``used`` where the cache is preallocated."""

    def __init__(self, name):
        super().__init__()
        torch.manual_seed(0)
        self.layer = MultiHeadAttention(
            WIDTH, HEADS, MADE[name](), num_kv_heads=SHARED, qk_norm=True, dropout=0.1
        )
        self.length = 64 if name == "longrope" else None
        self.eval().requires_grad_(False)

    def forward(self, x, places, k, v, held, used=None):
        cache = KVCache(k, v, held, used, self.length)
        out, cache = self.layer(
            x, position_ids=places, causal=True, length=self.length, cache=cache, return_cache=True
        )
        return out, *cache[: 3 if used is None else 4]

    def first(self, x):
        places = torch.arange(x.shape[1])
        return self.layer(x, position_ids=places, causal=True, length=self.length, return_cache=True)


def inputs(step, batch, tokens, new, slots=None):
    """New tokens, their positions, and the tensors of a cache of ``tokens`` tokens."""
    torch.manual_seed(batch)
    x = torch.randn(batch, tokens + new, WIDTH)
    _, cache = step.first(x[:, :tokens])
    cache = cache if slots is None else cache.preallocated(slots)
    tensors = [t for t in cache[:4] if t is not None]
    return x, (x[:, tokens:].clone(), torch.arange(tokens, tokens + new), *tensors)


BATCH, HELD, NEW = (torch.export.Dim(name, min=1, max=512) for name in ("batch", "held", "new"))
SHAPES = {
    "x": {0: BATCH, 1: NEW},
    "places": {0: NEW},
    "k": {0: BATCH, 2: HELD},
    "v": {0: BATCH, 2: HELD},
    "held": {0: HELD},
}
ELSEWHERE = """
import sys
sys.modules["posenc_lib"] = None  # as if it were not installed: importing it raises
import torch
folder, names = sys.argv[1], sys.argv[2:]
for name in names:
    given = torch.load(f"{folder}/{name}.in.pt")
    step = torch.export.load(f"{folder}/{name}.pt2").module()
    torch.save(step(*given), f"{folder}/{name}.out.pt")
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What exported steps give, in one process that cannot import this library."""
    folder = tmp_path_factory.mktemp("steps")
    names = []
    for name in MADE:
        step = Step(name)
        _, example = inputs(step, 2, 7, 3)
        _, other = inputs(step, 3, 12, 5)
        names.append(f"{name} growing")
        torch.save(other, folder / f"{names[-1]}.in.pt")
        program = torch.export.export(step, example, dynamic_shapes=SHAPES, strict=False)
        torch.export.save(program, folder / f"{names[-1]}.pt2")
        _, example = inputs(step, 2, 7, 1, slots=16)
        _, other = inputs(step, 2, 12, 1, slots=16)
        names.append(f"{name} preallocated")
        torch.save(other, folder / f"{names[-1]}.in.pt")
        torch.export.save(torch.export.export(step, example, strict=False), folder / f"{names[-1]}.pt2")
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(folder), *names], check=True)
    return {name: torch.load(folder / f"{name}.out.pt") for name in names}


@pytest.mark.parametrize("name", MADE)
def test_a_growing_step_serves_other_batches_and_lengths_without_the_library(name, elsewhere):
    step = Step(name)
    x, _ = inputs(step, 3, 12, 5)
    whole, cache = step.first(x)
    out, *grown = elsewhere[f"{name} growing"]
    torch.testing.assert_close(out, whole[:, 12:], **CLOSE)
    for got, expected in zip(grown, cache[:3], strict=True):
        torch.testing.assert_close(got, expected, **CLOSE)


@pytest.mark.parametrize("name", MADE)
def test_a_preallocated_step_serves_without_the_library(name, elsewhere):
    step = Step(name)
    x, _ = inputs(step, 2, 12, 1)
    whole, cache = step.first(x)
    out, k, v, held, used = elsewhere[f"{name} preallocated"]
    torch.testing.assert_close(out, whole[:, 12:], **CLOSE)
    assert int(used) == 13 and k.shape[2] == 16
    for got, expected in zip((k[:, :, :13], v[:, :, :13], held[:13]), cache[:3], strict=True):
        torch.testing.assert_close(got, expected, **CLOSE)


@pytest.mark.parametrize("name", ["rotary", "longrope", "t5"])  # half a minute each on a busy machine
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_onnx_runtime_decodes(name):
    """Three steps, one token each, every one beside the cache that the one before gave."""
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    step = Step(name)
    _, example = inputs(step, 2, 7, 3)
    program = torch.onnx.export(step, example, dynamo=True, dynamic_shapes=SHAPES, verbose=False)
    session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
    names = [given.name for given in session.get_inputs()]
    x, (_, _, *cache) = inputs(step, 3, 9, 3)
    whole, _ = step.first(x)
    cache = [t.numpy() for t in cache]
    for at in range(9, 12):
        given = [x[:, at : at + 1].numpy(), torch.arange(at, at + 1).numpy(), *cache]
        out, *cache = session.run(None, dict(zip(names, given, strict=True)))
        torch.testing.assert_close(torch.from_numpy(out), whole[:, at : at + 1], **CLOSE)
