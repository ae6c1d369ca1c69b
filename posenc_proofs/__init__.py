r"""Derivations in LaTeX, checked row by row: proved where a small kernel rebuilds them, else refused.

``answers(text)`` says what is true of each part of a text; ``Derivation`` holds a chain of results, each with
its reason, its scope and the wrong versions of it that were refuted; ``%load_ext posenc_proofs`` makes cells
that begin with ``%%derive NAME``. ``python -m posenc_proofs book`` rebuilds what notebooks show.

Rooms, each on top of those before it: ``kernel`` (theorems rebuilt from axioms), ``latex`` (a formula, read
into the kernel's terms), ``search`` (certificates for the kernel), ``text`` (the text of a derivation),
``refutation`` (points at which a row fails, wrong versions of it), ``witness`` (what SymPy says of it),
``derivation`` (definitions, hypotheses, results, and how they are shown). Kernel and latex are trusted; they,
and the command, need python-flint alone, all else needs SymPy, too.

Example:
    >>> from posenc_proofs import answers
    >>> [one, other] = answers(r'''for all a ∈ ℝ
    ... eq-circle: \sin^2 a + \cos^2 a = 1
    ... eq-slip: \sin^2 a - \cos^2 a = 1''')
    >>> one.kind, other.kind
    ('proved', 'refuted')
"""

from importlib import import_module
from typing import Any

_HOMES = {"Unread": ".latex.tokens", "NotFound": ".search.proof", "Misread": ".text.blocks"}
_HOMES |= dict.fromkeys(["Derivation", "Refuted"], ".derivation.derivation")
_HOMES |= {"Result": ".derivation.records", "Answer": ".derivation.answers", "answers": ".derivation.answers"}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(_HOMES[name], __name__), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("sympy", "flint"):
            raise
        told = f"posenc_proofs needs {missing.name}: pip install sympy python-flint"
        raise ModuleNotFoundError(told, name=missing.name) from None
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext posenc_proofs``: cells that begin with ``%%derive``."""
    import_module(".derivation.cells", __name__).load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
