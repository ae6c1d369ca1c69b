"""The three ways to evaluate attention with a term of the scores. Rotations are done before."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd.function import Function
from torch.nn.functional import dropout

from posenc_lib._torch_state import captured, compiling, plain_eager, takes_operators, traced, unshared
from posenc_lib.angles.double import arithmetic
from posenc_lib.attend.groups import fused_attention, half_on_gpu, product
from posenc_lib.attend.tiled.autograd import tiled_attention
from posenc_lib.attend.tiled.inputs import masked_softmax
from posenc_lib.encoding.interface import Positions, Term, position_at
from posenc_lib.encoding.tiles import MINUS_INFINITY, Toeplitz, antidiagonal_sums

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask


@dataclass(frozen=True)
class Call:
    """What all back ends need beside q, k and v.

    Args:
        term: what the encoding adds to the scaled scores.
        order: positions, where keys after the query are hidden.
        mask: bool, four axes that broadcast to the scores, True where a key may be seen; causality not
            included.
        scale: of ⟨q, k⟩.
        dropout: probability with which a weight is set to 0.
    """

    term: Term | None
    order: Positions | None
    mask: Tensor | None
    scale: float
    dropout: float = 0.0

    def allowed(self) -> Tensor | None:
        """Mask and causality in one."""
        if self.order is None:
            return self.mask
        seen = self.order.seen()
        return seen if self.mask is None else seen & self.mask


def dense(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """Whole matrices, in float32 at least, rounded once: the reference."""
    dtype, term = arithmetic(q), call.term
    scores = product(q.to(dtype) * call.scale, k.to(dtype).transpose(-1, -2))
    if term is not None:
        scores = scores + term.whole(dtype)
    allowed = call.allowed()
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        weights = masked_softmax(torch.where(allowed, scores, MINUS_INFINITY))
    if call.dropout:
        weights = dropout(weights, call.dropout)
    out = product(weights, v.to(dtype))
    if term is not None and term.reads_weights:
        out = out + term.of_values(weights)
    return out.to(q.dtype)


def sdpa(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """torch's fused attention; on the CPU in blocks of rows where the term allows it."""
    term, dtype = call.term, arithmetic(q)
    if not plain_eager() and not traced():
        return dense(q, k, v, call)  # the kernels know neither forward mode nor every bias's gradient
    if call.dropout and q.device.type == "cpu":
        return dense(q, k, v, call)  # torch has no kernel for it either
    if term is None:
        if call.mask is None and (call.order is None or call.order.aligned):
            causal = call.order is not None
            return fused_attention(q, k, v, causal=causal, scale=call.scale, dropout=call.dropout)
        return _masked_sdpa(q, k, v, None, call)
    hidden = q.shape[2] > 1 and takes_operators()
    if q.device.type == "cpu" and (hidden or plain_eager()):
        tile = term.tile(dtype, causal=call.order is not None)
        if tile is not None and (not hidden or isinstance(tile.plan, Toeplitz)):
            return tiled_attention(q, k, v, tile, scale=call.scale, mask=call.mask)
    if term.reads_weights:
        return dense(q, k, v, call)
    if half_on_gpu(q):
        return _rounded(q, k, v, term, call)
    added = term.whole(dtype)
    if added.dtype != q.dtype and q.device.type != "cpu":
        return dense(q, k, v, call)  # not measured; torch would round the bias
    return _masked_sdpa(q, k, v, added, call)


def _rounded(q: Tensor, k: Tensor, v: Tensor, term: Term, call: Call) -> Tensor:
    """The fastest way of the stored run, posenc_book/results/attention_gpu.json, that needs nothing held.

    A matrix, or the row of one token, rounded to the dtype of q; for a text, where the caller compiles,
    FlexAttention if the formula is cheap for it.
    """
    text = q.shape[2] > 1
    if text and compiling() and term.encoding.fast_in_flex and not call.dropout and q.shape[3] in (64, 128):
        return flex(q, k, v, call)
    tile = term.tile(arithmetic(q), causal=call.order is not None) if call.mask is None and text else None
    if tile is None or not isinstance(tile.plan, Toeplitz) or tile.plan.may_be_empty:
        return _masked_sdpa(q, k, v, term.whole(arithmetic(q)).to(q.dtype), call)
    matrix: Tensor = _Windows.apply(tile.table.to(q.dtype), k.shape[2])
    return _masked_sdpa(q, k, v, matrix[None], replace(call, order=None))


