"""The three ways to evaluate attention with a position term. Rotations are done here."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lib._torch_state import captured, compiling, plain_eager, traced
from posenc_lib.attend.groups import fused_attention, product
from posenc_lib.attend.tiled.autograd import tiled_attention
from posenc_lib.attend.tiled.plans import MINUS_INFINITY, Band, Toeplitz
from posenc_lib.attend.tiled.whole import masked_softmax
from posenc_lib.bias.base import DistanceBias, ScoreBias
from posenc_lib.relative.band import shaw_index, spread
from posenc_lib.relative.shaw import RelativeAttention

Encoding = ScoreBias | RelativeAttention | None


@dataclass(frozen=True)
class Call:
    """What all back ends need beside q, k and v.

    Args:
        q_pos, k_pos: ``[length]`` or ``[batch, length]``; None where nothing reads them.
        first: where both runs of positions step by one, first key position − first query position; else None.
        mask: bool, four axes that broadcast to the scores, True where a key may be seen; causality not
            included.
    """

    encoding: Encoding
    q_pos: Tensor | None
    k_pos: Tensor | None
    first: int | None
    causal: bool
    mask: Tensor | None
    scale: float

    def allowed(self) -> Tensor | None:
        """Mask and causality in one."""
        if not self.causal:
            return self.mask
        assert self.q_pos is not None and self.k_pos is not None
        seen = self.k_pos[..., None, None, :] <= self.q_pos[..., None, :, None]
        seen = seen if seen.ndim == 4 else seen.unsqueeze(0)
        return seen if self.mask is None else seen & self.mask

    def term(self, q: Tensor, dtype: torch.dtype) -> Tensor | None:
        """What is added to the scaled scores, ``[batch or 1, heads, Q, K]``."""
        if self.encoding is None:
            return None
        assert self.q_pos is not None and self.k_pos is not None
        if isinstance(self.encoding, RelativeAttention):
            numbers = self.encoding.query_numbers(q, dtype) * self.scale
            return spread(numbers, self.index(), q.shape[-2], self.k_pos.shape[-1])
        bias = self.encoding.bias(self.q_pos, self.k_pos, dtype=dtype)
        return bias if bias.ndim == 4 else bias.unsqueeze(0)

    def index(self) -> Tensor | None:
        """For Shaw's tables; None for equal runs of positions, which need none."""
        assert (
            isinstance(self.encoding, RelativeAttention) and self.q_pos is not None and self.k_pos is not None
        )
        if self.first == 0 and self.q_pos.shape == self.k_pos.shape:
            return None
        return shaw_index(self.q_pos, self.k_pos, self.encoding.clip)


def _arithmetic(q: Tensor) -> torch.dtype:
    return torch.float64 if q.dtype == torch.float64 else torch.float32


