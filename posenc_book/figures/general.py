"""Figures for any interaction matrix H: its relative part, its m + n part, and what lies between planes."""

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.tables import cos_sin

from .style import DIVERGING, Plot, figure, name_lines

WIDTH, POSITIONS = 16, 32


def encodings(freq: Tensor, positions: Tensor) -> Tensor:
    """(cos mθ₀, sin mθ₀, cos mθ₁, …) for frequencies ``[n]`` and positions ``[m]``: float64 ``[m, 2n]``."""
    return torch.stack(cos_sin(freq, positions, dtype=torch.float64), -1).flatten(-2)


def parts(h: Tensor) -> dict[str, Tensor]:
    """``h [2n, 2n]`` as a sum of three: ⊕(aᵢI + bᵢJ), the rest of the diagonal blocks, and all other blocks.

    In plane i the first gives a function of m − n, the second of m + n. The three are orthogonal.
    """
    even, odd = torch.arange(0, len(h), 2), torch.arange(1, len(h), 2)
    relative, blocks = torch.zeros_like(h), torch.zeros_like(h)
    a, b = (h[even, even] + h[odd, odd]) / 2, (h[odd, even] - h[even, odd]) / 2
    relative[even, even], relative[odd, odd], relative[odd, even], relative[even, odd] = a, a, b, -b
    for row in (even, odd):
        for column in (even, odd):
            blocks[row, column] = h[row, column]
    return {"m − n": relative, "m + n": blocks - relative, "between planes": h - blocks}


def shares(h: Tensor) -> dict[str, float]:
    """Share of each of the ``parts`` in the sum of squares of ``h``."""
    return {name: float(part.square().sum() / h.square().sum()) for name, part in parts(h).items()}


def step(freq: Tensor) -> Tensor:
    """U ``[2n, 2n]``: turns each plane i by θᵢ, so that U p_m = p_{m+1}."""
    cos, sin = cos_sin(freq, torch.tensor([1]), dtype=torch.float64)
    turns = [
        torch.stack((torch.stack((c, -s)), torch.stack((s, c)))) for c, s in zip(cos[0], sin[0], strict=True)
    ]
    return torch.block_diag(*turns)


def shift_average(h: Tensor, freq: Tensor, shifts: int) -> Tensor:
    """The mean of (Uˢ)ᵀhUˢ over s = 0 … shifts − 1: its scores are those of h, averaged over shifts."""
    turned = encodings(freq, torch.arange(shifts)).unflatten(-1, (-1, 2))
    cos, sin = turned[..., 0], turned[..., 1]
    turns = torch.stack((torch.stack((cos, -sin), -1), torch.stack((sin, cos), -1)), -2)  # [shifts, n, 2, 2]
    blocks = h.unflatten(0, (-1, 2)).unflatten(2, (-1, 2))  # [n, 2, n, 2]
    mean = torch.einsum("siab,iajc,sjcd->ibjd", turns, blocks, turns) / shifts
    return mean.flatten(2).flatten(0, 1)


def examples(width: int = WIDTH, seed: int = 0) -> dict[str, Tensor]:
    """Three random matrices of equal size: diagonal, ⊕(aᵢI + bᵢJ), and without any structure."""
    draw = torch.Generator().manual_seed(seed)
    full = torch.randn(width, width, generator=draw, dtype=torch.float64)
    made = {"diagonal": torch.diag(full.diagonal()), "⊕(aI + bJ)": parts(full)["m − n"], "any H": full}
    return {name: h / h.norm() for name, h in made.items()}


def matrices_and_scores() -> Plot:
    """Scores p_mᵀHp_n of three matrices, and the part of each that is not a function of m − n."""
    freq, positions = inv_freq(WIDTH), torch.arange(POSITIONS)
    p = encodings(freq, positions)
    fig, axes = figure(3.4, 2, 3, sharex=True, sharey=True)
    data = {}
    for column, (name, h) in enumerate(examples().items()):
        pictures = p @ h @ p.mT, p @ (h - parts(h)["m − n"]) @ p.mT
        for ax, kind, picture in zip(axes[:, column], ("scores", "not relative"), pictures, strict=True):
            edge = float(pictures[0].abs().max())
            ax.imshow(picture.numpy(), cmap=DIVERGING, vmin=-edge, vmax=edge, interpolation="none")
            data[f"{name}, {kind}"] = picture.numpy()
        axes[0, column].set_title(name)
        axes[1, column].set_xlabel("n")
    axes[0, 0].set_ylabel("scores\nm")
    axes[1, 0].set_ylabel("part not in m − n\nm")
    return Plot(
        fig,
        "Only the matrix of blocks aI + bJ makes every diagonal constant",
        f"Six heat maps of p_m H p_n, positions 0 to {POSITIONS - 1} downwards and to the right. Upper row, "
        "scores: with blocks aI + bJ all stripes run along diagonals, with a diagonal matrix the pattern is "
        "checkered, with a matrix without structure a patchwork. Lower row, the same without the function of "
        "m − n: stripes across the diagonals for the diagonal matrix, nothing for the blocks, the patchwork.",
        data,
    )


def averaging(width: int = WIDTH, most: int = 20_000, points: int = 25) -> dict[str, Tensor]:
    """Shifts, and the size of what is left of the non-relative part after averaging over them."""
    freq = inv_freq(width)
    shifts = torch.logspace(0, torch.tensor(float(most)).log10().item(), points, dtype=torch.float64)
    counts = shifts.round().long().unique()
    rows = {}
    for name, h in examples(width).items():
        target = parts(h)["m − n"]
        rest = [(shift_average(h, freq, int(s)) - target).norm() for s in counts]
        rows[name] = torch.stack(rest)
    return {"shifts": counts.double(), **rows}


def averaged_away() -> Plot:
    """What is left of the non-relative part when the scores are averaged over shifts of both positions."""
    data = averaging()
    fig, ax = figure()
    for name in ("any H", "diagonal"):
        ax.loglog(data["shifts"].numpy(), data[name].numpy(), label=name)
    slowest = 1 / inv_freq(WIDTH)[-1]
    ax.axvline(float(slowest), color="gray", lw=1, ls=":")
    ax.text(float(slowest) * 0.9, 0.013, "one radian of\nthe slowest plane", ha="right", va="bottom")
    ax.set(xlabel="number of shifts averaged", ylabel="size of the non-relative part")
    ax.grid(True)
    name_lines(ax, {"any H": (30, 4), "diagonal": (10, -4)})
    return Plot(
        fig,
        "Averaged over shifts, every H becomes relative, but only after the slowest plane has moved",
        "Two falling curves on logarithmic axes, for a diagonal H and for any H. Both fall slowly, to 0.24 "
        "and 0.30 after a thousand shifts, and quickly beyond the mark at one radian of the slowest "
        "plane, to about a hundredth after twenty thousand.",
        {name: values.numpy() for name, values in data.items()},
    )
