"""Parameters of a scaling rule, as a value that nobody can change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lib._checks import shown


class Params(Mapping[str, Any]):
    """An immutable, hashable, picklable mapping; lists become tuples.

    Example:
        >>> Params({"factor": 2.0})["factor"]
        2.0
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any] | None = None):
        if items is not None and not isinstance(items, Mapping):
            raise TypeError(f"params must be a mapping, got {shown(items)}")
        frozen = {k: tuple(v) if isinstance(v, list | tuple) else v for k, v in (items or {}).items()}
        for name, value in frozen.items():
            if not isinstance(value, int | float | str | tuple | None):
                raise TypeError(f"params[{name!r}] must be a number, a string or a list, got {shown(value)}")
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, float) and not math.isfinite(number):
                    raise ValueError(f"params[{name!r}] must be finite, got {shown(value)}")
        self._items = frozen

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)
