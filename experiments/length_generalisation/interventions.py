"""One change at a time, to tell causes apart: `python -m experiments.length_generalisation interventions`.

Each row is one trained model and what it does at the ends of the test lengths, as it is and changed.
Forty minutes on one CPU thread.
"""

from typing import Any, NamedTuple

from posenc_lib.rotary.scaling.yarn import yarn_mscale

from . import SEEDS, training
from .model import BASES, CLIP, HYBRIDS, TRAINED, Decoder, Maker, rope, slowed
from .tasks import TASKS, Task
from .training import BIN, STEPS, TIMES, measured

SCORES = (1.2, 1.6, 2.0, 3.0)  # what T5's scores are multiplied by
LONGER = 4 * STEPS


class Job(NamedTuple):
    """One model to train."""

    task: str
    encoding: str
    steps: int = STEPS


JOBS = (
    *(Job(task, "RoPE") for task in TASKS),
    *(Job(task, "T5") for task in ("steps back", "chain")),
    *(Job("steps back", name, LONGER) for name in ("T5", "ALiBi")),
    Job("look-up", "sinusoidal"),
    *(Job(task, name) for name in (*HYBRIDS, *BASES) for task in TASKS),
)


def wanted() -> list[tuple[Any, ...]]:
    """Every job with each of its seeds."""
    return [(*job, seed) for job in JOBS for seed in SEEDS]


def at_ends(task: Task, model: Decoder) -> list[float | None]:
    """The measure at the end of each test length, from one run over the longest."""
    found = measured(task, model, TIMES[-1] * TRAINED)
    return [found[times * TRAINED // BIN - 1] for times in TIMES]


def frequencies(factor: float) -> dict[str, Maker]:
    """YaRN's frequencies without its factor on the scores; and PI for some of the planes only."""
    given = {"factor": factor, "original_max_position_embeddings": TRAINED, "attention_factor": 1.0}
    return {
        "YaRN, frequencies alone": rope(scaling="yarn", params=given),
        "PI, slow planes alone": slowed(factor, fast=False),
        "PI, fast planes alone": slowed(factor, fast=True),
    }


def changed_rope(task: Task, model: Decoder) -> dict[str, list[float | None]]:
    """YaRN taken apart, and PI for some of the planes, each with the factor that the text's length needs."""
    found = {
        name: [
            measured(task, model.with_encoding(frequencies(times)[name]), times * TRAINED)[-1]
            for times in TIMES
        ]
        for name in frequencies(1)
    }
    found["YaRN, temperature alone"] = [
        measured(task, model.with_scores_times(yarn_mscale(times) ** 2), times * TRAINED)[-1]
        for times in TIMES
    ]
    return found


def moved(task: Task, model: Decoder) -> list[float | None]:
    """Texts of the trained length, counted so that they end where the longer ones do."""
    return [measured(task, model, TRAINED, start=(times - 1) * TRAINED)[-1] for times in TIMES]


def run(name: str, encoding: str, steps: int, seed: int) -> dict[str, Any]:
    """Train one model, and measure it as it is and after each change that belongs to its encoding."""
    task = TASKS[name]
    model, losses = training.train(task, encoding, seed, steps)
    row: dict[str, Any] = {"task": name, "encoding": encoding, "steps": steps, "seed": seed, "losses": losses}
    row["as trained"] = at_ends(task, model)
    if encoding == "RoPE":
        row |= changed_rope(task, model)
    elif encoding == "sinusoidal":
        row["moved"] = moved(task, model)
    elif encoding == "T5":
        row |= {f"scores × {f}": at_ends(task, model.with_scores_times(f)) for f in SCORES}
        if name == "steps back":
            row["advantages"] = training.advantages(model)
    return row


def settings() -> dict[str, Any]:
    """What was chosen for the interventions alone."""
    return {
        "seeds": list(SEEDS),
        "steps of the longer training": LONGER,
        "factors on T5's scores": list(SCORES),
        "bases": BASES,
        "window of a hybrid's first layer": CLIP,
    }
