"""The slots of other projects, filled: the same logits, turns and gradients as what stood there.

Hugging Face's kernels, Liger and torchtitan fill their slots themselves, each in a process of its own; the
last two where ``tests/peers.txt`` is installed. What is asked of a slot is written out besides, so that the
other tests need none of them: formulas of Liger 0.8.5 and torchtitan 0.3.0, and what kernels 0.17 asks of a
layer.
"""

import ast
import functools
import inspect
import json
import re
import subprocess
import sys
import types
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path

import pytest
import torch
from torch import nn

from posenc_lib import RotaryEmbedding, RotarySpec, apply_rotary_qk, cos_sin, inv_freq
from posenc_lib.hf import liger_rotary, rotary_layer, titan_rotary

transformers = pytest.importorskip("transformers")
from transformers import LlamaConfig, LlamaForCausalLM  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402
from transformers.models.nanochat import modeling_nanochat  # noqa: E402

F64 = torch.float64
SMALL = LlamaConfig(
    vocab_size=31, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=64,
)  # fmt: skip
THETA, AT = inv_freq(16), torch.tensor([[0, 1, 2, 7, 40], [3, 4, 5, 6, 63]])
ANGLE = AT[..., None] * THETA
DOUBLED = torch.cat((ANGLE, ANGLE), -1)


def vectors(dtype=F64, heads_last=False):
    generator = torch.Generator().manual_seed(0)
    made = [torch.randn(2, heads, 5, 16, dtype=dtype, generator=generator) for heads in (4, 2)]
    return [x.transpose(1, 2).contiguous() for x in made] if heads_last else made


def same(pair, others, apart=1e-12):
    return all(torch.allclose(a, b, rtol=0, atol=apart) for a, b in zip(pair, others, strict=True))


@pytest.mark.parametrize("fill", [lambda: rotary_layer()(), liger_rotary], ids=["kernels", "Liger"])
def test_a_llama_with_the_slot_filled_has_the_same_logits_and_gradients(fill, monkeypatch):
    torch.manual_seed(0)
    model = LlamaForCausalLM(SMALL).double().eval()
    ids = torch.arange(20)[None] % 31
    seen, calls = [], []
    for filled in (False, True):
        if filled:
            counted = functools.partial(lambda turn, *given: calls.append(1) or turn(*given), fill())
            monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", counted)
        model.zero_grad()
        out = model(ids, labels=ids)
        out.loss.backward()
        seen.append((out.logits.detach(), model.model.layers[0].self_attn.q_proj.weight.grad.clone()))
    assert len(calls) == 2 and same(*seen)


def test_the_layer_is_what_kernels_accepts_in_place_of_the_models_function():
    layer = rotary_layer()
    own = layer.__dict__.keys() - nn.Module.__dict__.keys() - {"__module__", "__doc__", "__qualname__"}
    assert own - {"__firstlineno__", "__static_attributes__"} == {"can_torch_compile", "has_backward"}
    assert layer.__init__ is nn.Module.__init__ and layer.can_torch_compile and layer.has_backward
    ours = list(inspect.signature(layer.forward).parameters.values())[1:]
    theirs = inspect.signature(modeling_llama.apply_rotary_pos_emb).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in theirs]
    stands_in = nn.Module()  # how kernels puts it there
    stands_in.forward = types.MethodType(layer.forward, stands_in)
    q, k = vectors()
    tables = DOUBLED.cos(), DOUBLED.sin()
    assert same(stands_in(q, k, *tables), modeling_llama.apply_rotary_pos_emb(q, k, *tables))


PEERS = Path(sys.prefix) / "peers"
installed = pytest.mark.skipif(not PEERS.is_dir(), reason="make installs tests/peers.txt")
with_kernels = pytest.mark.skipif(  # of this name there is a folder of tests, too, so nothing is imported
    not list(distributions(name="kernels")), reason="make installs tests/requirements.txt"
)


def printed(program, *arguments):
    """What a program beside this file prints at last."""
    command = [sys.executable, str(Path(__file__).with_name(program)), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("program", "needs"),
    [
        pytest.param("filled_slot.py", [], marks=with_kernels),
        pytest.param("filled_liger.py", [PEERS], marks=installed),
    ],
    ids=["kernels", "Liger"],
)
def test_the_library_itself_fills_its_slot_in_a_llama_and_nothing_else_changes(program, needs):
    found = printed(program, *needs)
    assert found["calls"] == ["half"] * SMALL.num_hidden_layers  # none before it was put there
    assert max(found["apart"]) < 1e-12 < 1e-4 < min(found["size"])


@installed
def test_torchtitan_s_own_modules_turn_by_ours():
    """A subclass with our function, as page 57 writes it, in float32; and its tables, by a spec of ours."""
    found = printed("filled_titan.py", PEERS)
    assert len(found) == 5
    for kind in found.values():
        assert max(kind["turned"], kind["at positions"]) < 1e-6 < 1 < kind["turn"]
        assert kind["table"] < 1e-5  # its angles, up to 127, are float32


@installed
def test_the_arguments_of_both_are_those_of_the_slots():
    """Order, names and defaults, as their sources write them."""
    liger, titan = (source("liger_kernel/transformers/rope.py"), source("torchtitan/models/common/rope.py"))
    theirs = [node.args for node in liger.body if getattr(node, "name", "") == "liger_rotary_pos_emb"]
    for turn, forms in ((liger_rotary(), theirs), (titan_rotary(), list(methods(titan, "apply_rotary_emb")))):
        assert forms
        for form in forms:
            assert arguments(turn) == (
                [one.arg for one in form.args], [ast.literal_eval(one) for one in form.defaults]
            )  # fmt: skip


