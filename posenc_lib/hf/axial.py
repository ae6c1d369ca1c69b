"""Vision towers with rope_type "axial": the frequency matrix that a config describes."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from posenc_lib._checks import Layout, check_base, check_int
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.hf.config.keys import COMPLETE
from posenc_lib.hf.config.models import model_of
from posenc_lib.hf.config.read import as_dict
from posenc_lib.rotary.axes import dealt


class Axial(NamedTuple):
    """What turns the patches of an image: give both to cos_sin_axes and apply_rotary.

    Args:
        frequencies: float64 ``[axes, n]``; rows are height and width, or time, height and width.
        layout: of the pairs of channels.

    Example:
        >>> from posenc_lib import apply_rotary, cos_sin_axes, positions_grid
        >>> config = {"model_type": "qwen2_5_vl_vision", "hidden_size": 32, "num_heads": 4}
        >>> tower = axial(config | {"rope_parameters": {"rope_type": "axial", "rope_theta": 1e4}})
        >>> cos, sin = cos_sin_axes(tower.frequencies, positions_grid(2, 3))
        >>> apply_rotary(torch.randn(4, 6, 8), cos, sin, layout=tower.layout).shape
        torch.Size([4, 6, 8])
    """

    frequencies: Tensor
    layout: Layout


def axial(config: Any) -> Axial:
    r"""The frequency matrix F of a vision tower, whose angles are :math:`\varphi_i = \sum_a p_a F_{ai}`.

    Args:
        config: of the vision tower itself, a config object or a mapping, with ``rope_parameters``.

    Returns:
        F and the layout; positions are places of patches, as :func:`posenc_lib.positions_grid` gives them.

    Raises:
        ValueError: a model type whose arrangement is not known, another ``rope_type``, a key that is missing.
        TypeError: not a config; a value of the wrong type.

    Example:
        >>> config = {"model_type": "pixtral", "head_dim": 8}
        >>> config |= {"rope_parameters": {"rope_type": "axial", "rope_theta": 1e4}}
        >>> axial(config).frequencies
        tensor([[1.0000, 0.0100, 0.0000, 0.0000],
                [0.0000, 0.0000, 0.1000, 0.0010]], dtype=torch.float64)

    Source:
        the code of the transformers library, which the tests compare with.
    """
    cfg = as_dict(config)
    model_type = cfg.get("model_type")
    if not (arranged := model_of(cfg).axial):
        raise ValueError(f"how the code of model type {model_type!r} gives planes to axes is not known")
    rope = dict(cfg.get("rope_parameters") or {})
    if rope.pop("rope_type", None) != "axial" or rope.keys() != {"rope_theta"}:
        raise ValueError(
            "rope_parameters must be rope_type 'axial' and rope_theta, "
            f"got {cfg.get('rope_parameters')!r}; {COMPLETE}"
        )
    check_base(rope["rope_theta"])
    width, base = _head(cfg), float(rope["rope_theta"])
    order, layout = arranged
    if width % 4 and order != "time, height, width":
        raise ValueError(f"a head of two axes must be a multiple of 4 wide, got {width}")
    return Axial(_matrix(order, width, base), cast(Layout, layout))


def _matrix(order: str, width: int, base: float) -> Tensor:
    n = width // 4  # planes of each of two axes
    if order.startswith("one ladder"):
        ladder = inv_freq(width, base)
        return torch.block_diag(ladder[None, ::2], ladder[None, 1::2])
    if order == "time, height, width":
        return torch.block_diag(*[inv_freq(2 * (width // 6), base)[None]] * 3)
    ladder = inv_freq(width // 2, base)
    if order == "width and height in turn":
        return dealt(ladder.repeat_interleave(2), (1, 0) * n)
    axes = (0, 1) if order == "height, width" else (1, 0)
    return dealt(ladder.repeat(2), (axes[0],) * n + (axes[1],) * n)


def _head(cfg: dict[str, Any]) -> int:
    """The width of a head, of which each of two axes has half."""
    if cfg.get("head_dim") is not None:
        check_int("head_dim", cfg["head_dim"], minimum=4)
        return int(cfg["head_dim"])
    key = "embed_dim" if cfg["model_type"] == "qwen2_vl_vision" else "hidden_size"
    other = "num_heads" if "num_heads" in cfg else "num_attention_heads"
    for name in (key, other):
        if cfg.get(name) is None:
            raise ValueError(f"config needs {name}; {COMPLETE}")
        check_int(name, cfg[name], minimum=1)
    return int(cfg[key] // cfg[other])
