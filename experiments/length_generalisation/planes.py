"""Which plane of RoPE does the harm: `python -m experiments.length_generalisation planes`.

Each row is one trained model and what it does at the end of the longest text: as it is, with one plane
divided by as much as the text is longer, with plane ``DOSED`` at other speeds, with its scores multiplied.
"""

import math
from itertools import product
from typing import Any

from posenc_lib import inv_freq

from . import SEEDS, training
from .model import HEAD, TRAINED, Decoder, divided, slowed
from .tasks import TASKS, Task
from .training import BIN, TIMES, measured

ASKED = ("look-up", "steps back")
TIMES_LONGER = TIMES[-1]
LONGEST = TIMES_LONGER * TRAINED
FAR = LONGEST - BIN  # from the last bin back to the look-up's pairs
DOSED = 4
EIGHTHS = tuple(range(9))  # of a turn that plane DOSED makes at the distance FAR
REST = 1e12  # a divisor: such a plane turns by less than rounding sees
SCORES = (1.6, 3.0)


def wanted() -> list[tuple[Any, ...]]:
    """Every task with each of its seeds."""
    return [(task, seed) for seed, task in product(SEEDS, ASKED)]


def alone(plane: int, divisor: float) -> list[float]:
    """Divisors that change one plane."""
    return [divisor if i == plane else 1.0 for i in range(HEAD // 2)]


def dose(eighths: int) -> float:
    """What plane DOSED is divided by to make so many eighths of a turn at the distance FAR."""
    return float(inv_freq(HEAD)[DOSED]) * FAR / (eighths * math.pi / 4) if eighths else REST


def changed(task: Task, model: Decoder) -> dict[str, Any]:
    """The measure at the end of the longest text after each change; at rest, at the trained length too."""

    def end(other: Decoder) -> float | None:
        return measured(task, other, LONGEST)[-1]

    found: dict[str, Any] = {"as trained": end(model)}
    found["one plane divided"] = [
        end(model.with_encoding(divided(alone(plane, TIMES_LONGER)))) for plane in range(HEAD // 2)
    ]
    if task is TASKS["look-up"]:
        found["dosed"] = [end(model.with_encoding(divided(alone(DOSED, dose(n))))) for n in EIGHTHS]
    found |= {f"scores × {factor}": end(model.with_scores_times(factor)) for factor in SCORES}
    resting = model.with_encoding(slowed(REST, fast=False))
    found["slow planes at rest"] = [measured(task, resting, TRAINED)[-1], end(resting)]
    return found


def run(name: str, seed: int) -> dict[str, Any]:
    """Train one model, and measure it as it is and after each change."""
    task = TASKS[name]
    model, losses = training.train(task, "RoPE", seed)
    return {"task": name, "seed": seed, "losses": losses, **changed(task, model)}


def settings() -> dict[str, Any]:
    """What was chosen for the planes alone."""
    return {
        "divisor of one plane": TIMES_LONGER,
        "plane at other speeds": DOSED,
        "its eighths of a turn": list(EIGHTHS),
        "at distance": FAR,
        "factors on scores": list(SCORES),
    }
