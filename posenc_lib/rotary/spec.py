"""One frozen value that says everything about one rotary encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import Layout, check_base, check_flag, check_layout
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.rotary.axes import planes
from posenc_lib.rotary.fields import check_widths, checked_planes, checked_sections
from posenc_lib.rotary.params import Params
from posenc_lib.rotary.scaling.rules import LENGTH_DEPENDENT, Scaling, check_params, scale
from posenc_lib.rotary.scaling.yarn import yarn_mscale


@knows_names
@dataclass(frozen=True)
class RotarySpec:
    r"""All that defines a rotary encoding: :math:`\theta_i = \mathrm{base}^{-2i/r}` for i < r/2, scaled, in a
    layout.

    It holds numbers, never tensors, so nothing (a cast, a meta device, a checkpoint) can corrupt it; tables
    are recomputed from it in float64 whenever they are needed.

    Args:
        dim: width of one head, even, at most 65536.
        base: b > 0, the base of the ladder (``rope_theta``).
        layout: ``"half"`` pairs features (i, i + r/2), ``"interleaved"`` pairs (2i, 2i + 1).
        rotary_dim: r ≤ dim, even, the leading features that are rotated; None rotates all.
        scaling: a name in :data:`SCALINGS`.
        params: the parameters of that rule, by name; those in brackets may be left out, and
            ``help(SCALINGS["yarn"])``, say, tells what they are.
            ``default``: none. ``linear``: factor. ``ntk``: factor. ``dynamic``: factor,
            original_max_position_embeddings. ``yarn``: factor, original_max_position_embeddings, [beta_fast],
            [beta_slow], [truncate], [mscale], [mscale_all_dim], [attention_factor], [ramp]. ``longrope``:
            short_factor, long_factor, original_max_position_embeddings, [factor], [attention_factor].
            ``llama3``: factor, low_freq_factor, high_freq_factor, original_max_position_embeddings.
            ``proportional``: [partial_rotary_factor], [factor].
        sections: planes given to each axis of a multi-axis encoding (M-RoPE); they sum to r/2.
        sections_interleaved: deal the planes to the axes in turn instead of in contiguous blocks.
        axis_of_plane: instead of sections, the axis of each plane, 0 and up, in any order (Ernie 4.5 VL has
            height and width in turn, and time last).

    Raises:
        ValueError: odd, non-positive or huge widths, ``rotary_dim > dim``, unknown layout, scaling or
            parameter, missing parameter, sections that do not sum to r/2, an ``axis_of_plane`` that is not
            r/2 long or leaves an axis without a plane, a base that is not positive and finite.
        TypeError: an argument of the wrong type.

    Example:
        >>> spec = RotarySpec(8, scaling="linear", params={"factor": 2.0})
        >>> spec.inv_freq()
        tensor([0.5000, 0.0500, 0.0050, 0.0005], dtype=torch.float64)
        >>> hash(spec) == hash(RotarySpec(8, scaling="linear", params={"factor": 2.0}))
        True

    Source:
        RoFormer, arXiv 2104.09864, eq. 15; the RoFormer note.
    """

    dim: int
    base: float = 10000.0
    layout: Layout = "half"
    rotary_dim: int | None = None
    scaling: Scaling = "default"
    params: Mapping[str, Any] = Params()
    sections: tuple[int, ...] | None = None
    sections_interleaved: bool = False
    axis_of_plane: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        check_widths(self.dim, self.rotary_dim)
        check_base(self.base)
        check_layout(self.layout)
        object.__setattr__(self, "params", Params(self.params))
        check_params(self.scaling, self.params)
        check_flag("sections_interleaved", self.sections_interleaved)
        count = self.rotated // 2
        if self.sections is not None:
            sections = checked_sections(self.sections, count, interleaved=self.sections_interleaved)
            object.__setattr__(self, "sections", sections)
        elif self.sections_interleaved:
            raise ValueError("sections_interleaved=True needs sections, got None")
        if self.axis_of_plane is not None:
            axes = checked_planes(self.axis_of_plane, count, self.sections)
            object.__setattr__(self, "axis_of_plane", axes)
        self.scale(inv_freq(self.rotated, self.base))  # refuses parameter values that are out of range

    @property
    def rotated(self) -> int:
        """Number of leading features that are rotated, ``rotary_dim`` or, if that is None, ``dim``."""
        return self.dim if self.rotary_dim is None else self.rotary_dim

    @property
    def axes(self) -> tuple[int, ...] | None:
        """The axis that turns each plane; None where positions are single numbers.

        Example:
            >>> RotarySpec(8, sections=(2, 1, 1)).axes, RotarySpec(8).axes
            ((0, 0, 1, 2), None)
        """
        if self.sections is not None:
            return planes(self.sections, interleaved=self.sections_interleaved)
        return self.axis_of_plane

    @property
    def num_axes(self) -> int:
        """How many coordinates a position has, 1 for text.

        Example:
            >>> RotarySpec(8, sections=(2, 1, 1)).num_axes, RotarySpec(8).num_axes
            (3, 1)
        """
        return 1 + max(self.axes or (0,))

    @property
    def needs_length(self) -> bool:
        """Whether the frequencies depend on the context length, so that longer contexts must say theirs.

        True for ``"dynamic"`` and ``"longrope"``. Where a table is made for positions beyond the original
        length, which is ``params["original_max_position_embeddings"]``, a ``length`` must then be given.

        Example:
            >>> growing = {"factor": 2.0, "original_max_position_embeddings": 8}
            >>> RotarySpec(4).needs_length, RotarySpec(4, scaling="dynamic", params=growing).needs_length
            (False, True)
        """
        return self.scaling in LENGTH_DEPENDENT

    def scale(self, inv_freq: Tensor, length: int | None = None) -> tuple[Tensor, float | Tensor]:
        """Put any frequencies ``[r/2]`` (trained ones, say) through this spec's scaling; differentiable.

        Example:
            >>> spec = RotarySpec(4, scaling="linear", params={"factor": 2.0})
            >>> spec.scale(torch.tensor([1.0, 0.5]))
            (tensor([0.5000, 0.2500]), 1.0)
        """
        return scale(self.scaling, inv_freq, length, self.params)

    def inv_freq(self, length: int | None = None) -> Tensor:
        """Scaled frequencies ``[r/2]`` in float64, radians a position, for a context of ``length`` positions.

        ``length`` matters to ``"dynamic"`` and ``"longrope"`` only; None stands for a length within the
        original context.

        Example:
            >>> growing = {"factor": 2.0, "original_max_position_embeddings": 8}
            >>> spec = RotarySpec(4, scaling="dynamic", params=growing)
            >>> spec.inv_freq(8), spec.inv_freq(16)
            (tensor([1.0000, 0.0100], dtype=torch.float64), tensor([1.0000, 0.0033], dtype=torch.float64))
        """
        return self.scale(inv_freq(self.rotated, self.base), length)[0]

    def attention_factor(self, length: int | None = None) -> float:
        """The factor on cos and sin (1 unless the scaling is ``"yarn"`` or ``"longrope"``); scores get its
        square.

        Example:
            >>> longer = {"factor": 8.0, "original_max_position_embeddings": 64}
            >>> spec = RotarySpec(4, scaling="yarn", params=longer)
            >>> round(spec.attention_factor(), 6)
            1.207944
        """
        return float(self.scale(inv_freq(self.rotated, self.base), length)[1])

    def softmax_factor(self) -> float:
        r""":math:`m(s, \mathrm{mscale\_all\_dim})^2`, which DeepSeek's models put on the softmax scale beside
        the table's factor.

        1 unless the scaling is ``"yarn"`` with ``mscale_all_dim``. Multiply
        :math:`1/\sqrt{\mathrm{head\_width}}` by it.

        Example:
            >>> RotarySpec(64).softmax_factor()
            1.0
        """
        if self.scaling != "yarn" or not self.params.get("mscale_all_dim"):
            return 1.0
        return float(yarn_mscale(self.params["factor"], self.params["mscale_all_dim"])) ** 2

    def wavelengths(self, length: int | None = None) -> Tensor:
        r""":math:`2\pi/\theta_i`, positions for one turn of each plane, ``[r/2]`` float64 (∞ for a plane that
        stands still).

        Example:
            >>> RotarySpec(4).wavelengths()
            tensor([  6.2832, 628.3185], dtype=torch.float64)
        """
        return 2 * torch.pi / self.inv_freq(length)

    @classmethod
    @knows_names
    def from_hf_config(
        cls,
        config: Any,
        layer_type: str | None = None,
        *,
        layer: int | None = None,
        layout: Layout | None = None,
        handled: Sequence[str] = (),
    ) -> RotarySpec:
        """Read the rotary encoding that a Hugging Face config describes, or refuse.

        Args:
            config: a config object, a mapping (``json.load`` of config.json) or the path of a config.json or
                of its folder. A multi-modal config stands for its ``text_config``. An object is safer: a json
                omits what its class fills in.
            layer_type: which kind of layer, e.g. ``"full_attention"``, where a config has several that
                differ.
            layer: the index of the layer, where its kind is not enough; some models skip the rotation in
                every fourth layer, say.
            layout: ``"half"`` or ``"interleaved"``. Known for most model types; must be given for others,
                and then you vouch that the model's code rotates in the usual way.
            handled: names of keys that bear on positions and that this reader refuses, because your own code
                does what they ask for.

        Returns:
            The spec. ``dim`` is the width that is rotated *and* passed through (the head;
            ``qk_rope_head_dim`` in multi-head latent attention).

        Raises:
            ValueError: unknown model type without ``layout``, a ``layout`` that contradicts the model type, a
                type whose rotation no spec describes, a key that bears on positions and is not read, unknown
                rope kind, unknown or missing keys, settings that contradict each other, no base, layers that
                differ and no choice, or a layer without rotary encoding.
            TypeError: not a config; a value of the wrong type, a number written as a string, say.

        Example:
            >>> rope = {"rope_type": "yarn", "factor": 4.0, "truncate": False}
            >>> rope["original_max_position_embeddings"] = 4096
            >>> config = {"model_type": "llama", "head_dim": 16, "rope_theta": 1e6}
            >>> spec = RotarySpec.from_hf_config(config | {"rope_scaling": rope})
            >>> spec.dim, spec.base, spec.scaling, spec.params["truncate"]
            (16, 1000000.0, 'yarn', False)
        """
        read = import_module("posenc_lib.hf.config.read")  # when it is asked for: hf uses this class
        return cls(**read.rotary_arguments(config, layer_type, layer=layer, layout=layout, handled=handled))