class _Windows(Function):
    """A Toeplitz matrix, ``[heads, Q, K]``, from its table ``[heads, Q + K - 1]``, whose rows run backwards.

    The gradient adds up diagonals in two passes over the matrix; that of ``unfold`` adds number by number.
    """

    @staticmethod
    def forward(ctx: Any, table: Tensor, keys: int) -> Tensor:
        return table.unfold(-1, keys, 1).flip(-2)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        return antidiagonal_sums(grad.flip(-2)), None


def _masked_sdpa(q: Tensor, k: Tensor, v: Tensor, term: Tensor | None, call: Call) -> Tensor:
    allowed = call.allowed()
    if allowed is None:
        return fused_attention(q, k, v, term=_full(term, q), scale=call.scale, dropout=call.dropout)
    empty = ~allowed.any(-1, keepdim=True)
    seen = allowed | empty  # kernels differ in what a row without keys gives: let it see, then drop it
    bias = seen if term is None else torch.where(seen, term, MINUS_INFINITY)
    out = fused_attention(q, k, v, term=_full(bias, q), scale=call.scale, dropout=call.dropout)
    return out.masked_fill(empty, 0.0)


def _full(bias: Tensor | None, q: Tensor) -> Tensor | None:
    return None if bias is None else bias.expand(*q.shape[:3], bias.shape[-1])


def flex(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """FlexAttention; compiled where the caller compiles, torch's own reference otherwise."""
    from torch.nn.attention.flex_attention import flex_attention

    term = call.term
    if q.device.type == "cpu" and torch.is_grad_enabled():
        trained = [*([] if term is None else term.encoding.parameters()), q, k, v]
        if any(x.requires_grad for x in trained):
            raise ValueError(
                "backend='flex' has no backward pass on the CPU; use backend='sdpa', or torch.no_grad()"
            )
    if term is not None and term.reads_weights:
        raise ValueError(
            "backend='flex' cannot add to the output what depends on the weights (Shaw's value table, say); "
            "use backend='sdpa', or values=False"
        )
    mod = None if term is None else term.score_mod(q.device)
    blocks = _block_mask(q, k, call)
    with warnings.catch_warnings():
        if not compiling():
            q, k, v = unshared(q), unshared(k), unshared(v)
            warnings.filterwarnings("ignore", message="flex_attention called without torch.compile")
        grouped = q.shape[1] != k.shape[1]
        out = flex_attention(q, k, v, score_mod=mod, block_mask=blocks, scale=call.scale, enable_gqa=grouped)
    return out[0] if isinstance(out, tuple) else out  # a pair only where the log-sum-exps are asked for


def _block_mask(q: Tensor, k: Tensor, call: Call) -> BlockMask | None:
    """What may be seen, asked of positions: causality needs no matrix, and rows alike share their blocks."""
    from torch.nn.attention.flex_attention import create_block_mask

    order, mask = call.order, call.mask
    if order is None and mask is None:
        return None
    q_pos, k_pos = (None, None) if order is None else (captured(order.q), captured(order.k))
    whole = None if mask is None else captured(mask).expand(-1, -1, q.shape[2], k.shape[2])

    def may_see(b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
        seen = q_idx >= 0
        if q_pos is not None and k_pos is not None:
            seen = position_at(k_pos, b, kv_idx) <= position_at(q_pos, b, q_idx)
        if whole is not None:
            row, head = b if whole.shape[0] > 1 else 0, h if whole.shape[1] > 1 else 0
            seen = seen & whole[row, head, q_idx, kv_idx]
        return seen

    differ = order is not None and max(order.q.ndim, order.k.ndim) > 1
    batch = q.shape[0] if differ or (mask is not None and mask.shape[0] > 1) else None
    heads = q.shape[1] if mask is not None and mask.shape[1] > 1 else None
    return create_block_mask(may_see, batch, heads, q.shape[2], k.shape[2], device=str(q.device))
