"""A function of a model's code, and ours in its place for as long as somebody uses it.

What is needed to undo that is kept by the function that stands in, and so goes with it.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from torch import nn

from posenc_lib.hf.signatures import Function, Turn


class Place(NamedTuple):
    """Where a model's code finds a function: the names of its module, and one of them."""

    space: dict[str, Any]
    name: str

    def __str__(self) -> str:
        return f"{self.space['__name__']}.{self.name}"


@dataclass
class Standing:
    """Of a function that stands in: whose place it has, how it turns, and for which modules, by id."""

    original: Function
    turn: Turn
    users: set[int] = field(default_factory=set)


def standing(place: Place) -> Standing | None:
    """What is known of the function at this place, if it is one of ours."""
    return getattr(place.space[place.name], "standing", None)


def own(place: Place) -> Function:
    """The model's own function, whoever stands in for it now."""
    known = standing(place)
    return place.space[place.name] if known is None else known.original


def stand_in(place: Place, turn: Turn, user: nn.Module) -> weakref.finalize[Any, Any]:
    """Put ours there for one module: until the result is called, or the module is gone."""
    known = standing(place)
    if known is None:
        known, function = Standing(own(place), turn), turn.function()
        vars(function)["standing"] = known
        place.space[place.name] = function
    known.users.add(id(user))
    leaves = weakref.finalize(user, _leave, place, known, id(user))
    leaves.atexit = False
    return leaves


def _leave(place: Place, known: Standing, user: int) -> None:
    known.users.discard(user)
    if not known.users and standing(place) is known:
        place.space[place.name] = known.original
