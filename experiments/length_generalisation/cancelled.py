"""Do weights make the repeated list relative? ``python -m experiments.length_generalisation cancelled``.

A score of that block is a sum of waves in n − m and of waves in m + n. The list being repeated, each pair of
frequencies has two planes. If one sees queries and keys a quarter turn further than the other, the waves in
m + n cancel. Each row is one trained model: how large both kinds are in its first layer, before and after.
A look at a few models came before; it suggested this measure. Six minutes on one CPU thread.
"""

from itertools import product
from typing import Any

import torch

from . import SEEDS, training
from .model import HEADS, Decoder
from .tasks import TASKS

TURN = "list repeated"


def wanted() -> list[tuple[Any, ...]]:
    """Every task with each of its seeds."""
    return [(task, seed) for seed, task in product(SEEDS, TASKS)]


@torch.no_grad()
def waves(model: Decoder) -> dict[str, list[list[float]]]:
    """By head and pair of frequencies, the sizes of both kinds of waves, over all pairs of tokens."""
    layer = model.layers[0]
    tokens = layer.before(model.embed.weight)
    q, k = (
        torch.view_as_complex(project(tokens).unflatten(-1, (HEADS, 2, -1, 2)))
        for project in (layer.attention.q_proj, layer.attention.k_proj)
    )
    both = {"n - m": q[:, None].conj() * k, "m + n": q[:, None] * k}
    return {name: each.sum(-2).abs().square().mean((0, 1)).sqrt().tolist() for name, each in both.items()}


def run(name: str, seed: int) -> dict[str, Any]:
    """Train one model, and measure it before the first step and after the last."""
    task = TASKS[name]
    before, _ = training.train(task, TURN, seed, stop=0)
    after, losses = training.train(task, TURN, seed)
    return {"task": name, "seed": seed, "losses": losses, "untrained": waves(before), "trained": waves(after)}


def settings() -> dict[str, Any]:
    """What was chosen for these waves alone."""
    return {"turn": TURN}
