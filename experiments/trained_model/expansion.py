"""Symmetry (question 1) and the expansion in the size of the positions (question 3)."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.func import jvp

from posenc_book.learned import spread

from .encoder import HEADS, Weights, content, embed, encode, layers, positions, scores

SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
Path = Callable[[Tensor], Tensor]


def symmetry(w: Weights, ids: Sequence[Sequence[int]]) -> dict[str, object]:
    """Relative change of encoder, mean and row 0 when the tokens are shuffled, without and with positions."""
    draw = torch.Generator().manual_seed(0)
    changes: dict[str, list[float]] = {}
    for sentence in ids:
        x, order = content(w, sentence), torch.randperm(len(sentence), generator=draw)
        for kind, p in (("without", torch.zeros_like(x)), ("with", positions(w)[: len(x)])):
            kept, moved = encode(w, x + p), encode(w, x[order] + p)
            for name, a, b in (
                ("encoder", kept[order], moved),
                ("mean", kept.mean(0), moved.mean(0)),
                ("row 0", kept[0], moved[0]),
            ):
                changes.setdefault(f"{kind} positions, {name}", []).append(float((a - b).norm() / a.norm()))
    exact = {name: max(values) < 1e-13 for name, values in changes.items()}
    return {
        name: "below 1e-13 in every sentence" if exact[name] else spread(values)
        for name, values in changes.items()
    }


def taylor(path: Path) -> tuple[Tensor, Tensor, Tensor]:
    """Value, first and second derivative of a path at 0, by nested forward differentiation."""
    zero, one = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)
    (value, first), (_, second) = jvp(lambda e: jvp(path, (e,), (one,)), (zero,), (one,))
    return value, first, second


def sizes(path: Path) -> Tensor:
    """``[scales, 3]``: sizes of the change of a path and of what its expansions to order 1 and 2 miss."""
    value, first, second = taylor(path)
    rows = []
    for scale in SCALES:
        change = path(torch.tensor(scale, dtype=torch.float64)) - value
        missed = change - scale * first
        rows.append(torch.stack([v.norm() for v in (change, missed, missed - scale**2 / 2 * second)]))
    return torch.stack(rows)


def straightened(w: Weights, x: Tensor, p: Tensor) -> Path:
    """The normalised embedding, replaced by the straight line between its values at ε = 0 and 1."""
    start, end = embed(w, x), embed(w, x + p)
    return lambda e: start + e * (end - start)


def variants(w: Weights, x: Tensor, p: Tensor, head: int) -> dict[str, Path]:
    """The mean of the outputs along ε, as it is and with one suspect at a time removed."""
    line, base = straightened(w, x, p), embed(w, x)
    later = torch.cat((torch.zeros(1, p.shape[1], dtype=p.dtype), p[1:]))
    curve = lambda e: embed(w, x + e * p)  # noqa: E731
    calm = lambda h: layers(w, h, quiet=(head, h - base))  # noqa: E731
    return {
        "as it is": lambda e: layers(w, curve(e)).mean(0),
        "no vector at position 0": lambda e: encode(w, x + e * later).mean(0),
        "embedding LayerNorm straightened": lambda e: layers(w, line(e)).mean(0),
        "previous-token head without position–position logits": lambda e: calm(curve(e)).mean(0),
        "both": lambda e: calm(line(e)).mean(0),
        "straight up to the last layer": _last_layer(w, x, p),
    }


def _last_layer(w: Weights, x: Tensor, p: Tensor) -> Path:
    start, end = (layers(w, embed(w, v), stop=5) for v in (x, x + p))
    return lambda e: layers(w, start + e * (end - start), start=5).mean(0)


def radii(w: Weights, ids: Sequence[Sequence[int]]) -> dict[str, object]:
    """|x|/|p| after centring: the radius of convergence of each token's first normalisation."""
    flat = lambda v: v - v.mean(-1, keepdim=True)  # noqa: E731
    first, later = [], []
    for sentence in ids:
        ratio = flat(content(w, sentence)).norm(dim=1) / flat(positions(w)[: len(sentence)]).norm(dim=1)
        first.append(float(ratio[0]))
        later += ratio[1:].tolist()
    return {"position 0, [CLS]": first[0], "all others": spread(later)}


def missed(run: Tensor, order: int = 2) -> list[float]:
    """What the expansion misses at ε = 1, over the change, by sentence; ``run [sentences, scales, 3]``."""
    return (run[:, -1, order] / run[:, -1, 0]).tolist()


