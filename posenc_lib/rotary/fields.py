"""What the fields of a :class:`~posenc_lib.RotarySpec` may be: widths, and the axes that turn its planes."""

from __future__ import annotations

from collections.abc import Sequence

from posenc_lib._checks import check_even, check_int, check_sequence, shown
from posenc_lib.rotary.axes import planes

MAX_DIM = 2**16  # far above any head: a number in a config from elsewhere must not fill the memory


def check_widths(dim: object, rotary_dim: object) -> None:
    """Even, and no more turned channels than there are.

    Example:
        >>> check_widths(64, None)
        >>> check_widths(64, 96)
        Traceback (most recent call last):
        ...
        ValueError: rotary_dim must not exceed dim=64, got 96
    """
    check_even("dim", dim, MAX_DIM)
    if rotary_dim is None:
        return
    if isinstance(rotary_dim, float):
        raise TypeError(f"rotary_dim must be an int, got {rotary_dim}: a share is int(share * dim)")
    check_even("rotary_dim", rotary_dim)
    if rotary_dim > dim:  # type: ignore[operator]
        raise ValueError(f"rotary_dim must not exceed dim={dim}, got {rotary_dim}")


def checked_sections(sections: Sequence[int], count: int, *, interleaved: bool) -> tuple[int, ...]:
    """Sections that hold ``count`` planes.

    Example:
        >>> checked_sections([2, 1, 1], 4, interleaved=False)
        (2, 1, 1)
    """
    check_sequence("sections", sections)
    sections = tuple(sections)
    for size in sections:
        check_int("sections", size, minimum=1)
    if sum(sections) != count:  # before anything of that size is made
        raise ValueError(f"sections must sum to {count} planes, got {shown(sections)}")
    planes(sections, interleaved=interleaved)  # refuses
    return sections


def checked_planes(axes: Sequence[int], count: int, sections: tuple[int, ...] | None) -> tuple[int, ...]:
    """An axis for each of ``count`` planes, where no sections say it already.

    Example:
        >>> checked_planes([1, 2, 1, 0], 4, None)
        (1, 2, 1, 0)
    """
    check_sequence("axis_of_plane", axes)
    if sections is not None:
        raise ValueError(f"give sections or axis_of_plane, not both: {sections} and {shown(axes)}")
    if len(axes) != count:
        raise ValueError(f"axis_of_plane must name {count} axes, got {len(axes)}")
    for axis in axes:
        check_int("axis_of_plane", axis)
    if set(axes) != set(range(len(set(axes)))):
        raise ValueError(f"axis_of_plane must use each axis from 0 on, got {sorted(set(axes))}")
    return tuple(axes)
