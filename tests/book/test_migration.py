"""What the migration page says about transformers, checked against the installed transformers."""

import inspect
import json
import re

import pytest
import torch

from posenc_lib import RotarySpec, apply_rotary_pos_emb, cos_sin
from tools.notebooks import ROOT

transformers = pytest.importorskip("transformers")
from transformers.models.gptj import modeling_gptj  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402

MODELS = json.loads((ROOT / "posenc_lib" / "hf" / "config" / "models.json").read_text(encoding="utf-8"))
ORIGINAL = 16
ROPES = {
    "default": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": ORIGINAL},
    "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": ORIGINAL},
}  # fmt: skip


def llama(kind):
    longest = ORIGINAL if kind == "dynamic" else 4 * ORIGINAL
    return transformers.LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        max_position_embeddings=longest,
        rope_parameters={"rope_type": kind, "rope_theta": 10000.0, **ROPES[kind]},
    )


def test_apply_rotary_pos_emb_takes_the_same_arguments():
    """Theirs has had an unused position_ids in between; by keyword the two agree."""
    theirs = inspect.signature(modeling_llama.apply_rotary_pos_emb).parameters
    ours = inspect.signature(apply_rotary_pos_emb).parameters
    assert [name for name in theirs if name != "position_ids"] == list(ours)
    assert theirs["unsqueeze_dim"].default == ours["unsqueeze_dim"].default == 1


@pytest.mark.parametrize("unsqueeze_dim", [1, 2])
def test_their_tables_give_their_rotation(unsqueeze_dim):
    rotary = modeling_llama.LlamaRotaryEmbedding(llama("default"))
    shape = (2, 4, 6, 16) if unsqueeze_dim == 1 else (2, 6, 4, 16)
    q, k = torch.randn(shape), torch.randn(shape)
    cos, sin = rotary(q, torch.arange(6).expand(2, 6))
    theirs = modeling_llama.apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=unsqueeze_dim)
    ours = apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=unsqueeze_dim)
    # products of numbers of size 4 rounded to float32 (2^-22), ours fused with the sum
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", ROPES)
def test_attention_scaling_is_attention_factor(kind):
    config = llama(kind)
    spec = RotarySpec.from_hf_config(config)
    rotary = modeling_llama.LlamaRotaryEmbedding(config)
    assert float(rotary.attention_scaling) == pytest.approx(spec.attention_factor(), rel=1e-12)
    assert spec.scaling == kind and spec.layout == "half" and spec.base == 10000.0


def test_tables_are_doubled_halves_and_float32_angles_reproduce_them():
    config = llama("default")
    rotary = modeling_llama.LlamaRotaryEmbedding(config)
    position_ids = torch.arange(0, 4096, 97)[None]
    theirs = rotary(torch.zeros(1), position_ids)
    ours = cos_sin(rotary.inv_freq, position_ids, angle_dtype=torch.float32)
    for doubled, half in zip(theirs, ours, strict=True):
        assert torch.equal(doubled[..., :8], doubled[..., 8:])
        assert torch.equal(doubled[..., :8], half)


def test_gptj_pairs_neighbours_and_llama_halves():
    x = torch.arange(1.0, 9.0)
    assert modeling_llama.rotate_half(x).tolist() == [-5, -6, -7, -8, 1, 2, 3, 4]
    every_two = modeling_gptj.rotate_every_two(x.view(1, 1, 1, 8)).flatten()
    assert every_two.tolist() == [-2, 1, -4, 3, -6, 5, -8, 7]


def test_the_model_types_that_the_page_names_turn_the_pairs_that_it_says():
    """The library's own table, which the sweep compares with the models' code."""
    page = (ROOT / "book" / "5-practice" / "55-migration.ipynb").read_text(encoding="utf-8")
    (row,) = re.findall(r"\| transformers \| (most models.*?) \| (.*?) \|", page)
    for layout, cell in zip(("half", "interleaved"), row, strict=True):
        named = [t for t in re.findall(r"`(\w+)`", cell) if not t.startswith("rotate_")]
        assert named and {MODELS.get(f"{t}_text", MODELS.get(t))["layout"] for t in named} == {layout}
