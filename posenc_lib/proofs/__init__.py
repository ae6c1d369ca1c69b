r"""Derivations in LaTeX, read and checked row by row: proved where a small kernel rebuilds them, else refused.

``answers(text)`` says what is true of each part of a text; ``Derivation`` holds a chain of results, each with
its reason, its scope and the wrong versions of it that were refuted; ``%load_ext posenc_lib.proofs`` makes
cells that begin with ``%%derive NAME``. It needs sympy and python-flint; ``python -m posenc_lib.proofs.reread``,
which rebuilds what notebooks show, needs python-flint alone.

Rooms, each on top of what it imports: ``kernel`` (theorems rebuilt from axioms), ``reread`` (LaTeX, read into
the kernel's terms), ``search`` (certificates for the kernel), ``page`` (how a derivation is written).

Example:
    >>> from posenc_lib.proofs import answers
    >>> [one, other] = answers(r'''for all a ∈ ℝ
    ... eq-circle: \sin^2 a + \cos^2 a = 1
    ... eq-slip: \sin^2 a - \cos^2 a = 1''')
    >>> one.kind, other.kind
    ('proved', 'refuted')
"""

from importlib import import_module
from typing import Any

_HOMES = {
    **{"Answer": ".page.answers", "answers": ".page.answers", "Derivation": ".page.derivation"},
    **{"Refuted": ".page.derivation", "Result": ".page.records", "NotFound": ".search.proof"},
    **{"Misread": ".page.text", "Unread": ".reread.tokens", "replay": ".kernel", "Refused": ".kernel"},
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(_HOMES[name], __name__), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("sympy", "flint"):
            raise
        said = f"posenc_lib.proofs needs {missing.name}: pip install sympy python-flint"
        raise ModuleNotFoundError(said, name=missing.name) from None
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext posenc_lib.proofs``: cells that begin with ``%%derive``."""
    import_module(".page.cells", __name__).load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
