"""Derivations checked row by row: proved where a small kernel rebuilds them, else refused.

``check`` decides one equation. ``Derivation`` holds a chain of them, each with its reason, its scope and the
wrong versions of it that were refuted. Needs sympy and python-flint, which come with the
distribution ``posenc-proofs``; ``python -m posenc_lib.proofs.reread`` needs python-flint alone.

Rooms, each on top of what it imports: ``terms`` (what a statement is made of), ``values`` (what it is worth
at a point), ``show`` (how it is printed), ``attack`` (where it fails), ``kernel`` (theorems rebuilt from
axioms), ``search`` (certificates for it), ``rules`` (the reasons of a row), ``write`` (how a derivation is
written), ``cell`` (how it is written as text: ``%load_ext posenc_lib.proofs``, then ``%%derive``). Names are
imported when first used; ``__init__.pyi`` says from where.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_FACE = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOMES = {a.name: node.module for node in _FACE.body if isinstance(node, ast.ImportFrom) for a in node.names}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("sympy", "flint"):
            raise
        said = f"posenc_lib.proofs needs {missing.name}: pip install sympy python-flint"
        raise ModuleNotFoundError(said, name=missing.name) from None
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext posenc_lib.proofs``: cells that begin with ``%%derive``."""
    import_module(".cell.derive", __name__).load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
