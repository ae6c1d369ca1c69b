"""The layer: projections of tokens, heads that share, and every encoding where it belongs."""

import pytest
import torch
from pairs import ADDITIVE, BY_LENGTH, DIM, ENCODINGS, EVERY, F64, HEADS, by_pairs, close, made

from posenc_lib import MultiHeadAttention, RotaryEmbedding

WIDTH = HEADS * DIM


def layer_of(name, device="cpu", **given):
    torch.manual_seed(0)
    return MultiHeadAttention(WIDTH, HEADS, made(name), **given).to(device).double()


def tokens(length, device="cpu", seed=1, batch=2):
    numbers = torch.randn(batch, length, WIDTH, dtype=F64, generator=torch.Generator().manual_seed(seed))
    return numbers.to(device)


@pytest.mark.parametrize("name", [*ENCODINGS, *ADDITIVE])
def test_tokens_keep_their_positions_in_any_order(name, device):
    layer, x, order = layer_of(name, device), tokens(7, device), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    out = layer(x, causal=True)
    close(layer(x[:, order], position_ids=order.to(device), causal=True), out[:, order], 1e-13)
    same = torch.allclose(layer(x[:, order]), layer(x)[:, order], rtol=0, atol=1e-12)
    assert same == (name == "none")  # without an encoding attention cannot tell the order


@pytest.mark.parametrize("name", ADDITIVE)
def test_cross_attention_adds_to_each_side_its_own_positions(name, device):
    layer, x, context = layer_of(name, device), tokens(5, device), tokens(7, device, seed=2)
    places = torch.arange(3, 8, device=device), torch.arange(20, 27, device=device)
    encoding, layer.encoding = layer.encoding, None
    expected = layer(encoding(x, places[0]), encoding(context, places[1]))
    layer.encoding = encoding
    close(layer(x, context, position_ids=places), expected, 1e-13)


def test_multi_head_attention_equals_torchs_own(device):
    ours = layer_of("none", device)
    theirs = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, device=device, dtype=F64)
    projections = ours.q_proj, ours.k_proj, ours.v_proj
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    x, context = tokens(5, device), tokens(8, device, seed=2)
    close(ours(x, context), theirs(x, context, context)[0], 1e-13)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("shared", [1, 2])
def test_grouped_queries_are_repeated_keys_and_values(name, shared):
    whole, grouped = layer_of(name), layer_of(name, num_kv_heads=shared)
    grouped.encoding = whole.encoding
    assert grouped.k_proj.weight.shape == grouped.v_proj.weight.shape == (shared * DIM, WIDTH)
    state = grouped.state_dict()
    for key in state:
        if key[:6] in ("k_proj", "v_proj"):
            heads = state[key].unflatten(0, (shared, DIM))
            state[key] = heads.repeat_interleave(HEADS // shared, 0).flatten(0, 1)
    whole.load_state_dict(state)
    given = {"causal": True, "length": 64} if name in BY_LENGTH else {"causal": True}
    close(grouped(tokens(6), **given), whole(tokens(6), **given), 1e-13)


def test_heads_are_normed_each_for_itself_before_they_turn():
    """Scores no longer see the size of a head's queries and keys, and see the trained weight."""
    plain, normed = layer_of("none", bias=False), layer_of("none", bias=False, qk_norm=True)
    normed.load_state_dict(plain.state_dict(), strict=False)
    x, weight = tokens(6), torch.rand(DIM, dtype=F64) + 0.5
    with torch.no_grad():
        normed.q_norm.weight.copy_(weight)
    q, k, v = (plain._heads(f(x)) for f in (plain.q_proj, plain.k_proj, plain.v_proj))
    q, k = (t / (t.square().mean(-1, keepdim=True) + torch.finfo(t.dtype).eps).sqrt() for t in (q, k))
    close(normed(x), plain.out_proj(by_pairs(q * weight, k, v).transpose(1, 2).flatten(2)), 1e-13)
    assert {"q_norm.weight", "k_norm.weight"} == set(normed.state_dict()) - set(plain.state_dict())


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_tables_may_be_made_once_for_all_layers(layout):
    rope = RotaryEmbedding(DIM, layout=layout)
    layers = [MultiHeadAttention(WIDTH, HEADS, rope, num_kv_heads=2, qk_norm=True) for _ in range(3)]
    at = torch.tensor([[0], [3]]) + torch.arange(6)

    def through(**given):
        x = tokens(6).float()
        for layer in layers:
            x = x + layer(x, position_ids=at, causal=True, **given)
        return x

    close(through(tables=rope.tables(at)), through(), 1e-6)