def patterns(w: Weights, ids: Sequence[Sequence[int]]) -> list[dict[str, float]]:
    """For each head of the first layer, what order 2 misses of its attention weights at ε = 1."""
    runs = []
    for sentence in ids:
        x, p = content(w, sentence), positions(w)[: len(sentence)]
        weights = [sizes(lambda e, x=x, p=p, h=h: _weights(w, x + e * p)[h]) for h in range(HEADS)]
        runs.append(torch.stack(weights))
    return [spread(missed(run)) for run in torch.stack(runs, 1)]


def _weights(w: Weights, x: Tensor) -> Tensor:
    return torch.softmax(scores(w, 0, embed(w, x)), dim=-1)


def similarity(w: Weights, ids: Sequence[Sequence[int]]) -> float:
    """The same for one number a sentence, its cosine with the next one: root mean squares over sentences."""
    means = [encode(w, content(w, s) + positions(w)[: len(s)]).mean(0) for s in ids]
    runs = []
    for k, sentence in enumerate(ids):
        x, p, other = content(w, sentence), positions(w)[: len(sentence)], means[k - 1]
        runs.append(sizes(lambda e, x=x, p=p, v=other: cosine(encode(w, x + e * p).mean(0), v)))
    change, _, second = torch.stack(runs)[:, -1].square().mean(0).sqrt()
    return float(second / change)


def cosine(u: Tensor, v: Tensor) -> Tensor:
    return u @ v / (u.norm() * v.norm())


def interaction(w: Weights, ids: Sequence[Sequence[int]]) -> dict[str, object]:
    """Two neighbours moved by their vectors: size and slope of what pᵀHp misses of their interaction."""
    rows = []
    for sentence in ids:
        x, p = content(w, sentence), positions(w)[: len(sentence)]
        rows += [_pair(w, x, p, m) for m in range(2, len(x))]
    slope, missing, part = torch.tensor(rows, dtype=torch.float64).mT.tolist()
    names = "slope", "missed at 1", "interaction as a share of the change"
    return {name: spread(values) for name, values in zip(names, (slope, missing, part), strict=True)}


def _pair(w: Weights, x: Tensor, p: Tensor, m: int) -> list[float]:
    rows = torch.eye(len(x), dtype=torch.float64)[:, :, None] * p
    moved = lambda s, t: encode(w, x + s * rows[m] + t * rows[m - 1]).mean(0)  # noqa: E731
    zero, one = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)
    mixed = jvp(lambda s: jvp(lambda t: moved(s, t), (zero,), (one,))[1], (zero,), (one,))[1]
    both = [
        moved(e, e) - moved(e, zero) - moved(zero, e) + moved(zero, zero)
        for e in (0.01 * one, 0.02 * one, one)
    ]
    low, high, full = (v - e**2 * mixed for v, e in zip(both, (0.01, 0.02, 1.0), strict=True))
    slope = (high.norm() / low.norm()).log2()
    change = moved(one, one) - moved(zero, zero)
    return [float(slope), float(full.norm() / both[2].norm()), float(both[2].norm() / change.norm())]


def expansion(w: Weights, ids: Sequence[Sequence[int]], head: int) -> dict[str, object]:
    """Slopes and sizes of the errors, what they are at ε = 1, and what removing a suspect changes."""
    runs: dict[str, list[Tensor]] = {}
    for sentence in ids:
        x, p = content(w, sentence), positions(w)[: len(sentence)]
        for name, path in variants(w, x, p, head).items():
            runs.setdefault(name, []).append(sizes(path))
    stacked = {name: torch.stack(values) for name, values in runs.items()}
    plain = stacked["as it is"]
    slopes = (plain[:, 1] / plain[:, 0]).log2()
    return {
        "scales": list(SCALES),
        "medians": {name: run.median(0).values.mT.tolist() for name, run in stacked.items()},
        "slopes": {order: spread(slopes[:, k].tolist()) for k, order in enumerate(("change", "1", "2"))},
        "missed at 1": {name: spread(missed(run)) for name, run in stacked.items()},
        "missed at 1 by order 1": spread(missed(plain, 1)),
        "missed at 1 of a similarity": similarity(w, ids),
        "missed at 1 of attention weights, by head": patterns(w, ids),
        "radius of convergence": radii(w, ids),
        "neighbours": interaction(w, ids),
    }
