"""The Triton kernel. Imported only when a fused operator runs, because importing Triton takes a while.

One program turns a block of tokens for a group of heads. Cosines and sines are read, or computed from integer
turns, once for the group and stay in registers; each number of q and k is read once and written once.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _turn_rows(x, y, xs, xd, ys, yd, rows, ok, cos, sin, n: tl.constexpr, tail: tl.constexpr,
               N: tl.constexpr, TAIL: tl.constexpr, PAIRS: tl.constexpr, COPY: tl.constexpr):  # fmt: skip
    """Rows of one head: n planes turned, `tail` further channels copied."""
    i = tl.arange(0, N)
    keep = ok[:, None] & (i < n)[None, :]
    if PAIRS:
        j = tl.arange(0, 2 * N)
        both = ok[:, None] & (j < 2 * n)[None, :]
        block = tl.load(x + rows[:, None] * xs + j[None, :] * xd, mask=both, other=0.0)
        a, b = tl.split(tl.reshape(block, (block.shape[0], N, 2)))
    else:
        a = tl.load(x + rows[:, None] * xs + i[None, :] * xd, mask=keep, other=0.0)
        b = tl.load(x + rows[:, None] * xs + (i + n)[None, :] * xd, mask=keep, other=0.0)
    a, b = a.to(cos.dtype), b.to(cos.dtype)
    first, second = a * cos - b * sin, b * cos + a * sin
    kind = y.dtype.element_ty
    if PAIRS:
        turned = tl.reshape(tl.join(first, second), (first.shape[0], 2 * N))
        tl.store(y + rows[:, None] * ys + j[None, :] * yd, turned.to(kind), mask=both)
    else:
        tl.store(y + rows[:, None] * ys + i[None, :] * yd, first.to(kind), mask=keep)
        tl.store(y + rows[:, None] * ys + (i + n)[None, :] * yd, second.to(kind), mask=keep)
    if COPY:
        t = tl.arange(0, TAIL)
        rest = ok[:, None] & (t < tail)[None, :]
        value = tl.load(x + rows[:, None] * xs + (t + 2 * n)[None, :] * xd, mask=rest, other=0.0)
        tl.store(y + rows[:, None] * ys + (t + 2 * n)[None, :] * yd, value, mask=rest)


@triton.jit
def _rotate_qk(q, k, yq, yk, cos_ptr, sin_ptr, positions, turns, factor, seq, q_heads, k_heads,
               qb, qh, qs, qd, kb, kh, ks, kd, yqb, yqh, yqs, yqd, ykb, ykh, yks, ykd, tb, ts, pb, ps,
               n: tl.constexpr, tail: tl.constexpr, N: tl.constexpr, TAIL: tl.constexpr, TOKENS: tl.constexpr,
               HEADS: tl.constexpr, PAIRS: tl.constexpr, COPY: tl.constexpr, AT: tl.constexpr,
               INVERSE: tl.constexpr):  # fmt: skip
    rows = tl.program_id(0).to(tl.int64) * TOKENS + tl.arange(0, TOKENS)
    batch = tl.program_id(1).to(tl.int64)
    ok = rows < seq
    i = tl.arange(0, N)
    if AT:  # the angle as a fraction of a turn, times 2^64; see posenc_lib.kernels.phase
        at = tl.load(positions + batch * pb + rows * ps, mask=ok, other=0).to(tl.int64)
        angle = at[:, None] * tl.load(turns + i, mask=i < n, other=0)[None, :]
        quadrant = (angle + (1 << 61)) >> 62
        rest = (angle - (quadrant << 62)).to(tl.float32) * 3.4061215800305545e-19  # 2π / 2^64
        c, s = tl.cos(rest), tl.sin(rest)
        odd = (quadrant & 1) != 0
        cos, sin = tl.where(odd, -s, c), tl.where(odd, c, s)
        sign = tl.where((quadrant & 2) != 0, -factor, factor)
        cos, sin = cos * sign, sin * sign
    else:
        where = batch * tb + rows[:, None] * ts + i[None, :]
        keep = ok[:, None] & (i < n)[None, :]
        cos = tl.load(cos_ptr + where, mask=keep, other=0.0)
        sin = tl.load(sin_ptr + where, mask=keep, other=0.0)
        if cos.dtype != tl.float64:
            cos, sin = cos.to(tl.float32), sin.to(tl.float32)
    if INVERSE:
        sin = -sin
    first_head = tl.program_id(2).to(tl.int64) * HEADS
    for step in range(HEADS):
        head = first_head + step
        if head < q_heads:
            _turn_rows(q + batch * qb + head * qh, yq + batch * yqb + head * yqh, qs, qd, yqs, yqd,
                       rows, ok, cos, sin, n, tail, N, TAIL, PAIRS, COPY)  # fmt: skip
        elif head < q_heads + k_heads:
            other = head - q_heads
            _turn_rows(k + batch * kb + other * kh, yk + batch * ykb + other * ykh, ks, kd, yks, ykd,
                       rows, ok, cos, sin, n, tail, N, TAIL, PAIRS, COPY)  # fmt: skip


def launch(
    q: Tensor,
    k: Tensor,
    out_q: Tensor,
    out_k: Tensor,
    angles: tuple[Tensor, Tensor],
    *,
    at_positions: bool,
    factor: float,
    layout: str,
    inverse: bool,
) -> None:
    """Run the kernel on ``[batch, heads, seq, dim]`` tensors of any strides.

    `angles` are tables ``cos, sin`` ``[1 or batch, seq, n]`` of equal strides, or ``position_ids, turns``.
    """
    batch, q_heads, seq, dim = q.shape
    first, second = angles
    n = second.shape[-1]
    if q.numel() + k.numel() == 0:
        return
    per_row = first.stride(0) if first.shape[0] > 1 else 0
    tables = (0, 0, per_row, first.stride(1)) if at_positions else (per_row, first.stride(1), 0, 0)
    width = triton.next_power_of_2(n)
    tokens = min(triton.next_power_of_2(seq), max(1, 1024 // width))
    heads = 4
    tail = dim - 2 * n
    grid = (triton.cdiv(seq, tokens), batch, triton.cdiv(q_heads + k.shape[1], heads))
    guard = torch.cuda.device(q.device) if q.is_cuda else torch.no_grad()
    with guard:
        _rotate_qk[grid](
            q, k, out_q, out_k, first, second, first, second, factor, seq, q_heads, k.shape[1],
            *q.stride(), *k.stride(), *out_q.stride(), *out_k.stride(), *tables,
            n=n, tail=tail, N=width, TAIL=triton.next_power_of_2(max(tail, 1)), TOKENS=tokens, HEADS=heads,
            PAIRS=layout == "interleaved", COPY=tail > 0 and out_q is not q, AT=at_positions, INVERSE=inverse,
        )  # fmt: skip
