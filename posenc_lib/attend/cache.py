"""Keys and values of the tokens so far, for decoding: keys already turned, each with its position."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc_lib._allocation import check_room
from posenc_lib._checks import (
    check_int,
    check_integers,
    check_positions,
    check_same,
    check_seq_dim,
    check_tensor,
    widened,
)
from posenc_lib._torch_state import concrete
from posenc_lib.attend.arguments import check_inputs, positions_of, swapped_axes
from posenc_lib.attend.softmax import Backend, attend, turned
from posenc_lib.encoding.interface import Encoding

#: Where an empty slot stands: the last integer that float64 holds exactly, after every query.
NOWHERE = 2**53


class KVCache(NamedTuple):
    r"""What attention remembers of earlier tokens: one key, one value and one position each.

    Keys are kept as attention reads them, turned by a rotary encoding, and with their own few heads.
    Causality is asked of the positions, so the order of tokens in the cache means nothing, and whoever drops
    tokens needs no bookkeeping: ``KVCache(k[:, :, keep], v[:, :, keep], position_ids[..., keep])``.

    A cache grows: :meth:`extended` returns another one, longer, and leaves this one as it is. Or, after
    :meth:`preallocated`, it has a fixed number of slots, which are written in place: shapes never change, so
    a decode step is compiled once. An older tuple shows what it showed even then, and tokens that were only
    drafted are taken back by going on from it.

    Args:
        k: ``[batch, kv_heads, tokens, d]``.
        v: ``[batch, kv_heads, tokens, dv]``.
        position_ids: int64 ``[tokens]``, or ``[batch, tokens]`` where rows differ. An empty slot stands at
            2⁵³, after every query; a score bias is evaluated there, too, and then hidden.
        used: of a preallocated cache, how many slots are filled, an int64 scalar; else None.
        length: what the scaling of a rotary encoding was told, see :class:`RotaryEmbedding`.

    Example:
        Two tokens are dropped, then the positions are closed up, which turns the keys that move. This is the
        cache that a prefill at the new positions makes:

        >>> from posenc_lib import MultiHeadAttention, RotaryEmbedding, rerotate
        >>> rope = RotaryEmbedding(4)
        >>> layer = MultiHeadAttention(16, 4, rope, num_kv_heads=2).double()
        >>> x = torch.randn(1, 6, 16, dtype=torch.float64)
        >>> _, cache = layer(x, position_ids=torch.arange(6), causal=True, return_cache=True)
        >>> keep, places = torch.tensor([0, 1, 4, 5]), torch.arange(4)
        >>> k = rerotate(cache.k[:, :, keep], places - cache.position_ids[keep], rope.inv_freq()[0])
        >>> moved = KVCache(k, cache.v[:, :, keep], places)
        >>> _, fresh = layer(x[:, keep], position_ids=places, causal=True, return_cache=True)
        >>> torch.allclose(moved.k, fresh.k), torch.equal(moved.v, fresh.v)
        (True, True)

        A prefix that several texts share is computed once; here one text has it after three other tokens:

        >>> places = torch.arange(3, 9)
        >>> prefix = cache._replace(k=rerotate(cache.k, 3, rope.inv_freq()[0]), position_ids=places)
        >>> _, fresh = layer(x, position_ids=places, causal=True, return_cache=True)
        >>> torch.allclose(prefix.k, fresh.k)
        True

        A layer of transformers' StaticCache of which n slots are filled, with ``places =
        torch.arange(layer.max_cache_len)``, is such a cache, and its memory stays theirs:
        ``KVCache(layer.keys, layer.values, places.where(places < n, 2**53), used=torch.tensor(n))``.

    Source:
        Shazeer 2019 (Fast Transformer Decoding), section 2.4; dropping tokens: Xiao et al. 2024 (Efficient
        Streaming Language Models with Attention Sinks).
    """

    k: Tensor
    v: Tensor
    position_ids: Tensor
    used: Tensor | None = None
    length: int | None = None

    def __repr__(self) -> str:
        """Its shape, and how full it is; the numbers would fill the screen."""
        batch, heads, slots, dim = self.k.shape
        held = f"{slots} tokens" if self.used is None else f"{_number(self.used)} of {slots} slots used"
        more = f", length {self.length}" * (self.length is not None)
        return f"KVCache({held}, batch {batch}, {heads} heads, keys {dim}, values {self.v.shape[-1]}{more})"

    def extended(self, k: Tensor, v: Tensor, position_ids: Tensor, *, seq_dim: int = -2) -> KVCache:
        """The cache with further tokens.

        Args:
            k: ``[batch, kv_heads, L, d]``, turned.
            v: ``[batch, kv_heads, L, dv]``.
            position_ids: integers ``[L]`` or ``[batch, L]``.
            seq_dim: −2; or −3 for k and v ``[batch, L, kv_heads, dim]``. The cache keeps its own axes.

        Raises:
            TypeError, ValueError: tensors that do not fit, or a cache not made of tensors; more tokens than
                there are empty slots (looked at on the CPU in eager mode; elsewhere torch's indexing
                refuses); keys or values that require gradients, in a preallocated cache.

        Example:
            >>> one, place = torch.ones(1, 1, 1, 2), torch.tensor([5])
            >>> cache = KVCache(one, one, place).extended(2 * one, one, place + 1)
            >>> cache.k[0, 0], cache.position_ids
            (tensor([[1., 1.],
                    [2., 2.]]), tensor([5, 6]))
        """
        _check_tensors(self)
        check_seq_dim(seq_dim)
        if seq_dim == -3:
            k, v = swapped_axes("k", k), swapped_axes("v", v)
        _check_fits("k", k, self.k)
        _check_fits("v", v, self.v)
        check_integers("position_ids", position_ids)
        check_positions(position_ids)
        check_same("position_ids", position_ids, "k", k, dtype=False)
        if v.shape[2] != k.shape[2] or position_ids.shape not in (k.shape[2:3], (k.shape[0], k.shape[2])):
            raise ValueError(
                f"k, v and position_ids must be of as many tokens, got {list(k.shape)}, {list(v.shape)} and "
                f"{list(position_ids.shape)}"
            )
        old, new = self.position_ids, widened(position_ids)
        if old.ndim != new.ndim:  # rows that were alike go on apart, or the other way round
            old, new = old.expand(k.shape[0], -1), new.expand(k.shape[0], -1)
        if self.used is None:
            k, v = torch.cat((self.k, k), 2), torch.cat((self.v, v), 2)
            return KVCache(k, v, torch.cat((old, new), -1), length=self.length)
        return self._written(k, v, old, new, self.used)

    def _written(self, k: Tensor, v: Tensor, old: Tensor, new: Tensor, used: Tensor) -> KVCache:
        count, size = k.shape[2], self.k.shape[2]
        if torch.is_grad_enabled() and (k.requires_grad or v.requires_grad):
            raise ValueError(
                "a preallocated cache is written in place, without gradients: use torch.no_grad()"
            )
        if concrete(used) and int(used) + count > size:
            raise ValueError(f"the cache has {size} slots, {int(used)} of them used, got {count} more tokens")
        slots = used + torch.arange(count, device=used.device)
        self.k.index_copy_(2, slots, k)
        self.v.index_copy_(2, slots, v)
        return self._replace(position_ids=old.index_copy(-1, slots, new), used=used + count)

    def preallocated(self, size: int) -> KVCache:
        """A copy with ``size`` slots, into which further tokens are written in place.

        A step reads all slots, filled or not. So prefill a cache that grows, then give it room.

        Raises:
            TypeError, ValueError: ``size`` not an int, smaller than the cache is, or larger than any memory;
                a cache not made of tensors.

        Example:
            >>> cache = KVCache(torch.ones(1, 1, 2, 4), torch.ones(1, 1, 2, 4), torch.arange(2))
            >>> fixed = cache.preallocated(8)
            >>> fixed.k.shape, fixed.used
            (torch.Size([1, 1, 8, 4]), tensor(2))
        """
        _check_tensors(self)
        held = self.k.shape[2]
        check_int("size", size, minimum=held)
        check_room("size", size, *self.k.shape[:2], size, max(self.k.shape[3], self.v.shape[3], 1))
        k, v = (pad(x.detach(), (0, 0, 0, size - held)) for x in (self.k, self.v))
        places = pad(self.position_ids, (0, size - held), value=NOWHERE)
        used = torch.tensor(held, device=k.device) if self.used is None else self.used
        return KVCache(k, v, places, used, self.length)


def _number(used: Tensor) -> int | str:
    return int(used) if concrete(used) else "?"


def _check_tensors(cache: KVCache) -> None:
    """Keys, values and positions of as many tokens: nothing finer, because each new token asks."""
    k, v, places, used, _ = cache
    tensors = isinstance(k, Tensor) and isinstance(v, Tensor) and isinstance(places, Tensor)
    if tensors and k.ndim == v.ndim == 4 and (used is None or isinstance(used, Tensor)):
        one = k.shape[:3] == v.shape[:3] and places.shape in (k.shape[2:3], (k.shape[0], k.shape[2]))
        if one and places.dtype is torch.int64:
            return
    for name, value in zip(cache._fields, cache[: 3 if used is None else 4], strict=False):
        check_tensor(f"cache.{name}", value)
    if places.dtype is not torch.int64:
        raise TypeError(f"cache.position_ids must be int64, got {places.dtype}: give position_ids.long()")
    raise ValueError(
        "cache.k and cache.v must have shape [batch, kv_heads, tokens, dim], and cache.position_ids "
        f"[tokens] or [batch, tokens], got {list(k.shape)}, {list(v.shape)} and {list(places.shape)}"
    )


def _check_fits(name: str, new: Tensor, held: Tensor) -> None:
    check_same(name, new, "the cache", held)
    (batch, heads, _, dim) = held.shape
    if new.ndim != 4 or (*new.shape[:2], new.shape[3]) != (batch, heads, dim):
        hint = "; if axis -3 is the sequence, say seq_dim=-3" * (new.shape[2:] == (heads, dim))
        raise ValueError(f"{name} must have shape [{batch}, {heads}, L, {dim}], got {list(new.shape)}{hint}")


def cached_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: Encoding | None,
    cache: KVCache | None,
    *,
    position_ids: object,
    mask: Tensor | None,
    length: int | None,
    dropout: float,
    backend: Backend,
) -> tuple[Tensor, KVCache]:
    """Causal attention of new tokens to those in the cache and to themselves, and the cache with them.

    Arguments as of :func:`attention`, but q, k, v and ``position_ids`` are of the new tokens alone.
    """
    check_inputs(q, k, v, None)
    position_ids = check_integers("position_ids", position_ids)
    if position_ids.ndim > 2:
        raise ValueError(
            "position_ids must have shape [L] or [batch, L] with a cache, which keeps one position a token, "
            f"got {list(position_ids.shape)}"
        )
    if encoding is not None:
        encoding.check_heads(q.shape[1], q.shape[3], v.shape[3])
    positions = positions_of(position_ids, q, k, encoding)
    q, k = turned(q, k, encoding, positions, length)
    if cache is None:
        cache = KVCache(k, v, positions.k.clone(), length=length)
    else:
        if cache.length != length:
            raise ValueError(
                f"length must be {cache.length}, for which the keys in the cache were turned, got {length}; "
                "rerotate turns them for another one"
            )
        cache = cache.extended(k, v, positions.k)
        positions = positions_of((positions.q, cache.position_ids), q, cache.k, encoding)
    check_inputs(q, cache.k, cache.v, mask, " (all slots of the cache)" if cache.used is not None else "")
    z = attend(
        q, cache.k, cache.v, encoding, positions, causal=True, mask=mask, dropout=dropout, backend=backend
    )
    return z, cache
