"""One picture of small models within their trained length and at eight times that: who keeps which task."""

import numpy as np

from ..words import in_words
from .length import Results, at_lengths, encodings, held, lengths
from .style import COLOURS, Plot, figure, key

PLAN, IN_WORDS = "RoPE in a window, then none", "RoPE in a window below a layer without positions"


def kept_and_lost(results: Results) -> Plot:
    """A row for each encoding, the last for ``PLAN``, a panel for each task: hollow at the trained length,
    full at the last one.

    These are means over the seeds; a band goes from the least to the greatest seed at the last length.
    """
    tasks, names = list(results["measures"]), [*encodings(results), PLAN]
    short, long = lengths(results)[0], lengths(results)[-1]
    fig, axes = figure(3.5, 1, len(tasks), sharey=True)
    data, parts = {}, []
    for axis, task in zip(axes, tasks, strict=True):
        seeds = [at_lengths(results, task, name)[:, [0, -1]] for name in names]
        values = np.array([(*s.mean(0), s[:, 1].min(), s[:, 1].max()) for s in seeds])
        data[task] = np.nan_to_num(values, nan=-1.0)
        for row, (first, last, least, greatest) in enumerate(values):
            axis.plot([first, last], [row, row], color="gray", linestyle="-", linewidth=1)
            axis.hlines(row, least, greatest, color=COLOURS[3], linewidth=5, alpha=0.4)
            axis.plot([first], [row], marker="o", markerfacecolor="none", color=COLOURS[0], linestyle="")
            if np.isnan(last):
                away, side = (8, "left") if 0.1 < first < 0.9 else (-8, "right")  # where there is room
                axis.annotate(
                    "no row", (first, row), (away, 0), textcoords="offset points", ha=side, va="center"
                )
            axis.plot([last], [row], marker="o", color=COLOURS[3], linestyle="")
        share = "share" in results["measures"][task]
        axis.set_title(task)
        axis.set_xlabel("right answers" if share else "nats above best")
        axis.set_xlim(*((-0.08, 1.3) if share else (2.1, -0.15)))  # better is to the right in all panels
        axis.set_xticks([0, 1])
        told = ", ".join(
            f"{name} {first:.2f} and {_with_spread(*at_end)}"
            for name, (first, *at_end) in zip(names, values, strict=True)
        )
        parts.append(f"{task} ({results['measures'][task]}): {told}")
    axes[0].set_yticks(range(len(names)), [*names[:-1], "window,\nthen none"])
    axes[0].invert_yaxis()
    axes[0].plot(
        [], [], marker="o", markerfacecolor="none", color=COLOURS[0], linestyle="", label=f"at {short}"
    )
    axes[0].plot([], [], marker="o", color=COLOURS[3], linestyle="", label=f"at {long}")
    key(fig)
    kept = [n for n in names if all(n in held(results, task, -1, names=names) for task in tasks)]
    only = " and ".join(kept).replace(PLAN, IN_WORDS)
    return Plot(
        fig,
        f"At {in_words(long / short)} times the trained length only {only} keep all three tasks",
        f"Three panels, one a task, a row for each encoding, the last for a plan: means over the seeds at "
        f"{short} and at {long} positions, joined by a line; a band from least to greatest at {long}. "
        f"{'; '.join(parts)}.",
        data,
    )


def _with_spread(mean: float, least: float, greatest: float) -> str:
    if np.isnan(mean):
        return "no value"
    ends = f"{least:.2f}–{greatest:.2f}"
    return f"{mean:.2f}" if f"{least:.2f}" == f"{greatest:.2f}" else f"{mean:.2f} ({ends})"
