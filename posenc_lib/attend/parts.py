"""Attention of DTensors: along batch and heads it is done part by part, in the process that has the part."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lib._torch_state import as_given, is_distributed
from posenc_lib.attend.backends import Call


def in_parts(
    q: Tensor, k: Tensor, v: Tensor, call: Call, attend: Callable[[Tensor, Tensor, Tensor, Call], Tensor]
) -> Tensor:
    """What ``attend`` gives for the parts of q, k and v in this process, as a DTensor cut as they are.

    Raises:
        TypeError: a term; q, k and v that are not cut alike along batch or heads; a DTensor as positions or
            mask.
        ValueError: heads that do not come out even; positions or a mask that differ along what is cut.
    """
    from torch.distributed.tensor import DTensor

    if call.term is not None:
        raise TypeError(
            "q must be a plain tensor with an encoding that adds to scores, got a DTensor: attend to the "
            "to_local() of q, k and v"
        )
    _check_cut_alike(q, k, v)
    sizes = {axis: 1 for axis in (0, 1)}
    mesh, cuts = q.device_mesh, q.placements  # type: ignore[attr-defined]
    for size, cut in zip(mesh.shape, cuts, strict=True):
        for axis in sizes:
            sizes[axis] *= size if cut.is_shard(axis) else 1
    if k.shape[1] % sizes[1]:
        raise ValueError(f"kv_heads must be cut into equal parts, got {k.shape[1]} over {sizes[1]} processes")
    for name, value in (("position_ids", None if call.order is None else call.order.q), ("mask", call.mask)):
        _check_shared(name, value, sizes)
    q_here, k_here, v_here = (x.to_local() for x in (q, k, v))  # type: ignore[attr-defined]
    with as_given(q_here):
        z = attend(q_here, k_here, v_here, call)
    shape = torch.Size((*q.shape[:3], v.shape[3]))
    stride = (shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1)
    return DTensor.from_local(z.contiguous(), mesh, cuts, run_check=False, shape=shape, stride=stride)


def _check_cut_alike(*given: Tensor) -> None:
    ways = [getattr(x, "placements", None) for x in given]
    even = all(cut.is_replicate() or cut.is_shard(0) or cut.is_shard(1) for cut in ways[0] or ())
    if not even or ways[1:] != ways[:-1]:
        raise TypeError(
            "q, k and v must be plain tensors, or DTensors cut alike along batch or heads (axes 0 and 1), "
            f"got placements {', '.join(map(str, ways))}: redistribute them, or attend to plain parts, with "
            "the positions of positions_context_parallel where the sequence is cut"
        )


def _check_shared(name: str, value: Tensor | None, sizes: dict[int, int]) -> None:
    if value is None:
        return
    if is_distributed(value):
        raise TypeError(f"{name} must be a plain tensor beside DTensors, got a {type(value).__name__}")
    axes = (value.shape[0] if value.ndim == 2 else 1, 1) if name != "mask" else value.shape[:2]
    if any(sizes[axis] > 1 and length > 1 for axis, length in enumerate(axes)):
        raise ValueError(
            f"{name} of shape {list(value.shape)} differs along what is cut over processes: attend to "
            "q.to_local(), k.to_local() and v.to_local(), with those of this process"
        )
