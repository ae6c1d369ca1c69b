"""Whether tables of cos and sin fit a tensor: their shapes, dtypes and devices."""

from __future__ import annotations

import torch
from torch import Tensor, strided

from posenc_lib._checks import check_same, check_tensor
from posenc_lib._torch_state import concrete
from posenc_lib.angles.tables import FLOATS

# Dtypes of x that tables of a dtype serve: never one finer than the tables; float16 has more digits than
# bfloat16, and cos and sin need no wider range.
_SERVED = {
    torch.float64: FLOATS,
    torch.float32: FLOATS[1:],
    torch.bfloat16: (torch.bfloat16,),
    torch.float16: FLOATS[2:],
}

NO_AXES = "; coordinates [axes, batch, seq] are for a spec that says which axis turns which plane: sections=…"


def fit_tables(
    x: Tensor, cos: Tensor, sin: Tensor, name: str = "x", seq_dim: int = -2
) -> tuple[Tensor, Tensor]:
    """Tables checked and shaped to meet ``x`` ``[..., seq, dim]``, with nothing broadcast by accident.

    ``[n]`` or ``[seq, n]``: shared by everything. One axis fewer than ``x``, ``[batch, seq, n]`` for
    ``[batch, heads, seq, dim]``: shared by the heads, axis −3; or, where ``seq_dim`` is −3, for
    ``[batch, seq, heads, dim]``: by axis −2. As many axes as ``x``: sizes equal, or 1.
    (One condition covers the good case: in decoding, checks cost as much as arithmetic.)
    """
    try:
        sizes, table, other_table = x.shape, cos.shape, sin.shape
    except RuntimeError:  # nested tensors have none
        _refuse_tables(x, cos, sin, name)
        raise
    axes, given, length = len(sizes), len(table), table[-2:-1]
    if (
        x.dtype not in _SERVED.get(cos.dtype, ())
        or cos.dtype is not sin.dtype
        or table != other_table
        or not (axes and given and 0 < 2 * table[-1] <= sizes[-1])
        or not (x.device == cos.device == sin.device)
        or not (x.layout is cos.layout is sin.layout is strided)
    ):
        _refuse_tables(x, cos, sin, name)
    if seq_dim == -3 and axes < 3:
        raise ValueError(f"{name} must have shape [..., seq, heads, dim] for seq_dim=-3, got {list(sizes)}")
    if given == 1:
        return cos, sin
    if given == 2 and axes > 2:
        fits = table[0] == sizes[seq_dim]
        if seq_dim == -3:
            cos, sin = cos.unsqueeze(-2), sin.unsqueeze(-2)
    else:
        if given == axes - 1:
            heads = -5 - seq_dim
            cos, sin = cos.unsqueeze(heads), sin.unsqueeze(heads)
            table = cos.shape
        fits = len(table) == axes and all(c in (1, n) for c, n in zip(table[:-1], sizes, strict=False))
        if given == axes - 1:
            fits = fits and table[seq_dim] == sizes[seq_dim]
    if not fits:
        other = -5 - seq_dim
        swapped = axes > 2 and given < axes and given > 1 and length[0] == sizes[other] != sizes[seq_dim]
        hint = f"; if axis {other} of {name} is the sequence, say seq_dim={other}" if swapped else ""
        if given == 2 and axes > 2 and not swapped and table[0] > sizes[seq_dim]:
            hint = "; take the rows of these positions, cos[position_ids] and sin[position_ids]"
        if given == axes == 4 and table[1] == sizes[0]:
            hint = NO_AXES
        raise ValueError(
            f"tables of shape {list(other_table)} do not fit {name} of shape {list(sizes)}: expected [n], "
            f"[seq, n], [batch, seq, n] for {name} [batch, heads, seq, dim], "
            f"or as many axes as {name} with sizes equal or 1{hint}"
        )
    return cos, sin


def check_real(cos: object, sin: object) -> None:
    """Refuse one complex table in place of two, as Llama's own code makes it."""
    for name, table in (("cos", cos), ("sin", sin)):
        if isinstance(table, Tensor) and table.is_complex():
            raise TypeError(
                f"{name} must hold real numbers, got {table.dtype}: of a complex table freqs_cis give "
                "freqs_cis.real and freqs_cis.imag, and say layout='interleaved'"
            )


def check_once(cos: Tensor, sin: Tensor, seq_dim: int) -> None:
    """Refuse doubled tables, ``cat(c, c)``, where there is one column a plane.

    Numbers are looked at on the CPU in eager mode only, and from two positions on: at one, the two axes of an
    image may have equal coordinates.
    """
    if sin.ndim < -seq_dim or sin.shape[seq_dim] < 2 or sin.shape[-1] % 2 or not concrete(sin):
        return
    if not torch.equal(*sin.select(seq_dim, -1).chunk(2, dim=-1)):  # this settles nearly every call
        return
    if all(torch.equal(*table.chunk(2, dim=-1)) for table in (sin, cos)) and sin.any():
        raise ValueError(
            f"cos and sin must have one column a plane, got {list(sin.shape)} whose halves are equal: tables "
            "like cat(c, c) are for apply_rotary_pos_emb; or give cos[..., :n] and sin[..., :n], "
            f"n = {sin.shape[-1] // 2}"
        )


def check_doubled(cos: Tensor, sin: Tensor) -> None:
    """Refuse tables that are not ``cat(c, c)``, by their last position, where :func:`check_once` looks."""
    if sin.ndim < 2 or sin.shape[-2] == 0 or sin.shape[-1] % 2 or not concrete(sin):
        return
    for name, table in (("cos", cos), ("sin", sin)):
        first, second = table[..., -1, :].chunk(2, dim=-1)
        if not torch.equal(first, second) and not torch.allclose(first, second, rtol=0, atol=1e-2):
            raise ValueError(
                f"{name} must hold each half twice, cat(c, c), got {list(table.shape)} whose halves differ: "
                f"of tables for neighbours give apply_rotary_qk {name}[..., ::2], with layout='interleaved'"
            )


def _refuse_tables(x: Tensor, cos: Tensor, sin: Tensor, name: str) -> None:
    """Say what is wrong with tables that :func:`fit_tables` found unfit."""
    check_real(cos, sin)
    for label, value in ((name, x), ("cos", cos), ("sin", sin)):
        check_tensor(label, value)
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have one shape, got {list(cos.shape)} and {list(sin.shape)}")
    check_same("sin", sin, "cos", cos)
    check_same("cos", cos, name, x, dtype=False)
    if x.dtype not in FLOATS or cos.dtype not in FLOATS:
        raise TypeError(
            f"{name} and the tables must have floating dtypes of 16 bits or more, "
            f"got {x.dtype} and {cos.dtype}"
        )
    if x.dtype not in _SERVED[cos.dtype]:
        raise TypeError(
            f"tables of {cos.dtype} are coarser than {name} of {x.dtype}; "
            f"build them with dtype={x.dtype} or wider"
        )
    turned, present = 2 * cos.shape[-1] if cos.ndim else 0, x.shape[-1] if x.ndim else 0
    doubled = turned == 2 * present > 0 and "; tables of d columns, cat(c, c), are for apply_rotary_pos_emb"
    raise ValueError(
        f"tables of shape {list(cos.shape)} turn {turned} channels, but {name} has {present}{doubled or ''}"
    )
