"""Attention with any position encoding, by one of three back ends that give the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import check_choice, check_flag, check_seq_dim
from posenc_lib._torch_state import as_given, is_distributed
from posenc_lib.attend.arguments import (
    check_dropout,
    check_encoding,
    check_inputs,
    positions_of,
    scale_of,
    swapped_axes,
)
from posenc_lib.attend.backends import Call, dense, flex, sdpa
from posenc_lib.attend.parts import in_parts
from posenc_lib.encoding.interface import Encoding, Positions

#: Keys of BACKENDS, as type checkers see them.
Backend = Literal["sdpa", "dense", "flex"]

BACKENDS: dict[str, Callable[[Tensor, Tensor, Tensor, Call], Tensor]] = {
    "sdpa": sdpa,
    "dense": dense,
    "flex": flex,
}


@knows_names
def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: Encoding | None = None,
    *,
    position_ids: Tensor | tuple[Tensor, Tensor] | None = None,
    causal: bool = False,
    mask: Tensor | None = None,
    scale: float | None = None,
    length: int | None = None,
    dropout: float = 0.0,
    backend: Backend = "sdpa",
    seq_dim: int = -2,
) -> Tensor:
    r"""Softmax attention with a position encoding.

    .. math:: z_m = \sum_n \mathrm{softmax}_n\big(\mathrm{scale}\,\langle q_m, k_n\rangle + b(m, n)\big)\,v_n

    The encoding turns q and k (rotary) or gives b (the biases); Shaw's adds to keys and values. A query that
    may see no key gives zeros. Half-precision inputs keep a float32 bias, except by ``"sdpa"`` on a GPU, and
    autocast changes nothing.
    DTensors that are cut alike along batch or heads give one that is cut like them.

    Args:
        q: ``[batch, heads, Q, d]``.
        k: ``[batch, kv_heads, K, d]``, where kv_heads divides heads.
        v: ``[batch, kv_heads, K, dv]``.
        encoding: None, a :class:`RotaryEmbedding`, any :class:`ScoreBias`, a :class:`RelativeAttention`, or
            another :class:`~posenc_lib.encoding.Encoding`. A rotary encoding turns all keys it is given: to
            keep turned keys in a :class:`KVCache`, rotate first and pass None.
        position_ids: ``[L]`` or ``[batch, L]`` for queries and keys alike, or a pair (queries, keys); for
            a rotary encoding with sections also ``[axes, batch, L]``. By
            default 0, 1, …; where Q ≠ K and positions matter they have to be given, for a decode step
            ``(torch.arange(K - Q, K), torch.arange(K))``.
        causal: hide keys at positions after the query's.
        mask: bool, True where a key may be seen, broadcastable to ``[batch, heads, Q, K]``; two axes are
            queries and keys, so a padding mask ``[batch, K]`` is given as ``mask[:, None, None, :]``.
        scale: of ⟨q, k⟩, :math:`1/\sqrt d` by default.
        length: of the context, for a rotary encoding whose scaling depends on it; the same number for a
            whole sequence, as in :class:`RotaryEmbedding`.
        dropout: probability p with which each weight is set to 0, the others divided by 1 − p; at every call,
            so give 0 unless you train. On the CPU it needs whole matrices; ``"flex"`` cannot do it.
        backend: ``"sdpa"``, torch's fused kernels, which without a bias have no second derivative;
            ``"dense"``, whole matrices in float32 or better, the reference; ``"flex"``, FlexAttention,
            compiled only where you compile the call; on the CPU it has no backward. With a bias in half
            precision on a CUDA GPU, ``"sdpa"`` rounds the bias to the dtype of q, as torch's kernels need
            it, and makes its matrix at each call; for a text it is ``"flex"`` where you compile and have
            ALiBi. A matrix kept by you and given to torch is faster up to a few thousand tokens.
        seq_dim: −2; or −3 for q, k, v and the result ``[batch, length, heads, dim]``, read as views; the mask
            keeps its axes. Say it wherever it is so: with as many heads in k as in q, sizes cannot tell.

    Returns:
        ``[batch, heads, Q, dv]``, dtype of q.

    Raises:
        TypeError: inputs that are not floating or of different dtypes; a mask that is not bool; an encoding
            of another kind; positions of a wrong dtype.
        ValueError: shapes or devices that do not fit; missing positions; ``length`` without a rotary
            encoding; a ``scale`` that is no number of the arithmetic; ``dropout`` outside [0, 1), or with
            ``"flex"``; unknown ``backend``.

    Example:
        >>> from posenc_lib.bias import ALiBi
        >>> import torch
        >>> q = torch.randn(1, 4, 6, 8)
        >>> whole = attention(q, q, q, ALiBi(4), causal=True)
        >>> step = attention(
        ...     q[..., 5:, :], q, q, ALiBi(4), position_ids=(torch.arange(5, 6), torch.arange(6)), causal=True
        ... )
        >>> torch.allclose(step, whole[..., 5:, :], atol=1e-6)
        True

    Source:
        Vaswani et al. 2017, equation (1).
    """
    check_seq_dim(seq_dim)
    if seq_dim == -3:
        q, k, v = (swapped_axes(name, x) for name, x in (("q", q), ("k", k), ("v", v)))
    check_inputs(q, k, v, mask)
    check_flag("causal", causal)
    check_choice("backend", backend, BACKENDS)
    check_dropout(dropout, backend)
    check_encoding(encoding)
    if encoding is not None:
        encoding.check_heads(q.shape[1], q.shape[3], v.shape[3])
    asked = encoding is not None or causal
    positions = positions_of(position_ids, q, k, encoding) if asked else None
    q, k = turned(q, k, encoding, positions, length)
    z = attend(
        q, k, v, encoding, positions, causal=causal, mask=mask, scale=scale, dropout=dropout, backend=backend
    )
    return z if seq_dim == -2 else z.transpose(1, 2)


def turned(
    q: Tensor, k: Tensor, encoding: Encoding | None, positions: Positions | None, length: int | None
) -> tuple[Tensor, Tensor]:
    """q and k as the encoding turns them."""
    if encoding is None or positions is None:
        if length is not None:
            raise ValueError(f"length is for a rotary encoding, got length = {length} with no encoding")
        return q, k
    return encoding.turn(q, k, positions, length)


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: Encoding | None,
    positions: Positions | None,
    *,
    causal: bool,
    mask: Tensor | None,
    scale: float | None = None,
    dropout: float,
    backend: Backend,
) -> Tensor:
    """:func:`attention` of queries and keys that are turned already."""
    scale = scale_of(scale, q)
    order = positions if causal else None
    if order is not None and order.q.ndim == 3:
        raise ValueError("causal with positions of several axes is ambiguous; pass the order as `mask`")
    term = None if encoding is None or positions is None else encoding.term(q, positions, scale)
    call = Call(term, order, _four_axes(mask), scale, dropout)
    if type(q) is not Tensor and is_distributed(q):
        return in_parts(q, k, v, call, BACKENDS[backend])
    with as_given(q):
        return BACKENDS[backend](q, k, v, call)


def _four_axes(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.reshape(*[1] * (4 - mask.ndim), *mask.shape)
