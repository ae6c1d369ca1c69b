"""The parts of use_in by themselves: where it compares, what it takes for a rotation, which lengths."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from transformers import LlamaConfig, LlamaModel

from posenc_lib import RotarySpec
from posenc_lib.hf import specs, use_in
from posenc_lib.hf.check import COUNTED, UNSAID, _near_and_far
from posenc_lib.hf.signatures import turns
from posenc_lib.hf.table_formats import Form, form_of

LONG = {"short_factor": (1.0,) * 4, "long_factor": (2.0,) * 4, "original_max_position_embeddings": 64}


@pytest.mark.parametrize(("longest", "last"), [(80, 79), (10 * COUNTED, COUNTED - 1), (None, UNSAID - 1)])
def test_tables_are_compared_to_the_last_position_in_steps_of_ten_at_most(longest, last):
    config = SimpleNamespace(max_position_embeddings=longest)
    found = _near_and_far(RotarySpec(8), config, None).tolist()
    assert found[:5] == [0, 1, 2, 3, 7] and found[-2:] == [last - 1, last]
    assert all(low < high <= 10 * low for low, high in pairwise(found[1:]))


@pytest.mark.parametrize(("length", "last"), [(None, 63), (10_000, 9_999)])
def test_a_scaling_by_length_is_compared_up_to_that_length(length, last):
    spec = RotarySpec(8, scaling="longrope", params={**LONG, "factor": 2.0})
    assert _near_and_far(spec, SimpleNamespace(max_position_embeddings=10**6), length)[-1] == last


def test_tables_have_a_form_to_the_bit_or_none():
    once = torch.rand(1, 5, 4), torch.rand(1, 5, 4)
    for width in ("once", "halves", "pairs", "complex"):
        assert form_of("a model", Form(width).tables(*once), 4) == Form(width)
    off = Form("halves").tables(*once)
    off[1][0, 0, 7] += 1e-7
    for tables, planes in ((off, 4), (once, 3), (once[0], 4), ((*once, once[0]), 4)):
        with pytest.raises(
            ValueError, match=rf"a model gives tables of shape .* not known for {planes} planes"
        ):
            form_of("a model", tables, planes)


def turn(q, k, cos, sin, unsqueeze_dim=1):
    raise AssertionError("only its arguments are looked at")


def other(q, k, cosine, sine, unsqueeze_dim=1):
    raise AssertionError("only its arguments are looked at")


def by_complex(xq, xk, freqs_cis):
    raise AssertionError("only its arguments are looked at")


def test_a_function_is_known_by_its_arguments_and_the_form_of_its_tables():
    halves, numbers = Form("halves"), Form("complex")
    found = [(each.layout, each.gathers) for each in turns(turn, halves, "interleaved")]
    assert found == [("interleaved", False), ("half", False), ("interleaved", True)]
    assert [each.heads for each in turns(by_complex, numbers, "interleaved")] == [1, 2]
    assert (
        turns(other, halves, "half")
        == turns(turn, numbers, "half")
        == turns(by_complex, halves, "half")
        == []
    )


def test_the_shortest_length_is_one():
    small = {"hidden_size": 32, "intermediate_size": 32, "num_attention_heads": 2, "vocab_size": 9}
    model = LlamaModel(LlamaConfig(num_hidden_layers=1, **small))
    use_in(model, length=1).restore()
    with pytest.raises(ValueError, match="length must be at least 1, got 0"):
        use_in(model, length=0)


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "smollm3", "max_position_embeddings": 64},
        {"model_type": "llama4_text", "attn_temperature_tuning": False},
    ],
    ids=lambda config: config["model_type"],
)
def test_layers_that_do_not_turn_need_no_word_where_there_is_no_temperature(config):
    layers = {"head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
    assert [spec is None for spec in specs(config | layers)] == [False, False, False, True]
