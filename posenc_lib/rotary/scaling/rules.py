"""Context extension: rules that turn a ladder of frequencies into another one.

Every rule is a pure function of the frequencies ``[n]`` (radians a position; float64 unless you mean to
round), of the sequence length *chosen by the caller* (None: within the original context) and of its own
parameters. It returns the new frequencies, in the same dtype, and the factor that multiplies cos and sin.
None looks at positions, at a batch or at earlier calls: the same arguments give the same tables in prefill,
in decoding and on every machine, which is what makes cached keys reusable. All are differentiable in the
frequencies and in every float parameter that is given as a tensor. Frequencies that are no floating tensor
raise TypeError; a negative length, numbers that are not positive and finite, and a ``factor`` below 1 that
divides frequencies, raise ValueError. Values of tensors are looked at on the CPU in eager mode only.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import torch
from torch import Tensor

from posenc_lib._checks import check_choice, shown
from posenc_lib.rotary.scaling.longrope import longrope
from posenc_lib.rotary.scaling.scalars import (
    Scalar,
    Scaled,
    check_ladder,
    plane_index,
    positive,
    refuse_order,
    stretch,
)
from posenc_lib.rotary.scaling.yarn import yarn


def default(inv_freq: Tensor, length: int | None = None) -> Scaled:
    r""":math:`\theta_i \mapsto \theta_i` and factor 1.

    Example:
        >>> default(torch.ones(1))
        (tensor([1.]), 1.0)
    """
    check_ladder(inv_freq, length)
    return inv_freq, 1.0


def linear(inv_freq: Tensor, length: int | None = None, *, factor: Scalar) -> Scaled:
    r""":math:`\theta_i \mapsto \theta_i/s`: position interpolation, the same as dividing positions by s =
    ``factor``.

    Example:
        >>> linear(torch.tensor([1.0, 0.5]), factor=2.0)[0]
        tensor([0.5000, 0.2500])

    Source:
        arXiv 2306.15595, equation 4.
    """
    check_ladder(inv_freq, length)
    return inv_freq / stretch("factor", factor), 1.0


def ntk(inv_freq: Tensor, length: int | None = None, *, factor: Scalar) -> Scaled:
    r""":math:`\theta_i \mapsto \theta_i\,s^{-i/(N-1)}`, which is the change of base
    :math:`b \mapsto b\,s^{d/(d-2)}`.

    The first frequency is kept, the last one is divided by exactly s = ``factor``. Needs N ≥ 2 planes.

    Example:
        >>> ntk(torch.tensor([1.0, 0.1, 0.01]), factor=4.0)[0]
        tensor([1.0000, 0.0500, 0.0025])

    Source:
        arXiv 2309.00071v2, equation 16.
    """
    check_ladder(inv_freq, length)
    index, last = plane_index(inv_freq, "ntk")
    return inv_freq * stretch("factor", factor) ** (-index / last), 1.0


def dynamic(
    inv_freq: Tensor, length: int | None = None, *, factor: Scalar, original_max_position_embeddings: int
) -> Scaled:
    """:func:`ntk` with :math:`sL/L_0 - (s-1)` for a length L beyond the original L₀; unchanged up to L₀.

    The result depends on ``length``: use one for a whole sequence, or move cached keys with ``rerotate``.

    Example:
        >>> dynamic(torch.tensor([1.0, 0.01]), 16, factor=2.0, original_max_position_embeddings=8)[0]
        tensor([1.0000, 0.0033])

    Source:
        arXiv 2309.00071v2, section 3.3, with the parameter s of the common implementations.
    """
    check_ladder(inv_freq, length)
    original = positive("original_max_position_embeddings", original_max_position_embeddings)
    stretch("factor", factor)
    if length is None or length <= original:
        return inv_freq, 1.0
    return ntk(inv_freq, factor=factor * (length / original) - (factor - 1))


def llama3(
    inv_freq: Tensor,
    length: int | None = None,
    *,
    factor: Scalar,
    low_freq_factor: Scalar,
    high_freq_factor: Scalar,
    original_max_position_embeddings: int,
) -> Scaled:
    r""":math:`\theta_i \mapsto (1-t_i)\theta_i/s + t_i\theta_i`,
    :math:`t_i = (r_i - \mathrm{low})/(\mathrm{high} - \mathrm{low})` clipped to [0, 1],
    :math:`r_i = L_0\theta_i/2\pi`.

    So planes of more than ``high_freq_factor`` turns in the original context are kept, those of less than
    ``low_freq_factor`` divided by s = ``factor``. If the two are equal there is no ramp: planes of that many
    turns and more are kept (Llama 4 Scout is released with 1 and 1).

    Example:
        >>> rule = dict(factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0)
        >>> llama3(torch.tensor([1.0, 0.1, 0.01]), **rule, original_max_position_embeddings=128)[0]
        tensor([1.0000, 0.0428, 0.0012])

    Source:
        the code published with Llama 3.1.
    """
    check_ladder(inv_freq, length)
    original = positive("original_max_position_embeddings", original_max_position_embeddings)
    low, high = positive("low_freq_factor", low_freq_factor), positive("high_freq_factor", high_freq_factor)
    turns = original / (2 * math.pi / inv_freq)  # in the order of the released code, which rounds so
    if not isinstance(low, Tensor) and not isinstance(high, Tensor) and low == high:
        t = (turns >= low).to(inv_freq.dtype)
    else:
        refuse_order("low_freq_factor", low, "high_freq_factor", high)
        t = ((turns - low) / (high - low)).clamp(0.0, 1.0)
    return inv_freq * (1 - t) / stretch("factor", factor) + inv_freq * t, 1.0


def proportional(
    inv_freq: Tensor, length: int | None = None, *, partial_rotary_factor: float = 1.0, factor: Scalar = 1.0
) -> Scaled:
    r"""Keep the fastest :math:`\lfloor pn\rfloor` planes of the *whole* ladder, divided by ``factor``; set
    the rest to 0.

    Unlike a smaller ``rotary_dim`` the exponents still run over the whole head.

    Example:
        >>> proportional(torch.tensor([1.0, 0.5, 0.25, 0.125]), partial_rotary_factor=0.5)[0]
        tensor([1.0000, 0.5000, 0.0000, 0.0000])

    Source:
        the full-attention layers of Gemma 4, as released.
    """
    check_ladder(inv_freq, length)
    share = positive("partial_rotary_factor", partial_rotary_factor)
    if share > 1:
        raise ValueError(f"partial_rotary_factor must lie in (0, 1], got {share}")
    n = inv_freq.shape[-1]
    turning = torch.arange(n, device=inv_freq.device) < int(share * n)
    return torch.where(turning, inv_freq / stretch("factor", factor), torch.zeros_like(inv_freq)), 1.0


#: Keys of :data:`posenc_lib.SCALINGS`, as type checkers see them.
Scaling = Literal["default", "linear", "ntk", "dynamic", "yarn", "longrope", "llama3", "proportional"]

SCALINGS: dict[str, Callable[..., Scaled]] = {
    rule.__name__: rule for rule in (default, linear, ntk, dynamic, yarn, longrope, llama3, proportional)
}
"""The scaling rules by name, for ``RotarySpec(scaling=…)``."""

LENGTH_DEPENDENT = ("dynamic", "longrope")  # whose frequencies beyond the original length depend on `length`


def scale(
    kind: str, inv_freq: Tensor, length: int | None = None, params: Mapping[str, Any] | None = None
) -> Scaled:
    """Apply the rule ``kind`` of :data:`posenc_lib.SCALINGS` to ``inv_freq``.

    Args:
        kind: ``"default"``, ``"linear"``, ``"ntk"``, ``"dynamic"``, ``"yarn"``, ``"longrope"``, ``"llama3"``
            or ``"proportional"``.
        inv_freq: ``[n]`` floating point.
        length: number of positions the tables will serve; None for "within the original context".
        params: the rule's parameters by name.

    Returns:
        Frequencies ``[n]`` like ``inv_freq``, and the factor on cos and sin.

    Raises:
        ValueError: unknown kind, unknown or missing parameter, parameter out of range, or negative length.
        TypeError: ``inv_freq`` is not floating point, ``length`` not an integer, ``params`` not a mapping.

    Example:
        >>> scale("linear", torch.tensor([1.0, 0.1]), params={"factor": 4.0})[0]
        tensor([0.2500, 0.0250])
    """
    params = {} if params is None else params
    check_params(kind, params)
    return SCALINGS[kind](inv_freq, length, **params)


def check_params(kind: str, params: Mapping[str, Any]) -> None:
    """Refuse an unknown scaling ``kind`` and unknown or missing names in ``params`` with a ValueError.

    Example:
        >>> check_params("linear", {"factr": 2.0})
        Traceback (most recent call last):
        ...
        ValueError: scaling 'linear' does not know the parameter 'factr'; it takes ['factor']
    """
    if not isinstance(params, Mapping):
        raise TypeError(f"params must be a mapping, got {shown(params)}")
    if isinstance(kind, Mapping):
        raise ValueError(
            f"scaling must be one of {sorted(SCALINGS)}, got {dict(kind)}: its numbers go to params, as in "
            "scaling='linear', params={'factor': 2.0}; RotarySpec.from_hf_config reads a whole config"
        )
    check_choice("scaling", kind, SCALINGS)
    signature = inspect.signature(SCALINGS[kind]).parameters.values()
    known = {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}
    for name in params:
        if name not in known:
            raise ValueError(f"scaling {kind!r} does not know the parameter {name!r}; it takes {list(known)}")
    missing = [name for name in known if known[name] is inspect.Parameter.empty and name not in params]
    if missing:
        raise ValueError(f"scaling {kind!r} needs the parameters {missing}, got {sorted(params)}")
