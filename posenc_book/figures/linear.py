"""The figure of linear attention: what the weights of a query add up to once the numerator is rotated."""

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.tables import cos_sin
from posenc_lib.attend.linear import linear_attention

from .style import Plot, figure, key


def row_sums(length: int = 256, dim: int = 64, draws: int = 32) -> dict[str, Tensor]:
    """Sums of a query's causal weights by draw and position, float64 ``[draws, length]``, Gaussian q and k.

    With values that are all 1 the output is the sum of the weights.
    """
    draw = torch.Generator().manual_seed(44)
    q, k = torch.randn(2, draws, 1, length, dim, generator=draw, dtype=torch.float64)
    ones = torch.ones(draws, 1, length, 1, dtype=torch.float64)
    cos, sin = cos_sin(inv_freq(dim), torch.arange(length), dtype=torch.float64)
    sums = {}
    for name, tables in (("not rotated", (None, None)), ("rotated", (cos, sin))):
        for features in ("elu+1", "softmax"):
            out = linear_attention(q, k, ones, *tables, feature_map=features, causal=True)
            assert isinstance(out, Tensor)
            sums[f"{features}, {name}"] = out[:, 0, :, 0]
    return sums


def shrinking_rows() -> Plot:
    """Sum of the weights against the position of the query, rotated numerator over unrotated denominator."""
    fig, ax = figure()
    drawn = {}
    for n, (name, sums) in enumerate(row_sums().items()):
        mean, low, high = sums.mean(0).numpy(), sums.amin(0).numpy(), sums.amax(0).numpy()
        ax.plot(mean, label=name)
        drawn[name] = mean
        if name.endswith(", rotated"):
            ax.fill_between(range(len(mean)), low, high, color=f"C{n}", alpha=0.2, linewidth=0)
            drawn |= {f"{name}, least draw": low, f"{name}, greatest draw": high}
    ax.set_xlabel("position of the query")
    ax.set_ylabel("sum of its weights")
    ax.set_ylim(0, 1.25)
    ax.grid(True)
    key(fig)
    return Plot(
        fig,
        "With a rotated numerator the weights add up to less than 1 on average: to about half after 256 keys",
        "Mean sum of the causal attention weights against the position of the query, 0 to 255. Without "
        "rotation both feature maps give exactly 1. With rotation the sums start at 1 and fall, quickly at "
        "first and with ripples, to about one half. Bands reach from the least to the greatest of 32 draws; "
        "at position 255 both lie between 0.3 and 0.61.",
        drawn,
    )
