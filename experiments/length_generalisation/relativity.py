"""Does relativity matter? ``python -m experiments.length_generalisation relativity``.

RoPE's rotation against other matrices of the position (``turns.py``), everything else in the model the same.

Written before the first run, of "list repeated", "two turns" and "bounded shear" against the rotation:

1. At the trained length they learn all three tasks as well: right answers ≥ 0.95, chain ≤ 0.02 nats.
2. They learn later: after 200 of 600 steps their loss is higher.
3. Of texts of the trained length that are counted from 224 they answer at most half of *steps back*, and the
   rotation, which cannot tell the difference, answers all.
4. At twice the trained length they answer at most half of *steps back*, the rotation 0.99.
5. Trained on texts that are counted from anywhere up to 224 they answer there as they do from 0, but they
   learn later than the rotation. Random turns, the null, do not get there.

3 and 4 are refuted by one of the three that keeps 0.9, 5 by one that keeps less.
"""

from itertools import product
from typing import Any

from . import SEEDS, training
from .model import TRAINED
from .tasks import TASKS
from .training import TIMES, measured
from .turns import TURNS

STARTS = tuple((times - 1) * TRAINED for times in TIMES)  # such texts end where the longer ones do
TRAINED_FROM = (0, STARTS[-1])  # the last position at which a text of the training may begin


def wanted() -> list[tuple[Any, ...]]:
    return [
        (task, turn, last, seed)
        for seed, last, turn, task in product(SEEDS, TRAINED_FROM, TURNS, TASKS)
        if not (turn == "rotation" and last)  # which sees no difference
    ]


def run(name: str, turn: str, last: int, seed: int) -> dict[str, Any]:
    """Train one model, and measure it on longer texts and on texts that begin elsewhere."""
    task = TASKS[name]
    model, losses = training.train(task, turn, seed, last_start=last)
    row: dict[str, Any] = {"task": name, "turn": turn, "last start": last, "seed": seed, "losses": losses}
    row["by position"] = measured(task, model, TIMES[-1] * TRAINED)
    row["counted from"] = [measured(task, model, TRAINED, start=start)[-1] for start in STARTS]
    return row


def settings() -> dict[str, Any]:
    """What was chosen for the turns alone."""
    return {"turns": list(TURNS), "starts": list(STARTS), "last starts": list(TRAINED_FROM)}
