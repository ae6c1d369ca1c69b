"""How much of a softmax one leading key keeps among many others, with and without a growing temperature."""

import torch
from torch import Tensor

from posenc_lib import attention_temperature

from .style import COLOURS, Plot, figure, key, name_lines

DOUBLE = torch.float64


def weight(lead: float, others: Tensor, scale: Tensor | float = 1.0) -> Tensor:
    r"""The softmax weight of a key whose score is ``lead`` above ``others`` equal ones, all times ``scale``:
    :math:`1/(1+Ne^{-\sigma\Delta})`.

    Example:
        >>> weight(0.0, torch.tensor([1.0, 3.0]))
        tensor([0.5000, 0.2500], dtype=torch.float64)
    """
    return torch.sigmoid(scale * lead - others.double().log())


def fading(leads: tuple[int, ...] = (6, 10, 14)) -> Plot:
    """The weight of the leading key against the number of other keys, for three leads."""
    others = torch.logspace(2, 7, 201, dtype=DOUBLE)
    # Llama 4's; it is constant between two integers
    growing = attention_temperature(others.long(), slope=0.1, length=8192, first=1, dtype=DOUBLE)
    made, axis = figure(3.1)
    data = {}
    for lead, colour in zip(leads, (COLOURS[0], COLOURS[1], COLOURS[2]), strict=True):
        for name, scale, dashes in (("fixed", 1.0, "--"), ("growing", growing, "-")):
            data[f"lead {lead}, {name}"] = weight(float(lead), others, scale).numpy()
            label = f"lead {lead}" if name == "growing" else None
            axis.plot(others, data[f"lead {lead}, {name}"], color=colour, linestyle=dashes, label=label)
    axis.set(xscale="log", xlabel="other keys", ylabel="weight of the leading key", ylim=(-0.03, 1.03))
    name_lines(axis, {"lead 6": (2500, 28)})
    axis.plot([], [], color="gray", linestyle="--", label="scores as they are")
    axis.plot([], [], color="gray", linestyle="-", label="times Llama 4's factor")
    key(made)
    return Plot(
        made,
        "A lead is lost in a long text; with scores that grow by a logarithm a lead above 10 is kept",
        "Weight of one key against the number of other keys, from a hundred to ten million. Dashed, for "
        "scores as they are, three curves fall from near 1 to near 0, the later the larger the lead. "
        "Solid, with the factor, the curve of lead 6 falls more slowly, that of lead 10 stays between "
        "0.7 and 0.85 from ten thousand keys on, and that of lead 14 stays near 1.",
        data,
    )
