"""The layer: grouped queries, norms of queries and keys, one pair of tables for all layers."""

import pytest
import torch

import posenc_lib.rotary.module as rotary_module
from posenc_lib import BIASES, ALiBi, MultiHeadAttention, RelativeAttention, RotaryEmbedding

WIDTH, HEADS, D = 32, 4, 8
ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(D),
    "shaw": lambda: RelativeAttention(D, 2),
    **{name: lambda kind=kind: kind(HEADS) for name, kind in BIASES.items()},
}


def tokens():
    return torch.randn(2, 6, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("shared", [1, 2, 4])
def test_grouped_queries_are_repeated_keys_and_values(name, shared):
    torch.manual_seed(0)
    encoding = ENCODINGS[name]()
    grouped = MultiHeadAttention(WIDTH, HEADS, encoding, num_kv_heads=shared).double()
    whole = MultiHeadAttention(WIDTH, HEADS, encoding).double()
    assert grouped.k_proj.weight.shape == grouped.v_proj.weight.shape == (shared * D, WIDTH)
    repeated = {
        key: value.unflatten(0, (shared, D)).repeat_interleave(HEADS // shared, 0).flatten(0, 1)
        if key[:6] in ("k_proj", "v_proj")
        else value
        for key, value in grouped.state_dict().items()
    }
    whole.load_state_dict(repeated)
    torch.testing.assert_close(
        grouped(tokens(), causal=True), whole(tokens(), causal=True), rtol=0, atol=1e-13
    )


def test_heads_are_normed_each_for_itself_before_they_turn():
    """Scores no longer see the size of a head's queries and keys, and see the trained weight."""
    torch.manual_seed(0)
    plain, normed = (
        MultiHeadAttention(WIDTH, HEADS, bias=False, qk_norm=on).double() for on in (False, True)
    )
    normed.load_state_dict(plain.state_dict(), strict=False)
    x, weight = tokens(), torch.rand(D, dtype=torch.float64) + 0.5
    with torch.no_grad():
        normed.q_norm.weight.copy_(weight)
    q, k, v = (
        f(x).unflatten(-1, (HEADS, D)).transpose(1, 2) for f in (plain.q_proj, plain.k_proj, plain.v_proj)
    )
    q, k = (t / (t.square().mean(-1, keepdim=True) + torch.finfo(t.dtype).eps).sqrt() for t in (q, k))
    scores = (q * weight) @ k.mT / D**0.5
    expected = plain.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(normed(x), expected, rtol=0, atol=1e-13)
    assert {"q_norm.weight", "k_norm.weight"} == set(normed.state_dict()) - set(plain.state_dict())


@pytest.mark.parametrize("bias", [True, False])
def test_each_projection_has_an_offset_or_none_has(bias):
    layer = MultiHeadAttention(WIDTH, HEADS, num_kv_heads=2, bias=bias)
    offsets = {name for name in layer.state_dict() if name.endswith(".bias")}
    assert offsets == ({f"{one}_proj.bias" for one in ("q", "k", "v", "out")} if bias else set())


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_tables_are_made_once_for_all_layers(layout, monkeypatch):
    rope = RotaryEmbedding(D, layout=layout)
    layers = [MultiHeadAttention(WIDTH, HEADS, rope, num_kv_heads=2, qk_norm=True) for _ in range(3)]
    at = torch.stack((torch.arange(6), torch.arange(6) + 3))
    made, tables_of = [], rotary_module.tables_of
    monkeypatch.setattr(rotary_module, "tables_of", lambda *a: made.append(1) or tables_of(*a))

    def through(**given):
        x = tokens().float()
        for layer in layers:
            x = x + layer(x, position_ids=at, causal=True, **given)
        return x

    expected = through()
    assert len(made) == 6
    made.clear()
    torch.testing.assert_close(through(tables=rope.tables(at)), expected, rtol=0, atol=1e-6)
    assert len(made) == 1


def test_tables_for_another_encoding_or_context_and_counts_that_do_not_divide_are_refused():
    rope, x = RotaryEmbedding(D), tokens().float()
    tables = rope.tables(torch.arange(6))
    for encoding, context in ((None, None), (ALiBi(HEADS), None), (rope, x.clone())):
        with pytest.raises(ValueError, match="tables are for a rotary encoding, and for attention of x to"):
            MultiHeadAttention(WIDTH, HEADS, encoding)(x, context, tables=tables)
    with pytest.raises(TypeError, match=r"tables must be a pair \(cos, sin\), got Tensor"):
        MultiHeadAttention(WIDTH, HEADS, rope)(x, tables=tables[0])
    with pytest.raises(TypeError, match=r"tables must be a pair \(cos, sin\), got tuple"):
        MultiHeadAttention(WIDTH, HEADS, rope)(x, tables=(*tables, tables[0]))
    with pytest.raises(ValueError, match="num_kv_heads must divide num_heads = 4, got 3"):
        MultiHeadAttention(WIDTH, HEADS, num_kv_heads=3)


def test_embeddings_of_another_shape_are_refused_by_name():
    layer, x = MultiHeadAttention(8, 2), torch.randn(1, 3, 8)
    for name, given in (
        ("x", (x[..., 1:],)),
        ("x", (x[0],)),
        ("context", (x, x[..., 1:])),
        ("context", (x, x[0])),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must have shape \[batch, length, 8\], got"):
            layer(*given)


def test_the_layer_says_which_dtype_its_weights_have_unless_autocast_chooses_it():
    layer, x = MultiHeadAttention(8, 2), torch.randn(1, 3, 8)
    for name, given in (("x", (x.double(),)), ("x", (x.half(),)), ("context", (x, x.bfloat16()))):
        message = rf"{name} has dtype {given[-1].dtype} but the weights have torch\.float32: give {name}\.to"
        with pytest.raises(TypeError, match=message):
            layer(*given)
    with torch.autocast("cpu", torch.bfloat16):
        assert layer(x.bfloat16()).dtype == torch.bfloat16
