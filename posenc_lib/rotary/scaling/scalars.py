"""Parameters that may be numbers or tensors: numbers are checked, tensors are differentiated."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from posenc_lib._checks import check_finite, check_frequencies, check_int
from posenc_lib._torch_state import concrete

Scalar = float | Tensor
Scaled = tuple[Tensor, Scalar]  # frequencies [n] and the factor on cos and sin


def check_ladder(inv_freq: Any, length: Any) -> None:
    """Refuse what every rule gets if it is no floating tensor ``[n]``, or no length."""
    if check_frequencies("inv_freq", inv_freq).ndim == 0:
        raise ValueError(f"inv_freq must have shape [n], got {list(inv_freq.shape)}")
    if length is not None:
        check_int("length", length)


def positive(name: str, value: Any) -> Any:
    """``value``, refused if it is a number that is not positive and finite, or a tensor with one."""
    _each(name, value, positive=True)
    return value


def stretch(name: str, value: Any) -> Any:
    """``value``, refused if it is a number below 1: texts get longer, frequencies no faster."""
    for number in _each(name, value, positive=True):
        if number < 1:
            raise ValueError(f"{name} must be at least 1 (new length / original length), got {number}")
    return value


def finite(name: str, value: Any) -> None:
    """Refuse a ``value`` that is neither None nor a finite number, nor a tensor of finite numbers."""
    if value is not None:
        _each(name, value)


def _each(name: str, value: Any, *, positive: bool = False) -> list[float]:
    """The numbers of a number or a tensor, checked; none of a tensor on an accelerator, or while a compiler
    or a transform runs: reading it would stop the queue, or break the graph.
    """
    if not isinstance(value, Tensor):
        numbers = [value]
    elif not concrete(value):
        return []
    elif value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{name} must be a number, got a tensor of {value.dtype}")
    else:
        numbers = value.detach().flatten().tolist()
    for number in numbers:
        check_finite(name, number, positive=positive)
    return numbers


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
