"""Released models as a rotary encoding sees them: which planes of a head turn, and how far in the context."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lib.analysis.base_bound import kernel_sums
from posenc_lib.rotary.spec import RotarySpec

from .style import COLOURS, INK, Plot, figure, key

FILLS, HATCHES = (COLOURS[0], COLOURS[1], "none"), ("", "///", "")


@dataclass(frozen=True)
class Released:
    """A released model.

    Args:
        name: as people say it.
        config: the published repository whose ``config.json`` has the numbers.
        context: the longest text that the config allows.
        spec: the rotary encoding of its heads; of the global layers, where there are two kinds.
    """

    name: str
    config: str
    context: int
    spec: RotarySpec


def _longer(factor: float, original: int, **rest: float) -> dict[str, object]:
    return {"factor": factor, "original_max_position_embeddings": original, **rest}


#: Ten models of 2024 to 2026, those that turn every plane first.
RELEASED = (
    Released("Llama 3.1", "meta-llama/Llama-3.1-8B", 131_072, RotarySpec(
        128, 5e5, scaling="llama3", params=_longer(8.0, 8192, low_freq_factor=1.0, high_freq_factor=4.0))),
    Released("Qwen3", "Qwen/Qwen3-8B", 40_960, RotarySpec(128, 1e6)),
    Released("gpt-oss", "openai/gpt-oss-20b", 131_072, RotarySpec(
        64, 1.5e5, scaling="yarn", params=_longer(32.0, 4096, truncate=False))),
    Released("ModernBERT", "answerdotai/ModernBERT-base", 8192, RotarySpec(64, 1.6e5)),
    Released("OLMo 3", "allenai/Olmo-3-7B-Instruct", 65_536, RotarySpec(
        128, 5e5, scaling="yarn", params=_longer(8.0, 8192))),
    Released("SmolLM3", "HuggingFaceTB/SmolLM3-3B", 65_536, RotarySpec(128, 5e6)),
    Released("Gemma 3", "google/gemma-3-12b-it", 131_072, RotarySpec(
        256, 1e6, scaling="linear", params={"factor": 8.0})),
    Released("DeepSeek-V3", "deepseek-ai/DeepSeek-V3", 163_840, RotarySpec(
        192, 1e4, rotary_dim=64, scaling="yarn", params=_longer(40.0, 4096))),
    Released("Qwen3.5", "Qwen/Qwen3.5-27B", 262_144, RotarySpec(256, 1e7, rotary_dim=64)),
    Released("Gemma 4", "google/gemma-4-31B-it", 262_144, RotarySpec(
        512, 1e6, scaling="proportional", params={"partial_rotary_factor": 0.25})),
)  # fmt: skip


def whole_head(spec: RotarySpec) -> Tensor:
    """The frequencies of all planes of a head, float64 ``[dim/2]``: 0 for planes that rest.

    Example:
        >>> whole_head(RotarySpec(8, rotary_dim=4))
        tensor([1.0000, 0.0100, 0.0000, 0.0000], dtype=torch.float64)
    """
    turning = spec.inv_freq()
    return torch.cat((turning, turning.new_zeros((spec.dim - spec.rotated) // 2)))


def counts(model: Released) -> tuple[int, int, int]:
    """Planes that finish a turn within the context, that turn without finishing one, and that rest.

    Example:
        >>> counts(RELEASED[1])
        (41, 23, 0)
    """
    frequencies = whole_head(model.spec)
    turning = int((frequencies > 0).sum())
    finished = int((frequencies * model.context >= 2 * math.pi).sum())
    return finished, turning - finished, len(frequencies) - turning


def first_failure(model: Released) -> int | None:
    """The first distance within the context at which the sum of cosines is negative, or None.

    Example:
        >>> first_failure(RELEASED[1])
        27115
    """
    frequencies = whole_head(model.spec)
    turning = frequencies[frequencies > 0]
    resting = len(frequencies) - len(turning)  # each adds 1 at every distance
    negative = (kernel_sums(turning, model.context) + resting < 0).nonzero()
    return int(negative[0]) if len(negative) else None


def shares(models: tuple[Released, ...] = RELEASED) -> Plot:
    """A bar for each model: the share of its planes that finish a turn, that do not, and that rest."""
    rows = torch.tensor([counts(model) for model in models], dtype=torch.float64)
    share = rows / rows.sum(1, keepdim=True)
    made, axis = figure(3.4)
    names = ("finish a turn in the context", "turn, but finish none", "rest")
    left = torch.zeros(len(models), dtype=torch.float64)
    for column, (name, colour, hatch) in enumerate(zip(names, FILLS, HATCHES, strict=True)):
        width = share[:, column]
        axis.barh(range(len(models)), width, left=left, height=0.72, color=colour, hatch=hatch,
                  edgecolor=INK, linewidth=0.5, alpha=0.55, label=name)  # fmt: skip
        for row in width.nonzero().flatten().tolist():
            middle = float(left[row] + width[row] / 2)
            axis.text(middle, row, f"{int(rows[row, column])}", ha="center", va="center")
        left = left + width
    axis.set_yticks(range(len(models)), [model.name for model in models])
    axis.invert_yaxis()
    axis.set(xlabel="share of the planes of a head", xlim=(0, 1), xticks=[0, 0.25, 0.5, 0.75, 1])
    key(made)
    told = "; ".join(
        f"{model.name} {a}, {b}, {c}" for model, (a, b, c) in zip(models, rows.int().tolist(), strict=True)
    )
    return Plot(
        made,
        "Seven of these heads turn every plane, three at most one plane in three",
        "A bar for each of ten released models, cut into planes that finish a turn within the context, "
        f"planes that turn without finishing one, and planes at rest: {told}.",
        {"planes": rows.numpy(), "share": share.numpy()},
    )
