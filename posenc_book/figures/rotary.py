"""Pictures of rotation: what it keeps, what it turns, and what looks like it but is not."""

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from posenc_lib.additive.functions import sinusoidal_of
from posenc_lib.analysis.scores import rotary_score
from posenc_lib.angles.tables import cos_sin
from posenc_lib.rotary.apply import apply_rotary

from .style import COLOURS, DIVERGING, INK, Plot, figure, name_lines

DOUBLE = torch.float64
ONE = torch.ones(1, dtype=DOUBLE)


def two_hands(m: int = 6, n: int = 2, theta: float = 0.4, last: int = 11) -> Plot:
    """A query turned m times and a key turned n times, and the scores of all pairs at that distance, with the
    conjugate and without.
    """
    q, k = (torch.tensor([math.cos(angle), math.sin(angle)], dtype=DOUBLE) for angle in (0.5, 1.25))
    start = torch.arange(max(0, m - n), last + 1 + min(0, m - n))
    with_star = rotary_score(q, k, torch.full_like(start, m - n), theta * ONE)
    without = rotary_score(q, k * torch.tensor([1.0, -1.0]), 2 * start - m + n, theta * ONE)
    hands = torch.stack([apply_rotary(v, *cos_sin(theta * ONE, torch.tensor(at), dtype=DOUBLE))
                         for v, at in ((q, m), (k, n))])  # fmt: skip
    made, (left, right) = figure(2.5, 1, 2)
    circle = torch.linspace(0, 2 * math.pi, 73)
    left.plot(circle.cos(), circle.sin(), color=INK, linestyle="-", linewidth=0.6, label="_aside")
    for (x, y), name, colour in zip(hands.tolist(), "qk", (COLOURS[0], COLOURS[3]), strict=True):
        left.plot([0, x], [0, y], color=colour, linestyle="-", linewidth=3)
        left.text(1.16 * x, 1.16 * y, name, ha="center", va="center")
    left.set(aspect="equal", xlim=(-1.35, 1.35), ylim=(-1.35, 1.35))
    left.set_axis_off()
    left.set_title(f"q turned {m} times, k {n} times")
    right.plot(start, with_star, color=COLOURS[2], marker="o", linestyle="-", label="score")
    right.plot(start, without, color=COLOURS[1], marker="x", linestyle=":", label="conjugate forgotten")
    right.set(
        xlabel=f"position of q,\nwith k {abs(m - n)} {'before' if n <= m else 'behind'} it", ylim=(-1.1, 1.1)
    )
    name_lines(right, {"score": (5, 5), "conjugate forgotten": (8, -42)})
    return Plot(
        made,
        "The score depends only on the distance between q and k",
        f"Left: a clock face with the hands of a query, turned {m} times, and of a key, turned {n} times. "
        "Right: the scores of all pairs at this distance: with the conjugate a level line at "
        f"{with_star[0]:.3f}, without it a wave.",
        {"hands": hands.numpy(), "score": with_star.numpy(), "without the conjugate": without.numpy()},
        live="two-hands",
        state={"m": m, "n": n, "q": q.tolist(), "k": k.tolist(), "theta": theta},
    )


