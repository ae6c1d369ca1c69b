"""Train one model on one task, and measure it at all positions up to eight times the trained length."""

from typing import Any

import torch
from torch import Generator, Tensor

from . import tasks
from .model import TRAINED, Decoder, stretched
from .tasks import TASKS, Task

STEPS, BATCH, RATE, WARMUP = 600, 20, 3e-3, 50
LOGGED = 50  # steps between stored losses, each a mean over so many
TIMES = (1, 2, 4, 8)  # lengths of the test, in trained lengths
TESTED, BIN = 128, 16  # sequences in the test; neighbouring positions that are averaged
TEST_SEED = 1000


def excess(logits: Tensor, answer: Tensor) -> Tensor:
    """KL divergence from the right distribution ``[batch, seq]`` in nats; 0 where there is no answer."""
    return (torch.special.xlogy(answer, answer) - answer * torch.log_softmax(logits, -1)).sum(-1)


def rate(step: int, steps: int) -> float:
    """Linear warm-up, then linearly down to zero."""
    return RATE * min((step + 1) / WARMUP, 1 - step / steps)


def train(
    task: Task, encoding: str, seed: int, steps: int = STEPS, stop: int | None = None, last_start: int = 0
) -> tuple[Decoder, list[float]]:
    """A model whose weights are drawn by ``seed``, and its losses: see :func:`teach`."""
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        model = Decoder(encoding, task.tokens, task.answers)
    return model, teach(model, task, seed, steps, stop, last_start)


def teach(
    model: Decoder, task: Task, seed: int, steps: int, stop: int | None = None, last_start: int = 0
) -> list[float]:
    """Train a model, ``stop`` of the ``steps`` (default: all); its losses, means of ``LOGGED`` each.

    Batches are drawn by ``seed``, the same for every encoding, each counted from a position of its own, up to
    ``last_start``.
    """
    optimiser, draw = torch.optim.AdamW(model.parameters(), RATE), Generator().manual_seed(seed)
    starts = torch.randint(last_start + 1, (steps,), generator=Generator().manual_seed(seed)).tolist()
    losses = []
    for step in range(steps if stop is None else stop):
        optimiser.param_groups[0]["lr"] = rate(step, steps)
        tokens, answer = task.draw(BATCH, TRAINED, draw)
        loss = excess(model(tokens, start=starts[step]), answer).sum() / answer.sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return [sum(losses[i : i + LOGGED]) / LOGGED for i in range(0, len(losses), LOGGED)]


@torch.no_grad()
def measured(
    task: Task, model: Decoder, length: int, window: int | None = None, start: int = 0
) -> list[float | None]:
    """The task's measure in each run of ``BIN`` positions; None where nothing is to be answered."""
    tokens, answer = task.draw(TESTED, length, Generator().manual_seed(TEST_SEED))
    logits, known = model(tokens, window, start), answer.sum(-1) > 0
    right = (logits.argmax(-1) == answer.argmax(-1)) & known
    value = right.double() if task.certain else excess(logits, answer)
    bins = [(v.sum(), n.sum()) for v, n in zip(value.split(BIN, 1), known.split(BIN, 1), strict=True)]
    return [float(v / n) if n else None for v, n in bins]


@torch.no_grad()
def advantages(model: Decoder) -> list[list[float]]:
    """By layer and head, T5's bias of the distance asked for over the mean of the other trained ones."""
    biases = [layer.attention.encoding.of_distance(-torch.arange(TRAINED)) for layer in model.layers]
    others = torch.arange(TRAINED) != tasks.STEPS
    return [(bias[:, tasks.STEPS] - bias[:, others].mean(1)).tolist() for bias in biases]


def run(name: str, encoding: str, seed: int) -> dict[str, Any]:
    """One row of the results; for RoPE also what it does when it is changed after training."""
    task = TASKS[name]
    model, losses = train(task, encoding, seed)
    longest = TRAINED if encoding == "learned" else TIMES[-1] * TRAINED
    row: dict[str, Any] = {"task": name, "encoding": encoding, "seed": seed, "losses": losses}
    row["by position"] = measured(task, model, longest)
    if (name, encoding) == ("steps back", "T5"):
        row["advantages"] = advantages(model)
    if encoding == "RoPE":
        row["window"] = measured(task, model, longest, window=TRAINED)
        for rule in stretched(1):
            row[rule] = [
                measured(task, model.with_encoding(stretched(times)[rule]), times * TRAINED)[-1]
                for times in TIMES
            ]
    return row