def source(path):
    return ast.parse((PEERS / path).read_text("utf-8"))


def methods(tree, name):
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return (node.args for one in classes for node in one.body if getattr(node, "name", "") == name)


def arguments(function):
    """Names, and the defaults of the last."""
    given = inspect.signature(function).parameters.values()
    return [p.name for p in given], [p.default for p in given if p.default is not p.empty]


NAMED = re.compile(r'from_hub\("rotary_pos_emb"\)\s*(?:[@#].*\s*)*def apply_rotary_pos_emb\(')
FILES = sorted(Path(transformers.__file__).parent.glob("models/*/modeling_*.py"))
TYPES = [file.parent.name for file in FILES if NAMED.search(file.read_text("utf-8"))]


def test_which_models_turn_otherwise_under_the_name_of_the_slot():
    """What the page of slots says: of so many types all but three turn as the layer does."""
    q, k = vectors()
    tables, once = (DOUBLED.cos(), DOUBLED.sin()), (ANGLE.cos(), ANGLE.sin())
    others = {}
    for kind in TYPES:
        theirs = import_module(f"transformers.models.{kind}.modeling_{kind}").apply_rotary_pos_emb
        try:
            if not same(theirs(q, k, *tables), rotary_layer()()(q, k, *tables), apart=1e-5):  # some: float32
                others[kind] = "turns otherwise"
        except RuntimeError:  # it wants tables of half the width
            ours = rotary_layer(doubled=False)()
            others[kind] = "once" if same(theirs(q, k, *once), ours(q, k, *once)) else "once, otherwise"
    told = {"gpt_oss": "once", "nanochat": "turns otherwise", "openai_privacy_filter": "once, otherwise"}
    assert others == told
    assert len(TYPES) == 120 or transformers.__version__ != "5.23.0"
    privacy = import_module("transformers.models.openai_privacy_filter.modeling_openai_privacy_filter")
    neighbours = apply_rotary_qk(q, k, *once, layout="interleaved")
    assert same(privacy.apply_rotary_pos_emb(q, k, *once), neighbours)


def test_nanochat_turns_the_other_way_under_the_same_name():
    q, k = vectors()
    theirs = modeling_nanochat.apply_rotary_pos_emb(q, k, DOUBLED.cos(), DOUBLED.sin())
    assert not same(rotary_layer()()(q, k, DOUBLED.cos(), DOUBLED.sin()), theirs)
    assert same(rotary_layer()()(q, k, DOUBLED.cos(), -DOUBLED.sin()), theirs)


@pytest.mark.parametrize("width", [6, 8])
def test_liger_takes_tables_without_a_batch_and_partial_ones(width):
    q, k = vectors()
    cos, sin = (torch.cat((t, t), -1) for t in cos_sin(inv_freq(width), torch.arange(5), dtype=F64))
    want = apply_rotary_qk(q, k, *(table[:, : width // 2] for table in (cos, sin)))
    assert same(liger_rotary()(q, k, cos, sin), want)
    assert same(liger_rotary()(q, k, cos[:, : width // 2], sin[:, : width // 2], AT, rotary_dim=width), want)


@pytest.mark.parametrize("batch", [1, 2])
def test_torchtitan_table_from_our_spec(batch):
    """Its ``_precompute_cache``, from ours, for neighbours as complex numbers."""
    rope, (q, k) = (
        RotaryEmbedding(RotarySpec(16, layout="interleaved")),
        vectors(torch.float32, heads_last=True),
    )
    cache, want = (
        torch.complex(*rope.tables(AT[:batch]))[:, :, None],
        rope(q, k, AT[:batch].expand(2, -1), seq_dim=-3),
    )
    assert all(torch.equal(a, b) for a, b in zip(titan_rotary()(q, k, cache), want, strict=True))


def test_the_fused_kernel_fits_all_three(monkeypatch):
    pytest.importorskip("triton")
    from posenc_lib.kernels import fused_rotary_qk

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cpu":
        monkeypatch.setenv("TRITON_INTERPRET", "1")
    q, k = (x.to(device) for x in vectors(torch.float32))
    cos, sin = (table.to(device) for table in cos_sin(THETA, AT))
    tables = [torch.cat((table, table), -1) for table in (cos, sin)]
    want = apply_rotary_qk(q, k, cos, sin)
    heads_last = [x.transpose(1, 2) for x in (q, k)]
    pairs = apply_rotary_qk(q, k, cos, sin, layout="interleaved")
    for got, expected in (
        (rotary_layer(fused_rotary_qk)()(q, k, *tables), want),
        (liger_rotary(fused_rotary_qk)(q, k, *tables), want),
        (titan_rotary(fused_rotary_qk)(*heads_last, torch.cat(tables, -1)[:, :, None]),
         [x.transpose(1, 2) for x in want]),
        (titan_rotary(fused_rotary_qk)(*heads_last, torch.complex(cos, sin)[:, :, None]),
         [x.transpose(1, 2) for x in pairs]),
    ):  # fmt: skip
        for a, b in zip(got, expected, strict=True):
            torch.testing.assert_close(a, b, rtol=3e-7, atol=6e-7)
