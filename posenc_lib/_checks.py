"""Argument checks shared by the library: each raises with the name, the value and what was expected.

A check whose type says more than its argument's returns the value it checked, so that what follows is typed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Sequence
from numbers import Integral, Real
from typing import Literal, TypeGuard, get_args

import torch
from torch import Tensor, strided

from posenc_lib._aliases import meant
from posenc_lib._torch_state import concrete, is_distributed, spread

#: Which channels make a plane; see :mod:`posenc_lib.angles.layout`.
Layout = Literal["half", "interleaved"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)

INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
_FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
_POSITIONS = (*INTEGERS, torch.float32, torch.float64)
_INT64 = 2**63 - 1  # the largest integer that torch takes
_LONGEST = 1000  # characters of a value in a message
MAX_WIDTH = 2**20  # channels: far above any model, a width by mistake must not fill the memory
#: The furthest position: float64 holds all integers up to it, int64 the sum of two, and float32 its angle.
FURTHEST = 2**53
# Largest integer n such that every integer up to n is a number of this dtype.
_EXACT_INTEGERS = {torch.float32: 2**24, torch.float64: FURTHEST}


def check_tensor(name: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(value).__name__}{_as_tensor(value)}")
    if value.layout is not strided or value.is_nested:
        nested = "a nested tensor: give torch.nested.to_padded_tensor(…, 0.0), and a mask of what is padding"
        kind = nested if value.is_nested else f"one of layout {value.layout}: give {name}.to_dense()"
        raise TypeError(f"{name} must be a dense tensor, got {kind}")
    return value


def _as_tensor(value: object) -> str:
    """How to make a tensor of what was given, as the end of a message."""
    known = isinstance(value, (int, float, list, tuple, range)) or type(value).__module__ == "numpy"
    return ": write torch.as_tensor(...)" if known else ""


def check_number_or_tensor(name: str, value: object) -> None:
    """Refuse what is neither, where a number stands for a tensor without axes."""
    if not (isinstance(value, Tensor) or is_number(value)):
        how = ": write float(...)" if isinstance(value, Real) else _as_tensor(value)
        how = ": write int(...)" if isinstance(value, Integral) else how
        how = "" if isinstance(value, bool) else how
        raise TypeError(f"{name} must be a number or a torch.Tensor, got {type(value).__name__}{how}")


def check_one_kind(name: str, value: Tensor, other_name: str, other: Tensor) -> None:
    """Refuse a DTensor beside a plain tensor, or the other way round."""
    if is_distributed(value) != is_distributed(other):
        names = (name, other_name) if is_distributed(value) else (other_name, name)
        raise TypeError(
            f"{names[0]} is a DTensor, but {names[1]} a plain tensor: give the to_local() of {names[0]}, the "
            "part of this process, or distribute both by torch.distributed.tensor.distribute_tensor"
        )


def check_local(name: str, value: Tensor, instead: str = "") -> None:
    """Refuse a DTensor where the numbers of one process are needed."""
    if is_distributed(value):
        raise TypeError(f"{name} must be a plain tensor, got a DTensor: pass its to_local(){instead}")


def shown(value: object) -> str:
    """A value as messages show it: of a tensor its shape, of what would fill the screen the beginning.

    Whatever it is, there is a message: lists too deep to be printed, and numbers too long, go by their type.
    """
    if isinstance(value, Tensor):
        return f"a tensor of shape {list(value.shape)}"
    try:
        text = repr(value)
    except Exception:  # of an object of anybody's
        return f"a value of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def check_int(name: str, value: object, minimum: int = 0, maximum: int = _INT64) -> int | torch.SymInt:
    if isinstance(value, bool) or not isinstance(value, (int, torch.SymInt)):
        how = ": write int(...)" * (isinstance(value, Integral) and not isinstance(value, bool))
        raise TypeError(f"{name} must be an int, got {shown(value)}{how}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {shown(value)}")
    if value > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {shown(value)}")
    return value


def check_no_offset(value: object) -> None:
    """Refuse an ``offset`` beside positions, which say all: an int that is not 0, and anything else."""
    if type(value) is int and value == 0:
        return
    if check_int("offset", value, -_INT64) != 0:
        raise ValueError(f"give position_ids or offset, not both (offset = {shown(value)})")


def check_flag(name: str, value: object) -> None:
    if value is not True and value is not False:
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_sequence(name: str, value: object) -> None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(f"{name} must be a tuple or list, got {shown(value)}")


def is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_finite(name: str, value: object, *, positive: bool = False) -> None:
    if not is_number(value):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    if isinstance(value, int) and not -_INT64 <= value <= _INT64:
        raise ValueError(f"{name} must be at most {_INT64} as an int, and finite; got {shown(value)}")
    # Comparisons, unlike math.isfinite, can be traced when torch.compile makes the number symbolic.
    if not -sys.float_info.max <= value <= sys.float_info.max or (positive and value <= 0):
        raise ValueError(f"{name} must be {'positive and ' if positive else ''}finite, got {value}")


def check_factor(name: str, value: float, dtype: torch.dtype) -> None:
    """Refuse what is no number, and a number that ``dtype`` rounds to infinity."""
    check_finite(name, value)
    if -65504 <= value <= 65504:  # the largest float16, which every dtype holds
        return
    most = torch.finfo(dtype).max
    if not -most <= value <= most:
        raise ValueError(f"{name} must lie in ±{most:.4g} to be finite in {dtype}, got {value}")


def check_even(name: str, value: object, maximum: int = MAX_WIDTH) -> None:
    if check_int(name, value, 2, maximum) % 2:
        raise ValueError(f"{name} must be even, because channels turn in pairs; got {value}")


def check_base(value: object) -> None:
    check_finite("base", value, positive=True)


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be one of {sorted(choices)}, got {shown(value)}{meant(value, choices)}"
        )


def check_layout(value: object, name: str = "layout") -> None:
    check_choice(name, value, LAYOUTS)


def check_seq_dim(value: object) -> None:
    if not isinstance(value, int) or value not in (-2, -3):
        raise ValueError(
            "seq_dim must be -2, for [..., heads, seq, dim], or -3, for [..., seq, heads, dim], "
            f"got {shown(value)}"
        )


def check_floating(name: str, value: object) -> Tensor:
    value = check_tensor(name, value)
    if value.dtype not in _FLOATS:
        few = " of 16 bits or more" * value.is_floating_point()
        raise TypeError(f"{name} must have a floating dtype{few}, got {value.dtype}")
    return value


def check_dtype(name: str, value: object, allowed: tuple[torch.dtype, ...]) -> None:
    if value not in allowed:
        raise TypeError(f"{name} must be one of {allowed}, got {shown(value)}")


def check_integers(name: str, value: object) -> Tensor:
    value = check_tensor(name, value)
    if value.dtype not in INTEGERS:
        raise TypeError(f"{name} must be an integer tensor, got {value.dtype}")
    return value


def check_frequencies(name: str, value: object) -> Tensor:
    """Floating, and finite, up to ±2⁵³: numbers are looked at on the CPU in eager mode only."""
    value = check_floating(name, value)
    if value.dtype in (torch.float16, torch.bfloat16):
        raise TypeError(
            f"{name} must be float32 or float64, got {value.dtype}, whose angles are far off; .to() "
            "of a whole module casts them: make them anew"
        )
    # one sum, in decoding, where each call on a tensor counts; only one beyond the limit is looked into
    if concrete(value) and not abs(value.detach().sum().item()) <= FURTHEST:
        _check_within(name, value)
    return value


def _check_within(name: str, value: Tensor) -> None:
    low, high = (one.item() for one in value.detach().aminmax())  # both NaN where one number is
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{name} must be finite, got {value}")
    if max(-low, high) > FURTHEST:
        raise ValueError(f"{name} must lie in ±{FURTHEST}, got {low}..{high}")


def check_inv_freq(value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(f"inv_freq must be a torch.Tensor, got {type(value).__name__}{_frequencies(value)}")
    if value.dtype in INTEGERS:
        raise TypeError(
            f"inv_freq must have a floating dtype, got {value.dtype}; positions are given after it"
        )
    value = check_floating("inv_freq", value)
    if value.ndim != 1 or value.shape[0] == 0:
        raise ValueError(f"inv_freq must have shape [dim/2], got {list(value.shape)}")
    return check_frequencies("inv_freq", value)


def _frequencies(value: object) -> str:
    """How to get frequencies from what was given in their place, as the end of a message."""
    if isinstance(value, int):
        return f": give inv_freq({value})"
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Tensor):
        return ": a layer's inv_freq() gives frequencies and the attention factor, take the first"
    if hasattr(value, "inv_freq"):
        return ": give its inv_freq()" + "[0]" * hasattr(value, "spec")
    return _as_tensor(value)


def moved(name: str, value: Tensor, beside: Tensor, dtype: torch.dtype) -> Tensor:
    """Frequencies where the positions are that they meet; numbers that do not exist cannot be moved."""
    if value.is_meta and not beside.is_meta:
        raise ValueError(f"{name} is on meta but the positions are on {beside.device}")
    if type(value) is not Tensor and not is_distributed(beside):
        check_local(name, value)
    value = value.to(device=beside.device, dtype=dtype)
    return value if type(beside) is Tensor else spread(beside, value)


def check_positions(
    value: object, name: str = "position_ids", angle_dtype: torch.dtype = torch.float64
) -> Tensor:
    """Integers that ``angle_dtype`` holds exactly, or floating numbers in ±2⁵³.

    Values are checked on the CPU in eager mode only; types always.
    """
    if isinstance(value, (int, list, tuple, range)):
        raise TypeError(
            f"{name} must be a torch.Tensor, got {type(value).__name__}: write torch.tensor([0, 1, 2]), say, "
            "or torch.arange(length)"
        )
    value = check_tensor(name, value)
    if value.dtype in (torch.float16, torch.bfloat16):
        raise TypeError(
            f"{name} must not be {value.dtype}, which skips integers above "
            f"{2048 if value.dtype == torch.float16 else 256}; pass integers or float32/float64"
        )
    if value.dtype not in _POSITIONS:
        mask = "; positions_from_mask makes positions of a mask" if value.dtype == torch.bool else ""
        raise TypeError(f"{name} must be int8 to int64, uint8, float32 or float64, got {value.dtype}{mask}")
    if not concrete(value) or value.numel() == 0:
        return value
    one = value.item() if value.numel() == 1 else None  # in decoding, where each call on a tensor counts
    if value.is_floating_point():
        if one is None or not abs(one) <= FURTHEST:
            _check_within(name, value)
        return value
    low, high = (one, one) if one is not None else (int(v) for v in value.aminmax())
    limit = _EXACT_INTEGERS[angle_dtype]
    if high > limit or low < -limit:
        raise ValueError(f"{name} must lie in ±{limit} to be exact in {angle_dtype}, got {low}..{high}")
    return value


def widened(positions: Tensor) -> Tensor:
    """Integers as int64: in a narrow type the difference of two positions wraps around."""
    return positions if positions.is_floating_point() else positions.long()


def check_same(name: str, value: Tensor, other_name: str, other: Tensor, *, dtype: bool = True) -> None:
    """One device and, unless ``dtype`` is False, one dtype; a plain tensor that need not have the dtype of a
    DTensor (positions, say) may stand beside it, but no DTensor beside a plain tensor.
    """
    check_tensor(name, value)
    if type(value) is not type(other) and (dtype or is_distributed(value)):
        check_one_kind(name, value, other_name, other)
    if value.device != other.device:
        raise ValueError(f"{name} is on {value.device} but {other_name} is on {other.device}")
    if dtype and value.dtype != other.dtype:
        raise TypeError(f"{name} has dtype {value.dtype} but {other_name} has {other.dtype}")
