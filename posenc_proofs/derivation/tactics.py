r"""What stands in brackets behind a reason: how a row is found, from which earlier results.

``follows eq-a, eq-b (n = m), times r``, ``induction n, using eq-a, at m = m + 1``,
``termwise eq-a (j = 2j)``,
``adding eq-a times r, rest s``, ``antiderivative F``, ``limit eq-a to 0``, ``in-the-limit eq-a over x to
\infty``, ``certified``, and the bounds that have names: ``triangle``, ``maximum``, …
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ..kernel.terms import ONE, ZERO, Term, letters, num
from ..kernel.theorem import Theorem
from ..search import analysis, equations, inequalities
from ..search.inequalities import BOUNDS
from ..text.blocks import Misread, closing, parts
from ..text.reading import Known

LABEL = re.compile(r"[a-zA-Z][\w-]*")
Pair = tuple[Term, Term]
Find = Callable[[Sequence[Pair], str], list[Theorem]]


class Way(NamedTuple):
    """What a rule is called, the results that it uses, and how it finds the theorems of some pairs."""

    method: str
    uses: list[str]
    find: Find
    value: Term | None = None  # of a limit on the left: what has a value at points
    premises: Sequence[Sequence[Theorem]] = ()  # of each use, those of which the proof has to take one


class Used(NamedTuple):
    """An earlier result, with values for some of its letters, and its weight."""

    label: str
    at: dict[Term, Term]
    times: Term


def way(D: Known, written: str) -> Way:
    """The way that is written; "" is the identity."""
    word, _, rest = written.strip().partition(" ")
    if not word:
        return Way("identity", [], _each(lambda a, _, b: equations.identity(D.proof, a, b)))
    if word in BOUNDS:
        method = f"bound ({BOUNDS[word][0]})"
        return Way(method, [], _each(lambda a, _, b: inequalities.bound(D.proof, word, a, b)))
    if word not in WITH:
        raise Misread(f"a rule is expected, one of {', '.join([*WITH, *BOUNDS])}; not {word}")
    return WITH[word](D, rest.strip())


def two_jets(D: Known, small: Sequence[Term]) -> Way:
    """Up to third order."""
    method = "two-jet (Taylor's theorem with its remainder)"
    return Way(method, [], _each(lambda a, _, b: analysis.to_second_order(D.proof, a, b, list(small))))


def _each(one: Callable[[Term, str, Term], Theorem]) -> Find:
    return lambda pairs, relation: [one(a, relation, b) for a, b in pairs]


def _references(D: Known, written: str) -> Iterator[Used]:
    for part in parts(written):
        found = LABEL.match(part)
        if found is None:
            raise Misread(f"an earlier result is expected, such as eq-a or eq-a (n = m), not {part}")
        at, rest = "", part[found.end() :].strip()
        if rest.startswith("("):
            end = closing(rest)
            at, rest = rest[1:end], rest[end + 1 :].strip()
        if rest and not rest.startswith("times "):
            raise Misread(f"times and a weight may stand behind {found[0]}, not {rest}")
        yield Used(found[0], values(D, at), _number(D, rest.removeprefix("times ") or "1"))


def values(D: Known, written: str) -> dict[Term, Term]:
    """``n = m, i = i + 1``."""
    at = {}
    for pair in parts(written):
        left, equals, right = pair.partition("=")
        if not equals:
            raise Misread(f"letter = value is expected, such as n = m, not {pair}")
        letter = D.reading.term(left)
        if letter.head not in ("var", "app"):
            raise Misread(f"a letter is expected before =, not {left.strip()}")
        at[letter] = _number(D, right)
    return at


def _one(D: Known, written: str) -> Used:
    used = list(_references(D, written))
    if len(used) != 1:
        raise Misread(f"one earlier result is expected, not {written or 'none'}")
    return used[0]


def _number(D: Known, latex: str) -> Term:
    return D.opened(D.reading.term(latex)).right


def _premises(D: Known, written: str) -> tuple[list[str], list[list[Theorem]], list[Theorem]]:
    """Earlier results by their labels, the equations of each, and all of these."""
    used = list(_references(D, written))
    premises = [D.equations(u.label, u.at) for u in used]
    return [u.label for u in used], premises, list(chain.from_iterable(premises))


def _follows(D: Known, rest: str) -> Way:
    rest, _, times = rest.partition(", times ")
    unit = _number(D, times) if times else ONE
    uses, premises, known = _premises(D, rest)
    find = _each(lambda a, _, b: equations.follows(D.proof, a, b, known, unit))
    return Way("consequence of earlier results", uses, find, premises=premises)


def _induction(D: Known, rest: str) -> Way:
    rest, _, at = rest.partition(", at ")
    over, _, using = rest.partition(", using ")
    n = D.reading.term(over)
    if n.head != "var" or n.data[1] not in ("N+", "N", "Z"):
        raise Misread(f"induction runs over a letter of ℕ₊, ℕ or ℤ, not over {over}")
    first = int(n.data[1] == "N+")
    uses, premises, known = _premises(D, using)
    direction = "in both directions" if n.data[1] == "Z" else "upwards"
    method = f"induction on {n.data[0]}, base {n.data[0]} = {first}, {direction}"
    moved = list(values(D, at).items())

    def find(pairs: Sequence[Pair], _: str) -> list[Theorem]:
        return equations.inductions(D.proof, list(pairs), n, num(first), known, moved)

    return Way(method, uses, find, premises=premises)


def _termwise(D: Known, rest: str) -> Way:
    used = _one(D, rest)
    find = _each(lambda a, _, b: inequalities.termwise(D.proof, a, b, D.whole(used.label, used.at)))
    return Way("termwise (an inequality added up over a range)", [used.label], find)


def _adding(D: Known, rest: str) -> Way:
    body, _, more = f", {rest}".partition(", rest ")
    used = list(_references(D, body))
    parts = [(u.times, D.whole(u.label, u.at)) for u in used]
    over = _number(D, more) if more else ZERO
    find = _each(lambda a, sign, b: inequalities.sum_up(D.proof, a, sign, b, parts, over))
    return Way("adding inequalities with non-negative weights", [u.label for u in used], find)


def _antiderivative(D: Known, rest: str) -> Way:
    f = _number(D, rest)
    return Way("antiderivative", [], _each(lambda a, _, b: equations.antiderivative(D.proof, a, b, f)))


def _certified(D: Known, rest: str) -> Way:
    if rest:
        raise Misread(f"the scope says the box, x ∈ [1, 2]; nothing is expected behind certified: {rest}")
    known = D.reading.names().known
    box = [(known[x], lo, hi) for x, (lo, hi) in D.reading.said.intervals.items()]

    def one(a: Term, relation: str, b: Term) -> Theorem:
        if free := {str(x.data[0]) for x in letters(a, b) - {x for x, *_ in box}}:
            raise Misread(f"certified on a box: the scope gives none to {', '.join(sorted(free))}")
        own = [side for side in box if side[0] in letters(a, b)]
        return analysis.certified(D.proof, a, relation, b, own)

    return Way("certified on the whole box", [], _each(one))


def _limit(D: Known, rest: str) -> Way:
    bound, _, goal = rest.partition(" to ")
    used, value = _one(D, bound), _number(D, goal)
    find = _each(lambda a, _, b: analysis.limit(D.proof, a, b, D.whole(used.label, used.at), value))
    return Way("limit (explicit error bound)", [used.label], find, value)


def _in_the_limit(D: Known, rest: str) -> Way:
    bound, _, goal = rest.partition(" over ")
    over, _, to = goal.partition(" to ")
    used, x, to = _one(D, bound), D.reading.term(over), to.strip()
    far = to == r"\infty"
    if x.head != "var" or x.data[1] not in (("N+", "R+") if far else ("R+",)) or to not in (r"\infty", "0"):
        raise Misread(f"over x to \\infty (x in ℝ₊ or ℕ₊), or over x to 0 (in ℝ₊), is expected; not {goal}")
    find = _each(lambda a, _, b: analysis.pressed(D.proof, a, b, D.whole(used.label, used.at), x, far))
    return Way(f"limit of an inequality ({over} → {'∞' if far else '0'})", [used.label], find)


WITH: dict[str, Callable[[Known, str], Way]] = {"follows": _follows, "induction": _induction}
WITH |= {"termwise": _termwise, "adding": _adding, "antiderivative": _antiderivative}
WITH |= {"certified": _certified, "limit": _limit, "in-the-limit": _in_the_limit}
