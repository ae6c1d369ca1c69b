"""What the migration page says about transformers, checked against the installed transformers."""

import inspect
import json
import re

import pytest
import torch

from posenc_lib import apply_rotary_pos_emb, cos_sin
from tools.notebooks import ROOT

transformers = pytest.importorskip("transformers")
from transformers.models.gptj import modeling_gptj  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402

MODELS = json.loads((ROOT / "posenc_lib" / "hf" / "config" / "models.json").read_text(encoding="utf-8"))


def test_apply_rotary_pos_emb_takes_the_same_arguments():
    """Theirs has had an unused position_ids in between; by keyword the two agree."""
    theirs = inspect.signature(modeling_llama.apply_rotary_pos_emb).parameters
    ours = inspect.signature(apply_rotary_pos_emb).parameters
    assert [name for name in theirs if name != "position_ids"] == list(ours)
    assert theirs["unsqueeze_dim"].default == ours["unsqueeze_dim"].default == 1


def test_tables_are_doubled_halves_and_float32_angles_reproduce_them():
    rotary = modeling_llama.LlamaRotaryEmbedding(transformers.LlamaConfig(head_dim=16))
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
