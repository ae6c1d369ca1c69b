"""Whether tensors may be overwritten in place: where their elements lie in memory, and who needs them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import torch
from torch import Tensor

from posenc_lib._torch_state import compiling, is_wrapped, transformed

# How far an element moves for one step of an index, and the smallest and largest number of such steps.
_Steps = list[tuple[int, int, int]]


def check_apart(q: Tensor, k: Tensor) -> None:
    """Refuse what writing to q, then to k, would spoil: elements that share memory, and leaves that train."""
    if q is k:
        raise ValueError("inplace=True would turn q twice: q and k are one tensor")
    told = not (compiling() or q.is_meta or is_wrapped(q) or is_wrapped(k))  # where elements lie, say
    for name, x in (("q", q), ("k", k)):
        if x.requires_grad and torch.is_grad_enabled():
            _check_differentiable(name, x)
        if told and x.is_inference() and not torch.is_inference_mode_enabled():
            raise ValueError(f"inplace=True cannot write to {name}, an inference tensor: give {name}.clone()")
        if told and x.is_contiguous():
            continue
        expanded = any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True))
        if expanded or (told and _overlaps(x)):
            kind = "an expanded tensor" if expanded else "one whose elements share it"
            raise ValueError(f"inplace=True needs {name} to own its memory, got {kind}: give {name}.clone()")
    if told and _meet(q, k):
        raise ValueError(
            "inplace=True would turn q twice, where k lies in the same memory: give k.clone(), or leave "
            "inplace out"
        )


def _check_differentiable(name: str, x: Tensor) -> None:
    owner = x if x._base is None else x._base
    if owner.is_leaf and owner.requires_grad:
        raise ValueError(
            f"inplace=True would overwrite {name}, a leaf that requires gradients, or a view of one: "
            "leave inplace out, or write torch.no_grad()"
        )
    if transformed():
        raise ValueError(f"inplace=True has no gradient of {name} in torch.func: leave inplace out")


def check_unread(cos: Tensor, sin: Tensor) -> None:
    """Refuse tables that train: their gradient is computed from what would be overwritten."""
    if (cos.requires_grad or sin.requires_grad) and torch.is_grad_enabled():
        name = "cos" if cos.requires_grad else "sin"
        raise ValueError(
            f"inplace=True would overwrite q and k, from which the gradient of {name} is computed: leave "
            f"inplace out, or give {name}.detach()"
        )


def _overlaps(x: Tensor) -> bool:
    """Whether two elements of x lie at one address."""
    steps = [(step, 1 - size, size - 1) for step, size in zip(x.stride(), x.shape, strict=True)]
    return x.numel() > 0 and len(list(islice(_ways(sorted(steps, reverse=True), 0), 2))) > 1


def _meet(q: Tensor, k: Tensor) -> bool:
    """Whether an element of q and one of k, both of one dtype, lie at one address."""
    if not (q.numel() and k.numel()) or q.untyped_storage().data_ptr() != k.untyped_storage().data_ptr():
        return False
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for step, size in zip(q.stride(), q.shape, strict=True):
        high[step] = high.get(step, 0) + size - 1
    for step, size in zip(k.stride(), k.shape, strict=True):
        low[step] = low.get(step, 0) + 1 - size
    steps = [(s, low.get(s, 0), high.get(s, 0)) for s in sorted({*low, *high}, reverse=True)]
    return any(True for _ in _ways(steps, int(k.storage_offset() - q.storage_offset())))


def _ways(steps: _Steps, distance: int) -> Iterator[None]:
    """One item for each choice of indices, in which the steps make up ``distance``; long steps come first."""
    if not steps:
        yield from [None] * (distance == 0)
        return
    (step, low, high), rest = steps[0], steps[1:]
    if step:  # what is left has to be within reach of the shorter steps
        least, most = (sum(s * limits[i] for s, *limits in rest) for i in (0, 1))
        low, high = max(low, -((most - distance) // step)), min(high, (distance - least) // step)
    for count in range(low, high + 1):
        yield from _ways(rest, distance - count * step)