def four_clocks(pairs: Sequence[tuple[int, int]] = ((6, 2), (11, 7))) -> Plot:
    """One vector, turned as a query m times and as a key n times: in each plane the arc between the two.

    pairs : one row of clocks for each pair m, n; all at one distance
    """
    theta, lag = 0.5 ** torch.arange(4, dtype=DOUBLE), pairs[0][0] - pairs[0][1]
    hands = torch.stack(cos_sin(theta, torch.tensor(pairs), dtype=DOUBLE), dim=-1)  # of the vector (1, 0)
    made, rows = figure(2.7, len(pairs), len(theta))
    circle = torch.linspace(0, 2 * math.pi, 73)
    for row, (m, n), turned in zip(rows, pairs, hands, strict=True):
        row[0].set_ylabel(f"q at {m}, k at {n}")
        for ax, speed, query, held in zip(row, theta.tolist(), *turned, strict=True):
            ax.plot(circle.cos(), circle.sin(), color=INK, linestyle="-", linewidth=0.6, label="_aside")
            for (x, y), name, colour in ((query, "q", COLOURS[0]), (held, "k", COLOURS[3])):
                ax.plot([0, x], [0, y], color=colour, linestyle="-", linewidth=2)
                ax.text(1.22 * x, 1.22 * y, name, color=colour, ha="center", va="center")
            arc = torch.linspace(n * speed, m * speed, 73)
            ax.plot(arc.cos() / 2, arc.sin() / 2, color=COLOURS[2], linestyle="-", label="_aside")
            ax.set(aspect="equal", xticks=[], yticks=[], frame_on=False, xlim=(-1.4, 1.4), ylim=(-1.4, 1.4))
    for ax, speed in zip(rows[0], theta.tolist(), strict=True):
        ax.set_title(f"θ = {speed:g}\n{lag}θ = {lag * speed:g}")
    return Plot(
        made,
        f"Four planes, four speeds: at distance {lag} the hands are {lag}θ apart, and they stay so",
        "Rows of four clock faces, one for each plane of 8 numbers, with the hands of a query and of a "
        f"key {lag} positions before it. In the first plane the arc between them is {lag} radians, in each "
        "further plane half of the one before. From row to row all hands move on, and the arcs stay as long.",
        {"hands": hands.numpy(), "arcs": (lag * theta).numpy()},
    )


def reflection_products(q: complex, k: complex, size: int = 9) -> Plot:
    """Real and imaginary part of f(q, m) f(k, n)* when position m conjugates its vector m times."""
    sign = 1.0 - 2.0 * (torch.arange(size) % 2)
    left = torch.complex(torch.full((size,), q.real, dtype=DOUBLE), sign.double() * q.imag)
    right = torch.complex(torch.full((size,), k.real, dtype=DOUBLE), sign.double() * k.imag)
    product = left[:, None] * right.conj()[None, :]
    made, axes = figure(2.6, 1, 2)
    top = float(product.abs().max())
    edges = (torch.arange(size + 1) - 0.5).numpy()  # a position is the middle of its cell
    for ax, part, name in zip(axes, (product.real, product.imag), ("Re", "Im"), strict=True):
        mesh = ax.pcolormesh(edges, edges, part.numpy(), cmap=DIVERGING, vmin=-top, vmax=top)
        ax.set(title=f"{name} f(q, m) f(k, n)*", xlabel="key position n", aspect="equal")
        ax.set(xticks=range(0, size, 2), yticks=range(0, size, 2), ylim=(edges[-1], edges[0]))
    axes[0].set_ylabel("query position m")
    made.colorbar(mesh, ax=axes, shrink=0.8)
    return Plot(
        made,
        "Alternating reflections: the real part depends on m − n alone, the imaginary part does not",
        f"Two {size} by {size} heat maps. Left, the real part: every diagonal has one colour. Right, the "
        "imaginary part: the colours change along the diagonals.",
        {"real part": product.real.numpy(), "imaginary part": product.imag.numpy()},
    )


