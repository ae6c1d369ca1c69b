"""The model's own rotation beside ours, on random queries and keys at near and far positions."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lib.hf.forms import Form, Function, forms
from posenc_lib.rotary.module import RotaryEmbedding
from posenc_lib.rotary.spec import RotarySpec

FAR = 4096  # float32 angles, which models have, are compared up to here


def checked(
    name: str,
    module: nn.Module,
    theirs: Function,
    chosen: Mapping[str | None, RotarySpec],
    config: Any,
    length: int | None,
) -> tuple[Form, float]:
    """The form of the model's tables, and the difference found; refuse if no form has its rotation."""
    device = next((b.device for b in module.buffers()), torch.device("cpu"))
    common: list[tuple[Form, float]] = []
    for kind, spec in chosen.items():
        positions = _near_and_far(spec, config, length).to(device)
        generator = torch.Generator().manual_seed(0)
        random = torch.randn(2, 1, 2, len(positions), spec.rotated, generator=generator, dtype=torch.float32)
        q, k = random.to(device).unbind()
        places = positions[None]
        if spec.axes is not None:
            places = torch.stack([positions // (1 + axis) for axis in range(spec.num_axes)])[:, None]
        typed = {} if kind is None else {"layer_type": kind}
        tables = copy.deepcopy(module)(q, places, **typed)  # some change themselves when they are called
        cos, sin = RotaryEmbedding(spec, angle_dtype=torch.float32).tables(places, length=length)
        errors = {}
        for form in forms(tables, theirs, spec.rotated // 2):
            try:
                want = _turned(theirs, form, tables, q, k)
                got = _turned(form.function(spec.layout), form, form.tables(cos, sin), q, k)
            except RuntimeError:  # heads on the other axis
                continue
            same = _apart(form.tables(cos, sin), tables)
            errors[form] = max(_apart(got, want), same)
        form, apart = min(errors.items(), key=lambda one: one[1])
        allowed = 4 * torch.finfo(torch.float32).eps * (1 + int(positions.max())) * float(q.abs().max())
        if not apart <= allowed:
            of = "" if kind is None else f" for {kind}"
            raise ValueError(
                f"the rotation of {name}{of} is another than that of its config: it differs from {spec} by "
                f"{apart:.2g} at positions up to {int(positions.max())}, where rounding makes {allowed:.1g}. "
                f"Nothing was changed{_rounded(module)}"
            )
        common.append((form, apart))
    if len({form for form, _ in common}) > 1:
        raise ValueError(f"kinds of layers hand over their tables differently: {common}")
    return common[0][0], max(apart for _, apart in common)


def _near_and_far(spec: RotarySpec, config: Any, length: int | None) -> Tensor:
    """Positions within what the model was made for, or, for scalings by length, up to that length."""
    longest = getattr(config, "max_position_embeddings", None) or FAR
    if spec.needs_length:
        longest = length or spec.params["original_max_position_embeddings"]
    last = min(int(longest), FAR) - 1 if not spec.needs_length else int(longest) - 1
    near = [0, 1, 2, 3, 7, last // 3, last // 2, last - 1, last]
    return torch.tensor(sorted({min(max(p, 0), last) for p in near}))


def _rounded(module: nn.Module) -> str:
    """The likely cause: frequencies that were converted with the model."""
    halves = (torch.bfloat16, torch.float16)
    for name, buffer in module.named_buffers():
        if name.endswith("inv_freq") and buffer.dtype in halves:
            how = f"load the model with dtype={buffer.dtype} instead of converting it"
            return f"; its {name} is {buffer.dtype}: {how}"
    return ""


def _turned(function: Function, form: Form, tables: Any, q: Tensor, k: Tensor) -> tuple[Tensor, ...]:
    if form.width != "complex":
        return function(q, k, *tables)
    if form.heads == 1:
        return function(q, k, tables)
    return tuple(x.transpose(1, 2) for x in function(q.transpose(1, 2), k.transpose(1, 2), tables))


def _apart(some: Any, others: Any) -> float:
    pairs = zip(some, others, strict=True) if isinstance(some, tuple) else [(some, others)]
    return max(float((a - b).abs().max()) for a, b in pairs)
