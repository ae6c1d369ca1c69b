"""The tree of choices: its leaves are calls that run; page 51 gives each its number and its evidence."""

import math
import re

import nbformat
import pytest
import torch

import posenc_lib
from experiments.length_generalisation.model import slowed
from posenc_book.figures import choosing
from posenc_book.stored import stored
from posenc_lib import RotaryEmbedding, RotarySpec
from tools.notebooks import ROOT

PART = ROOT / "book" / "5-practice"
LEAVES = [leaf for branch in choosing.TREE.values() for leaf in branch]
LLAMA = {"model_type": "llama", "head_dim": 16, "max_position_embeddings": 64, "rope_theta": 1e4}
EXAMPLE = {
    "head_dim": 16,
    "embed_dim": 64,
    "num_heads": 4,
    "trained": 32,
    "system": 8,
    "answer": 8,
    "base": 5e5,
    "config": LLAMA,
    "rope": RotaryEmbedding(RotarySpec(16)),
    "torch": torch,
    "tokens": torch.ones(1, 64),
    "longer": {"factor": 8.0, "original_max_position_embeddings": 32},
    "step": {"factor": 8.0, "original_max_position_embeddings": 32, "beta_fast": 1.0, "beta_slow": 1.0},
    "layer": 1,
    "fast": {"partial_rotary_factor": 0.25},
    "q": torch.ones(1, 4, 8, 16),
    "k": torch.ones(1, 4, 8, 16),
    "v": torch.ones(1, 4, 8, 16),
    "cos": torch.ones(8, 8),
    "sin": torch.zeros(8, 8),
}


def page():
    return nbformat.read(PART / "51-choosing.ipynb", as_version=4)


def table():
    """The rows of the page's answer, folded or open: what is needed; call, number and evidence."""
    parts = [c.source for c in page().cells if c.source.startswith("| You need |")]
    lines = "\n".join(parts).splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| **")]


def test_the_alternative_text_of_the_tree_holds_every_leaf():
    plot = choosing.tree()
    assert all(f"{leaf.need}: {leaf.take}, {leaf.evidence}" in plot.alt for leaf in LEAVES)


@pytest.mark.parametrize("call", sorted({leaf.call for leaf in LEAVES}))
def test_a_leaf_is_a_call_that_runs(call):
    assert eval(call, {name: getattr(posenc_lib, name) for name in posenc_lib.__all__}, EXAMPLE) is not None


def test_the_table_follows_the_tree_leaf_by_leaf():
    rows = table()
    assert len(rows) == len(LEAVES)
    for (need, known), leaf in zip(rows, LEAVES, strict=True):
        assert leaf.need.split()[-1] in need
        assert known.startswith(f"`{leaf.call}`<br>") and f" *{leaf.evidence.capitalize()}" in known


def test_yarn_as_a_step_is_what_was_measured():
    step = RotarySpec(16, scaling="yarn", params=EXAMPLE["step"]).inv_freq()
    torch.testing.assert_close(step, slowed(8.0, fast=False)().spec.inv_freq(), rtol=1e-14, atol=0)


def test_the_base_in_the_table_meets_the_criterion_from_the_certified_one_on():
    rows = stored("49-base-bounds")["rows"]
    safe = {row["length"]: row["safe"]["base"] for row in rows if row["safe"]}
    (told,) = (known for _, known in table() if "as released for 8192 tokens" in known)
    (base,) = map(int, re.findall(r"base=([\d_]+)\)", told))
    assert safe[8192] <= base and f"every base from {math.ceil(safe[8192]):,} on" in told
    words = next(c.source for c in page().cells if "the safe base is" in c.source)
    for tokens, base in ((2048, "22,765"), (8192, "394,328"), (32768, "3,325,752")):
        assert f"{math.ceil(safe[tokens]):,}" == base and base in words
