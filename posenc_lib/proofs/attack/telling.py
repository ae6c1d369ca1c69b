"""Wrong versions of a row as it is printed, names and all: those that tell a reader most come first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sympy import Basic, MatMul, Symbol, Transpose
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.binders import bound_letters
from ..terms.domains import domain_of, free_atoms, pretty_name
from ..terms.matrices import NamedMatrix
from .mutate import INFINITIES, Slip, bound_slips, inside, matrix_slips, slips

LETTER, RELATION = "a letter", "the relation"
KINDS = (  # the order in which they are offered
    *("a sign", "an index", LETTER, "a conjugate left out", "a transpose left out", "the order of factors"),
    *("cos for sin", "sin for cos", "a bound", "a maximum left out", RELATION, "a modulus left out"),
    *("Im for Re", "a factor repeated", "a factor left out", "an exponent", "an argument", "an entry"),
    *("half of it", "a term left out", "the transpose", "1 less", "the sign of the whole", "a factor 2"),
    "1 more",
)
TURNED = {"<=": ">=", "<": ">=", ">=": "<=", ">": "<="}
LOOKED_AT = 8  # wrong versions of one kind

Wrong = tuple[str, str, str, Any]  # its kind, what was changed in words, the relation, the right side


def telling(
    relation: str, right: Any, letters: list[Symbol], size: Callable[[Any], int]
) -> Iterator[list[Wrong]]:
    """Wrong versions of ``… relation right``, kind by kind, those with the smallest change first.

    Args:
        relation: of the row
        right: as it is printed
        letters: which may be taken for one another
        size: how much of a wrong right side is other than in ``right``, as it is printed

    Example:
        >>> from sympy import cos
        >>> from posenc_lib.proofs import integers, reals
        >>> m, n, theta = *integers("m n"), reals("theta")
        >>> kinds = telling("=", cos((m - n) * theta), [m, n], lambda wrong: len(str(wrong)))
        >>> for [(_, words, relation, wrong), *_] in list(kinds)[:2]:
        ...     print(words, relation, wrong)
        a sign = cos(theta*(m + n))
        n for m = 1
    """
    found: dict[str, list[Slip]] = {kind: [] for kind in KINDS}
    for slip in _every(relation, right, letters):
        found[slip.kind if slip.kind in found else LETTER].append(slip)
    for kind, some in found.items():
        made = {
            wrong: slip.kind for slip in reversed(some[:LOOKED_AT]) if (wrong := _built(slip)) is not None
        }
        apart = {
            wrong: words for wrong, words in made.items() if wrong != right and not wrong.has(*INFINITIES)
        }
        versions = [(kind, apart[wrong], relation, wrong) for wrong in sorted(apart, key=size)]
        if kind == RELATION and relation in TURNED:
            versions = [(kind, kind, TURNED[relation], right)]
        if versions:
            yield versions


def _built(slip: Slip) -> Any:
    """The whole with the slip in its place; None where nothing can be built so."""
    try:
        return slip.built()
    except (TypeError, ValueError):
        return None


def _every(relation: str, right: Any, letters: list[Symbol]) -> Iterator[Slip]:
    if isinstance(right, MatrixBase):
        yield from (Slip((), wrong, kind) for kind, wrong in matrix_slips(right))
        return
    yield from _elsewhere(right, letters)
    if relation != "=":
        yield from (Slip((), wrong, kind) for kind, wrong in bound_slips(right))
    if isinstance(right, MatrixExpr):
        yield Slip((), -right, "the sign of the whole")
        yield from inside(right)
    else:
        yield from slips(right)


def _elsewhere(e: Basic, letters: list[Symbol], path: tuple[tuple[Basic, int], ...] = ()) -> Iterator[Slip]:
    """One letter for another of its domain, factors in another order, a transpose left out, a parameter."""
    if isinstance(e, Symbol) and e in letters:
        others = (other for other in letters if other != e and domain_of(other) == domain_of(e))
        yield from (Slip(path, new, f"{pretty_name(str(new))} for {pretty_name(str(e))}") for new in others)
    elif isinstance(e, Transpose) and e.shape == e.arg.shape:
        yield Slip(path, e.arg, "a transpose left out")
    elif isinstance(e, MatMul) and all(getattr(factor, "shape", None) == e.shape for factor in e.args):
        yield Slip(path, e.func(*reversed(e.args)), "the order of factors")
    elif isinstance(e, NamedMatrix):
        parameters = e.args[3]
        for k, parameter in enumerate(e.parameters):
            yield from inside(parameter, (*path, (e, 3), (parameters, k)))
    bound = set(bound_letters(e)) if e.args else set()
    inner = [letter for letter in letters if letter not in bound]
    for k, part in enumerate(e.args):
        yield from _elsewhere(part, inner, (*path, (e, k)))


def letters_of(*sides: Any) -> list[Symbol]:
    """The free letters of some sides, which may be taken for one another."""
    return [atom for atom in free_atoms(*sides) if isinstance(atom, Symbol)]
