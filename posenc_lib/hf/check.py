"""The model's own tables and functions beside ours, plane by plane, near and far."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.hf.patching import Place, own
from posenc_lib.hf.rotating_functions import COUNTED
from posenc_lib.hf.signatures import Turn, turns
from posenc_lib.hf.table_formats import Form, form_of
from posenc_lib.rotary.axes import dealt
from posenc_lib.rotary.module import RotaryEmbedding
from posenc_lib.rotary.spec import RotarySpec

UNSAID = 4096  #: Where a config does not say how far its positions go.
#: Roundings of float32 that are allowed, of a number of the size of 1 and the angle before scaling: a rule
#: that mixes two frequencies, as YaRN does, rounds as the larger one does. No model type needs 2.
ROUNDINGS = 4


def checked(
    name: str,
    module: nn.Module,
    places: Sequence[Place],
    chosen: Mapping[str | None, RotarySpec],
    config: Any,
    length: int | None,
) -> tuple[Form, list[Turn], float]:
    """The form of the model's tables, what its functions do with them, and the largest difference found.

    Refuse if tables differ from those of the specs, or no function turns by their layout.
    """
    if any(t.is_meta for t in (*module.parameters(), *module.buffers())):
        raise ValueError(f"{name} is on the meta device, without numbers to compare: load the weights first")
    device = next((b.device for b in module.buffers()), torch.device("cpu"))
    found: list[tuple[Form, list[Turn]]] = []
    largest = 0.0
    for kind, spec in chosen.items():
        positions = _near_and_far(spec, config, length).to(device)
        at = positions[None]
        if spec.axes is not None:
            at = torch.stack([positions // (1 + axis) for axis in range(spec.num_axes)])[:, None]
        generator = torch.Generator().manual_seed(0)
        random = torch.randn(2, 1, 2, len(positions), spec.rotated, generator=generator, dtype=torch.float32)
        q, k = random.to(device).unbind()
        typed = {} if kind is None else {"layer_type": kind}
        alone = copy.deepcopy(module)  # some change themselves when they are called,
        alone(q[..., :1, :], at[..., :1], **typed)  # and after a short text they forget a long one
        tables = alone(q, at, **typed)
        form = form_of(name, tables, spec.rotated // 2)
        of = f"{name} for {kind}" if kind else name
        largest = max(largest, _apart(of, module, form, tables, spec, at, length))
        found.append((form, [_turn(of, place, form, spec, q, k, tables) for place in places]))
        if not any(turn.layout == spec.layout for turn in found[-1][1]):
            raise ValueError(
                f"the rotation of {of} is another than that of its config: {places[0]} turns by layout "
                f"{found[-1][1][0].layout!r}, and the config says {spec}. Nothing was changed"
            )
    if any(other != found[0] for other in found):
        raise ValueError(f"kinds of layers turn in different ways by one module: {found}")
    return *found[0], largest


def _near_and_far(spec: RotarySpec, config: Any, length: int | None) -> Tensor:
    """Positions up to the last that the model was made for; for scalings by length, up to that length.

    The steps between them grow tenfold at most. A frequency that is wrong by more than the float32 angles at
    the last of them is so seen at one where it has not yet gone round.
    """
    longest = getattr(config, "max_position_embeddings", None) or UNSAID
    if spec.needs_length:
        longest = length or spec.params["original_max_position_embeddings"]
    last = min(int(longest), COUNTED) - 1
    powers = [10**e for e in range(1, 8)]
    near = [0, 1, 2, 3, 7, *powers, last // 3, last // 2, last - 1, last]
    return torch.tensor(sorted({min(max(p, 0), last) for p in near}))


def _apart(
    of: str, module: nn.Module, form: Form, tables: Any, spec: RotarySpec, at: Tensor, length: int | None
) -> float:
    """The largest difference of two tables, each entry within what rounding makes of its own angle."""
    rope = RotaryEmbedding(spec, angle_dtype=torch.float32)
    theta, factor = rope.inv_freq(length)
    faster = torch.maximum(theta.double(), inv_freq(spec.rotated, spec.base))
    matrix = faster[None] if spec.axes is None else dealt(faster, spec.axes)
    steps = at.cpu().double() if spec.axes is not None else at.cpu().double()[None]
    angle = torch.einsum("abs,an->bsn", steps, matrix)
    allowed = ROUNDINGS * torch.finfo(torch.float32).eps * (1 + angle) * factor
    theirs = torch.stack([t.detach().cpu().double() for t in form.half(tables)])
    ours = torch.stack([t.cpu().double() for t in rope.tables(at, length=length)])
    apart = (theirs - ours).abs().amax(0)
    if not bool((apart <= allowed).all()):
        where = int((apart / allowed).nan_to_num(torch.inf).argmax())
        _, step, plane = (int(i) for i in torch.unravel_index(torch.tensor(where), apart.shape))
        positions = [int(p) for p in at[..., 0, step].reshape(-1)]
        place = positions[0] if spec.axes is None else tuple(positions)
        raise ValueError(
            f"the rotation of {of} is another than that of its config: it differs from {spec} by "
            f"{apart.flatten()[where]:.2g} at position {place} in plane {plane} of {theta.numel()}, where "
            f"rounding makes {allowed.flatten()[where]:.1g}. Nothing was changed{_rounded(module)}"
        )
    return float(apart.max())


def _turn(of: str, place: Place, form: Form, spec: RotarySpec, q: Tensor, k: Tensor, tables: Any) -> Turn:
    """What this function does with queries, keys and the model's tables; ours does the same with them."""
    function = own(place)
    factor = max(float(t.abs().max()) for t in form.half(tables))
    allowed = 2 * ROUNDINGS * torch.finfo(torch.float32).eps * factor * float(q.abs().max())
    for turn in turns(function, form, spec.layout):
        try:
            want, got = (turn.call(f, q, k, tables) for f in (function, turn.function()))
            if max(float((a - b).abs().max()) for a, b in zip(want, got, strict=True)) <= allowed:
                return turn
        except RuntimeError:  # heads on the other axis
            continue
    raise ValueError(
        f"the rotation of {of} is another than that of its config, or of a kind that is not known: "
        f"{place} turns by no layout. Nothing was changed; for attention of your own take "
        "specs(model.config) and RotaryEmbedding"
    )


def _rounded(module: nn.Module) -> str:
    """The likely cause: frequencies that were converted with the model."""
    halves = (torch.bfloat16, torch.float16)
    for name, buffer in module.named_buffers():
        if name.endswith("inv_freq") and buffer.dtype in halves:
            how = f"load the model with dtype={buffer.dtype} instead of converting it"
            return f"; its {name} is {buffer.dtype}: {how}"
    return ""