def modulus_family(sigmas: Sequence[float], theta: float = 0.3, length: int = 49) -> Plot:
    """Where q e^{(σ + iθ)m}, k e^{(−σ + iθ)n} go, for the first σ; scores seen from two query positions."""
    positions = torch.arange(length)
    cos, sin = cos_sin(theta * ONE, positions, dtype=DOUBLE)
    start = torch.tensor([1.0, 0.0], dtype=DOUBLE).expand(length, 2)
    made, (first, second) = figure(3.1, 1, 2)
    data = {}
    for row, sigma in enumerate(sigmas):
        grow = torch.exp(sigma * positions.double())[:, None]
        f_q = apply_rotary(start, cos * grow, sin * grow)
        f_k = apply_rotary(start, cos / grow, sin / grow)
        colour, name = f"C{row}", f"σ = {sigma:g}".replace("-", "−")
        for letter, way in (("q", f_q[:22].T), ("k", f_k[:22].T)) if row == 0 else ():
            rays = way[:, None, ::3] * torch.tensor([[0.0], [1.0]])
            first.plot(*rays, color=INK, linestyle="-", linewidth=0.4)
            first.plot(*way, color=colour, linestyle="-" if letter == "q" else ":", marker=".")
            first.annotate(letter, way[:, -1], (4, 5), textcoords="offset points")
            data[f"{letter}, step by step"] = way.numpy()
        half = length // 2
        scores = torch.stack([(f_q[m] * f_k[m - half : m + 1]).sum(-1).flip(0) for m in (half, length - 1)])
        second.plot(positions[: half + 1], scores[0], color=colour, linestyle="-", label=name)
        second.plot(positions[: half + 1], scores[1], color=colour, linestyle="none", marker=".")
        data[f"scores, σ = {sigma:g}"] = scores.numpy()
    first.set(aspect="equal", title=f"steps 0 to 21\nσ = {sigmas[0]:g}".replace("-", "−"))
    first.set_axis_off()
    second.set(xlabel="distance m − n", ylabel="score")
    name_lines(second)
    return Plot(
        made,
        "Query and key turn alike, one shrinking as the other grows: any σ gives a relative score",
        "Left: the tips of a query and of a key, which start as one vector and turn by the same angle at "
        "each step; one winds inwards, the other outwards. Right: scores against distance, from two query "
        "positions; line and dots coincide for every σ.",
        data,
        live="turn-and-stretch",
        state={"q": [1.0, 0.0], "k": [1.0, 0.0], "theta": theta, "sigma": sigmas[0]},
    )


def norm_and_angle(q: Tensor, k: Tensor, theta: float = 0.2, length: int = 41) -> Plot:
    """Length of q, and angle from q at position 0 to k at position n, after adding p and after rotating.

    q, k : float64 ``[2]``, one plane
    """
    positions = torch.arange(length)
    cos, sin = cos_sin(theta * ONE, positions, dtype=DOUBLE)
    added = sinusoidal_of(theta * ONE, positions, dtype=DOUBLE)
    at = {
        "x + p": (q + added, k + added),
        "R x": (apply_rotary(q.expand(length, 2), cos, sin), apply_rotary(k.expand(length, 2), cos, sin)),
    }
    made, (first, second) = figure(2.7, 1, 2)
    data = {}
    for name, (queries, keys) in at.items():
        ratio = queries.norm(dim=-1) / q.norm()
        angle = torch.atan2(keys[:, 1], keys[:, 0]) - torch.atan2(queries[0, 1], queries[0, 0])
        steps = torch.diff(angle, prepend=angle[:1])
        angle = angle[0] + torch.cumsum(torch.remainder(steps + torch.pi, 2 * torch.pi) - torch.pi, 0)
        first.plot(positions, ratio, label=name)
        second.plot(positions, angle, label=name)
        data[f"length, {name}"], data[f"angle, {name}"] = ratio.numpy(), angle.numpy()
    first.set(xlabel="position", ylabel="length after / before", ylim=(0, None))
    second.set(xlabel="key position n\n(query at 0)", ylabel="angle to the key (rad)")
    name_lines(first)
    name_lines(second)
    return Plot(
        made,
        "Rotation keeps the length and turns by nθ; addition changes both, depending on the content",
        "Left: length of a vector relative to its original length against position; constant 1 after "
        "rotation, a wave after adding the sinusoidal vector. Right: angle between query and key against "
        "the key's position; a straight line after rotation, a wavy curve after addition.",
        data,
    )


def fixed_lag_scores(scores: Mapping[str, Tensor], lag: int) -> Plot:
    """Scores of equally distant pairs (m, m − lag) against m: flat exactly if the encoding is relative.

    scores : name → ``[L, L]``
    """
    made, ax = figure()
    data = {}
    for name, table in scores.items():
        values = table.diagonal(offset=-lag)
        ax.plot(torch.arange(lag, lag + len(values)), values, label=name)
        data[name] = values.double().numpy()
    ax.set(xlabel="query position m", ylabel=f"score with the key\n{lag} places earlier")
    name_lines(ax)
    return Plot(
        made,
        "One distance: one score from a rotation, a different one at every position from the printed class",
        f"Scores of the same query and key content, {lag} positions apart, against the query's position: "
        "a horizontal line for the library, an irregular curve for the class printed in the PyTorch article.",
        data,
    )
