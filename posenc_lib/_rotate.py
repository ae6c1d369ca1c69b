"""The arithmetic of the rotation, with no checks: (x, y) → (x cos − y sin, y cos + x sin) in every plane.

Half-precision inputs are computed in float32 and rounded once. Two forms give the same map: one expression
per half, which a compiler fuses into a single pass; and, for eager float32/float64, one complex product
where a plane's two channels are neighbours in memory.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib.layout import join_planes, split_planes


def arithmetic_dtype(x: Tensor, cos: Tensor) -> torch.dtype:
    return torch.promote_types(torch.promote_types(x.dtype, cos.dtype), torch.float32)


def rotate_by_formula(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """Differentiable in all three tensors, and the form that fuses under torch.compile."""
    dtype = arithmetic_dtype(x, cos)
    cos, sin = cos.to(dtype), sin.to(dtype)
    width = 2 * cos.shape[-1]
    rotated = x if width == x.shape[-1] else x[..., :width]
    first, second = split_planes(rotated.to(dtype), layout)
    new_first = (first * cos - second * sin).to(x.dtype)
    new_second = (second * cos + first * sin).to(x.dtype)
    if width == x.shape[-1]:
        return join_planes(new_first, new_second, layout)
    if layout == "half":
        return torch.cat((new_first, new_second, x[..., width:]), dim=-1)
    return torch.cat((join_planes(new_first, new_second, layout), x[..., width:]), dim=-1)


def _as_complex(x: Tensor) -> Tensor | None:
    """Adjacent channels as one complex number without copying, or None where the strides forbid it."""
    if x.dtype not in (torch.float32, torch.float64) or x.stride(-1) != 1 or x.storage_offset() % 2:
        return None
    if any(s % 2 for s in x.stride()[:-1]):
        return None
    return torch.view_as_complex(x.view(*x.shape[:-1], x.shape[-1] // 2, 2))


def rotate_eager(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """The fastest eager form for these strides and dtypes."""
    if layout == "interleaved" and 2 * cos.shape[-1] == x.shape[-1] and cos.dtype == x.dtype:
        z = _as_complex(x)
        if z is not None:
            return torch.view_as_real(z * torch.complex(cos, sin)).reshape(x.shape)
    return rotate_by_formula(x, cos, sin, layout)


def rotate_(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """In place; working memory is half of the rotated channels."""
    rotated = x[..., : 2 * cos.shape[-1]]
    if layout == "interleaved" and cos.dtype == x.dtype:
        z = _as_complex(rotated)
        if z is not None:
            z.mul_(torch.complex(cos, sin))
            return x
    dtype = arithmetic_dtype(x, cos)
    cos, sin = cos.to(dtype), sin.to(dtype)
    first, second = split_planes(rotated, layout)
    a, b = first.to(dtype), second.to(dtype)
    new_first = a * cos - b * sin
    second.copy_(torch.addcmul(b * cos, a, sin))
    first.copy_(new_first)
    return x
