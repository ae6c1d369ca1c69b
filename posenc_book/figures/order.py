"""Figures of part 1: where positions enter, what a permutation does, how good the expansion is."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lib.additive.functions import sinusoidal

from .style import COLOURS, DIVERGING, SEQUENTIAL, Plot, figure, key

WORDS = ("the", "dog", "bit", "the", "old", "man")
NAMES = ("the₁", "dog", "bit", "the₂", "old", "man")
ORDER = (5, 2, 1, 4, 0, 3)


def attention_weights(x: Tensor, bilinear: Tensor) -> Tensor:
    """softmax(x A xᵀ/√d) by rows for x ``[..., seq, d]``: the weights of one head with A = W_qᵀW_k."""
    return torch.softmax(x @ bilinear @ x.mT / math.sqrt(x.shape[-1]), dim=-1)


def random_head(dim: int, seed: int) -> tuple[Tensor, Tensor]:
    """A = W_qᵀW_k of a random head ``[dim, dim]``, and a table of 8 random token embeddings; float64."""
    draw = torch.Generator().manual_seed(seed)
    query, key, table = (torch.randn(n, dim, generator=draw, dtype=torch.float64) for n in (dim, dim, 8))
    return query.T @ key / dim, table


def permutation_patterns(dim: int = 16, seed: int = 3) -> dict[str, Tensor]:
    """Weights of a sentence and of its permutation, without and with sinusoidal positions, all ``[6, 6]``."""
    bilinear, table = random_head(dim, seed)
    names = sorted(set(WORDS))
    x = table[[names.index(word) for word in WORDS]]
    order, positions = list(ORDER), sinusoidal(torch.arange(len(WORDS)), dim, dtype=torch.float64)
    patterns = {}
    for name, p in (("without", torch.zeros_like(positions)), ("with", positions)):
        patterns[f"{name}, weights permuted"] = attention_weights(x + p, bilinear)[order][:, order]
        patterns[f"{name}, sentence permuted"] = attention_weights(x[order] + p, bilinear)
    return patterns


def permuted_attention() -> Plot:
    """Permuting the weights, permuting the sentence, and the difference, without and with positions."""
    patterns = permutation_patterns()
    fig, axes = figure(3.9, 2, 3, sharex=True, sharey=True)
    words, ticks = [NAMES[k] for k in ORDER], [k + 0.5 for k in range(len(WORDS))]
    weight, change = (SEQUENTIAL, 0, 1), (DIVERGING, -0.15, 0.15)
    columns = {"shuffle the\nweights": weight, "shuffle the\nsentence": weight, "difference": change}
    for row, kind in zip(axes, ("without", "with"), strict=True):
        pair = [patterns[f"{kind}, {shuffled} permuted"] for shuffled in ("weights", "sentence")]
        patterns[f"{kind}, difference"] = (pair[1] - pair[0]).round(decimals=9)  # rounding has no colour
        maps = (*pair, patterns[f"{kind}, difference"])
        meshes = [
            ax.pcolormesh(values.numpy(), cmap=colours, vmin=low, vmax=high)
            for ax, values, (colours, low, high) in zip(row, maps, columns.values(), strict=True)
        ]
        row[0].set_ylabel(f"{kind} positions\nquery")
    for ax, title in zip(axes[0], columns, strict=True):
        ax.set_title(title)
    for ax in axes.flat:
        ax.set_xticks(ticks, words, rotation=90)
        ax.set_yticks(ticks, words)
        ax.set_ylim(len(WORDS), 0)
        ax.set_aspect("equal")
    for ax in axes[1]:
        ax.set_xlabel("key")
    fig.colorbar(meshes[0], ax=axes[:, :2], location="bottom", shrink=0.7, label="attention weight")
    fig.colorbar(meshes[2], ax=axes[:, 2], location="bottom", label="second − first")
    return Plot(
        fig,
        "Without positions, permuting the sentence only permutes the weights; with positions it changes them",
        "Heat maps for six words in a shuffled order, in two rows of three: attention weights when the "
        "weights are shuffled, when the sentence is shuffled, and the second less the first, on a scale of "
        "its own, from −0.15 to 0.15. In the upper row, without positions, the difference is blank. In the "
        "lower row, with positions, many of its cells are coloured.",
        {name: weights.numpy() for name, weights in patterns.items()},
    )


STATIONS = (
    ("word embedding", "xₘ + pₘ: sinusoidal, learned", "once, at the bottom"),
    ("queries and keys", "rotated by mθ, nθ: RoPE", "in every layer"),
    ("scores q·k", "+ a term in m − n: Shaw, T5, ALiBi", "in every layer"),
    ("softmax, values", "+ a vector in m − n: Shaw", "in every layer"),
)


def where_positions_enter() -> Plot:
    """The road from an embedding to an attention output, and the four places where a position can join."""
    fig, ax = figure(2.6)
    ax.set_axis_off()
    ax.set_xlim(0, 10)
    ax.set_ylim(-0.6, len(STATIONS) - 0.3)
    for k, (station, how, when) in enumerate(STATIONS):
        ax.text(1.45, k, station, ha="center", va="center", weight="bold")
        ax.text(3.9, k + 0.13, how, ha="left", va="center")
        ax.text(3.9, k - 0.23, when, ha="left", va="center", style="italic")
        ax.annotate("", (3.0, k), (3.75, k), arrowprops={"arrowstyle": "->", "color": COLOURS[0], "lw": 1.5})
        if k:
            arrow = {"arrowstyle": "->", "color": COLOURS[1], "lw": 1.5}
            ax.annotate("", (1.45, k - 0.25), (1.45, k - 0.75), arrowprops=arrow)
    return Plot(
        fig,
        "Four places where a position can enter a transformer",
        "A column read upwards: word embedding, queries and keys, scores, softmax and values. "
        "Beside each stands what can join: p_m added once to the embedding; turned queries and keys, a "
        "relative term in the scores, a relative vector in the values, each in every layer.",
        {"stations": torch.arange(len(STATIONS)).numpy()},
    )


def read_out(x: Tensor, bilinear: Tensor, direction: Tensor) -> Tensor:
    """A symmetric scalar of tokens ``[seq, d]``: attention with W_v = I, mean over tokens, one direction."""
    return (attention_weights(x, bilinear) @ x).mean(-2) @ direction


def moved_read_out(dim: int, seed: int, sharpness: float) -> Callable[[Tensor, Tensor], Tensor]:
    """For a random head, the function (s, t) ↦ read-out with tokens 2, 5 moved by s p_2 and t p_5."""
    bilinear, _ = random_head(dim, seed)
    draw = torch.Generator().manual_seed(1000 + seed)
    x = torch.randn(8, dim, generator=draw, dtype=torch.float64)
    direction = torch.randn(dim, generator=draw, dtype=torch.float64) / math.sqrt(dim)
    p = sinusoidal(torch.arange(8), dim, dtype=torch.float64)
    rows = torch.eye(8, dtype=torch.float64)

    def moved(s: Tensor, t: Tensor) -> Tensor:
        shift = s * torch.outer(rows[2], p[2]) + t * torch.outer(rows[5], p[5])
        return read_out(x + shift, sharpness * bilinear, direction)

    return moved


def expansion_errors(
    scales: Tensor, *, sharpness: float = 1.0, dim: int = 32, seeds: int = 20
) -> dict[str, Tensor]:
    """Medians over random heads of a change f(x + εp) − f(x), of its interaction part and of what is missed.

    Two tokens are moved by ε times their sinusoidal vectors, as in Su's article, equation (4). The scores of
    the head have standard deviation ``sharpness``. The interaction is f(s, t) − f(s, 0) − f(0, t) + f(0, 0).
    """
    rows = []
    for seed in range(seeds):
        moved = moved_read_out(dim, seed, sharpness)
        slopes = torch.func.jacrev(moved, (0, 1))
        zero = torch.zeros((), dtype=torch.float64)
        still = moved(zero, zero)
        first = torch.stack(slopes(zero, zero))
        second = torch.stack([torch.stack(row) for row in torch.func.jacrev(slopes, (0, 1))(zero, zero)])
        change = torch.stack([moved(e, e) for e in scales]) - still
        alone = torch.stack([moved(e, zero) + moved(zero, e) for e in scales]) - 2 * still
        linear, quadratic = scales * first.sum(), scales**2 / 2 * second.sum()
        interaction = change - alone
        missed = interaction - scales**2 * second[0, 1]
        rows.append(torch.stack([change, change - linear, change - linear - quadratic, interaction, missed]))
    size = torch.stack(rows).abs().median(dim=0).values
    names = ("change", "error of order 1", "error of order 2", "interaction", "error of pᵀHp")
    return dict(zip(names, size, strict=True))


def taylor_errors() -> Plot:
    """Change of a small attention and the error of its expansions, against the size of the positions."""
    scales = torch.logspace(-2, 0, 11, dtype=torch.float64)
    heads = {"scores of size 1": expansion_errors(scales), "size 4": expansion_errors(scales, sharpness=4.0)}
    fig, axes = figure(3.0, 1, 2, sharex=True, sharey=True)
    for ax, (title, sizes) in zip(axes, heads.items(), strict=True):
        for name in ("change", "error of order 1", "error of order 2"):
            ax.loglog(scales.numpy(), sizes[name].numpy(), label=name)
        ax.set_title(title)
        ax.set_xlabel("ε (1: the real encoding)")
        ax.grid(True)
    axes[0].set_ylabel("median over 20 heads")
    key(fig)
    return Plot(
        fig,
        "The expansion is right, with errors like ε² and ε³; how much it misses at ε = 1 depends on the head",
        "Two panels, logarithmic axes. In each, the change of the output has slope 1 and the errors of the "
        "first-order and second-order expansions have slopes 2 and 3. At ε = 1 the error of order 2 is a "
        "tenth of the change on the left, and four tenths on the right, for sharper attention.",
        {
            f"{title}, log10 {name}": size.log10().numpy()
            for title, sizes in heads.items()
            for name, size in sizes.items()
        },
    )


def two_families(theta: float = 0.7, steps: int = 8) -> Plot:
    """The two kinds of solution in the plane: turn by θ again and again, or reflect again and again."""
    m = torch.arange(steps, dtype=torch.float64)
    turned = torch.stack([(m * theta).cos(), (m * theta).sin()])
    start = torch.tensor([math.cos(0.6), math.sin(0.6)], dtype=torch.float64)
    reflected = torch.stack([start[0].expand(steps), start[1] * (-1) ** m])
    fig, axes = figure(2.4, 1, 2, sharex=True, sharey=True)
    circle = torch.linspace(0, 2 * math.pi, 73)
    families = {"rotation": turned, "reflection": reflected}
    for ax, (name, points), colour in zip(axes, families.items(), COLOURS, strict=False):
        ax.plot(circle.cos().numpy(), circle.sin().numpy(), color="gray", lw=0.7, ls="-", label="_aside")
        ax.scatter(*points.numpy(), color=colour, zorder=3)
        ax.set_title(name)
        ax.set_aspect("equal")
        ax.set_xlabel("first coordinate")
    for k in range(steps):
        axes[0].text(*(1.3 * turned[:, k]).tolist(), str(k), ha="center", va="center")
    axes[1].text(0.64, 0.56, "even m", ha="right", va="center")
    axes[1].text(0.64, -0.56, "odd m", ha="right", va="center")
    axes[0].set_ylabel("second coordinate")
    axes[0].set_xlim(-1.7, 1.7)
    axes[0].set_ylim(-1.6, 1.6)
    return Plot(
        fig,
        "Two families of position vectors in the plane whose inner products depend on m − n only",
        f"Left: {steps} points numbered 0 to {steps - 1} around a circle at steps of {theta} radians. Right: "
        "only two points, mirror images in the horizontal axis, one for even and one for odd positions.",
        {name: points.numpy() for name, points in families.items()},
    )
