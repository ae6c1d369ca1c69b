"""Rotated values, and the released turn of V-JEPA 2: what moves along with a text, and what does not."""

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.tables import cos_sin
from posenc_lib.rotary.apply import apply_rotary

from .style import COLOURS, Plot, figure, name_lines

DOUBLE = torch.float64
SLICE = 20  # channels of one axis in a head of 64


def tiled_turn(x: Tensor, position: int, frequencies: Tensor) -> Tensor:
    """V-JEPA 2's turn: the N frequencies fill 2N channels twice over, and neighbours form the planes.

    So the two rows of plane j have the angles of channels 2j and 2j + 1, which belong to two frequencies.

    Example:
        >>> tiled_turn(torch.tensor([1.0, 0.0]), 0, torch.tensor([1.0]))
        tensor([1., 0.])
    """
    angle = (position * frequencies).repeat(2)
    first, second = x[..., 0::2], x[..., 1::2]
    quarter = torch.stack((-second, first), -1).flatten(-2)
    return x * angle.cos() + quarter * angle.sin()


def attended(values: Tensor, weights: Tensor, start: int, *, undo: bool) -> Tensor:
    """Σ a_n R_n v_n over keys from ``start`` on, turned back by the last position if ``undo``."""
    positions, frequencies = start + torch.arange(len(weights)), inv_freq(values.shape[-1])
    turned = apply_rotary(values, *cos_sin(frequencies, positions, dtype=DOUBLE))
    summed = weights @ turned
    if not undo:
        return summed
    last = cos_sin(frequencies, positions[-1], dtype=DOUBLE)
    return apply_rotary(summed, *last, inverse=True)


def equal_distance(positions: range, distance: int = 3) -> dict[str, list[float]]:
    """Scores of one query and one key, ``distance`` apart, for a query at each position."""
    q, k = torch.randn(2, SLICE, generator=torch.Generator().manual_seed(1), dtype=DOUBLE)
    theta = inv_freq(SLICE)
    rotations = cos_sin(theta, torch.arange(positions.stop + distance), dtype=DOUBLE)

    def rotated(x: Tensor, m: int) -> Tensor:
        return apply_rotary(x, rotations[0][m], rotations[1][m], layout="interleaved")

    return {
        "rotation": [float(rotated(q, m) @ rotated(k, m + distance)) for m in positions],
        "as released": [
            float(tiled_turn(q, m, theta) @ tiled_turn(k, m + distance, theta)) for m in positions
        ],
    }


def moved() -> Plot:
    """Left, how far an output moves with its text; right, scores at one distance along a text."""
    g = torch.Generator().manual_seed(0)
    values, weights = torch.randn(16, 64, generator=g, dtype=DOUBLE), torch.full((16,), 1 / 16, dtype=DOUBLE)
    shifts, positions = range(0, 101, 2), range(0, 61)
    data = {}
    made, (left, right) = figure(2.9, 1, 2)
    for name, undo, dashes, colour in (
        ("left turned", False, "--", COLOURS[3]),
        ("turned back", True, "-", COLOURS[0]),
    ):
        still = attended(values, weights, 0, undo=undo)
        change = [float((attended(values, weights, s, undo=undo) - still).norm()) for s in shifts]
        data[name] = torch.tensor(change).numpy()
        left.plot(shifts, change, linestyle=dashes, color=colour, label=name)
    left.set(xlabel="positions that the\ntext is moved by", ylabel="change of the output", ylim=(-0.1, None))
    name_lines(left, {"left turned": (45, -24), "turned back": (50, 3)})
    for (name, scores), dashes, colour in zip(
        equal_distance(positions).items(), ("-", "--"), (COLOURS[0], COLOURS[3]), strict=True
    ):
        data[name] = torch.tensor(scores).numpy()
        right.plot(positions, scores, linestyle=dashes, color=colour, label=name)
    right.set(xlabel="position of the query", ylabel="score, key 3 positions on", ylim=(-3.4, 6.4))
    name_lines(right, {"rotation": (30, -3), "as released": (54, 3)})
    return Plot(
        made,
        "A value turned back depends on distances alone; a turn that is no rotation does not",
        "Two panels. Left, the change of an attention output when its text is moved: zero at every shift if "
        "the output is turned back, a jagged curve well above zero if it is left turned. Right, the score of "
        "one query with one key at distance 3 along the text: constant for a rotation, a wandering curve for "
        "V-JEPA 2's turn as released.",
        data,
    )