def dense(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """Whole matrices, in float32 at least, rounded once: the reference."""
    dtype = _arithmetic(q)
    scores = product(q.to(dtype) * call.scale, k.to(dtype).transpose(-1, -2))
    term, allowed = call.term(q, dtype), call.allowed()
    if term is not None:
        scores = scores + term
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        weights = masked_softmax(torch.where(allowed, scores, MINUS_INFINITY))
    out = product(weights, v.to(dtype))
    if isinstance(call.encoding, RelativeAttention):
        out = out + call.encoding.value_term(weights, call.index())
    return out.to(q.dtype)


def sdpa(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """torch's fused attention; distance biases and Shaw's in blocks of rows on the CPU."""
    encoding, dtype = call.encoding, _arithmetic(q)
    aligned = call.first == 0 and q.shape[-2] == k.shape[-2]
    if not plain_eager() and not traced():
        return dense(q, k, v, call)  # the kernels know neither forward mode nor every bias's gradient
    if encoding is None and call.mask is None and (aligned or not call.causal):
        return fused_attention(q, k, v, causal=call.causal, scale=call.scale)
    blockwise = call.first is not None and q.device.type == "cpu" and plain_eager()
    if blockwise and isinstance(encoding, DistanceBias):
        assert call.first is not None
        toeplitz = Toeplitz(q.shape[-2], k.shape[-2], call.first, call.causal)
        table = toeplitz.table(encoding.of_distance(toeplitz.distances(q.device), dtype=dtype))
        return tiled_attention(q, k, v, table, toeplitz, scale=call.scale, mask=call.mask)
    if blockwise and aligned and isinstance(encoding, RelativeAttention):
        table = encoding.query_numbers(q, dtype) * call.scale
        values = None if encoding.value_table is None else encoding.value_table.to(dtype)
        band = Band(q.shape[-2], encoding.clip, call.causal)
        return tiled_attention(q, k, v, table, band, scale=call.scale, values=values, mask=call.mask)
    if isinstance(encoding, RelativeAttention) and encoding.value_table is not None:
        return dense(q, k, v, call)  # the weights themselves are needed
    term, allowed = call.term(q, dtype), call.allowed()
    if term is not None and term.dtype != q.dtype and q.device.type != "cpu":
        return dense(q, k, v, call)  # a bias rounded to half precision would be another bias
    return _masked_sdpa(q, k, v, term, allowed, call.scale)


def _masked_sdpa(
    q: Tensor, k: Tensor, v: Tensor, term: Tensor | None, allowed: Tensor | None, scale: float
) -> Tensor:
    if allowed is None:
        assert term is not None
        return fused_attention(q, k, v, term=_full(term, q), scale=scale)
    empty = ~allowed.any(-1, keepdim=True)
    seen = allowed | empty  # kernels differ in what a row without keys gives: let it see, then drop it
    bias = seen if term is None else torch.where(seen, term, MINUS_INFINITY)
    out = fused_attention(q, k, v, term=_full(bias, q), scale=scale)
    return out.masked_fill(empty, 0.0)


def _full(bias: Tensor, q: Tensor) -> Tensor:
    return bias.expand(*q.shape[:3], bias.shape[-1])


def flex(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """FlexAttention; compiled where the caller compiles, torch's own reference otherwise."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    encoding = call.encoding
    if q.device.type == "cpu" and torch.is_grad_enabled():
        trained = [*([] if encoding is None else encoding.parameters()), q, k, v]
        if any(x.requires_grad for x in trained):
            raise ValueError(
                "backend='flex' has no backward pass on the CPU; use backend='sdpa', or torch.no_grad()"
            )
    if isinstance(encoding, RelativeAttention) and encoding.value_table is not None:
        raise ValueError("backend='flex' cannot add Shaw's value table; use backend='sdpa', or values=False")
    mod = None
    if isinstance(encoding, RelativeAttention):
        mod = _shaw_mod(encoding, q, call)
    elif encoding is not None:
        assert call.q_pos is not None and call.k_pos is not None
        mod = encoding.score_mod(call.q_pos, call.k_pos, device=q.device)
    allowed = call.allowed()
    blocks = None
    if allowed is not None:
        full = captured(allowed).expand(q.shape[0], allowed.shape[1], q.shape[2], k.shape[2])

        def may_see(b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
            return full[b, h if full.shape[1] > 1 else 0, q_idx, kv_idx]

        heads = full.shape[1] if full.shape[1] > 1 else None
        blocks = create_block_mask(may_see, q.shape[0], heads, q.shape[2], k.shape[2], device=str(q.device))
    with warnings.catch_warnings():
        if not compiling():
            warnings.filterwarnings("ignore", message="flex_attention called without torch.compile")
        grouped = q.shape[1] != k.shape[1]
        out = flex_attention(q, k, v, score_mod=mod, block_mask=blocks, scale=call.scale, enable_gqa=grouped)
    assert isinstance(out, Tensor)
    return out


def _shaw_mod(encoding: RelativeAttention, q: Tensor, call: Call):  # type: ignore[no-untyped-def]
    assert call.q_pos is not None and call.k_pos is not None
    numbers = captured(encoding.query_numbers(q, _arithmetic(q)) * call.scale)
    q_pos, k_pos, clip = captured(call.q_pos), captured(call.k_pos), encoding.clip

    def mod(score: Tensor, b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
        m = q_pos[q_idx] if q_pos.ndim == 1 else q_pos[b, q_idx]
        n = k_pos[kv_idx] if k_pos.ndim == 1 else k_pos[b, kv_idx]
        return score + numbers[b, h, q_idx, (n - m).clamp(-clip, clip) + clip]

    return mod
