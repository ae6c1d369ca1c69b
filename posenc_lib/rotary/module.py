"""The rotary layer: it holds a description and, where frequencies train, one small parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, overload

import torch
from torch import Tensor

from posenc_lib._aliases import hides_unknown, knows_names, refuse_unknown
from posenc_lib._checks import (
    FURTHEST,
    Layout,
    check_dtype,
    check_int,
    check_no_offset,
    check_same,
    check_seq_dim,
    check_tensor,
    shown,
)
from posenc_lib._typing import called_as
from posenc_lib.angles.double import arithmetic
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.tables import cos_sin, tables_of
from posenc_lib.angles.trainable import TrainableFrequencies
from posenc_lib.encoding.interface import Encoding, Positions, check_width
from posenc_lib.rotary.apply import apply_rotary, apply_rotary_qk
from posenc_lib.rotary.arguments import (
    check_learnable,
    check_reach,
    reach_of,
    refuse_heads,
    refuse_positions,
    spec_of,
)
from posenc_lib.rotary.axes import dealt
from posenc_lib.rotary.axes_tables import cos_sin_axes
from posenc_lib.rotary.frequency_cache import Kept, Purpose, keepable, kept
from posenc_lib.rotary.scaling.rules import Scaling
from posenc_lib.rotary.spec import RotarySpec


@partial(knows_names, further=tuple(field.name for field in fields(RotarySpec) if field.name != "dim"))
class RotaryEmbedding(Encoding):
    r"""Rotary encoding of queries and keys, described by a :class:`RotarySpec`.

    The tables are computed at every call, in float64. Frequencies that do not train are kept from one call to
    the next, but neither as a parameter nor as a buffer: they are made again from the description wherever
    they are missing or do not fit, so neither a cast, nor a meta device, nor a checkpoint can spoil them, and
    the state_dict is empty unless ``learnable``. To share tables among layers or decoding steps, call
    :meth:`tables` once and :func:`apply_rotary_qk` in each layer.

    Args:
        spec: dim, base, layout, rotary_dim, scaling, sections; or dim alone, with the other fields of
            :class:`RotarySpec` by name.
        learnable: train the frequencies, before scaling, through :class:`TrainableFrequencies`.
        angle_dtype: of frequencies and angles; float32 reproduces checkpoints trained that way.

    Raises:
        TypeError: ``spec`` is neither a RotarySpec nor an int, or is a RotarySpec beside fields of its own;
            ``learnable`` not a bool; another ``angle_dtype``.
        ValueError: a width or fields that :class:`RotarySpec` refuses.

    Example:
        >>> from posenc_lib import RotarySpec
        >>> rope = RotaryEmbedding(8, base=5e5)
        >>> rope.spec == RotaryEmbedding(RotarySpec(8, base=5e5)).spec
        True
        >>> q, k = torch.randn(1, 4, 6, 8), torch.randn(1, 2, 6, 8)
        >>> q_all, k_all = rope(q, k)
        >>> q_last, _ = rope(q[..., 5:, :], k[..., 5:, :], offset=5)
        >>> torch.equal(q_last, q_all[..., 5:, :])
        True

    Source:
        Su et al. 2021, equations (14)–(16).
    """

    _kept: Kept | None = None

    @overload
    def __init__(
        self, spec: RotarySpec, learnable: bool = False, *, angle_dtype: torch.dtype = torch.float64
    ) -> None: ...

    @overload
    def __init__(
        self,
        spec: int,
        learnable: bool = False,
        *,
        angle_dtype: torch.dtype = torch.float64,
        base: float = 10000.0,
        layout: Layout = "half",
        rotary_dim: int | None = None,
        scaling: Scaling = "default",
        params: Mapping[str, Any] = ...,
        sections: tuple[int, ...] | None = None,
        sections_interleaved: bool = False,
        axis_of_plane: tuple[int, ...] | None = None,
    ) -> None: ...

    def __init__(
        self,
        spec: RotarySpec | int,
        learnable: bool = False,
        *,
        angle_dtype: torch.dtype = torch.float64,
        **fields: Any,
    ) -> None:
        super().__init__()
        spec = spec_of(spec, fields)
        check_learnable(learnable)
        check_dtype("angle_dtype", angle_dtype, (torch.float64, torch.float32))
        self.spec, self.angle_dtype = spec, angle_dtype
        self.frequencies = TrainableFrequencies(spec.rotated // 2) if learnable else None

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles, which make their frequencies themselves, where they are used."""
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    def extra_repr(self) -> str:
        return repr(self.spec)

    @property
    def several_axes(self) -> bool:
        return self.spec.axes is not None

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        check_width(self.spec.dim, head_dim)

    def turn(self, q: Tensor, k: Tensor, positions: Positions, length: int | None) -> tuple[Tensor, Tensor]:
        return self._turned(q, positions.q, length), self._turned(k, positions.k, length)

    def _turned(self, x: Tensor, positions: Tensor, length: int | None) -> Tensor:
        dtype = arithmetic(x)
        if self.several_axes and positions.ndim == 2:  # texts: the same number on all axes
            positions = positions.expand(self.spec.num_axes, -1, -1)
        tables = self.tables(positions, length=length, dtype=dtype)
        return apply_rotary(x, *tables, layout=self.spec.layout)

    def inv_freq(self, length: int | None = None) -> tuple[Tensor, float]:
        """Scaled frequencies ``[n]`` in ``angle_dtype``, and the attention factor, for a context of
        ``length``.

        Frequencies that train are float64 whatever ``angle_dtype`` is.
        """
        ladder = inv_freq(self.spec.rotated, self.spec.base, dtype=self.angle_dtype)
        if self.frequencies is not None:
            ladder = self.frequencies(ladder)
        scaled, factor = self.spec.scale(ladder, length)
        return scaled, float(factor)

    def tables(
        self, position_ids: Tensor, *, length: int | None = None, dtype: torch.dtype = torch.float32
    ) -> tuple[Tensor, Tensor]:
        """cos and sin ``[..., seq, n]`` for positions ``[..., seq]``, on their device.

        With several axes, positions have a leading axis of coordinates, ``[axes, ..., seq]``; text,
        whose coordinates are all equal, may give ``[seq]``, and in a batch
        ``position_ids.expand(axes, -1, -1)``: ``[batch, seq]`` is never text here, for a batch of as many
        rows as axes could not be told from coordinates.

        A spec that :attr:`~posenc_lib.RotarySpec.needs_length` must be told ``length`` where positions go
        beyond its original context, and also where nobody looks at them: on an accelerator, which would have
        to stop, under ``torch.compile`` and in ``torch.func``. Any length up to the original one stands for
        the original context.

        Raises:
            ValueError: negative ``length``; with a spec that :attr:`~posenc_lib.RotarySpec.needs_length`, a
                missing one, or one that is shorter than a text that goes beyond the original context, where
                positions are looked at. (Other specs take no notice of ``length``.)
            TypeError, ValueError: as :func:`cos_sin`.
        """
        check_tensor("position_ids", position_ids)
        if self.spec.needs_length:
            check_reach(self.spec, length, reach_of(position_ids))
        return self._tables(position_ids, length, dtype)

    def _tables(self, position_ids: Tensor, length: int | None, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        known = self._known(length, position_ids)
        theta, factor = (known.inv_freq, known.factor) if known else self.inv_freq(length)
        angle, axes = self.angle_dtype, self.spec.axes
        if axes is None or position_ids.ndim == 1:
            if known:
                return tables_of(theta, position_ids, factor, dtype, angle)
            return cos_sin(theta, position_ids, attention_factor=factor, dtype=dtype, angle_dtype=angle)
        return cos_sin_axes(
            dealt(theta, axes), position_ids, attention_factor=factor, dtype=dtype, angle_dtype=angle
        )

    def _known(self, length: int | None, beside: Tensor) -> Kept | None:
        """The frequencies of the last call or, if they do not fit, new ones; None where none are kept."""
        if self.frequencies is not None or not keepable(beside):
            return None
        if length is not None:
            check_int("length", length)
            length = length if self.spec.needs_length else None
        purpose = Purpose(self.spec, self.angle_dtype, length, beside.device)
        known = self._kept  # read once: a layer may be shared by threads
        if known is None or not known.purpose.is_that_of(purpose):
            known = self._kept = kept(self.inv_freq, purpose)
        return known

    @hides_unknown
    def forward(
        self,
        q: Tensor,
        k: Tensor,
        position_ids: Tensor | None = None,
        offset: int = 0,
        length: int | None = None,
        *,
        seq_dim: int = -2,
        **unknown: NoReturn,
    ) -> tuple[Tensor, Tensor]:
        """Rotate q and k ``[..., heads, seq, dim]``, or as ``seq_dim`` says. DTensors give DTensors.

        Args:
            q, k: same seq, dtype and device; head counts may differ.
            position_ids: ``[seq]`` or ``[batch, seq]`` (with several axes ``[seq]`` or
                ``[axes, batch, seq]``, see :meth:`tables`); default ``offset, …, offset + seq − 1``. Beside
                DTensors, those of the whole.
            offset: position of the first token, that is the number of tokens already in the cache.
            length: context length that the scaling is evaluated for. Choose it once for a whole sequence:
                keys in a cache were rotated with it. Needed by ``"dynamic"`` and ``"longrope"`` beyond the
                original context; see :meth:`tables`. With ``offset`` that is known on every device.
            seq_dim: −2, or −3 for ``[batch, seq, heads, dim]``. Say it wherever it is so: with as many heads
                in k as in q, and without ``position_ids``, sizes cannot tell, and heads would be counted.

        Raises:
            TypeError, ValueError: dim other than the spec's; ``offset`` together with ``position_ids``;
                ``length`` missing where a spec needs it, or too short for one, as :meth:`tables` says;
                otherwise as :func:`apply_rotary_qk`.
        """
        if unknown:
            refuse_unknown(RotaryEmbedding.forward, unknown)
        check_seq_dim(seq_dim)
        for name, x in (("q", q), ("k", k)):
            check_tensor(name, x)
            if x.ndim < -seq_dim or x.shape[-1] != self.spec.dim:
                refuse_heads(name, x, self.spec.dim, seq_dim)
        seq = q.shape[seq_dim]
        counted = position_ids is None
        if position_ids is None:
            if isinstance(offset, torch.Tensor):
                raise TypeError(f"offset must be an int, got {shown(offset)}: tensors go to position_ids")
            check_int("offset", offset, -FURTHEST, FURTHEST)
            if self.spec.needs_length:
                check_reach(self.spec, length, offset + seq)
            position_ids = torch.arange(offset, offset + seq, device=q.device)
        else:
            check_no_offset(offset)
            if type(position_ids) is int:
                raise TypeError(
                    f"position_ids must be a torch.Tensor, got int: write offset={shown(position_ids)}"
                )
        check_same("position_ids", position_ids, "q", q, dtype=False)
        if position_ids.shape[-1:] != (seq,):
            refuse_positions(position_ids, q, seq_dim)
        if self.several_axes and position_ids.ndim == 2 < q.ndim - 1 and q.shape[0] == self.spec.num_axes > 1:
            axes = self.spec.num_axes
            raise ValueError(
                f"position_ids {list(position_ids.shape)} may be coordinates on {axes} axes or {axes} texts: "
                f"for coordinates give position_ids[:, None], [{axes}, 1, {seq}], for texts "
                f"position_ids.expand({axes}, -1, -1)"
            )
        dtype = arithmetic(q)
        if self.spec.needs_length and not counted:
            check_reach(self.spec, length, reach_of(position_ids))
        cos, sin = self._tables(position_ids, length, dtype)
        return apply_rotary_qk(q, k, cos, sin, layout=self.spec.layout, seq_dim=seq_dim)

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...
