"""A small causal transformer with an exchangeable position encoding, built from the library as a user would.

Pre-norm layers of attention and a feed-forward part; an additive encoding is added once, to the embeddings.
All is in float64, so that the rounding of one machine or another does not grow into another result.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lib import (
    LearnedEncoding,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    SinusoidalEncoding,
    inv_freq,
)
from posenc_lib.bias import ALiBi, KerpleLog, T5Bias

from .turns import TURNS, Turned

WIDTH, HEADS, LAYERS = 64, 4, 2
HEAD = WIDTH // HEADS
TRAINED = 32  # length of the sequences in training
CLIP = 16  # of Shaw's distances; T5 has as many exact ones in 32 buckets that look back only
LAST_BUCKET = {"T5": 24, "T5, 128": 128}  # where it begins: inside the trained length, and T5's own choice

Maker = Callable[[], nn.Module]


def rope(**options: Any) -> Maker:
    return lambda: RotaryEmbedding(RotarySpec(HEAD, **options))


def fastest(planes: int) -> Maker:
    """p-RoPE: the fastest planes turn, the others rest."""
    return rope(scaling="proportional", params={"partial_rotary_factor": 2 * planes / HEAD})


def t5(max_distance: int) -> Maker:
    return lambda: T5Bias(HEADS, bidirectional=False, num_buckets=2 * CLIP, max_distance=max_distance)


ADDED: dict[str, Maker] = {
    "sinusoidal": lambda: SinusoidalEncoding(WIDTH),
    "learned": lambda: LearnedEncoding(TRAINED, WIDTH),
}
INSIDE: dict[str, Maker] = {
    "RoPE": rope(),
    "p-RoPE": fastest(2),
    "ALiBi": lambda: ALiBi(HEADS),
    "KERPLE": lambda: KerpleLog(HEADS),
    **{name: t5(far) for name, far in LAST_BUCKET.items()},
    "Shaw": lambda: RelativeAttention(HEAD, CLIP),
}
ENCODINGS = ("none", *ADDED, *INSIDE)
# Measured beside the ten: other bases than 10 000, other numbers of fast planes, and models whose two layers
# differ, each with its window (None: all).
BASES = {f"RoPE, base {base}": float(base) for base in (100, 1000, 500_000)}
FAST = {f"RoPE, {planes} of {HEAD // 2} planes": planes for planes in range(1, HEAD // 2) if planes != 2}
HYBRIDS: dict[str, tuple[tuple[Maker | None, int | None], ...]] = {
    "RoPE, then none": ((rope(), None), (None, None)),
    "RoPE in a window, then none": ((rope(), CLIP), (None, None)),
    "RoPE in a window, then RoPE": ((rope(), CLIP), (rope(), None)),
}


OTHER: dict[str, Maker] = {
    **{name: rope(base=base) for name, base in BASES.items()},
    **{name: fastest(planes) for name, planes in FAST.items()},
    **{name: partial(Turned, name, HEAD, 8 * TRAINED) for name in TURNS},
}


def divided(divisors: list[float], base: float = 10_000.0) -> Maker:
    """RoPE with each plane's frequency divided by a number of its own.

    LongRoPE changes its divisors at a length. Here both are the same, and no text is longer.
    """
    given = {"short_factor": divisors, "long_factor": divisors, "attention_factor": 1.0}
    params = {**given, "original_max_position_embeddings": 8 * TRAINED}
    return rope(base=base, scaling="longrope", params=params)


def slowed(factor: float, fast: bool) -> Maker:
    """RoPE, the planes that made a full turn in training divided by ``factor``, or all the others."""
    full = inv_freq(HEAD) * TRAINED >= 2 * math.pi
    return divided(torch.where(full == fast, factor, 1.0).tolist())


def stretched(factor: float) -> dict[str, Maker]:
    """Rules that change the frequencies of a trained RoPE for texts ``factor`` times as long."""
    given = {"factor": factor}
    return {
        "PI": rope(scaling="linear", params=given),
        "NTK": rope(scaling="ntk", params=given),
        "YaRN": rope(scaling="yarn", params={**given, "original_max_position_embeddings": TRAINED}),
    }


def near(length: int, window: int | None) -> Tensor | None:
    """``[length, length]``: the keys that a window leaves to each query, later ones among them; None: all."""
    place = torch.arange(length)
    return None if window is None else place[:, None] - place < window


class Layer(nn.Module):
    """Attention and a feed-forward part, each added to its input after a LayerNorm."""

    def __init__(self, encoding: nn.Module | None) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(WIDTH, HEADS, encoding)
        self.wide = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x: Tensor, mask: Tensor | None, places: Tensor | None) -> Tensor:
        x = x + self.attention(self.before(x), position_ids=places, causal=True, mask=mask)
        return x + self.wide(self.between(x))


class Decoder(nn.Module):
    """Tokens ``[batch, seq]`` to logits ``[batch, seq, answers]``, one of ENCODINGS, OTHER or HYBRIDS."""

    def __init__(self, encoding: str, tokens: int, answers: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, WIDTH)
        self.add = ADDED[encoding]() if encoding in ADDED else nn.Identity()
        parts = HYBRIDS.get(encoding, (((INSIDE | OTHER).get(encoding), None),) * LAYERS)
        self.layers = nn.ModuleList(Layer(make() if make else None) for make, _ in parts)
        self.windows = [window for _, window in parts]
        self.norm, self.read = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, answers)
        self.double()

    def forward(self, tokens: Tensor, window: int | None = None, start: int = 0) -> Tensor:
        """With ``window``, a token sees itself and the ``window`` − 1 before it, no more, in every layer.

        ``start`` is the first position.
        """
        x = self.embed(tokens)
        x = self.add(x, offset=start) if start and not isinstance(self.add, nn.Identity) else self.add(x)
        places = torch.arange(start, start + tokens.shape[1], device=tokens.device) if start else None
        for layer, own in zip(self.layers, self.windows, strict=True):
            x = layer(x, near(tokens.shape[1], own if window is None else window), places)
        return self.read(self.norm(x))

    def with_encoding(self, make: Maker | None) -> Decoder:
        """The same weights, with another encoding inside the attention, or with none."""
        other = copy.deepcopy(self)
        for layer in other.layers:
            layer.attention.encoding = make() if make else None
        return other

    def with_scores_times(self, factor: float) -> Decoder:
        """The same weights, with all attention scores, T5's biases in them, multiplied by ``factor``."""
        other = copy.deepcopy(self)
        with torch.no_grad():
            for layer in other.layers:
                attention = layer.attention
                for weight in attention.q_proj.parameters():
                    weight.mul_(factor)
                if isinstance(attention.encoding, T5Bias):
                    attention.encoding.weight.mul_(factor)
        return other
