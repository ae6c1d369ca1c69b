"""Pictures of an encoding in a model: what enters it, and what projections make of the scores."""

import torch
from torch import Tensor

from posenc_lib._checks import check_even, check_int
from posenc_lib.additive.functions import sinusoidal
from posenc_lib.analysis.measures import gram, toeplitz_defect

from .style import DIVERGING, Plot, figure


def projections(dim: int) -> tuple[Tensor, Tensor]:
    """W^Q and W^K, acting on rows: two ``[dim, dim]`` of independent normal entries of variance 1/dim."""
    check_int("dim", dim, minimum=1)
    generator = torch.Generator().manual_seed(0)
    both = torch.randn(2, dim, dim, generator=generator, dtype=torch.float64) / dim**0.5
    return both[0], both[1]


def sum_and_scores(length: int = 32, dim: int = 64) -> Plot:
    """Above: embeddings, encodings, and their sum. Below: the encodings' scores, and what projections leave.

    Args:
        length: number of positions.
        dim: even width.

    Source:
        the illustrated article, Figures 1 to 3; the rotation-matrix article, section 1.3.
    """
    check_int("length", length, minimum=2)
    check_even("dim", dim)
    pe = sinusoidal(torch.arange(length), dim, dtype=torch.float64)
    generator = torch.Generator().manual_seed(1)
    words = torch.randn(length, dim, generator=generator, dtype=torch.float64) / 2**0.5
    w_q, w_k = projections(dim)
    vectors = {"embeddings": words, "+ encodings": pe, "= what enters": words + pe}
    scores = {
        "p·p: relative": gram(pe),
        "p·p, projected": (pe @ w_q) @ (pe @ w_k).mT,
        "whole logit": ((words + pe) @ w_q) @ ((words + pe) @ w_k).mT,
    }
    fig, axes = figure(3.1, 2, 3, squeeze=False)
    for row, panels in zip(axes, (vectors, scores), strict=True):
        for ax, (name, values) in zip(row, panels.items(), strict=True):
            top = values.abs().max().item()
            ax.imshow(
                values.numpy(), cmap=DIVERGING, vmin=-top, vmax=top, interpolation="none", aspect="auto"
            )
            ax.set_title(name)
            ax.set(xticks=(), yticks=())
    axes[0, 0].set(ylabel="position m", xlabel="channel")
    axes[1, 0].set(ylabel="query at m", xlabel="key at n")
    share = {name: toeplitz_defect(s) / s.abs().max() for name, s in scores.items()}
    return Plot(
        fig,
        title="Before the projections only the distance counts; behind them it no longer does",
        alt=f"Six colour maps for {length} positions and width {dim}. Above: random embeddings, the striped "
        "encodings, and their sum. Below: inner products of the encodings, with one colour along each "
        "diagonal; the same behind random projections, with diagonals that change colour; and the whole "
        "logit, where no diagonals can be seen. Farthest from the mean of a diagonal, as a share of the "
        "largest score: " + ", ".join(f"{name} {value:.2f}" for name, value in share.items()) + ".",
        data={name: values.numpy() for name, values in (vectors | scores).items()},
    )
