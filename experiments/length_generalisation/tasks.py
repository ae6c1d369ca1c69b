"""Three tasks, each with its own need: an exact distance, a content at any distance, or the last two tokens.

A task draws tokens ``[batch, seq]`` and gives, for each position, the distribution of the right answer,
``[batch, seq, answers]`` in float64, all zeros where there is nothing to answer yet.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Generator, Tensor
from torch.nn.functional import one_hot

SYMBOLS = 16  # of the first two tasks
STEPS = 6  # how far back the first task looks
KEYS = 8  # of the second task
STATES = 8  # of the third


def steps_back(batch: int, length: int, draw: Generator) -> tuple[Tensor, Tensor]:
    """Random symbols; the answer is the symbol exactly ``STEPS`` positions before."""
    tokens = torch.randint(SYMBOLS, (batch, length), generator=draw)
    answer = one_hot(tokens.roll(STEPS, 1), SYMBOLS).double()
    answer[:, :STEPS] = 0
    return tokens, answer


def look_up(batch: int, length: int, draw: Generator) -> tuple[Tensor, Tensor]:
    """Every key once, each followed by a random symbol; then random keys, to be answered by their symbols."""
    symbols = torch.randint(SYMBOLS, (batch, KEYS), generator=draw)
    order = torch.rand((batch, KEYS), generator=draw).argsort(1)
    pairs = torch.stack((order + SYMBOLS, symbols.gather(1, order)), -1).flatten(1)
    asked = torch.randint(KEYS, (batch, length - 2 * KEYS), generator=draw)
    answer = torch.zeros(batch, length, SYMBOLS, dtype=torch.float64)
    answer[:, 2 * KEYS :] = one_hot(symbols.gather(1, asked), SYMBOLS)
    return torch.cat((pairs, asked + SYMBOLS), 1), answer


@cache
def transitions() -> Tensor:
    """``[STATES, STATES, STATES]``: chances of the next state after any two; the same in every run."""
    weights = torch.randn((STATES,) * 3, generator=Generator().manual_seed(0), dtype=torch.float64)
    return torch.softmax(2 * weights, -1)


def chain(batch: int, length: int, draw: Generator) -> tuple[Tensor, Tensor]:
    """A Markov chain of order two; the answer is the exact distribution of the next state."""
    chance = transitions()
    states = list(torch.randint(STATES, (2, batch), generator=draw))
    while len(states) < length:
        states.append(torch.multinomial(chance[states[-2], states[-1]], 1, generator=draw)[:, 0])
    tokens = torch.stack(states, 1)
    answer = torch.zeros(batch, length, STATES, dtype=torch.float64)
    answer[:, 1:] = chance[tokens[:, :-1], tokens[:, 1:]]
    return tokens, answer


def entropy(p: Tensor) -> Tensor:
    return torch.special.entr(p).sum(-1)


def chain_levels() -> dict[str, float]:
    """Entropy of the chain, and what a reader pays who knows less than it: in nats, in the long run."""
    chance = transitions()
    pairs = torch.full((STATES, STATES), 1 / STATES**2, dtype=torch.float64)
    for _ in range(1000):  # to the stationary distribution of two states in a row
        pairs = torch.einsum("ab,abc->bc", pairs, chance)
    best = float((pairs * entropy(chance)).sum())
    one = torch.einsum("ab,abc->bc", pairs, chance) / pairs.sum(0)[:, None]
    return {
        "entropy": best,
        "knows the last state alone": float((pairs.sum(0) * entropy(one)).sum()) - best,
        "knows how frequent states are": float(entropy(pairs.sum(0))) - best,
        "guesses evenly": math.log(STATES) - best,
    }


@dataclass(frozen=True)
class Task:
    """How a task draws, how many tokens and answers it has, and whether its answers are certain."""

    draw: Callable[[int, int, Generator], tuple[Tensor, Tensor]]
    tokens: int
    answers: int
    certain: bool

    @property
    def measure(self) -> str:
        return "share of right answers" if self.certain else "nats above the best possible"


TASKS = {
    "steps back": Task(steps_back, SYMBOLS, SYMBOLS, certain=True),
    "look-up": Task(look_up, SYMBOLS + KEYS, SYMBOLS, certain=True),
    "chain": Task(chain, STATES, STATES, certain=False),
}
