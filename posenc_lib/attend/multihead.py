"""A multi-head attention layer with any of the library's encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import torch
from torch import Tensor, nn

from posenc_lib._aliases import knows_names
from posenc_lib._checks import (
    MAX_WIDTH,
    check_choice,
    check_flag,
    check_floating,
    check_int,
    check_same,
    shown,
)
from posenc_lib._typing import called_as
from posenc_lib.attend.arguments import check_dropout, check_encoding, queries_and_keys
from posenc_lib.attend.cache import KVCache, cached_attention
from posenc_lib.attend.softmax import BACKENDS, Backend, attention
from posenc_lib.encoding.interface import Encoding
from posenc_lib.rotary.apply import apply_rotary_qk
from posenc_lib.rotary.module import RotaryEmbedding


@knows_names
class MultiHeadAttention(nn.Module):
    """Projections, :func:`attention` and an output projection.

    What goes in and comes out is ``[batch, length, embed_dim]``, with the heads side by side in the last
    axis, so there is no ``seq_dim`` to say: the layer cuts its heads itself, as views.

    Args:
        embed_dim: width of the embeddings.
        num_heads: heads, which divide ``embed_dim``.
        encoding: anything :func:`attention` takes, or an additive encoding of ``embed_dim``
            channels, which is added to the embeddings before the projections.
        bias: whether the projections have offsets.
        num_kv_heads: heads of keys and values, which divide ``num_heads``; None for as many.
        qk_norm: ``torch.nn.RMSNorm`` on every head of queries and of keys, before their positions.
        dropout: on the attention weights, as :func:`attention`, while the layer is in training mode.
        backend: as :func:`attention`.

    Raises:
        TypeError, ValueError: counts that do not fit; another kind of ``encoding``, or one for another width
            or number of heads; unknown ``backend``; at call time as :func:`attention`. A layer that
            holds a part of the heads (tensor parallelism) refuses a :class:`ScoreBias` of all of them: give
            it ``encoding.head_slice(start, stop)``.

    Example:
        >>> import torch
        >>> from posenc_lib.bias import T5Bias
        >>> layer = MultiHeadAttention(16, 4, T5Bias(4))
        >>> x = torch.randn(2, 6, 16)
        >>> layer(x).shape
        torch.Size([2, 6, 16])

        Five tokens at once, and the sixth beside what is remembered of them:

        >>> at = torch.arange(6)
        >>> _, cache = layer(x[:, :5], position_ids=at[:5], causal=True, return_cache=True)
        >>> last, cache = layer(x[:, 5:], position_ids=at[5:], causal=True, cache=cache, return_cache=True)
        >>> torch.allclose(last, layer(x, causal=True)[:, 5:], atol=1e-6)
        True

    Source:
        Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        encoding: Encoding | None = None,
        *,
        bias: bool = True,
        num_kv_heads: int | None = None,
        qk_norm: bool = False,
        dropout: float = 0.0,
        backend: Backend = "sdpa",
    ) -> None:
        super().__init__()
        check_int("embed_dim", embed_dim, 1, MAX_WIDTH)
        check_int("num_heads", num_heads, 1, MAX_WIDTH)
        if embed_dim % num_heads:
            raise ValueError(f"num_heads must divide embed_dim = {embed_dim}, got {num_heads}")
        kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        check_int("num_kv_heads", kv_heads, 1, MAX_WIDTH)
        if num_heads % kv_heads:
            raise ValueError(f"num_kv_heads must divide num_heads = {num_heads}, got {kv_heads}")
        check_flag("bias", bias)
        check_flag("qk_norm", qk_norm)
        head_dim = embed_dim // num_heads
        check_encoding(encoding)
        if encoding is not None:
            encoding.check_layer(embed_dim, num_heads)
        check_choice("backend", backend, BACKENDS)
        check_dropout(dropout, backend)
        self.num_heads, self.head_dim, self.backend, self.encoding = num_heads, head_dim, backend, encoding
        self.dropout = dropout
        shared = kv_heads * head_dim
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.k_proj = nn.Linear(embed_dim, shared, bias=bias)
        self.v_proj = nn.Linear(embed_dim, shared, bias=bias)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.q_norm, self.k_norm = (nn.RMSNorm(head_dim) if qk_norm else None for _ in range(2))

    @overload
    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        *,
        position_ids: Tensor | tuple[Tensor, Tensor] | None = None,
        causal: bool = False,
        mask: Tensor | None = None,
        length: int | None = None,
        tables: tuple[Tensor, Tensor] | None = None,
        cache: KVCache | None = None,
        return_cache: Literal[False] = False,
    ) -> Tensor: ...

    @overload
    def forward(
        self,
        x: Tensor,
        context: None = None,
        *,
        position_ids: Tensor,
        causal: Literal[True],
        mask: Tensor | None = None,
        length: int | None = None,
        tables: tuple[Tensor, Tensor] | None = None,
        cache: KVCache | None = None,
        return_cache: Literal[True],
    ) -> tuple[Tensor, KVCache]: ...

    @knows_names
    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        *,
        position_ids: Tensor | tuple[Tensor, Tensor] | None = None,
        causal: bool = False,
        mask: Tensor | None = None,
        length: int | None = None,
        tables: tuple[Tensor, Tensor] | None = None,
        cache: KVCache | None = None,
        return_cache: bool = False,
    ) -> Tensor | tuple[Tensor, KVCache]:
        """Attend from x to itself, or to ``context``.

        Args:
            x: ``[batch, Q, embed_dim]``.
            context: ``[batch, K, embed_dim]`` for cross-attention.
            position_ids, causal, mask, length: as :func:`attention`.
            tables: cos and sin of :meth:`RotaryEmbedding.tables` at these positions, for a rotary encoding
                and without ``context``: made once, they serve all layers. A ``length`` is in them already.
            cache: of the tokens before x, which attends to them and to itself. ``position_ids`` are those of
                x alone, one integer a token, and must be given; ``causal`` must be True; ``mask`` is for all
                tokens, or slots, of the cache.
            return_cache: return the cache with the tokens of x, too; without a ``cache``, the first one.

        Returns:
            ``[batch, Q, embed_dim]``, or that and a :class:`KVCache`.
        """
        width = self.q_proj.in_features
        given = [("x", x)] if context is None else [("x", x), ("context", context)]
        for name, value in given:
            check_floating(name, value)
            check_same(name, value, "the weights", self.q_proj.weight, dtype=False)
            _check_dtype(name, value, self.q_proj.weight)
            if value.ndim != 3 or value.shape[-1] != width:
                raise ValueError(f"{name} must have shape [batch, length, {width}], got {list(value.shape)}")
        check_flag("return_cache", return_cache)
        if cache is not None or return_cache:
            _check_cached(cache, position_ids, causal, context)
        encoding = self.encoding
        if encoding is not None and encoding.embeds:
            q_pos, k_pos = queries_and_keys(position_ids)
            context = None if context is None else encoding.embed(context, k_pos)
            x = encoding.embed(x, q_pos)
            encoding = None
        context = x if context is None else context
        projected = self.q_proj(x), self.k_proj(context), self.v_proj(context)
        q, k, v = (self._heads(y) for y in projected)
        if self.q_norm is not None and self.k_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        if tables is not None:
            if not isinstance(encoding, RotaryEmbedding) or context is not x:
                raise ValueError("tables are for a rotary encoding, and for attention of x to itself")
            if not isinstance(tables, tuple) or len(tables) != 2:
                raise TypeError(f"tables must be a pair (cos, sin), got {type(tables).__name__}")
            q, k = apply_rotary_qk(q, k, *tables, layout=encoding.spec.layout)
            encoding = None
        told: dict[str, Any] = {"position_ids": position_ids, "mask": mask, "length": length}
        told |= {"dropout": self.dropout if self.training else 0.0, "backend": self.backend}
        if cache is None and not return_cache:
            z = attention(q, k, v, encoding, causal=causal, **told)
            return self.out_proj(z.transpose(1, 2).flatten(2))
        z, cache = cached_attention(q, k, v, encoding, cache, **told)
        out = self.out_proj(z.transpose(1, 2).flatten(2))
        return (out, cache) if return_cache else out

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...

    def _heads(self, x: Tensor) -> Tensor:
        """As many heads as there are: where projections are cut over processes, not all."""
        heads = x.shape[-1] // self.head_dim
        if heads * self.head_dim != x.shape[-1]:
            raise ValueError(f"projections must give whole heads of width {self.head_dim}, got {x.shape[-1]}")
        return x.unflatten(-1, (heads, self.head_dim)).transpose(1, 2)


def _check_dtype(name: str, x: Tensor, weight: Tensor) -> None:
    """Of x and of the weights, unless autocast chooses it, or the weights are packed in integers."""
    if x.dtype is weight.dtype or not weight.is_floating_point():
        return
    if not x.is_meta and torch.is_autocast_enabled(x.device.type):
        return
    raise TypeError(
        f"{name} has dtype {x.dtype} but the weights have {weight.dtype}: give {name}.to({weight.dtype}), or "
        f"the layer as layer.to({x.dtype})"
    )


def _check_cached(cache: object, position_ids: object, causal: object, context: Tensor | None) -> None:
    if cache is not None and not isinstance(cache, KVCache):
        raise TypeError(f"cache must be a KVCache, as return_cache=True gives it, got {type(cache).__name__}")
    if causal is not True:
        raise ValueError(
            f"causal must be True with a cache, which holds what came before, got {shown(causal)}"
        )
    if position_ids is None:
        raise ValueError(
            "position_ids must be given with a cache, those of x alone: after n tokens "
            "torch.arange(n, n + x.shape[1])"
        )
    if context is not None:
        raise ValueError("a cache is for attention of x to itself: give x alone, without context")
