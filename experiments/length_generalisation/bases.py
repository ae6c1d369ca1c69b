"""Which planes fail beyond the trained length? ``python -m experiments.length_generalisation bases``.

For four bases and three tasks: each plane of a trained RoPE divided alone by as much as the text is longer,
or at rest; and what the contents of texts of the *trained* length say of it beforehand, with no free
parameter.

The prediction. In a text of the trained length a head's last query meets each key with the numbers
h_i = q_i k_i*, and plane i adds Re h_i e^{ixθ_i} to their score at the distance x. Lengthen the text in its
middle: the first bin stays at the beginning, the second is repeated up to the query, contents unchanged. Then
change plane i alone. For the key that got most attention in the short text, weighted by that attention, in
the mean over texts, summed over heads and layers,

- *advantage*, the kernel's law, is what its score gains on the mean of the other keys, and
- *share* is what the logarithm of its attention gains, so that a single far key can do harm.

Rivals: *unseen*, 1 for a plane that made less than a full turn in training, else 0; *weight*, the mean |h_i|
of those keys; and their product.

Written before the first run, when of single planes only what ``planes.py`` gave had been seen: base 10 000,
plane 4 on the look-up, plane 2 on steps back. "Agrees" is the rank correlation over the eight planes with
what the measure at the end of the longest text gains when the plane is divided, in the mean over those of a
task's twenty models that fell below 0.9 or rose above 0.1 nats there.

1. Look-up: share and advantage agree by 0.6 or more, and better than each rival. The largest of the eight is
   the plane whose change gains most in 14 of 20 models; by chance it would be 2.5.
2. That plane is 7 for base 100, 5 for 1000, 4 for 10 000, 3 for 500 000: the fastest whose cosine stays above
   0.8 in training, in at least four of five seeds each.
3. Steps back: share agrees by 0.5 or more, and better than each rival. Advantage does not: the key that is
   asked for stays near, and what wins are few of the far keys, which a mean does not see.
4. Chain: as steps back, but weaker, 0.3 or more, because two layers must both find their keys.
5. At rest in place of divided: 1, 3 and 4 hold there, too.

The null: what is predicted permuted over planes within each model, a thousand times, with a fixed seed. An
agreement inside the middle 99 % of the null's, or no better than that of *unseen*, refutes it for that task.

Changed afterwards, where the page compares: the null permutes planes alike in the five seeds of a base, which
nearly share their best plane, so it is about twice as wide; and two more rivals know frequencies alone. They
name the look-up's plane as often as share when it is divided, and one of them also when it is at rest.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from torch import Generator, Tensor

from posenc_lib.analysis import plane_products

from . import SEEDS, training
from .model import BASES, HEAD, HEADS, TRAINED, Decoder, divided
from .planes import LONGEST, REST, TIMES_LONGER, alone
from .tasks import TASKS, Task
from .training import BIN, TEST_SEED, TESTED, measured

ROPES = {"RoPE": 10_000.0} | BASES
DIVISORS = {"divided": float(TIMES_LONGER), "at rest": REST}


def wanted() -> list[tuple[Any, ...]]:
    return [(task, encoding, seed) for seed, encoding, task in product(SEEDS, ROPES, TASKS)]


def contents(model: Decoder, tokens: Tensor) -> Iterator[Tensor]:
    """Of each layer, h of the last query with every key: complex ``[texts, heads, keys, planes]``."""
    x = model.embed(tokens)
    for layer in model.layers:
        attention, before = layer.attention, layer.before(x)
        q, k = (
            project(before).unflatten(-1, (HEADS, HEAD)).transpose(1, 2)
            for project in (attention.q_proj, attention.k_proj)
        )
        yield plane_products(q[:, :, -1:], k)
        x = layer(x, None, None)


def by_plane(h: Tensor, theta: Tensor) -> Tensor:
    """What each plane adds to the scores of keys that end at the query."""
    distances = torch.arange(h.shape[-2] - 1, -1, -1, device=h.device)
    return (h * torch.exp(1j * distances[:, None] * theta)).real / math.sqrt(HEAD)


def foretold(h: Tensor, theta: Tensor, divisor: float) -> dict[str, Tensor]:
    """By plane ``[planes]``, of one layer: what dividing it alone should gain in the longest text."""
    weight, top = by_plane(h, theta).sum(-1).softmax(-1).max(-1)
    longer = torch.cat((torch.arange(BIN), torch.arange(BIN, TRAINED).repeat(LONGEST // BIN - 1)))
    place = torch.where(top < BIN, top, top + LONGEST - TRAINED)[..., None, None].expand(
        *top.shape, 1, len(theta)
    )
    found = h[..., longer.to(h.device), :]
    now = by_plane(found, theta)
    change = by_plane(found, theta / divisor) - now
    scores = now.sum(-1, keepdim=True)

    def gained(keys: Tensor) -> Tensor:
        """At the key in question, in the mean over texts, summed over heads."""
        return (weight[..., None] * keys.gather(-2, place).squeeze(-2)).mean(0).sum(0)

    return {
        "share": gained((scores + change).log_softmax(-2) - scores.log_softmax(-2)),
        "advantage": gained(change - change.mean(-2, keepdim=True)) * LONGEST / (LONGEST - 1),
        "weight": gained(found.abs()),
    }


@torch.no_grad()
def predicted(task: Task, model: Decoder, divisor: float) -> dict[str, list[float]]:
    """From texts of the trained length, summed over the layers."""
    tokens, _ = task.draw(TESTED, TRAINED, Generator().manual_seed(TEST_SEED))
    theta = model.layers[0].attention.encoding.spec.inv_freq().to(tokens.device)
    layers = [foretold(h, theta, divisor) for h in contents(model, tokens)]
    return {name: torch.stack([layer[name] for layer in layers]).sum(0).tolist() for name in layers[0]}


def run(name: str, encoding: str, seed: int) -> dict[str, Any]:
    """Train one model, and measure it with each plane changed alone, beside what was predicted."""
    task, base = TASKS[name], ROPES[encoding]
    model, losses = training.train(task, encoding, seed)
    row: dict[str, Any] = {"task": name, "encoding": encoding, "seed": seed, "losses": losses}
    row["as trained"] = measured(task, model, LONGEST)[-1]
    for change, divisor in DIVISORS.items():
        others = (model.with_encoding(divided(alone(i, divisor), base)) for i in range(HEAD // 2))
        row[change] = [measured(task, other, LONGEST)[-1] for other in others]
        row[f"{change}, predicted"] = predicted(task, model, divisor)
    return row


def settings() -> dict[str, Any]:
    """What was chosen for the bases alone."""
    return {"bases": ROPES, "divisors": DIVISORS}
