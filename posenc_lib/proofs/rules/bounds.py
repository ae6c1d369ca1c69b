"""Named inequalities, applied structurally: each builds the only right-hand side it allows, and compares."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Abs, Add, Expr, Integral, Mul, Sum, Symbol, exp, expand, sin

from ..attack.refute import counterexample
from ..kernel.theorem import Theorem
from ..prove.check import check
from ..prove.integrals import limits_of
from ..search import inequalities
from ..search.proof import Proof
from ..terms.extrema import MaxOver
from ..terms.letters import require_one_role
from ..terms.modulus import Modulus
from ..terms.statement import Statement
from ..terms.verdict import Verdict, undecided
from ..values.substitution import substitute
from .rule import Context, Plain, Rows, Theory


def _one_sum(e: Expr) -> tuple[Expr, Sum] | None:
    sums = [f for f in Mul.make_args(e) if isinstance(f, Sum)]
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return None
    return Mul(*(f for f in Mul.make_args(e) if f is not sums[0])), sums[0]


def _triangle(lhs: Expr, rhs: Expr) -> str | None:
    """|c Σ aᵢ| ≤ |c| Σ |aᵢ|, |a + b + …| ≤ |a| + |b| + … and |∫ f| ≤ ∫ |f|. Returns why not, or None.

    A non-negative factor may stand in front of the modulus.
    """
    front, moduli = Mul(), []
    for factor in Mul.make_args(lhs):
        if isinstance(factor, Abs) and not factor.args[0].is_Symbol:
            moduli.append(factor.args[0])
        else:
            front *= factor
    if len(moduli) != 1 or not front.is_nonnegative:
        return "the left side is not the modulus of a sum, or a non-negative multiple of one"
    largest = _largest(moduli[0])
    if isinstance(largest, str):
        return largest
    if isinstance(largest, Integral) and _weighted(largest, rhs / front):
        return None
    wanted = front * largest
    return None if check(rhs, wanted) else f"the triangle inequality gives {wanted}, not {rhs}"


def _weighted(largest: Integral, rhs: Expr) -> bool:
    """Whether rhs is ∫ w|g| where largest is ∫ |w g|, the weight w being non-negative on the interval."""
    t, low, high = largest.limits[0]
    if not isinstance(rhs, Integral) or len(rhs.limits) != 1 or rhs.limits[0][1:] != (low, high):
        return False
    factors = Mul.make_args(substitute(rhs.function, {rhs.limits[0][0]: t}))
    inside = Mul(*(f.args[0] if isinstance(f, Abs) else f for f in factors))
    weights = [f for f in factors if not isinstance(f, Abs)]
    return all(_nonnegative_on(w, t, low, high) for w in weights) and bool(
        check(largest.function.args[0], inside)
    )


def _nonnegative_on(weight: Expr, t: Symbol, low: Expr, high: Expr) -> bool:
    """Non-negative for all values of its symbols, or affine in t and non-negative at both ends."""
    if weight.is_nonnegative:
        return True
    ends = [expand(substitute(weight, {t: end})) for end in (low, high)]
    affine = weight.is_polynomial(t) and expand(weight.diff(t, 2)) == 0
    return bool(affine) and all(end.is_nonnegative for end in ends)


def _largest(inside: Expr) -> Expr | str:
    """The sum of the moduli, or why there is none."""
    if inside.is_Add:
        return Add(*(Modulus(term) for term in inside.args))
    if isinstance(inside, Integral):
        t, low, high = limits_of(inside)
        ordered = (high - low).is_nonnegative
        return Integral(Modulus(inside.function), (t, low, high)) if ordered else f"{high} may be below {low}"
    parts = _one_sum(inside)
    if parts is None:
        return "the left side is not the modulus of one sum"
    factor, total = parts
    return Modulus(factor) * Sum(Modulus(total.function), *total.limits)


def _maximum(lhs: Expr, rhs: Expr) -> str | None:
    """Σ aᵢ bᵢ ≤ (max bᵢ) Σ aᵢ for aᵢ, bᵢ ≥ 0. Returns why it does not apply, or None."""
    tops = [f for f in Mul.make_args(rhs) if isinstance(f, MaxOver)]
    left, right = _one_sum(lhs), _one_sum(rhs)
    if len(tops) != 1 or left is None or right is None:
        return "expected one sum on the left, and one maximum times one sum on the right"
    (i, low, high), (j, *limits), (k, *others) = left[1].limits[0], tops[0].limits[0], right[1].limits[0]
    if not check(high - low, limits[1] - limits[0]) or not check(high - low, others[1] - others[0]):
        return "the ranges of the two sums and of the maximum differ"
    if not (high - low).is_nonnegative:
        return "the range may be empty, and then the maximum does not exist"
    top, rest = substitute(tops[0].function, {j: i}), substitute(right[1].function, {k: i})
    outer = Mul(*(f for f in Mul.make_args(right[0]) if f is not tops[0]))
    if not (top.is_extended_nonnegative and rest.is_extended_nonnegative and outer.is_nonnegative):
        return "both factors under the sum, and a factor in front, must be non-negative"
    if limits[0] != low or others[0] != low:
        return "the ranges must start at the same index"
    same = check(left[0] * left[1].function, outer * top * rest)
    return None if same else f"the summand {left[1].function} is not the product of {top} and {rest}"


def _cauchy_schwarz(lhs: Expr, rhs: Expr) -> str | None:
    """|Σ aᵢ bᵢ|² ≤ Σ |aᵢ|² Σ |bᵢ|². Returns why it does not apply, or None."""
    sums = Mul.make_args(rhs)
    if len(sums) != 2 or not all(isinstance(s, Sum) for s in sums):
        return "expected a product of two sums, and nothing else, on the right"
    if not (lhs.is_Pow and lhs.exp == 2 and isinstance(lhs.base, Abs) and isinstance(lhs.base.args[0], Sum)):
        return "expected |Σ a b|² on the left"
    total = lhs.base.args[0]
    if any(len(s.limits) != 1 or s.limits[0][1:] != total.limits[0][1:] for s in (total, *sums)):
        return "the three sums must run over the same single range"
    i = total.limits[0][0]
    if not all(s.function.is_nonnegative for s in sums):
        return "the summands on the right must be non-negative"
    product = Mul(*(substitute(s.function, {s.limits[0][0]: i}) for s in sums))
    same = check(Abs(total.function) ** 2, product)
    return None if same else "the product of the two summands is not the square of the left summand"


def _exponential_tangent(lhs: Expr, rhs: Expr) -> str | None:
    """1 + u ≤ e^u for real u: a convex function lies above its tangent. Returns why not, or None."""
    if not (isinstance(rhs, exp) and rhs.args[0].is_real):
        return "the right side is not the exponential of a real number"
    return None if check(lhs, 1 + rhs.args[0]) else f"the tangent is {1 + rhs.args[0]}, not {lhs}"


def _sine_chord(lhs: Expr, rhs: Expr) -> str | None:
    """|sin u| ≤ |u| for real u: a chord is shorter than its arc. Returns why not, or None."""
    if not (isinstance(lhs, Abs) and isinstance(lhs.args[0], sin) and lhs.args[0].args[0].is_real):
        return "the left side is not the modulus of a sine of a real number"
    (u,) = lhs.args[0].args
    return None if check(rhs, Abs(u)) else f"the arc is |{u}|, not {rhs}"


INEQUALITIES = {
    "triangle inequality": _triangle,
    "maximum taken out": _maximum,
    "Cauchy–Schwarz": _cauchy_schwarz,
    "exponential above its tangent": _exponential_tangent,
    "sine below its argument": _sine_chord,
}


def decide_bound(statement: Statement, name: str) -> Verdict:
    """Decide ``left <= right`` by one named inequality."""
    require_one_role(statement.left, statement.right)
    problem = INEQUALITIES[name](statement.left, statement.right)
    method = f"bound ({name})"
    if statement.relation == "<=" and problem is None:
        return Verdict("checked", method, statement.scope())
    found = counterexample(statement.left, statement.relation, statement.right, statement.where)
    if found is not None:
        return Verdict("refuted", method, statement.scope(), counterexample=found)
    return undecided(method, problem or "a bound needs the relation <=", statement.scope())


@dataclass(frozen=True)
class Bound(Plain):
    """A named inequality, applied structurally."""

    relations = ("<=",)
    name: str

    def __post_init__(self) -> None:
        if self.name not in INEQUALITIES:
            raise ValueError(f"name must be one of {sorted(INEQUALITIES)}, got {self.name!r}")

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [inequalities.bound(P, self.name, left, right) for left, right in rows]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return decide_bound(statement, self.name)


triangle = Bound("triangle inequality")
maximum = Bound("maximum taken out")
cauchy_schwarz = Bound("Cauchy–Schwarz")
exponential_tangent = Bound("exponential above its tangent")
sine_chord = Bound("sine below its argument")
