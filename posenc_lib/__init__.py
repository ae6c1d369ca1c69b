"""Position encodings for transformers: exact, small, each formula derived and checked in the book beside.

Names are imported when first used, so that ``posenc_lib.proofs`` works without torch. Which module holds
which name is written once, in ``__init__.pyi``.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOMES = {
    name.name: node.module for node in _STUB.body if isinstance(node, ast.ImportFrom) for name in node.names
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
