"""What type checkers are told of calls of modules. Nothing of it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Forward = TypeVar("Forward", bound=Callable[..., Any])


def called_as(forward: Forward) -> Callable[[Callable[..., Any]], Forward]:
    """Say of ``__call__`` what ``forward`` takes and gives, overloads included; under ``TYPE_CHECKING``.

    torch annotates calls of modules with Any. Pyright keeps that type for ``__call__ = forward``, and gives
    it up for a ``def``, whose decorator says of what type it is.

    Example:
        >>> from torch import nn
        >>> class Doubled(nn.Module):
        ...     def forward(self, x: float) -> float:
        ...         return 2 * x
        ...
        ...     @called_as(forward)
        ...     def __call__(self, *given, **named): ...
        >>> Doubled()(1.5)
        3.0
    """
    return lambda call: forward
