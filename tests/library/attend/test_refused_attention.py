"""What ``attention`` and the layer cannot take is refused by name."""

import math

import pytest
import torch

from posenc_lib import (
    ALiBi,
    LearnedEncoding,
    LinearEncoding,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    SinusoidalEncoding,
    attention,
)

HEADS, DIM = 4, 8


X = torch.ones(1, HEADS, 3, DIM)
ON_AXES = RotaryEmbedding(RotarySpec(DIM, sections=(2, 1, 1)))
ROWS = torch.zeros(3, 1, 3, dtype=torch.long)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: attention(X[0], X, X), ValueError, "q must have shape"),
        (
            lambda: attention(
                X.repeat(2, 1, 2, 1), *[X.repeat(2, 1, 2, 1)] * 2, mask=torch.ones(2, 6).bool()
            ),
            ValueError,
            r"padding mask .* mask\[:, None, None, :\]",
        ),
        (
            lambda: attention(*[X.transpose(1, 2)] * 3, ALiBi(3), position_ids=torch.arange(3)),
            ValueError,
            r"position_ids .*transpose\(1, 2\)",
        ),
        (
            lambda: MultiHeadAttention(64, 8, RotaryEmbedding(RotarySpec(64))),
            ValueError,
            "width 64, but .* 8",
        ),
        (lambda: MultiHeadAttention(64, 8, RelativeAttention(64, 2)), ValueError, "width 64, but .* 8"),
        (lambda: MultiHeadAttention(64, 8, SinusoidalEncoding(8)), ValueError, "adds to 8 channels"),
        (lambda: MultiHeadAttention(64, 8, LearnedEncoding(5, 8)), ValueError, "adds to 8 channels"),
        (lambda: MultiHeadAttention(64, 8, LinearEncoding(8)), ValueError, "adds to 8 channels"),
        (lambda: attention(X.int(), X, X), TypeError, "q must have a floating"),
        (lambda: attention(X, X.double(), X), TypeError, "k has dtype"),
        (lambda: attention(X, X[:, :3], X[:, :3]), ValueError, "kv_heads"),
        (lambda: attention(X, X, X[:, :, :2]), ValueError, "k and v"),
        (lambda: attention(X, X, X, ALiBi(3)), ValueError, "num_heads"),
        (lambda: attention(X, X, X, torch.nn.Identity()), TypeError, "encoding"),
        (lambda: attention(X, X, X, backend="flash"), ValueError, "backend"),
        (lambda: attention(X, X, X, backend=["sdpa"]), ValueError, "backend"),
        (lambda: attention(X, X, X, scale=math.nan), ValueError, "scale"),
        (
            lambda: attention(X, X, X, scale=1e39),
            ValueError,
            r"scale must lie in ±3\.403e\+38 to be finite in torch\.float32, got 1e\+39",
        ),
        (
            lambda: attention(*[X.bfloat16()] * 3, scale=-1e39),
            ValueError,
            r"scale must lie in ±3\.403e\+38 to be finite in torch\.float32, got -1e\+39",
        ),
        (
            lambda: attention(X[..., :0], X[..., :0], X),
            ValueError,
            r"q must have a channel, for the scale 1/√dim, got shape \[1, 4, 3, 0\]",
        ),
        (
            lambda: attention(X, X, X, causal=True, position_ids=(torch.arange(3),)),
            ValueError,
            r"position_ids must be a tensor or a pair \(queries, keys\), got a tuple of 1",
        ),
        (
            lambda: attention(X, X, X, causal=True, position_ids=[torch.arange(3)] * 2),
            TypeError,
            r"position_ids must be a tensor or a tuple \(queries, keys\), got a list of tensors",
        ),
        (
            lambda: attention(X, X, X, causal=True, position_ids=[0, 1, 2]),
            TypeError,
            r"position_ids of the queries must be a torch.Tensor, got list: write torch.tensor",
        ),
        (
            lambda: MultiHeadAttention(8, 2, SinusoidalEncoding(8))(X[:, 0], position_ids=(torch.arange(3),)),
            ValueError,
            r"position_ids must be a tensor or a pair",
        ),
        (lambda: attention(X, X, X, mask=torch.ones(3, 3)), TypeError, "mask"),
        (lambda: attention(X, X, X, mask=torch.ones(2, 3).bool()), ValueError, "mask"),
        (lambda: attention(X[:, :, :2], X, X, causal=True), ValueError, "position_ids"),
        (lambda: attention(X, X, X, ALiBi(HEADS), position_ids=torch.arange(4)), ValueError, "position_ids"),
        (lambda: attention(X, X[:, :0], X[:, :0]), ValueError, "kv_heads"),
        (lambda: attention(X[:, :0], X[:, :0], X[:, :0]), ValueError, "kv_heads"),
        (lambda: attention(X, X, X, RotaryEmbedding(RotarySpec(4))), ValueError, "encoding is for heads"),
        (lambda: attention(X, X, X[..., :6], RelativeAttention(DIM, 2)), ValueError, "v must have head_dim"),
        (
            lambda: attention(X, X, X, RelativeAttention(DIM, 2), position_ids=torch.arange(3.0)),
            TypeError,
            "position_ids of the queries must be an integer",
        ),
        (lambda: attention(X, X, X, causal=True, position_ids=ROWS), ValueError, "position_ids"),
        (lambda: attention(X, X, X, ON_AXES, position_ids=ROWS[None]), ValueError, "position_ids"),
        (lambda: MultiHeadAttention(8, 4)(None), TypeError, "x must"),
        (lambda: MultiHeadAttention(10, 4), ValueError, "num_heads"),
        (lambda: MultiHeadAttention(8, 4, backend="x"), ValueError, "backend"),
        (lambda: MultiHeadAttention(8, 4)(torch.ones(2, 3, 6)), ValueError, "x must"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, name):
    with pytest.raises(error, match=name):
        call()
