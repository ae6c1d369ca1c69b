"""``seq_dim=-3``: tensors [batch, seq, heads, dim] turn as [batch, heads, seq, dim] do, where they lie."""

import re

import pytest
import torch

from posenc_lib import (
    BIASES,
    RelativeAttention,
    RotaryEmbedding,
    apply_rotary,
    apply_rotary_qk,
    attention,
    cos_sin,
    inv_freq,
)

LAYOUTS = ("half", "interleaved")
DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
B, S, H, D = 2, 6, 4, 8


def tensors(*heads, seq=S, dtype=torch.float32):
    torch.manual_seed(0)
    return [torch.randn(B, seq, h, D).to(dtype) for h in heads]


def tables(kind, seq=S, width=D, dtype=torch.float32):
    positions = torch.arange(seq)
    if kind == "each row its own":
        positions = torch.stack((positions, positions + 7))
    if kind == "one position":
        positions = torch.tensor(3)
    return cos_sin(inv_freq(width), positions, dtype=dtype)


TABLES = ("one position", "shared", "each row its own")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("width", [D, 4])
@pytest.mark.parametrize("seq", [1, H, S, 2**13], ids=["decode", "seq = heads", "small", "big"])
def test_either_order_of_axes_gives_the_same_numbers(seq, width, kind, dtype, layout):
    wide = torch.promote_types(dtype, torch.float32)
    q, k = tensors(H, 2, seq=seq, dtype=dtype)
    cos_and_sin = tables(kind, seq, width, wide)
    expected = [apply_rotary(x.transpose(1, 2), *cos_and_sin, layout=layout).transpose(1, 2) for x in (q, k)]
    alone = [apply_rotary(x, *cos_and_sin, layout=layout, seq_dim=-3) for x in (q, k)]
    pair = apply_rotary_qk(q, k, *cos_and_sin, layout=layout, seq_dim=-3)
    written_over = apply_rotary_qk(
        q.clone(), k.clone(), *cos_and_sin, layout=layout, inplace=True, seq_dim=-3
    )
    for got in (alone, pair, written_over):
        for one, other in zip(got, expected, strict=True):
            # a tile of another shape may be multiplied by fused or by separate instructions
            torch.testing.assert_close(
                one, other, rtol=2 * torch.finfo(dtype).eps, atol=2 * torch.finfo(dtype).eps
            )
    assert all(x.is_contiguous() for x in alone)


def test_tables_with_as_many_axes_are_in_the_order_of_x():
    (x,) = tensors(H)
    cos, sin = tables("each row its own")
    expected = apply_rotary(x, cos, sin, seq_dim=-3)
    for seq_dim in (-2, -3):
        own = apply_rotary(x, cos.unsqueeze(2), sin.unsqueeze(2), seq_dim=seq_dim)
        assert torch.equal(own, expected)
    one = apply_rotary(x[0], cos[0], sin[0], seq_dim=-3)
    assert torch.equal(one, expected[0])


@pytest.mark.parametrize("given", [{}, {"offset": 5}, {"position_ids": torch.arange(2 * S).view(2, S) % 5}])
@pytest.mark.parametrize("sections", [None, (2, 2)])
def test_the_layer_counts_positions_along_the_sequence(given, sections):
    rope = RotaryEmbedding(D, sections=sections)
    q, k = tensors(H, 2)
    if sections and "position_ids" in given:
        given = {"position_ids": given["position_ids"].expand(2, 2, S)}
    expected = rope(q.transpose(1, 2), k.transpose(1, 2), **given)
    for one, other in zip(rope(q, k, **given, seq_dim=-3), expected, strict=True):
        torch.testing.assert_close(one, other.transpose(1, 2), rtol=0, atol=1e-6)


ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(D),
    "shaw": lambda: RelativeAttention(D, 2),
    **{name: lambda kind=kind: kind(H) for name, kind in BIASES.items()},
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
def test_attention_takes_and_gives_either_order(name, backend):
    encoding = ENCODINGS[name]()
    q, k, v = tensors(H, 2, 2)
    given = {"causal": True, "mask": torch.rand(B, 1, 1, S) > 0.2, "backend": backend}
    expected = attention(*(x.transpose(1, 2) for x in (q, k, v)), encoding, **given)
    got = attention(q, k, v, encoding, **given, seq_dim=-3)
    assert got.shape == q.shape
    torch.testing.assert_close(got, expected.transpose(1, 2), rtol=0, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_derivatives(layout):
    (x,) = tensors(2, seq=3, dtype=torch.float64)
    cos, sin = tables("shared", 3, dtype=torch.float64)
    values = [t.clone().requires_grad_() for t in (x, cos, sin)]
    assert torch.autograd.gradcheck(lambda *v: apply_rotary(*v, layout=layout, seq_dim=-3), values)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_compiled_and_exported(layout, dtype):
    rope = RotaryEmbedding(D, layout=layout)
    q, k = tensors(H, 2, dtype=dtype)
    expected = rope(q, k, seq_dim=-3)
    torch._dynamo.reset()
    call = torch.compile(lambda q, k: rope(q, k, seq_dim=-3), fullgraph=True, backend="aot_eager")
    exported = torch.export.export(rope, (q, k), {"seq_dim": -3}).module()
    for got in (call(q, k), exported(q, k, seq_dim=-3)):
        for one, other in zip(got, expected, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-6 if dtype == torch.float32 else 2**-6)


Q, K = tensors(H, 2)
FIT = "if axis -3 of {} is the sequence, say seq_dim=-3"


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: apply_rotary(Q, *tables("shared")), FIT.format("x")),
        (lambda: apply_rotary(Q, *tables("each row its own")), FIT.format("x")),
        (lambda: apply_rotary(Q.mT.mT[0], *tables("shared")), FIT.format("x")),
        (
            lambda: apply_rotary(Q.transpose(1, 2), *tables("shared"), seq_dim=-3),
            "if axis -2 of x is the sequence, say seq_dim=-2",
        ),
        (lambda: RotaryEmbedding(D)(Q, K), "if axis -3 is the sequence, say seq_dim=-3"),
        (lambda: RotaryEmbedding(D)(Q, Q, torch.arange(S)), FIT.format("q")),
        (
            lambda: attention(Q, Q, Q, RotaryEmbedding(D), position_ids=torch.arange(S)),
            "heads and sequence seem swapped: transpose(1, 2), or say seq_dim",
        ),
        (lambda: apply_rotary(Q[0, 0], *tables("shared", H), seq_dim=-3), "[..., seq, heads, dim]"),
        (lambda: RotaryEmbedding(D)(Q[0, 0], Q[0, 0], seq_dim=-3), "[..., seq, heads, 8]"),
        (lambda: attention(Q[0], Q[0], Q[0], seq_dim=-3), "[batch, length, heads, dim]"),
        (lambda: apply_rotary(Q, *tables("shared"), seq_dim=1), "seq_dim must be -2, for [..., heads, seq"),
    ],
)
def test_the_other_order_is_refused_with_what_to_write(call, hint):
    with pytest.raises(ValueError, match=re.escape(hint)):
        call()
