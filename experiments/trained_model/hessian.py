"""Question 5: the matrix H of read-outs and of the first layer's heads, in neurons and in planes."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.func import grad, jvp, vmap

from posenc_book.learned import spread
from posenc_book.planes import (
    centred,
    commuting_part,
    components,
    diagonal_share,
    rotation_planes,
    shares,
    toeplitz_share,
    turned_shares,
)

from .encoder import HEADS, WIDTH, Weights, bilinear, content, encode, positions
from .expansion import cosine

ReadOut = Callable[[Tensor], Tensor]
LAGS = range(-24, 25)


def read_outs(other: Tensor) -> dict[str, ReadOut]:
    """Symmetric scalar functions of the outputs' mean: two random directions, a similarity, a length."""
    draw = torch.Generator().manual_seed(0)
    one, two = torch.randn(2, WIDTH, generator=draw, dtype=torch.float64) / WIDTH**0.5
    return {
        "random direction": lambda mean: mean @ one,
        "another direction": lambda mean: mean @ two,
        "similarity": lambda mean: cosine(mean, other),
        "length": lambda mean: mean.norm(),
    }


def mixed(w: Weights, x: Tensor, read: ReadOut, token: int, directions: Tensor) -> Tensor:
    """``[directions, seq, 384]``: how every token's gradient changes when ``token`` moves in a direction."""
    slope = grad(lambda v: read(encode(w, v).mean(0)))
    row = torch.eye(len(x), dtype=torch.float64)[token][:, None]
    return vmap(lambda v: jvp(slope, (x,), (row * v,))[1], chunk_size=64)(directions)


def in_planes(x: Tensor, *, whitened: bool) -> tuple[Tensor, Tensor]:
    """Angles ``[5]`` and ``back [10, d]`` of the planes in which a table of vectors turns."""
    y, back, _ = components(x, whitened=whitened)
    angles, basis = rotation_planes(y)
    return angles, basis.mT @ back


def of_read_outs(w: Weights, ids: Sequence[Sequence[int]], back: Tensor) -> dict[str, object]:
    """H of each read-out for tokens 3 and 2, 5 and 2: shares in the planes; the whole H for one sentence."""
    planes: dict[str, list[dict[str, float]]] = {}
    turned: list[float] = []
    whole = {}
    for k, sentence in enumerate(ids):
        x, other = content(w, sentence), encode(w, content(w, ids[k - 1])).mean(0)
        for name, read in read_outs(other).items():
            columns = mixed(w, x, read, 2, back)
            for token in (3, 5):
                form = back @ columns[:, token].mT
                planes.setdefault(name, []).append(shares(form))
                turned += turned_shares(form, 50)
            if k == 0 and name in ("random direction", "similarity"):
                full = mixed(w, x, read, 2, torch.eye(WIDTH, dtype=torch.float64))[:, 3].mT
                identity = full.trace() ** 2 / (WIDTH * full.square().sum())
                whole[name] = {**diagonal_share(full), "nearest c·I": float(identity)}
    return {
        "neurons": whole,
        "planes": {
            name: {part: spread([row[part] for row in rows]) for part in rows[0]}
            for name, rows in planes.items()
        },
        "planes, rotated": spread(turned),
    }


def entering(w: Weights, ids: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Map ``[384, 384]`` from a position vector to what it adds to the first layer's input, up to 1/σ; all σ.

    σ is the standard deviation by which the embedding's LayerNorm divides; it depends on the token.
    """
    centring = torch.eye(WIDTH, dtype=torch.float64) - 1 / WIDTH
    sigma = [
        (content(w, sentence) + positions(w)[: len(sentence)]).std(-1, correction=0)[1:] for sentence in ids
    ]
    return centring * w["embeddings.LayerNorm.weight"], torch.cat(sigma)


def of_heads(
    w: Weights, ids: Sequence[Sequence[int]], back: Tensor, lengths_kept: Tensor, angles: Tensor
) -> dict[str, object]:
    """For each head of the first layer: shares of H in the planes, whitened and not; its logits by distance.

    ``back`` and ``lengths_kept`` are the planes of :func:`in_planes`, whitened and not.
    """
    into, sigma = entering(w, ids)
    into = into / sigma.mean()
    x = centred(positions(w)[1:]) @ into
    heads = []
    for head in range(HEADS):
        middle = into @ bilinear(w, head) @ into.mT
        form, kept = back @ middle @ back.mT, lengths_kept @ middle @ lengths_kept.mT
        logits = x @ bilinear(w, head) @ x.mT
        varying = logits - logits.mean(1, keepdim=True)
        a, b = commuting_part(form)
        heads.append(
            {
                **shares(form),
                "not whitened": {**shares(kept), "rotated": spread(turned_shares(kept))},
                "rotated": spread(turned_shares(form)),
                "spread of the logits": float(varying.std()),
                "key just before is the largest": float(_previous(logits)),
                "a": a.tolist(),
                "b": b.tolist(),
                "by distance": [_spread_at(logits, lag) for lag in LAGS],
                "Toeplitz share": {str(n): spread(_windows(logits, n)) for n in (64, 511)},
            }
        )
    return {"heads": heads, "lags": list(LAGS), "angles": angles.tolist(), "sigma": spread(sigma.tolist())}


def _previous(logits: Tensor) -> Tensor:
    before = torch.arange(1, len(logits))
    return (logits[1:].argmax(1) == before - 1).double().mean()


def _spread_at(logits: Tensor, lag: int) -> list[float]:
    return logits.diagonal(-lag).quantile(torch.tensor([0.05, 0.5, 0.95], dtype=torch.float64)).tolist()


def _windows(logits: Tensor, size: int) -> list[float]:
    starts = range(0, len(logits) - size + 1, size)
    return [toeplitz_share(logits[s : s + size, s : s + size]) for s in starts]


def interaction_matrices(w: Weights, ids: Sequence[Sequence[int]]) -> dict[str, object]:
    """Everything about H; the planes are those of the learned positions 1 to 511."""
    angles, back = in_planes(positions(w)[1:], whitened=True)
    _, lengths_kept = in_planes(positions(w)[1:], whitened=False)
    return {
        "read-outs": of_read_outs(w, ids, back),
        "first layer": of_heads(w, ids, back, lengths_kept, angles),
    }
