"""Length generalisation of small models, measured: ``python -m experiments.length_generalisation``.

Writes ``54-length-generalisation.json``, which the page of that name shows: three tasks, ten
encodings, five seeds, in about forty minutes on one CPU thread. The file's parts (``PARTS`` in
``__main__.py``) are made by the same command with that word behind it; each keeps what the others made, and
goes on where it was interrupted. With ``missing`` behind it a command keeps the rows that are stored and
makes only those that come after them: for another seed, say.
"""

from typing import Any

from experiments.stored import rounded

from . import model, tasks, training
from .tasks import TASKS

SEEDS = (0, 1, 2, 3, 4)


def settings() -> dict[str, Any]:
    """All that was chosen, and the levels to compare with."""
    return {
        "trained length": model.TRAINED,
        "test lengths, in trained lengths": list(training.TIMES),
        "width": model.WIDTH,
        "heads": model.HEADS,
        "layers": model.LAYERS,
        "clip of Shaw and exact distances of T5": model.CLIP,
        "where the last bucket of T5 begins": model.LAST_BUCKET,
        "steps": training.STEPS,
        "batch": training.BATCH,
        "learning rate": training.RATE,
        "warm-up": training.WARMUP,
        "steps in a stored loss": training.LOGGED,
        "test sequences": training.TESTED,
        "positions in a bin": training.BIN,
        "seeds": list(SEEDS),
        "steps back": tasks.STEPS,
        "keys": tasks.KEYS,
        "symbols": tasks.SYMBOLS,
        "states": tasks.STATES,
        "measures": {name: task.measure for name, task in TASKS.items()},
        "chain": rounded(tasks.chain_levels()),
    }
