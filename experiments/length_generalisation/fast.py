"""How many planes should turn? ``python -m experiments.length_generalisation fast``.

p-RoPE leaves the slow planes of a head unturned. The tables have it with two of eight, those that made a full
turn in training; here every other number is trained, so that the choice can be judged.

Written before the first run, for texts of eight times the trained length:

1. *Look-up*: with three planes or fewer at least 0.9 is right, in every seed, because the plane that fails
   in RoPE, the fifth, is at rest. With five at most 0.9, in four of five seeds.
2. *Steps back*: one plane does not learn it (at most half at the trained length), all others do (0.99). None
   reaches 0.9 at eight times that length, in any seed.
3. *Chain*: every number pays more than the 0.67 nats of a model without positions, in every seed.
4. So no number is best, or within the spread of the best, on all three tasks.
"""

from itertools import product
from typing import Any

from . import SEEDS, training
from .interventions import at_ends
from .model import FAST, HEAD
from .tasks import TASKS


def wanted() -> list[tuple[Any, ...]]:
    """Every task and every number of planes, with each of its seeds."""
    return [(task, encoding, seed) for seed, task, encoding in product(SEEDS, TASKS, FAST)]


def run(name: str, encoding: str, seed: int) -> dict[str, Any]:
    """Train one model, and measure it."""
    task = TASKS[name]
    model, losses = training.train(task, encoding, seed)
    row: dict[str, Any] = {"task": name, "encoding": encoding, "seed": seed, "losses": losses}
    return row | {"at ends": at_ends(task, model)}


def settings() -> dict[str, Any]:
    """What was chosen for these models alone."""
    return {"planes": HEAD // 2}
