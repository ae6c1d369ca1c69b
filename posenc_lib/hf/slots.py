"""The rotation in the forms that other projects take: a layer for kernels, Liger's and torchtitan's calls."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from posenc_lib._checks import check_flag, check_int, check_tensor, shown
from posenc_lib.angles.fit import check_doubled
from posenc_lib.rotary.apply import apply_rotary_qk

#: ``rotate(q, k, cos, sin, *, layout, seq_dim)`` with half-width tables, as apply_rotary_qk and
#: fused_rotary_qk are.
Rotate = Callable[..., tuple[Tensor, Tensor]]


def rotary_layer(rotate: Rotate = apply_rotary_qk, *, doubled: bool | None = None) -> type[nn.Module]:
    r"""A layer for the name ``rotary_pos_emb`` of Hugging Face's kernels: :math:`R_m q, R_n k`, half layout.

    It has no state and no constructor, as that library demands, a gradient, and may be compiled. A repository
    of that library is any object whose ``load()`` returns it. Models whose function of this name turns
    otherwise (nanochat: by −θ) must not get it; :func:`use_in` finds out.

    Args:
        rotate: :func:`posenc_lib.apply_rotary_qk`, or on GPUs :func:`posenc_lib.kernels.fused_rotary_qk`.
        doubled: whether tables hold each half twice, ``cat(c, c)``. By default they do, and width d/2 for
            heads of width d, which may be either, is refused.

    Returns:
        A class whose ``forward(q, k, cos, sin, unsqueeze_dim=1)`` is transformers' ``apply_rotary_pos_emb``:
        q, k ``[batch, heads, seq, d]``, or ``[batch, seq, heads, d]`` for 2; tables ``[batch or 1, seq, w]``.

    Raises:
        TypeError, ValueError: ``rotate`` is no function, ``doubled`` no flag; when called, as ``rotate``; a
            table of width d/2 with ``doubled=None``; another ``unsqueeze_dim``.

    Example:
        >>> import torch
        >>> layer, q = rotary_layer()(), torch.ones(1, 2, 3, 4)
        >>> angle = torch.arange(3.0)[None, :, None] * torch.tensor([1.0, 0.01, 1.0, 0.01])
        >>> layer(q, q, angle.cos(), angle.sin())[0][0, 0]
        tensor([[ 1.0000,  1.0000,  1.0000,  1.0000],
                [-0.3012,  0.9900,  1.3818,  1.0099],
                [-1.3254,  0.9798,  0.4932,  1.0198]])

    Source:
        the layers of the kernels library 0.17, and the function of transformers 5.23.
    """
    _check_rotate(rotate)
    if doubled is not None:
        check_flag("doubled", doubled)

    class RotaryPosEmb(nn.Module):
        can_torch_compile = True
        has_backward = True

        def forward(
            self, q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
        ) -> tuple[Tensor, Tensor]:
            check_tensor("q", q)
            check_tensor("cos", cos)
            width, dim = cos.shape[-1], q.shape[-1]
            if doubled is None and 2 * width == dim:
                raise ValueError(
                    f"cos of width {width} may be doubled for {width} channels or half-width for {dim}: "
                    "say rotary_layer(doubled=True) or rotary_layer(doubled=False)"
                )
            return _half(rotate, q, k, cos, sin, width if doubled is False else width // 2, unsqueeze_dim)

    return RotaryPosEmb


def liger_rotary(rotate: Rotate = apply_rotary_qk) -> Callable[..., tuple[Tensor, Tensor]]:
    r"""A function with the arguments of Liger's ``liger_rotary_pos_emb``: :math:`R_m q, R_n k`, half layout.

    It fits where Liger puts its own, in the module of a model, and in Liger's register of implementations
    under the name ``rope``. It returns new tensors and leaves q and k as they are.

    Args:
        rotate: as for :func:`rotary_layer`.

    Returns:
        ``f(q, k, cos, sin, position_ids=None, unsqueeze_dim=1, rotary_dim=None)``: q, k as for
        :func:`rotary_layer`; tables ``[seq, w]`` or ``[batch or 1, seq, w]``, doubled, unless ``rotary_dim``,
        the number of channels that turn, says that there is one column a plane. ``position_ids`` is not
        used: the tables are at these positions already.

    Raises:
        TypeError, ValueError: ``rotate`` is no function; when called, as ``rotate``; another
            ``unsqueeze_dim``; a ``rotary_dim`` that is odd or below 2.

    Example:
        >>> import torch
        >>> q, angle = torch.ones(1, 2, 3, 4), torch.arange(3.0)[:, None] * torch.tensor([1.0, 0.01])
        >>> doubled = torch.cat((angle, angle), -1)
        >>> turned, _ = liger_rotary()(q, q, doubled.cos(), doubled.sin())
        >>> torch.equal(turned, liger_rotary()(q, q, angle.cos(), angle.sin(), rotary_dim=4)[0])
        True

    Source:
        Liger-Kernel 0.8.5, ``transformers/rope.py`` and ``ops/rope.py``.
    """
    _check_rotate(rotate)

    def rope(
        q: Tensor,
        k: Tensor,
        cos: Tensor,
        sin: Tensor,
        position_ids: Tensor | None = None,
        unsqueeze_dim: int = 1,
        rotary_dim: int | None = None,
    ) -> tuple[Tensor, Tensor]:
        check_tensor("cos", cos)
        if rotary_dim is None:
            return _half(rotate, q, k, cos, sin, cos.shape[-1] // 2, unsqueeze_dim)
        check_int("rotary_dim", rotary_dim, minimum=2)
        if rotary_dim % 2:
            raise ValueError(f"rotary_dim must be even, got {rotary_dim}")
        return _half(rotate, q, k, cos, sin, rotary_dim // 2, unsqueeze_dim)

    return rope


def titan_rotary(
    rotate: Rotate = apply_rotary_qk,
) -> Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]:
    r"""A function with the arguments of torchtitan's ``apply_rotary_emb``: :math:`R_m q, R_n k`.

    Its ComplexRoPE hands over :math:`e^{im\theta}`, for neighbours (the interleaved layout); its CosSinRoPE
    hands over doubled cosines followed by doubled sines, for halves. The dtype of the table tells which.

    Args:
        rotate: as for :func:`rotary_layer`.

    Returns:
        ``f(query, key, rope_cache)``: query, key ``[batch, seq, heads, d]``; the table ``[batch or 1, seq, 1,
        d/2]`` complex, or ``[batch or 1, seq, 1, 2d]`` real.

    Raises:
        TypeError, ValueError: ``rotate`` is no function; when called, as ``rotate``; a table of another
            shape.

    Example:
        >>> import torch
        >>> q, angle = torch.ones(1, 3, 2, 4), torch.arange(3.0)[:, None] * torch.tensor([1.0, 0.01])
        >>> cache = torch.polar(torch.ones(3, 2), angle)[None, :, None]
        >>> titan_rotary()(q, q, cache)[0][0, :, 0]
        tensor([[ 1.0000,  1.0000,  1.0000,  1.0000],
                [-0.3012,  1.3818,  0.9900,  1.0099],
                [-1.3254,  0.4932,  0.9798,  1.0198]])

    Source:
        torchtitan 0.3.0, ``models/common/rope.py``.
    """
    _check_rotate(rotate)

    def apply_rotary_emb(query: Tensor, key: Tensor, rope_cache: Tensor) -> tuple[Tensor, Tensor]:
        check_tensor("rope_cache", rope_cache)
        dim, pairs = check_tensor("query", query).shape[-1], rope_cache.is_complex()
        width = dim // 2 if pairs else 2 * dim
        if rope_cache.ndim != 4 or rope_cache.shape[2:] != (1, width):
            raise ValueError(
                f"rope_cache must have shape [batch or 1, seq, 1, {width}], {'complex' if pairs else 'real'} "
                f"for heads of width {dim}, got {list(rope_cache.shape)}"
            )
        table = rope_cache.squeeze(2)
        cos, sin = (table.real, table.imag) if pairs else table.chunk(4, dim=-1)[::2]
        return rotate(query, key, cos, sin, layout="interleaved" if pairs else "half", seq_dim=-3)

    return apply_rotary_emb


def _half(
    rotate: Rotate, q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, planes: int, unsqueeze_dim: int
) -> tuple[Tensor, Tensor]:
    """q and k turned in the half layout by the first columns of the tables, one for each plane."""
    if unsqueeze_dim not in (1, 2):
        raise ValueError(
            "unsqueeze_dim must be 1, for [batch, heads, seq, d], or 2, for [batch, seq, heads, d], got "
            f"{shown(unsqueeze_dim)}"
        )
    if planes < cos.shape[-1]:
        check_doubled(cos, sin)
    cos, sin = cos[..., :planes], sin[..., :planes]
    return rotate(q, k, cos, sin, layout="half", seq_dim=-1 - unsqueeze_dim)


def _check_rotate(rotate: object) -> None:
    if not callable(rotate):
        raise TypeError(f"rotate must be a function such as apply_rotary_qk, got {shown(rotate)}")
