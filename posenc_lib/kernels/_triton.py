"""The Triton kernel. Imported only when a fused operator runs, because importing Triton takes a while.

One program turns a block of tokens for a group of heads. Cosines and sines are read, or computed from integer
turns, once for the group and stay in registers; each number of q and k is read once and written once.
"""

from __future__ import annotations

import math
from contextlib import nullcontext

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _turn_rows(x, y, xs, xd, ys, yd, rows, ok, cos, sin, n: tl.constexpr, tail: tl.constexpr,
               N: tl.constexpr, TAIL: tl.constexpr, PAIRS: tl.constexpr, COPY: tl.constexpr):  # fmt: skip
    """Rows of one head: n planes turned, ``tail`` further channels copied."""
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


# Taylor coefficients of cos(πx/2), in x², and of sin(πx/2) / x.
_COS = tl.constexpr(tuple((-1) ** k * (math.pi / 2) ** (2 * k) / math.factorial(2 * k) for k in range(6)))
_SIN = tl.constexpr(
    tuple((-1) ** k * (math.pi / 2) ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(5))
)


@triton.jit
def _cos_sin(angle):
    """cos and sin of an int64 angle in units of 2^-64 turn; see posenc_lib.kernels.phase.

    Its nearest quarter turn is taken off exactly. The rest x, in quarter turns, is at most 1/2, where the
    Taylor polynomials of cos(πx/2) and sin(πx/2) end below 4e-10 and 2e-9. The accurate tl.cos and tl.sin
    would bring their reduction of huge angles along: float64, and more instructions than all of this kernel.
    """
    top = (angle >> 32).to(tl.int32)  # 2^-32 turn is 1.5e-9 rad
    quadrant = (top + (1 << 29)) >> 30
    x = (top - (quadrant << 30)).to(tl.float32) * (1 / 2**30)
    y = x * x
    c, s = _COS[5] + 0 * y, _SIN[4] + 0 * y
    for k in tl.static_range(1, 6):
        c = c * y + _COS[5 - k]
    for k in tl.static_range(1, 5):
        s = s * y + _SIN[4 - k]
    s = s * x
    odd = (quadrant & 1) != 0
    cos, sin = tl.where(odd, -s, c), tl.where(odd, c, s)
    other_half = (quadrant & 2) != 0
    return tl.where(other_half, -cos, cos), tl.where(other_half, -sin, sin)


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
    if AT:
        at = tl.load(positions + batch * pb + rows * ps, mask=ok, other=0).to(tl.int64)
        plane = tl.broadcast_to(i[None, :], (TOKENS, N))  # as it is used: no exchange of registers
        cos, sin = _cos_sin(at[:, None] * tl.load(turns + plane, mask=plane < n, other=0))
        cos, sin = cos * factor, sin * factor
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


# Measured on one GPU, an H100 with 132 processors, as were the tokens of a program and its warps, below. They
# are numbers of work and not of a chip: elsewhere results are the same, and the speed is not known.
_HEADS = 4  # that one program turns by the same cosines and sines
_PROGRAMS = 1024  # they keep a GPU busy; with fewer, heads in turn cost more than reading tables again


def _power_of_2_from(n: int) -> int:
    return 1 << (n - 1).bit_length()  # triton.next_power_of_2 takes a microsecond or two, each time


def check_place(q: Tensor) -> None:
    """Refuse tensors on the CPU, but for Triton's interpreter."""
    if q.device.type == "cpu" and isinstance(_rotate_qk, triton.JITFunction):
        raise RuntimeError("q is on cpu, which the fused kernel does not run on: use apply_rotary_qk")


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

    ``angles`` are contiguous tables ``cos, sin`` ``[seq, n]`` or ``[batch, seq, n]``; or contiguous
    ``position_ids`` ``[seq]`` or ``[batch, seq]``, and ``turns`` ``[n]``.
    """
    if q.numel() + k.numel() == 0:
        return
    check_place(q)
    batch, q_heads, seq, dim = q.shape
    first, second = angles
    n = second.shape[-1]
    shared = first.ndim == (1 if at_positions else 2) or first.shape[0] == 1
    per_row, along_seq = 0 if shared else first.stride(0), 1 if at_positions else n
    strides = (0, 0, per_row, along_seq) if at_positions else (per_row, along_seq, 0, 0)
    width = _power_of_2_from(n)
    tokens = min(_power_of_2_from(seq), max(1, 1024 // width))
    blocks, heads = batch * -(-seq // tokens), q_heads + k.shape[1]
    group = next(g for g in (_HEADS, 2, 1) if g == 1 or blocks * heads >= g * _PROGRAMS)
    tail = dim - 2 * n
    grid = (-(-seq // tokens), batch, -(-heads // group))
    with torch.cuda.device(q.device) if q.is_cuda else nullcontext():
        _rotate_qk[grid](
            q, k, out_q, out_k, first, second, first, second, factor, seq, q_heads, k.shape[1],
            *q.stride(), *k.stride(), *out_q.stride(), *out_k.stride(), *strides,
            n=n, tail=tail, N=width, TAIL=_power_of_2_from(max(tail, 1)), TOKENS=tokens, HEADS=group,
            PAIRS=layout == "interleaved", COPY=tail > 0 and out_q is not q, AT=at_positions, INVERSE=inverse,
            num_warps=max(1, min(4, tokens * width // 256)),
            enable_fp_fusion=True,  # said, because Triton's default changes with its version
        )  # fmt: skip
