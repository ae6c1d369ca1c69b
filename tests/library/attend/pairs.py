"""Attention one pair of a query and a key at a time; and what the tests of this folder give to every way."""

import torch

import posenc_lib as lib

HEADS, DIM = 4, 8
F64 = torch.float64
YARN = {"factor": 4.0, "original_max_position_embeddings": 8}
LONGROPE = {
    "short_factor": [1.0, 1.0, 1.5, 2.0], "long_factor": [1.0, 4.0, 8.0, 16.0],
    "original_max_position_embeddings": 8, "attention_factor": 1.2
}  # fmt: skip


class Learned(lib.ScoreBias):
    """A bias that a reader might write: its table is a formula of what is learned."""

    def __init__(self):
        super().__init__(HEADS)
        self.raw = torch.nn.Parameter(torch.linspace(-2, 1, HEADS))

    def tables(self, dtype, device):
        return (self.raw.to(device=device, dtype=dtype).exp(),)

    def formula(self, tables, m, n, head):
        return -tables[0][head] * (n - m).abs()


ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: lib.RotaryEmbedding(DIM),
    "rotary, interleaved, partial": lambda: lib.RotaryEmbedding(DIM, layout="interleaved", rotary_dim=4),
    "yarn": lambda: lib.RotaryEmbedding(DIM, scaling="yarn", params=YARN),
    "shaw": lambda: lib.RelativeAttention(DIM, 3),
    "shaw keys": lambda: lib.RelativeAttention(DIM, 3, values=False),
    "t5 causal": lambda: lib.T5Bias(HEADS, bidirectional=False),
    "learned bias": Learned,
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in lib.BIASES.items()},
    "fire": lambda: lib.FIRE(HEADS, width=4),  # sums are unrolled by compilers: short ones do as long ones do
    "sandwich": lambda: lib.Sandwich(HEADS, dim=6),
}
BY_LENGTH = {
    "dynamic": lambda: lib.RotaryEmbedding(DIM, scaling="dynamic", params=YARN),
    "longrope": lambda: lib.RotaryEmbedding(DIM, scaling="longrope", params=LONGROPE),
}
ADDITIVE = {
    "sinusoidal": lambda: lib.SinusoidalEncoding(HEADS * DIM),
    "learned": lambda: lib.LearnedEncoding(64, HEADS * DIM),
    "linear": lambda: lib.LinearEncoding(HEADS * DIM),
}
EVERY = ENCODINGS | BY_LENGTH | ADDITIVE


def made(name, device="cpu", dtype=F64):
    """The encoding, its parameters none of them 0."""
    torch.manual_seed(0)
    encoding = EVERY[name]()
    if encoding is None:
        return None
    for parameter in encoding.parameters():
        torch.nn.init.normal_(parameter, std=0.5) if parameter.numel() > 1 else None
    return encoding.to(device, dtype)


def inputs(queries, keys=None, shared=HEADS, device="cpu", dtype=F64, dim=DIM, batch=2):
    """Queries, and keys and values of ``shared`` heads."""
    torch.manual_seed(1)
    q = torch.randn(batch, HEADS, queries, dim, dtype=F64, device=device).to(dtype)
    k, v = torch.randn(2, batch, shared, keys or queries, dim, dtype=F64, device=device).to(dtype)
    return [x.requires_grad_() for x in (q, k, v)]


def pair_terms(encoding, q, k, v, m, n, distance, length):
    """Key, value and bias of every pair, ``[batch, heads, Q, K, …]``, as the encoding moves them."""
    k, v = k[:, :, None], v[:, :, None]
    if isinstance(encoding, lib.RotaryEmbedding):
        spec = encoding.spec
        turn = lib.rotation_matrix(spec.inv_freq(length), distance, spec.layout)
        turn = turn * spec.attention_factor(length) ** 2
        moved = (turn[:, None] @ k[..., : spec.rotated, None]).squeeze(-1)
        k = torch.cat((moved, k[..., spec.rotated :].expand(*moved.shape[:-1], -1)), -1)
    if isinstance(encoding, lib.RelativeAttention):
        row = distance.clamp(-encoding.clip, encoding.clip) + encoding.clip
        k = k + encoding.key_table[row][:, None]
        v = v if encoding.value_table is None else v + encoding.value_table[row][:, None]
    if not isinstance(encoding, lib.ScoreBias):
        return k, v, 0.0
    pairs = torch.broadcast_tensors(m[:, :, None], n[:, None, :])
    bias = encoding.bias(*(x.reshape(-1, 1) for x in pairs), dtype=q.dtype)  # one pair a row
    return k, v, bias.reshape(*distance.shape, -1).movedim(-1, 1)


def apart(m, n):
    """Key − query of every pair."""
    return n[:, None, :] - m[:, :, None]


def by_pairs(
    q, k, v, encoding=None, *, position_ids=None, causal=False, mask=None, length=None, distance=apart
):
    """The sum over n of softmax(⟨q_m, k_mn⟩ / √d + b_mn) v_mn: nothing of back ends, blocks or kernels."""
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], 1) for x in (k, v))
    if not isinstance(position_ids, tuple):
        run = torch.arange(k.shape[2], device=q.device)
        position_ids = (run[: q.shape[2]], run) if position_ids is None else (position_ids, position_ids)
    m, n = (x.expand(len(q), -1) for x in position_ids)
    keys, values, bias = pair_terms(encoding, q, k, v, m, n, distance(m, n), length)
    scores = (q[:, :, :, None] * keys).sum(-1) / q.shape[-1] ** 0.5 + bias
    seen = torch.ones_like(scores, dtype=torch.bool)
    seen = seen & (n[:, None, None, :] <= m[:, None, :, None]) if causal else seen
    seen = seen if mask is None else seen & mask
    hidden = ~seen & seen.any(-1, keepdim=True)  # a row that sees nothing gives zeros, and no NaN on the way
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1) * seen
    return (weights[..., None] * values).sum(-2)


def close(got, expected, atol):
    """Of two tensors, or two lists of them, alike."""
    for one, other in zip(*[[x] if isinstance(x, torch.Tensor) else x for x in (got, expected)], strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=atol)


def slopes(out, wanted, encoding=None):
    """Gradients of a sum of ``out`` with fixed weights, in what is named and in what the encoding learns."""
    wanted = [*wanted, *([] if encoding is None else encoding.parameters())]
    weights = torch.randn(out.shape, dtype=F64, generator=torch.Generator().manual_seed(2)).to(out)
    return torch.autograd.grad(out, wanted, weights)


def largest_made(call):
    """Bytes of the largest tensor that a call makes anew."""
    from torch.utils._python_dispatch import TorchDispatchMode

    sizes = [0]

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            given = {x.untyped_storage().data_ptr() for x in args if isinstance(x, torch.Tensor)}
            out = func(*args, **(kwargs or {}))
            for x in out if isinstance(out, (tuple, list)) else (out,):
                if isinstance(x, torch.Tensor) and x.untyped_storage().data_ptr() not in given:
                    sizes.append(x.untyped_storage().nbytes())
            return out

    with Watch(), torch.no_grad():
        call()
    return max(sizes)
