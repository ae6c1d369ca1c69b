"""Dual chunk attention: rotary attention for texts longer than the model was trained on."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import check_flag, check_local, check_seq_dim, shown
from posenc_lib._torch_state import as_given
from posenc_lib.angles.double import arithmetic
from posenc_lib.attend.arguments import check_inputs, positions_of, scale_of, swapped_axes
from posenc_lib.attend.dual.blocks import in_order, mixed, runs, starts_of
from posenc_lib.attend.dual.places import chunk_of, dual_chunk_positions, places_of
from posenc_lib.attend.groups import product
from posenc_lib.attend.tiled.inputs import masked_softmax
from posenc_lib.encoding.interface import Positions
from posenc_lib.encoding.tiles import MINUS_INFINITY
from posenc_lib.rotary.apply import apply_rotary
from posenc_lib.rotary.module import RotaryEmbedding


@knows_names
def dual_chunk_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    rope: RotaryEmbedding,
    *,
    chunk_size: int,
    local_size: int,
    position_ids: Tensor | tuple[Tensor, Tensor] | None = None,
    keys_turned: bool = False,
    mask: Tensor | None = None,
    scale: float | None = None,
    length: int | None = None,
    seq_dim: int = -2,
) -> Tensor:
    r"""Causal rotary attention for texts longer than the model was trained on, without training.

    .. math:: z_m = \sum_{n \le m} \mathrm{softmax}_n\big(\mathrm{scale}\,
              \langle R_{p_j(m)}\,q_m,\; R_{p_0(n)}\,k_n\rangle\big)\,v_n,
              \qquad j = \min\big(\lfloor m/s\rfloor - \lfloor n/s\rfloor,\ 2\big)

    :math:`p_0, p_1, p_2` are the fields of :func:`dual_chunk_positions`, and s is ``chunk_size`` −
    ``local_size``. It is :func:`attention` with ``rope`` for at most ``chunk_size`` + 1 tokens from position
    0 on. One softmax over all keys, in blocks of queries: without gradients no more than a block's scores
    are in memory at once. Where positions are consecutive each score is computed once; otherwise, on an
    accelerator where ``position_ids`` are given, and where a compiler traces, for all three positions.

    A key is turned by its place in its chunk, whoever asks. So a cache keeps turned keys: turn each when it
    enters, by ``dual_chunk_positions(...).intra``, and say ``keys_turned``.

    Args:
        q: ``[batch, heads, Q, d]``.
        k: ``[batch, kv_heads, K, d]``, where kv_heads divides heads.
        v: ``[batch, kv_heads, K, dv]``.
        rope: frequencies, layout and factor; not with several axes.
        chunk_size, local_size: as in ``dual_chunk_attention_config`` of a Hugging Face config.
        position_ids: integers ``[L]`` or ``[batch, L]``, or a pair (queries, keys), as in :func:`attention`.
        keys_turned: k is turned already.
        mask: bool, True where a key may be seen, broadcastable to ``[batch, heads, Q, K]``.
        scale: of ⟨q, k⟩, :math:`1/\sqrt d` by default. vLLM's for Qwen2.5-1M and a prompt of L tokens, more
            than the :math:`L_0` of ``original_max_position_embeddings``, is
            :math:`(1 + 0.1\ln(L/L_0))^2/\sqrt d`.
        length: as in :func:`attention`, for a scaling that depends on it.
        seq_dim: −2, or −3 for ``[batch, length, heads, dim]``.

    Returns:
        ``[batch, heads, Q, dv]``, dtype of q; computed in float32 at least and rounded once.

    Raises:
        TypeError, ValueError: as :func:`attention` and :func:`dual_chunk_positions`; a ``rope`` that is no
            RotaryEmbedding, is for another width or has several axes.

    Example:
        >>> from posenc_lib import RotaryEmbedding, attention
        >>> rope, sizes = RotaryEmbedding(8), {"chunk_size": 5, "local_size": 1}
        >>> q, k, v = torch.randn(3, 1, 2, 12, 8, dtype=torch.float64)
        >>> z = dual_chunk_attention(q, k, v, rope, **sizes)
        >>> as_usual = attention(q, k, v, rope, causal=True)
        >>> torch.allclose(z[:, :, :6], as_usual[:, :, :6]), torch.allclose(z, as_usual)
        (True, False)

        The last token again, with keys from a cache:

        >>> at = torch.arange(12)
        >>> _, cached = rope(k, k, dual_chunk_positions(at, **sizes).intra)
        >>> last = (at[11:], at)
        >>> step = dual_chunk_attention(
        ...     q[:, :, 11:], cached, v, rope, **sizes, position_ids=last, keys_turned=True
        ... )
        >>> torch.allclose(step, z[:, :, 11:])
        True

    Source:
        An et al. 2024, section 3; released code: ChunkLlama, and vLLM's dual chunk attention for Qwen2.5-1M.
    """
    size = chunk_of(chunk_size, local_size)
    check_flag("keys_turned", keys_turned)
    check_seq_dim(seq_dim)
    if seq_dim == -3:
        q, k, v = (swapped_axes(name, x) for name, x in (("q", q), ("k", k), ("v", v)))
    check_inputs(q, k, v, mask)
    check_local("q", q)
    _check_rope(rope, q.shape[-1])
    scale = scale_of(scale, q)
    at = positions_of(position_ids, q, k, None)
    at = Positions(places_of(at.q), places_of(at.k), at.first)
    ways = dual_chunk_positions(at.q, chunk_size=chunk_size, local_size=local_size)
    dtype = arithmetic(q)
    with as_given(q):
        wide, keys, values = (x.to(dtype) for x in (q, k, v))
        queries = [_turned(wide * scale, rope, way, length) for way in ways]
        keys = keys if keys_turned else _turned(keys, rope, at.k % size, length)
        starts = starts_of(at, counted=position_ids is None)
        allowed = None if mask is None else mask.expand(*q.shape[:3], k.shape[2])
        parts = []
        for a, b in runs(q, k, size, starts):
            rows = [x[:, :, a:b] for x in queries]
            asked = Positions(at.q[..., a:b], at.k, None)
            scores = (
                mixed(rows, keys, asked, size) if starts is None else in_order(rows, keys, a, size, starts)
            )
            end = scores.shape[-1]
            seen = asked.seen()[..., :end]
            seen = seen if allowed is None else seen & allowed[:, :, a:b, :end]
            weights = masked_softmax(torch.where(seen, scores, MINUS_INFINITY))
            parts.append(product(weights, values[:, :, :end]).to(q.dtype))
        z = torch.cat(parts, 2)
    return z if seq_dim == -2 else z.transpose(1, 2)


def _turned(x: Tensor, rope: RotaryEmbedding, positions: Tensor, length: int | None) -> Tensor:
    tables = rope.tables(positions, length=length, dtype=x.dtype)
    return apply_rotary(x, *tables, layout=rope.spec.layout)


def _check_rope(rope: object, width: int) -> None:
    if not isinstance(rope, RotaryEmbedding):
        raise TypeError(f"rope must be a RotaryEmbedding, got {shown(rope)}")
    if rope.several_axes:
        raise ValueError(f"rope must have one axis, for chunks of a text, got {rope.spec}")
    if rope.spec.dim != width:
        raise ValueError(f"rope is for heads of width {rope.spec.dim}, but q has width {width}")
