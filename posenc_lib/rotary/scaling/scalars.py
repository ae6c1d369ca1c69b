"""Parameters that may be numbers or tensors: numbers are checked, tensors are differentiated."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from posenc_lib._checks import check_finite

Scalar = float | Tensor
Scaled = tuple[Tensor, Scalar]  # frequencies [n] and the factor on cos and sin


def positive(name: str, value: Any) -> Any:
    """``value``, refused if it is a number that is not positive and finite."""
    if not isinstance(value, Tensor):  # values of tensors are not read: that would break compilation and vmap
        check_finite(name, value, positive=True)
    return value


def stretch(name: str, value: Any) -> Any:
    """``value``, refused if it is a number below 1: texts get longer, frequencies no faster."""
    if not isinstance(value, Tensor) and positive(name, value) < 1:
        raise ValueError(f"{name} must be at least 1 (new length / original length), got {value}")
    return value


def finite(name: str, value: Any) -> None:
    """Refuse a ``value`` that is neither None, nor a finite number, nor a tensor."""
    if value is not None and not isinstance(value, Tensor):
        check_finite(name, value)


def refuse_order(low_name: str, low: Scalar, high_name: str, high: Scalar) -> None:
    """Raise unless low < high, where both are numbers."""
    if not isinstance(low, Tensor) and not isinstance(high, Tensor) and high <= low:
        raise ValueError(f"{high_name} must exceed {low_name}, got {high_name}={high} and {low_name}={low}")


def log(x: Scalar) -> Any:
    return torch.log(x) if isinstance(x, Tensor) else math.log(x)


def sqrt(x: Scalar) -> Any:
    return torch.sqrt(x) if isinstance(x, Tensor) else math.sqrt(x)


def plane_index(inv_freq: Tensor, kind: str) -> tuple[Tensor, int]:
    """0 … n−1 like ``inv_freq``, and n − 1 ≥ 1, by which a rule that needs the ladder's length divides."""
    last = inv_freq.shape[-1] - 1
    if last < 1:
        raise ValueError(f"scaling {kind!r} needs at least two planes (dim >= 4), got {last + 1}")
    return torch.arange(last + 1, dtype=inv_freq.dtype, device=inv_freq.device), last
