"""What the tokens between a key and a query do to it: gates that close, and a count of sentences."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lib.bias import cope_logits, forgetting_bias

from .style import COLOURS, Plot, figure, name_lines

DOUBLE = torch.float64
TEXT = ("the", "cat", "sat", ".", "a", "dog", "ran", ".", "two", "birds", "sang")


def log_gates(words: Sequence[str], open_at: float = 0.9, closed_at: float = 0.02) -> Tensor:
    r""":math:`\ln f_l`: gates nearly open at words, nearly closed at full stops, float64 ``[len(words)]``.

    Example:
        >>> log_gates(["cat", "."])
        tensor([-0.1054, -3.9120], dtype=torch.float64)
    """
    return torch.tensor([math.log(closed_at if word == "." else open_at) for word in words], dtype=DOUBLE)


def last_bias(gates: Tensor) -> Tensor:
    """What the last token adds to its score for each key, from the logarithms of their gates: ``[keys]``.

    Example:
        >>> last_bias(torch.tensor([-4.0, -1.0, -2.0]))
        tensor([-3., -2.,  0.])
    """
    at = torch.arange(len(gates))
    return forgetting_bias(gates[None, None], at[-1:], at)[0, 0, 0]


def counted(words: Sequence[str]) -> Tensor:
    """CoPE's position of each word for the last one, if gates open at full stops alone: float64 ``[words]``.

    Example:
        >>> counted(["a", ".", "b"])
        tensor([1., 1., 0.], dtype=torch.float64)
    """
    at = torch.arange(len(words))
    stops = torch.tensor([1000.0 if word == "." else -1000.0 for word in words], dtype=DOUBLE)
    table = torch.arange(len(words) + 1, dtype=DOUBLE)[:, None]  # row p says p
    return cope_logits(torch.ones(1, 1, 1, 1, dtype=DOUBLE), stops[None, None, None], table, at[-1:], at)[
        0, 0, 0
    ]


def between(words: Sequence[str] = TEXT) -> Plot:
    """The bias of the last token for each key with constant and with closing gates, and CoPE's count."""
    made, (left, right) = figure(3.2, 1, 2)
    places = torch.arange(len(words))
    data = {
        "constant gates": last_bias(log_gates(["word"] * len(words))).numpy(),
        "gates from content": last_bias(log_gates(words)).numpy(),
        "tokens counted": (places[-1] - places).double().numpy(),
        "full stops counted": counted(words).numpy(),
    }
    for axis, names in ((left, list(data)[:2]), (right, list(data)[2:])):
        for name, marker, dashes, colour in zip(names, "os", ("--", "-"), COLOURS[:2], strict=True):
            axis.plot(
                places, data[name], marker=marker, markersize=4, linestyle=dashes, color=colour, label=name
            )
        axis.set_xticks(places.tolist(), words, rotation=90)
        axis.margins(x=0.03)
    left.set_title("added to the score")
    right.set_title("position")
    name_lines(left, {"constant gates": (3, 8), "gates from content": (6, -8)})
    name_lines(right, {"tokens counted": (7, 56), "full stops counted": (2, 4)})
    return Plot(
        made,
        "Constant gates give a straight line; gates from content cut the text at its full stops",
        "Two panels over the words of three short sentences, as the last word sees them. Left, what is "
        "added to its scores: with constant gates a straight line that rises to 0 at the last word, with "
        "gates that close at full stops three rising pieces, each about 4 above the one before. Right, "
        "positions: the number of tokens falls in a straight line, the number of full stops is 2, then 1, "
        "then 0, in three level steps.",
        data,
    )
