"""Pictures of all encodings with relative scores: what M does to a key, and which biases have an M."""

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.bias.t5 import t5_buckets

from .style import Plot, figure, key

DOUBLE = torch.float64


def plane_matrices(theta: float = 0.3, growth: float = 0.97, slope: float = -0.06) -> dict[str, Tensor]:
    """One step M of four encodings of a plane, ``[2, 2]`` each; two stay bounded, two do not."""
    turn = torch.tensor(
        [[math.cos(theta), -math.sin(theta)], [math.sin(theta), math.cos(theta)]], dtype=DOUBLE
    )
    basis = torch.tensor([[1.0, 0.0], [0.6, 0.5]], dtype=DOUBLE)
    shear = torch.tensor([[1.0, slope], [0.0, 1.0]], dtype=DOUBLE)
    return {
        "rotation": turn,
        "another basis": basis @ turn @ torch.linalg.inv(basis),
        "turn and shrink": growth * turn,
        "shear": shear,
    }


def powers(step: Tensor, exponents: Sequence[int]) -> Tensor:
    """``step`` to each exponent, negative ones included, ``[len(exponents), d, d]``."""
    return torch.stack([torch.linalg.matrix_power(step, exponent) for exponent in exponents])


def orbit_forms(step: Tensor, terms: int) -> tuple[Tensor, Tensor]:
    r"""The mean of the first forms of the orbit, and their sum less a bounded form; M keeps the second.

    With :math:`H=\sum_{k<p}(M^k)^\top M^k` these are :math:`H/p` and :math:`H-X`, where X, of
    least size, solves :math:`M^\top XM-X=(M^p)^\top M^p-I`; ``[d, d]`` each, for a float64 matrix M whose
    powers stay bounded.

    Source:
        Penrose 1955, for the solution of least size.

    Example:
        >>> M = plane_matrices()["another basis"]
        >>> mean, kept = orbit_forms(M, 10)
        >>> torch.allclose(M.T @ kept @ M, kept), torch.allclose(M.T @ mean @ M, mean)
        (True, False)
    """
    forms = powers(step, range(terms + 1))
    forms = forms.mT @ forms
    total, ends = forms[:-1].sum(0), forms[-1] - forms[0]
    moved = torch.kron(step.T, step.T)  # of the entries of X, row by row: those of MᵀXM
    solve = torch.linalg.pinv(moved - torch.eye(len(moved), dtype=step.dtype), rtol=1e-9)
    return total / terms, total - (solve @ ends.flatten()).view_as(total)


def orbits(length: int = 33) -> Plot:
    """Above: a key moved by M⁻ⁿ, n = 0 … length − 1. Below: its score with a query, against the distance."""
    made, axes = figure(3.3, 2, 4)
    query, key = torch.tensor([1.0, 0.3], dtype=DOUBLE), torch.tensor([0.4, 1.0], dtype=DOUBLE)
    distances = list(range(1 - length, length))
    data = {}
    for place, (name, step) in enumerate(plane_matrices().items()):
        track = powers(step, [-n for n in range(length)]) @ key
        scores = query @ powers(step, distances) @ key
        above, below = axes[:, place]
        above.plot(*track.T, color=f"C{place}", linestyle="-", linewidth=0.6, marker=".", markersize=4)
        above.plot(*key, color=f"C{place}", marker="o", markersize=7, fillstyle="none")
        above.set(title=name.replace(" ", "\n", 1), aspect="equal", adjustable="datalim", xlabel="coord. 1")
        below.plot(distances, scores, color=f"C{place}", linestyle="-")
        below.set(xlabel="distance\nm − n")
        for ax in (above, below):
            ax.locator_params(nbins=3)
        data[f"key, {name}"], data[f"score, {name}"] = track.numpy(), scores.numpy()
    axes[0, 0].set_ylabel("coordinate 2")
    axes[1, 0].set_ylabel("score")
    return Plot(
        made,
        "Four encodings with relative scores: the first two stay bounded, and they are one in two bases",
        "Above, the points a key visits: a circle, an ellipse, a spiral outwards, a straight line. Below, "
        "the score against the distance: two waves of constant height, a wave that shrinks with growing "
        "distance and grows on the other side, a straight line.",
        data,
    )


def causal_rank(table: Tensor) -> int:
    r"""Least rank of a square matrix that agrees with ``table`` on and below the diagonal.

    With :math:`T_p` rows p … L and columns 1 … p, and :math:`U_p` the same without row p, it is
    :math:`\sum_p \operatorname{rank} T_p - \sum_{p<L} \operatorname{rank} U_p`; ranks in float64.

    Source:
        Woerdeman 2006 (arXiv math/0608130).

    Example:
        >>> m = torch.arange(5.0)
        >>> causal_rank(m[:, None] - m), causal_rank(torch.eye(5))
        (2, 5)
    """
    length, rank = table.shape[0], torch.linalg.matrix_rank
    corners = [table.double()[p:, : p + 1] for p in range(length)]
    return sum(int(rank(corner)) for corner in corners) - sum(int(rank(c[1:])) for c in corners[:-1])


def biases(length: int) -> dict[str, Tensor]:
    """Seven functions of the distance as ``[length, length]`` tables, query by key."""
    positions = torch.arange(length)
    t = positions[:, None] - positions
    planes = torch.cos(t[..., None] * inv_freq(8, base=16.0)).sum(-1)
    return {
        "−(m − n), causal ALiBi": -t.double(),
        "cos((m − n)π/512), cosFormer": torch.cos(t.double() * math.pi / 512),
        "(m − n)²": t.double() ** 2,
        "four rotary planes": planes,
        "−|m − n|, two-sided ALiBi": -t.abs().double(),
        "clip to ±16, Shaw": t.clamp(-16, 16).double(),
        "T5 buckets": -t5_buckets(-t).double(),  # T5 counts key minus query
    }


def ranks(length: int) -> Mapping[str, tuple[int, int]]:
    """name → (rank of the table, least rank under a causal mask)."""
    return {
        name: (int(torch.linalg.matrix_rank(table)), causal_rank(table))
        for name, table in biases(length).items()
    }


def rank_growth(lengths: Sequence[int] = (8, 16, 24, 32, 48, 64)) -> Plot:
    """Rank of each table against its length, without and with a causal mask."""
    made, axes = figure(4.3, 1, 2, sharey=True)
    found = [ranks(length) for length in lengths]
    data = {}
    for number, name in enumerate(found[0]):
        for column, ax in enumerate(axes):
            values = [row[name][column] for row in found]
            ax.plot(lengths, values, label=name, marker="osv^Dx+"[number], markersize=4, linewidth=1)
            data[f"{name}, {'causal' if column else 'two-sided'}"] = torch.tensor(values).double().numpy()
    axes[0].set(title="all pairs", xlabel="length L", ylabel="coordinates needed")
    axes[1].set(title="keys up to the query", xlabel="length L")
    key(made, 1)
    return Plot(
        made,
        "Some biases fit into a few coordinates of q and k; others need ever more as the text grows",
        "Rank against length, twice. For all pairs four lines are flat, at 2, 2, 3 and 8, and the others "
        "end far above where they begin. Under a causal mask two-sided ALiBi joins the flat ones.",
        data,
    )
