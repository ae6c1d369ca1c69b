"""What a rotary layer is given: a spec or a width, heads, positions, and a length that must be told.

The layer asks whether all is well; what is wrong is said here.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NoReturn

from torch import Tensor

from posenc_lib._checks import check_flag, check_int, is_number, shown
from posenc_lib._torch_state import compiling, is_wrapped
from posenc_lib.rotary.spec import RotarySpec


def spec_of(given: object, fields: dict[str, Any]) -> RotarySpec:
    """A spec as it is, or the one of a width."""
    if isinstance(given, int):
        return RotarySpec(given, **fields)
    if not isinstance(given, RotarySpec):
        how = "; fields of one are given by name, as **fields" if isinstance(given, Mapping) else ""
        how = "; write int(...)" if isinstance(given, Integral) else how
        raise TypeError(
            f"spec must be a RotarySpec or a width, as in RotaryEmbedding(64), got {shown(given)}{how}"
        )
    if fields:
        raise TypeError(
            f"give a RotarySpec or the fields of one, not both: {sorted(fields)} beside spec = {given!r}; "
            "dataclasses.replace(spec, ...) makes another spec"
        )
    return given


def check_learnable(given: object) -> None:
    """The second argument; a base or a number of positions may be meant."""
    if is_number(given):
        raise TypeError(
            f"learnable must be True or False, got {shown(given)}; a base is given by name, base=10000.0, "
            "and a number of positions not at all, tables are made for the positions that are asked for"
        )
    check_flag("learnable", given)


def refuse_heads(name: str, x: Tensor, dim: int, seq_dim: int) -> NoReturn:
    """Of another width, or without a sequence."""
    axes = "seq" if seq_dim == -2 else "seq, heads"
    raise ValueError(f"{name} must have shape [..., {axes}, {dim}], got {list(x.shape)}")


def refuse_positions(position_ids: Tensor, q: Tensor, seq_dim: int) -> NoReturn:
    """More or fewer than there are queries."""
    other = -5 - seq_dim
    swapped = q.ndim > 2 and position_ids.shape[-1:] == q.shape[other:][:1]
    hint = f"; if axis {other} of q is the sequence, say seq_dim={other}" if swapped else ""
    if q.ndim > 3 and q.shape[seq_dim] == 1 and position_ids.shape == q.shape[:1]:
        hint = "; write position_ids[:, None]"
    raise ValueError(
        f"position_ids must have shape [..., {q.shape[seq_dim]}], got {list(position_ids.shape)}{hint}"
    )


def check_reach(spec: RotarySpec, length: int | None, reach: int | None) -> None:
    """Never the table of a shorter text: raise if positions reach beyond ``length`` or, without one, may
    reach beyond the original context. A reach that is not known passes where a length was told.
    """
    original = spec.params["original_max_position_embeddings"]
    if length is None and (reach is None or reach > original):
        found = "is not looked at here" if reach is None else f"goes to {reach - 1}"
        raise ValueError(
            f"length must be given: scaling {spec.scaling!r} has other frequencies beyond "
            f"{original} positions, and position_ids {found}; choose one length for the whole sequence"
        )
    if length is not None and reach is not None and reach > max(check_int("length", length), original):
        raise ValueError(
            f"length is {length}, but position_ids goes to {reach - 1}: scaling {spec.scaling!r} has other "
            f"frequencies for a text of {reach} tokens; choose one length for the whole sequence"
        )


def reach_of(position_ids: Tensor) -> int | None:
    """One more than the largest position, if it can be looked at without stopping a device or a compiler."""
    if compiling() or position_ids.device.type != "cpu" or is_wrapped(position_ids):
        return None
    return int(position_ids.max()) + 1 if position_ids.numel() else 0
