"""The rotation as an algebra: group law, inverse, norm, relative scores; layers; tables in doubt."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from written import doubled

import posenc_lib as p
from posenc_lib.hf import liger_rotary, rotary_layer

LAYOUTS = ["half", "interleaved"]
positions = st.integers(-(2**20), 2**20)
F64 = torch.float64
# Two angles below 2²¹ rad, each off by half an ulp of 2²¹ (2.3e-10); everything else is smaller.
ANGLE = 1e-9


def turn(x, m, dim=8, layout="half", **kw):
    return p.apply_rotary(x, *p.cos_sin(p.inv_freq(dim), torch.tensor(m), dtype=x.dtype), layout=layout, **kw)


@given(m=positions, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=50, deadline=None)
def test_inverse_and_norm(m, layout):
    x = torch.linspace(-1, 1, 8, dtype=F64)
    y = turn(x, m, layout=layout)
    torch.testing.assert_close(turn(y, m, layout=layout, inverse=True), x, rtol=0, atol=1e-15)
    assert torch.equal(turn(x, m, layout=layout, inverse=True), turn(x, -m, layout=layout))
    torch.testing.assert_close(y.norm(), x.norm(), rtol=4e-16 * 4, atol=0)


@given(m=positions, n=positions, shift=positions, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=50, deadline=None)
def test_score_depends_on_m_minus_n_only(m, n, shift, layout):
    q, k = torch.linspace(-1, 1, 8, dtype=F64), torch.linspace(1, 0, 8, dtype=F64)
    score = turn(q, m, layout=layout) @ turn(k, n, layout=layout)
    shifted = turn(q, m + shift, layout=layout) @ turn(k, n + shift, layout=layout)
    torch.testing.assert_close(score, shifted, rtol=0, atol=4 * ANGLE)


def test_sign_a_key_at_n_seen_from_m_turns_by_m_minus_n():
    q, k = torch.randn(8, dtype=F64), torch.randn(8, dtype=F64)
    h = torch.complex(q[:4], q[4:]) * torch.complex(k[:4], k[4:]).conj()
    expected = (h * torch.exp(1j * 5 * p.inv_freq(8))).sum().real
    torch.testing.assert_close(turn(q, 12) @ turn(k, 7), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rerotating_moves_keys(layout):
    """And follows another scaling, as test_cache.py has it."""
    k, theta, at, kw = torch.randn(2, 5, 8, dtype=F64), p.inv_freq(8), torch.arange(5), {"layout": layout}
    cached = p.apply_rotary(k, *p.cos_sin(theta, at, dtype=F64), **kw)
    moved = p.apply_rotary(k, *p.cos_sin(theta, at - 9, dtype=F64), **kw)
    torch.testing.assert_close(p.rerotate(cached, -9, theta, **kw), moved, rtol=0, atol=1e-14)


def test_plain_numbers_are_positions_in_double_on_the_device_of_the_rest():
    theta = p.inv_freq(4)
    assert p.rotation_matrix(theta, 0.1)[0, 0].item() == math.cos(0.1)
    assert p.rotation_matrix(theta, 3, dtype=torch.bfloat16).dtype == torch.bfloat16
    assert p.rotation_matrix(theta.to("meta"), 3).device.type == "meta"
    assert p.rerotate(torch.randn(2, 4, device="meta"), 3, theta.to("meta")).device.type == "meta"
    assert p.rerotate(torch.randn(2, 4), 3, theta).dtype == torch.float32


def test_the_attention_factor_multiplies_both_tables():
    theta, at = p.inv_freq(8), torch.arange(9)
    plain = torch.stack(p.cos_sin(theta, at, dtype=F64))
    for factor in (1.0, 1.5, 2.0):
        scaled = p.cos_sin(theta, at, attention_factor=factor, dtype=F64)
        assert torch.equal(torch.stack(scaled), factor * plain)


X = torch.randn(2, 5, 4, 8, generator=torch.Generator().manual_seed(0))
AT = {"position_ids": torch.arange(10).view(2, 5) % 4}
AXES, NEIGHBOURS = {"sections": (2, 2)}, {"layout": "interleaved"}
PLACED = [({}, {}), ({"offset": 5}, NEIGHBOURS), ({"offset": 5}, AXES), (AT, AXES), (AT, NEIGHBOURS)]


@pytest.mark.parametrize(("given", "fields"), PLACED, ids=str)
@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_a_layer_turns_each_row_of_a_batch_by_its_own_positions(given, fields, seq_dim):
    """Whichever axis is the sequence; of the order that projections leave graphs and exports, too."""
    rope, q = p.RotaryEmbedding(8, **fields), X if seq_dim == -3 else X.transpose(1, 2)
    at = given.get("position_ids", torch.arange(5).expand(2, 5) + given.get("offset", 0))
    if fields.get("sections") and "position_ids" in given:
        given = {"position_ids": at.expand(2, 2, 5)}
    given = {**given, "seq_dim": seq_dim}
    ways = [rope]
    if seq_dim == -3 and "position_ids" in given:
        torch._dynamo.reset()
        ways.append(torch.compile(rope, fullgraph=True, backend="aot_eager"))
        ways.append(torch.export.export(rope, (q, q), given).module())
    for turned in (way(q, q, **given) for way in ways):
        rows = turned[0] if seq_dim == -2 else turned[0].transpose(1, 2)
        for row, x, places in zip(rows, X.transpose(1, 2), at, strict=True):
            expected = p.apply_rotary(x, *p.cos_sin(p.inv_freq(8), places), layout=rope.spec.layout)
            torch.testing.assert_close(row, expected, rtol=0, atol=1e-6)


ENCODINGS = {"none": lambda _: None, "rotary": lambda _: p.RotaryEmbedding(8), **p.BIASES}
ENCODINGS["shaw"] = lambda _: p.RelativeAttention(8, 2)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
def test_attention_takes_and_gives_either_order(name, backend):
    encoding, q, k, v = ENCODINGS[name](4), X, X[:, :, :2], X[:, :, 2:]
    given = {"causal": True, "mask": torch.rand(2, 1, 1, 5) > 0.2, "backend": backend}
    expected = p.attention(*(x.transpose(1, 2) for x in (q, k, v)), encoding, **given)
    got = p.attention(q, k, v, encoding, **given, seq_dim=-3)
    assert got.shape == q.shape
    torch.testing.assert_close(got, expected.transpose(1, 2), rtol=0, atol=1e-6)


def pairs(table):
    return table.repeat_interleave(2, dim=-1)


TAKE_DOUBLED = {"drop-in": p.apply_rotary_pos_emb, "layer": rotary_layer()(), "liger": liger_rotary()}


@pytest.mark.parametrize("turn", TAKE_DOUBLED.values(), ids=TAKE_DOUBLED)
@pytest.mark.parametrize("tokens", [1, 6])
def test_tables_for_neighbours_are_no_doubled_ones(turn, tokens):
    q, tables = torch.randn(1, 4, tokens, 16), p.cos_sin(p.inv_freq(16), torch.arange(3, 3 + tokens)[None])
    assert torch.equal(turn(q, q, *map(doubled, tables))[0], p.apply_rotary(q, *tables))
    with pytest.raises(ValueError, match=r"halves differ: of tables for neighbours .*'interleaved'"):
        turn(q, q, *map(pairs, tables))


@pytest.mark.parametrize("planes", [2, 4])
def test_doubled_tables_of_a_part_turn_that_part(planes):
    q, tables = torch.randn(2, 4, 6, 16), p.cos_sin(p.inv_freq(2 * planes), torch.arange(6)[None])
    for turn in (p.apply_rotary_pos_emb, rotary_layer(doubled=True)(), liger_rotary()):
        turned = turn(q, q, *map(doubled, tables))[0]
        assert torch.equal(turned, p.apply_rotary(q, *(table[:, None] for table in tables)))


def test_half_width_and_doubled_tables_are_not_told_apart_by_a_guess():
    """At position 0 both halves of any table are equal; only without a factor do the two readings agree."""
    q, start = torch.randn(2, 4, 1, 16), torch.zeros(1, 1, dtype=torch.long)
    assert torch.equal(p.apply_rotary_pos_emb(q, q, *p.cos_sin(p.inv_freq(16), start))[0], q)
    scaled = p.cos_sin(p.inv_freq(16), start, attention_factor=1.3)
    torch.testing.assert_close(p.apply_rotary_pos_emb(q, q, *map(doubled, scaled))[0], 1.3 * q)
    angle, odd = torch.randn(2, 5, 4, dtype=F64), torch.randn(2, 3, 5, 9, dtype=F64)
    turned, _ = p.apply_rotary_pos_emb(odd, odd, angle.cos(), angle.sin())  # 8 of 9 channels
    assert torch.equal(turned, p.apply_rotary(odd, angle.cos(), angle.sin()))


ONCE = {"apply_rotary": p.apply_rotary}
ONCE["apply_rotary_qk"] = lambda q, *tables, **named: p.apply_rotary_qk(q, q, *tables, **named)[0]


@pytest.mark.parametrize("turn", ONCE.values(), ids=ONCE)
@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_doubled_tables_of_a_partial_rotary_are_not_taken_for_planes(turn, seq_dim):
    """As GPT-NeoX, Phi and StableLM hand them over. On a diagonal halves may be equal."""
    q, plain = torch.randn(2, 6, 6, 16), p.cos_sin(p.inv_freq(8), torch.arange(6))
    tables = [torch.stack((table, table)) for table in plain]
    assert turn(q, *tables, seq_dim=seq_dim).shape == q.shape
    with pytest.raises(ValueError, match=r"one column a plane, got \[2, .*8\] whose halves are equal"):
        turn(q, *map(doubled, tables), seq_dim=seq_dim)
    for at in (p.positions_grid(2, 3), torch.tensor([[5], [5]])):
        image, x = p.cos_sin_axes(p.axial_frequencies(16, 2), at), q[:, : at.shape[1], : at.shape[1]]
        assert turn(x, *image, seq_dim=seq_dim).shape == x.shape
