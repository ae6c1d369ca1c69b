"""``apply_rotary_pos_emb`` in the place of the function of the same name in Hugging Face models."""

import pytest
import torch

from posenc_lib import (
    apply_rotary,
    apply_rotary_pos_emb,
    apply_rotary_qk,
    axial_frequencies,
    cos_sin,
    cos_sin_axes,
    inv_freq,
    positions_grid,
)
from posenc_lib.hf import liger_rotary, rotary_layer


def doubled(table):
    return torch.cat((table, table), dim=-1)


@pytest.mark.parametrize("unsqueeze_dim", [1, 2])
def test_hugging_face_drop_in(unsqueeze_dim):
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    q, k = torch.randn(2, 4, 6, 16), torch.randn(2, 2, 6, 16)
    if unsqueeze_dim == 2:
        q, k = q.transpose(1, 2), k.transpose(1, 2)
    cos, sin = cos_sin(inv_freq(16), torch.randint(0, 50, (2, 6)))
    theirs = llama.apply_rotary_pos_emb(q, k, doubled(cos), doubled(sin), unsqueeze_dim=unsqueeze_dim)
    for tables in ((doubled(cos), doubled(sin)), (cos, sin)):
        ours = apply_rotary_pos_emb(q, k, *tables, unsqueeze_dim=unsqueeze_dim)
        for a, b in zip(ours, theirs, strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=1e-6)  # two roundings of numbers below 8


@pytest.mark.parametrize("rotated", [4, 8])
def test_hugging_face_drop_in_with_partial_rotary(rotated):
    q, k = torch.randn(2, 4, 6, 16), torch.randn(2, 2, 6, 16)
    cos, sin = cos_sin(inv_freq(rotated), torch.arange(6)[None])
    ours = apply_rotary_pos_emb(q, k, doubled(cos), doubled(sin))
    expected = apply_rotary_qk(q, k, cos[:, None], sin[:, None])
    assert torch.equal(ours[0], expected[0]) and torch.equal(ours[1], expected[1])


def test_hugging_face_drop_in_compiled_for_any_length():
    compiled = torch.compile(apply_rotary_pos_emb, backend="eager", fullgraph=True, dynamic=True)
    for length in (6, 9):
        q, k = torch.randn(2, 4, length, 8), torch.randn(2, 2, length, 8)
        tables = [doubled(table)[None] for table in cos_sin(inv_freq(8), torch.arange(length))]
        assert all(map(torch.equal, compiled(q, k, *tables), apply_rotary_pos_emb(q, k, *tables)))


def test_hugging_face_drop_in_counts_axes_from_either_end_and_wants_equal_tables():
    q = torch.randn(2, 4, 6, 16)
    cos, sin = cos_sin(inv_freq(16), torch.arange(12).view(2, 6))
    for ours, same in zip(
        apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=-3),
        apply_rotary_pos_emb(q, q, cos, sin),
        strict=True,
    ):
        assert torch.equal(ours, same)
    with pytest.raises(ValueError, match="one shape"):
        apply_rotary_pos_emb(q, q, doubled(cos), sin)
    for no_axis_before_the_last in (-1, 3, 4):
        with pytest.raises(ValueError, match="unsqueeze_dim must be an axis of q before the last"):
            apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=no_axis_before_the_last)


def test_hugging_face_drop_in_takes_half_precision_with_tables_in_float32():
    q = torch.randn(2, 4, 6, 16).bfloat16()
    cos, sin = cos_sin(inv_freq(16), torch.arange(12).view(2, 6))
    turned, _ = apply_rotary_pos_emb(q, q, doubled(cos), doubled(sin))
    assert torch.equal(turned, apply_rotary(q, cos[:, None], sin[:, None]))


def test_hugging_face_drop_in_does_not_guess_at_position_zero():
    """There both halves of any table are equal; only without a factor do the two readings agree."""
    q = torch.randn(2, 4, 1, 16)
    start = torch.zeros(1, 1, dtype=torch.long)
    assert torch.equal(apply_rotary_pos_emb(q, q, *cos_sin(inv_freq(16), start))[0], q)
    scaled = cos_sin(inv_freq(16), start, attention_factor=1.3)
    with pytest.raises(ValueError, match="half-width for 16 channels or doubled for 8"):
        apply_rotary_pos_emb(q, q, *scaled)
    whole = apply_rotary_pos_emb(q, q, *(doubled(table) for table in scaled))[0]
    torch.testing.assert_close(whole, 1.3 * q)
    partial = cos_sin(inv_freq(8), start + 1, attention_factor=1.3)
    expected = apply_rotary_qk(q, q, *(table[:, None] for table in partial))[0]
    assert torch.equal(apply_rotary_pos_emb(q, q, *(doubled(table) for table in partial))[0], expected)
    with pytest.raises(ValueError, match="one shape"):
        apply_rotary_pos_emb(q, q, scaled[0], scaled[1][0, 0, 0])


def pairs(table):
    return table.repeat_interleave(2, dim=-1)


TAKE_DOUBLED = {"drop-in": apply_rotary_pos_emb, "layer": rotary_layer()(), "liger": liger_rotary()}


@pytest.mark.parametrize("turn", TAKE_DOUBLED.values(), ids=TAKE_DOUBLED)
@pytest.mark.parametrize("tokens", [1, 6])
def test_tables_for_neighbours_are_no_doubled_ones(turn, tokens):
    q = torch.randn(1, 4, tokens, 16)
    tables = cos_sin(inv_freq(16), torch.arange(3, 3 + tokens)[None])
    assert torch.equal(turn(q, q, *map(doubled, tables))[0], apply_rotary(q, *tables))
    with pytest.raises(ValueError, match=r"halves differ: of tables for neighbours .*'interleaved'"):
        turn(q, q, *map(pairs, tables))


ONCE = {"apply_rotary": lambda q, *tables, **named: apply_rotary(q, *tables, **named)}
ONCE["apply_rotary_qk"] = lambda q, *tables, **named: apply_rotary_qk(q, q, *tables, **named)[0]


@pytest.mark.parametrize("turn", ONCE.values(), ids=ONCE)
@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_doubled_tables_of_a_partial_rotary_are_not_taken_for_planes(turn, seq_dim):
    """As GPT-NeoX, Phi and StableLM hand them over. On a diagonal halves may be equal."""
    q = torch.randn(2, 6, 6, 16)
    tables = [torch.stack((t, t)) for t in cos_sin(inv_freq(8), torch.arange(6))]
    assert turn(q, *tables, seq_dim=seq_dim).shape == q.shape
    with pytest.raises(ValueError, match=r"one column a plane, got \[2, .*8\] whose halves are equal"):
        turn(q, *map(doubled, tables), seq_dim=seq_dim)
    image = cos_sin_axes(axial_frequencies(16, 2), positions_grid(2, 3))
    assert turn(q, *image, seq_dim=seq_dim).shape == q.shape
    one = cos_sin_axes(axial_frequencies(16, 2), torch.tensor([[5], [5]]))
    assert turn(q[:, :1, :1], *one, seq_dim=seq_dim).shape == (2, 1, 1, 16)
