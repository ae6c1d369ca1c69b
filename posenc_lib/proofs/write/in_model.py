"""Why a consequence was not found: it is false in the author's own model, or what was tried."""

from __future__ import annotations

from collections.abc import Sequence

from ..attack.refute import counterexample
from ..terms.statement import Statement


def why_not(claim: Statement, hypotheses: Sequence[Statement], tried: Sequence[str]) -> str:
    """What to tell an author whose claim was not found to follow.

    Args:
        claim: what should follow, with the definitions and the model put in
        hypotheses: what it rests on, likewise
        tried: the ways that were tried, in words

    Example:
        >>> from posenc_lib.proofs import Statement, integers, reals
        >>> m, t = integers("m"), reals("t")
        >>> print(why_not(Statement(m, "=", 2 * m), [Statement(m * t, "=", t * m)], ["put in"]))
        false in your model at m = 3: left 3, right 6
        >>> print(why_not(Statement(m * t, "=", t * m), [], ["premises put in", "combined"]))
        no point of your model refutes it; tried: premises put in, combined
    """
    ways = f"tried: {', '.join(tried)}"
    broken = next((h for h in hypotheses if counterexample(*h)), None)
    if broken is not None:  # such a model says nothing about what follows
        return f"your model does not satisfy {broken.left} {broken.relation} {broken.right}; {ways}"
    found = counterexample(*claim)
    if found is None:
        return f"no point of your model refutes it; {ways}"
    place = ", ".join(f"{name} = {value}" for name, value in found.point)
    return f"false in your model{' at ' * bool(place)}{place}: left {found.left}, right {found.right}"
