"""The figure of part 3: what a relative bias adds to a score, as a function of the distance."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib.bias import FIRE, ALiBi, KerpleLog, KerplePower, Sandwich, T5Bias

from .style import Plot, figure

FURTHEST = 256


def staircase(num_buckets: int = 32, deepest: float = -6.0) -> T5Bias:
    """A causal T5 bias of one head whose numbers fall evenly from bucket to bucket; T5 learns them."""
    model = T5Bias(1, bidirectional=False, num_buckets=num_buckets).double()
    with torch.no_grad():
        model.weight.copy_(torch.linspace(0, deepest, num_buckets, dtype=torch.float64)[:, None])
    return model


def ramp(depth: float = 6.0, threshold: float = 64.0) -> FIRE:
    """FIRE of one head with the simplest network, f(x) = −depth · x; a model learns it."""
    model = FIRE(1, width=1, threshold=threshold).double()
    with torch.no_grad():
        for p, value in zip(
            (*model.hidden.parameters(), *model.out.parameters()), (1, 0, -depth, 0), strict=True
        ):
            p.fill_(value)
    return model


def bias_curves(furthest: int = FURTHEST) -> dict[str, Tensor]:
    """b(m, n) of one head at distances m − n = 0 … furthest, float64 ``[furthest + 1]`` each."""
    back = torch.arange(furthest + 1)
    sandwich = Sandwich(8).of_distance(-back, dtype=torch.float64)[-1]
    query = {m: torch.tensor([m]) for m in (furthest, 16 * furthest)}
    fire = {m: ramp().bias(q, m - back)[0, 0] for m, q in query.items()}
    curves = {
        "ALiBi, head 4 of 8": ALiBi(8).of_distance(-back, dtype=torch.float64)[3],
        "Sandwich, head 8 of 8, minus its value at 0": sandwich - sandwich[0],
        "T5, an even staircase": staircase().of_distance(-back)[0],
        "KERPLE log, as initialised": KerpleLog(1).double().of_distance(-back)[0],
        "KERPLE power, r₂ = ½": KerplePower(2).double().of_distance(-back)[0],
        **{f"FIRE, f(x) = −6x, m = {m}": curve for m, curve in fire.items()},
    }
    return {name: curve.detach() for name, curve in curves.items()}


def bias_against_distance() -> Plot:
    """Biases with nothing to learn on the left, learned forms with example parameters on the right."""
    curves = bias_curves()
    fig, axes = figure(6.4, 4.4, 1, 2, sharex=True)
    for name, curve in curves.items():
        fixed = name.startswith(("ALiBi", "Sandwich"))
        axes[0 if fixed else 1].plot(curve.numpy(), label=name)
    for ax, title in zip(axes, ("nothing learned", "learned, with example parameters"), strict=True):
        ax.set_title(title, fontsize=10)
        ax.set_xlabel("distance m − n")
        ax.grid(True)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=8)
    axes[0].set_ylabel("bias added to the score")
    return Plot(
        fig,
        "Every one of these biases lowers the score of a far key; only ALiBi does so at a constant rate",
        "Two panels of bias against distance from 0 to 256. Left: ALiBi is a straight line down to minus 16; "
        "Sandwich drops quickly and then ripples slowly downwards. Right: T5 is a staircase that stops at a "
        "last step, the two KERPLE curves fall and flatten, and FIRE is drawn for two query positions, with "
        "a different curve for each.",
        {name: curve.numpy() for name, curve in curves.items()},
    )
