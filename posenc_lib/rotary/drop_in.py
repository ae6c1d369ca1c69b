"""The rotation under the name, and with the tables, that Hugging Face's models give it."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._aliases import TABLES_INSTEAD, knows_names
from posenc_lib._checks import check_int, check_same, check_tensor, shown
from posenc_lib._torch_state import compiling
from posenc_lib.angles.fit import check_doubled
from posenc_lib.rotary.apply import apply_rotary_qk


@knows_names
def apply_rotary_pos_emb(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Drop-in for the function of this name in Hugging Face models that pair channels (i, i + d/2).

    Their tables are doubled, ``cat(c, c)``; half-width tables are accepted too. Width d is read as doubled;
    width d/2 as half-width unless its two halves are equal (then as doubled tables of a partial rotary); any
    other even width below d as doubled, partial. At position 0 alone all halves are equal: there width d/2
    with an attention factor is refused, for it could be either.

    Args:
        q, k: ``[batch, heads, seq, d]``, or ``[batch, seq, heads, d]`` with ``unsqueeze_dim=2``.
        cos, sin: ``[batch or 1, seq, width]``.
        unsqueeze_dim: where the tables get their head axis.

    Raises:
        TypeError, ValueError: as :func:`apply_rotary`; doubled tables whose halves differ, such as those of
            pairs of neighbours (looked at on the CPU in eager mode, at the last position).

    Example:
        >>> q = k = torch.randn(1, 2, 5, 8)
        >>> angle = torch.arange(5.)[None, :, None] * torch.tensor([1., 0.1, 0.01, 0.001])
        >>> doubled = torch.cat((angle, angle), dim=-1)
        >>> apply_rotary_pos_emb(q, k, doubled.cos(), doubled.sin())[0].shape
        torch.Size([1, 2, 5, 8])
    """
    check_tensor("q", q)
    for name, value in (("k", k), ("cos", cos), ("sin", sin)):
        check_same(name, value, "q", q, dtype=False)
    if cos.is_meta:
        raise ValueError(
            f"cos must hold numbers, which tell its width, got a tensor on {cos.device}: call "
            "apply_rotary_qk, with half-width tables"
        )
    if isinstance(unsqueeze_dim, Tensor):
        raise TypeError(f"unsqueeze_dim must be an int, got {shown(unsqueeze_dim)}: {TABLES_INSTEAD}")
    check_int("unsqueeze_dim", unsqueeze_dim, minimum=-q.ndim)
    if unsqueeze_dim in (-1, q.ndim - 1) or unsqueeze_dim >= q.ndim:
        raise ValueError(f"unsqueeze_dim must be an axis of q before the last, got {unsqueeze_dim}")
    if cos.ndim != q.ndim - 1:
        raise ValueError(
            f"cos must have one axis fewer than q, got {list(cos.shape)} for q {list(q.shape)}"
            + "; without a batch give cos[None] and sin[None]" * (cos.ndim == q.ndim - 2)
        )
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have one shape, got {list(cos.shape)} and {list(sin.shape)}")
    shared = [*q.shape[:-1]]
    del shared[unsqueeze_dim % q.ndim]
    if not all(own in (1, size) for own, size in zip(cos.shape[:-1], shared, strict=True)):
        raise ValueError(
            f"cos of shape {list(cos.shape)} does not fit q of shape {list(q.shape)} with "
            f"unsqueeze_dim={unsqueeze_dim}: expected [{', '.join(map(str, shared))}, width], or 1 for a size"
        )
    cos, sin = _undoubled(cos, sin, q.shape[-1])
    return apply_rotary_qk(q, k, cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim))


def _undoubled(cos: Tensor, sin: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    half, odd = cos.shape[-1] // 2, cos.shape[-1] % 2  # torch.compile does not know divmod of sizes
    if odd:
        return cos, sin  # refused later, with a reason
    if 2 * half == dim // 2:
        if compiling():
            raise ValueError(
                f"cos of width {2 * half} may be half-width for {dim} channels or doubled for {dim // 2}: "
                "under torch.compile call apply_rotary_qk, with half-width tables"
            )
        if any(not torch.equal(*table.chunk(2, dim=-1)) for table in (cos, sin)):
            return cos, sin
        if not sin.any() and not (cos == 1).all():
            raise ValueError(
                f"cos of width {2 * half} at position 0, with a factor, may be half-width for {dim} channels "
                f"or doubled for {dim // 2}: call apply_rotary_qk, with half-width tables"
            )
    check_doubled(cos, sin)
    return cos.narrow(-1, 0, half), sin.narrow(-1, 0, half)
