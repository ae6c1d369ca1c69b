"""The slots of other projects, filled: the same logits, turns and gradients as what stood there.

Hugging Face's kernels, Liger and torchtitan fill their slots themselves, each in a process of its own; the
last two where ``tests/peers.txt`` is installed. What is asked of a slot is written out besides, so that the
other tests need none of them: formulas of Liger 0.8.5 and torchtitan 0.3.0, and what kernels 0.17 asks of a
layer.
"""

import ast
import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path

import pytest
import torch
from whole_runs import sample

from posenc_lib import apply_rotary_qk, cos_sin, inv_freq
from posenc_lib.hf import liger_rotary, rotary_layer, titan_rotary

transformers = pytest.importorskip("transformers")
from small_llama import SMALL  # noqa: E402

F64 = torch.float64
THETA, AT = inv_freq(16), torch.tensor([[0, 1, 2, 7, 40], [3, 4, 5, 6, 63]])
ANGLE = AT[..., None] * THETA
DOUBLED = torch.cat((ANGLE, ANGLE), -1)


def vectors(dtype=F64):
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(2, heads, 5, 16, dtype=dtype, generator=generator) for heads in (4, 2)]


def same(pair, others, apart=1e-12):
    return all(torch.allclose(a, b, rtol=0, atol=apart) for a, b in zip(pair, others, strict=True))


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


SLOTS = [
    pytest.param("filled_slot.py", [], marks=with_kernels, id="kernels"),
    pytest.param("filled_liger.py", [PEERS], marks=installed, id="Liger"),
]


@pytest.mark.parametrize(("program", "needs"), sample(SLOTS, 2))
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
            defaults = [ast.literal_eval(one) for one in form.defaults]
            assert arguments(turn) == ([one.arg for one in form.args], defaults)


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


def test_which_models_turn_otherwise_under_the_name_of_the_slot():
    """What the page of slots says: of so many types all but three turn as the layer does."""
    q, k = vectors()
    tables, once = (DOUBLED.cos(), DOUBLED.sin()), (ANGLE.cos(), ANGLE.sin())
    files = Path(transformers.__file__).parent.glob("models/*/modeling_*.py")
    types, others = [file.parent.name for file in files if NAMED.search(file.read_text("utf-8"))], {}
    for kind in types:
        theirs = import_module(f"transformers.models.{kind}.modeling_{kind}").apply_rotary_pos_emb
        try:
            if not same(theirs(q, k, *tables), rotary_layer()()(q, k, *tables), apart=1e-5):  # some: float32
                others[kind] = "turns otherwise"
        except RuntimeError:  # it wants tables of half the width
            ours = rotary_layer(doubled=False)()
            others[kind] = "once" if same(theirs(q, k, *once), ours(q, k, *once)) else "once, otherwise"
    told = {"gpt_oss": "once", "nanochat": "turns otherwise", "openai_privacy_filter": "once, otherwise"}
    assert others == told
    nanochat = import_module("transformers.models.nanochat.modeling_nanochat").apply_rotary_pos_emb
    assert same(nanochat(q, k, *tables), rotary_layer()()(q, k, DOUBLED.cos(), -DOUBLED.sin()))
    assert len(types) == 120 or transformers.__version__ != "5.23.0"
    privacy = import_module("transformers.models.openai_privacy_filter.modeling_openai_privacy_filter")
    neighbours = apply_rotary_qk(q, k, *once, layout="interleaved")
    assert same(privacy.apply_rotary_pos_emb(q, k, *once), neighbours)


@pytest.mark.parametrize("width", [6, 8])
def test_liger_takes_tables_without_a_batch_and_partial_ones(width):
    q, k = vectors()
    cos, sin = (torch.cat((t, t), -1) for t in cos_sin(inv_freq(width), torch.arange(5), dtype=F64))
    want = apply_rotary_qk(q, k, *(table[:, : width // 2] for table in (cos, sin)))
    assert same(liger_rotary()(q, k, cos, sin), want)
    assert same(liger_rotary()(q, k, cos[:, : width // 2], sin[:, : width // 2], AT, rotary_dim=width), want)


def test_the_fused_kernel_fits_all_three(monkeypatch):
    pytest.importorskip("triton")
    from posenc_lib.kernels import fused_rotary_qk

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cpu":
        monkeypatch.setenv("TRITON_INTERPRET", "1")
    q, k = (x.to(device) for x in vectors(torch.float32))
    cos, sin = (table.to(device) for table in cos_sin(THETA, AT))
    tables, heads_last = [torch.cat((t, t), -1) for t in (cos, sin)], [x.transpose(1, 2) for x in (q, k)]
    for slot, given in (
        (lambda *turn: rotary_layer(*turn)(), (q, k, *tables)),
        (liger_rotary, (q, k, *tables)),
        (titan_rotary, (*heads_last, torch.cat(tables, -1)[:, :, None])),
        (titan_rotary, (*heads_last, torch.complex(cos, sin)[:, :, None])),
    ):
        torch.testing.assert_close(slot(fused_rotary_qk)(*given), slot()(*given), rtol=3e-7, atol=6e-7)
