"""Figures of small models on texts longer than they were trained on, drawn from stored results.

``results`` is what ``python -m experiments.length_generalisation`` wrote, read with ``json.load``.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc_lib import inv_freq

from .style import COLOURS, LINES, Plot, figure, name_lines

Results = dict[str, Any]
RULES = ("PI", "NTK", "YaRN")
CHANGES = ("as trained", *RULES, "window")
SPREAD = re.compile(r" \((\S+–\S+)\)$")


def encodings(results: Results) -> list[str]:
    """The encodings in the order in which they were measured."""
    return list(dict.fromkeys(row["encoding"] for row in results["rows"]))


def by_position(results: Results, task: str, encoding: str, entry: str = "by position") -> np.ndarray:
    """``[seeds, bins]``: the task's measure against the position; NaN where nothing was measured."""
    found = [r[entry] for r in results["rows"] if (r["task"], r["encoding"]) == (task, encoding)]
    if not found:
        raise ValueError(f"results must hold rows of {task!r} and {encoding!r}")
    bins = results["trained length"] * results["test lengths, in trained lengths"][-1] // _bin(results)
    return np.array(
        [[np.nan if v is None else v for v in row] + [np.nan] * (bins - len(row)) for row in found]
    )


def at_lengths(
    results: Results, task: str, encoding: str, change: str = "as trained", steps: int | None = None
) -> np.ndarray:
    """``[seeds, lengths]``: the last positions of texts of 1, 2, 4 and 8 trained lengths.

    ``change`` is what was done to a trained model: nothing, another ladder of frequencies, a window, other
    scores. ``steps`` is how long it was trained (default: as all).
    """
    steps = steps or results["steps"]
    rows = results["interventions"]["rows"]
    wanted = (task, encoding, steps)
    found = [r[change] for r in rows if (r["task"], r["encoding"], r["steps"]) == wanted and change in r]
    if found:
        return np.array(found)
    if steps != results["steps"]:
        raise ValueError(f"results must hold {change!r} of {task!r} and {encoding!r} after {steps} steps")
    curve = by_position(results, task, encoding, "by position" if change == "as trained" else change)
    if change in RULES:
        return curve[:, : len(results["test lengths, in trained lengths"])]
    return curve[:, [last // _bin(results) - 1 for last in lengths(results)]]


def by_plane(results: Results, task: str, change: str, part: int | None = None) -> np.ndarray:
    """``[seeds]``: a trained RoPE at the end of the longest text, with the ``part``-th case of a change."""
    found = [row[change] for row in results["planes"]["rows"] if row["task"] == task]
    return np.array(found if part is None else [cases[part] for cases in found])


def turned(results: Results, task: str, turn: str, last_start: int = 0, *, moved: bool = False) -> np.ndarray:
    """``[seeds, lengths]``: a model with another matrix of the position, trained on starts to ``last_start``.

    At the ends of longer texts; ``moved``: of short texts that are counted so that they end there.
    """
    wanted, rows = (task, turn, last_start), results["relativity"]["rows"]
    found = [row for row in rows if (row["task"], row["turn"], row["last start"]) == wanted]
    if moved:
        return np.array([row["counted from"] for row in found])
    ends = [last // _bin(results) - 1 for last in lengths(results)]
    return np.array([[row["by position"][end] for end in ends] for row in found])


def lengths(results: Results) -> list[int]:
    """The lengths of the test in positions."""
    return [times * results["trained length"] for times in results["test lengths, in trained lengths"]]


@dataclass(frozen=True)
class Table:
    """Rows of words under a row of header cells, which a notebook shows as Markdown.

    Example:
        >>> Table(("right at", "32"), (("RoPE", "1.00"),))
        right at  32
        RoPE      1.00
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _repr_markdown_(self) -> str:
        """A spread, in brackets behind its mean, goes below it: a phone has room for few columns."""
        narrow = ((name, *(SPREAD.sub(r"<br>\1", word) for word in row)) for name, *row in self.rows)
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.head, ("---",) * len(self.head), *narrow))

    def __repr__(self) -> str:
        lines = (self.head, *self.rows)
        width = [max(len(line[k]) for line in lines) for k in range(len(self.head))]
        padded = ("  ".join(word.ljust(w) for word, w in zip(line, width, strict=True)) for line in lines)
        return "\n".join(line.rstrip() for line in padded)


def table(title: str, columns: Sequence[object], rows: Mapping[str, np.ndarray]) -> Table:
    """One row for each name of ``rows``, ``[seeds, columns]``: the mean, and the least and the greatest seed.

    Example:
        >>> table("right at", [32], {"RoPE": np.array([[0.5], [1.0]])})
        right at  32
        RoPE      0.75 (0.50–1.00)
    """
    body = ((name, *map(_spread, values.T)) for name, values in rows.items())
    return Table((title, *map(str, columns)), tuple(body))


def _spread(values: np.ndarray) -> str:
    if np.isnan(values).any():
        return "–"
    mean, low, high = (f"{v:.2f}" for v in (values.mean(), values.min(), values.max()))
    return mean if low == high else f"{mean} ({low}–{high})"


def _bin(results: Results) -> int:
    return int(results["positions in a bin"])


def _label(results: Results, task: str) -> str:
    return "right answers" if "share" in results["measures"][task] else "nats above best"


def _clip(results: Results, task: str) -> tuple[float, float]:
    return (-0.05, 1.05) if "share" in results["measures"][task] else (-0.1, 2.0)


def all_encodings(results: Results, task: str) -> Plot:
    """One small panel an encoding: each seed a thin line, their mean a thick one."""
    names = encodings(results)
    fig, axes = figure(5.2, math.ceil(len(names) / 2), 2, sharex=True, sharey=True)
    place = (np.arange(by_position(results, task, names[0]).shape[1]) + 0.5) * _bin(results)
    data = {}
    for ax, name in zip(axes.flat, names, strict=False):
        data[name] = curves = by_position(results, task, name)
        for curve in curves:
            ax.plot(place, curve, color=COLOURS[5], linestyle="-", linewidth=0.7)
        ax.plot(place, curves.mean(0), color=COLOURS[0], linestyle="-", linewidth=1.8)
        ax.axvline(results["trained length"], color=COLOURS[3], linestyle=":", linewidth=1.2)
        ax.set_title(name)
        ax.set_ylim(*_clip(results, task))
    for ax in axes[-1]:
        ax.set_xlabel("position")
        ax.set_xticks(lengths(results)[2:])
    fig.supylabel(_label(results, task))
    drawn = {name: curves[:, ~np.isnan(curves).any(0)] for name, curves in data.items()}
    return Plot(fig, f"{task.capitalize()}: {_held(results, task)}", _story(results, task), drawn)


def _held(results: Results, task: str) -> str:
    before, after = (held(results, task, k) for k in (0, -1))
    kept = [name for name in before if name in after]
    return f"learned by {len(before)} of {len(encodings(results))} encodings, kept to the end by {len(kept)}"


def held(
    results: Results, task: str, length: int, share: float = 0.9, nats: float = 0.1, names: Sequence[str] = ()
) -> list[str]:
    """Encodings that are good in every seed at a length: ``share`` right at least, or ``nats`` at most."""
    rows = {name: at_lengths(results, task, name)[:, length] for name in names or encodings(results)}
    if "share" in results["measures"][task]:
        return [name for name, row in rows.items() if row.min() >= share]
    return [name for name, row in rows.items() if row.max() <= nats]


def _story(results: Results, task: str) -> str:
    last = lengths(results)
    parts = [f"{name} {_means(at_lengths(results, task, name))}" for name in encodings(results)]
    return (
        f"Ten panels, one an encoding, with the measure ({results['measures'][task]}) against the position "
        f"up to {last[-1]}; a dotted line marks the trained length, {last[0]}. Means over the seeds at the "
        f"ends of {', '.join(map(str, last))} positions: {'; '.join(parts)}."
    )


def _means(values: np.ndarray) -> str:
    return ", ".join("no value" if np.isnan(v) else f"{v:.2f}" for v in values.mean(0))


def changed(results: Results) -> Plot:
    """A trained RoPE as it is, with three other ladders of frequencies, and behind a window."""
    tasks = list(results["measures"])
    fig, axes = figure(4.6, len(tasks), 1, sharex=True)
    times = results["test lengths, in trained lengths"]
    data, parts = {}, []
    for ax, task in zip(axes, tasks, strict=True):
        for name, colour, style in zip(CHANGES, COLOURS, LINES, strict=False):
            values = data[f"{task}, {name}"] = at_lengths(results, task, "RoPE", name)
            ax.plot(
                range(len(times)), values.mean(0), color=colour, linestyle=style, marker="o", ms=3, label=name
            )
            ax.vlines(range(len(times)), values.min(0), values.max(0), color=colour, linewidth=0.8)
            parts.append(f"{task}, {name}: {_means(values)}")
        ax.set_title(task)
        ax.set_xticks(range(len(times)), [f"{t}×" for t in times])
        ax.set_ylabel(_label(results, task))
        ax.set_ylim(*_clip(results, task))
        name_lines(ax)
    ax.set_xlabel("length")
    return Plot(
        fig,
        "YaRN saves the look-up, a window saves the other two; nothing here saves all three",
        "Three panels, one a task, with the measure against the length of the text in trained lengths, for "
        "five versions of the same trained models; bars from the least to the greatest seed. "
        f"Means: {'; '.join(parts)}.",
        data,
    )


def turns(dim: int, lengths: tuple[int, ...], base: float = 10000.0) -> Plot:
    """Full turns that each plane of a rotary encoding has made at the end of texts of these lengths."""
    made = np.array([[length * float(f) / (2 * math.pi) for f in inv_freq(dim, base)] for length in lengths])
    fig, ax = figure()
    for row, length, colour, style, mark in zip(made, lengths, COLOURS, LINES, "osv^", strict=False):
        ax.plot(row, color=colour, linestyle=style, marker=mark, ms=5, label=f"{length} positions")
    ax.axhline(1, color=COLOURS[3], linewidth=1)
    ax.set(yscale="log", xlabel="plane", ylabel="full turns")
    name_lines(ax)
    rows = "; ".join(
        f"{n} positions: {', '.join(f'{v:.3g}' for v in row)}" for n, row in zip(lengths, made, strict=True)
    )
    return Plot(
        fig,
        "Below one turn, a longer text brings angles that training never showed",
        "Turns against the plane's number on a logarithmic axis, straight lines downwards. "
        f"{rows}. A line marks one full turn.",
        {f"{n} positions": row for n, row in zip(lengths, made, strict=True)},
    )
