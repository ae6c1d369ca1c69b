"""Can positions be dropped after training? ``python -m experiments.length_generalisation dropped``.

Gelberg et al. (2026) take the rotations out of a trained model, train it briefly without them, at the trained
length, and report that it reads longer texts. Here the models of the tables are trained with RoPE, lose it,
and have a quarter of the steps more, on texts that they have not seen. Two nulls have the same steps: the
trained model that keeps RoPE, and a model without an encoding that has nothing but these steps.

Written before the first run:

1. Without the further steps the model that lost RoPE answers at most half of *steps back* at the trained
   length, and pays more than 0.3 nats on the *chain*.
2. With them it answers at least 0.9 of the *look-up* at eight times the trained length, in every seed. The
   model that keeps RoPE answers at most 0.6 there, and the one that begins anew at most 0.9 at the trained
   length.
3. *Steps back* does not come back: at most half at the trained length, in every seed.
4. On the *chain* it pays at least 0.1 nats at the trained length, where RoPE pays 0.001.

2 is refuted by one seed on the wrong side, 3 and 4 by one that learns the task again.
"""

from itertools import product
from typing import Any

from . import SEEDS, training
from .interventions import at_ends
from .tasks import TASKS

MORE = training.STEPS // 4


def wanted() -> list[tuple[Any, ...]]:
    """Every task with each of its seeds."""
    return [(task, seed) for seed, task in product(SEEDS, TASKS)]


def run(name: str, seed: int) -> dict[str, Any]:
    """Train one model, and go on with and without its positions."""
    task = TASKS[name]
    model, losses = training.train(task, "RoPE", seed)
    begun, _ = training.train(task, "none", seed, stop=0)
    models = {"dropped": model.with_encoding(None), "kept": model, "anew": begun}
    row: dict[str, Any] = {"task": name, "seed": seed, "losses": losses}
    row["at once"] = at_ends(task, models["dropped"])
    for how, taught in models.items():
        more = training.teach(taught, task, seed + len(SEEDS), MORE)
        row[how] = {"losses": more, "at ends": at_ends(task, taught)}
    return row


def settings() -> dict[str, Any]:
    """What was chosen for the further training alone."""
    return {"further steps": MORE}
