"""Named inequalities: axioms of the kernel, times a factor that is not negative."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..kernel.theorem import Theorem
from ..search import inequalities
from ..search.proof import Proof
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Bound(Plain):
    """A named inequality, at the places where both sides show it, times a factor that is not negative."""

    relations = ("<=",)
    name: str
    says: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.name not in inequalities.INSTANCES:
            raise ValueError(f"name must be one of {sorted(inequalities.INSTANCES)}, got {self.name!r}")
        object.__setattr__(self, "__doc__", self.says)  # for help(triangle), and for the page of the checker

    def method(self) -> str:
        return f"bound ({self.name})"

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [inequalities.bound(P, self.name, left, right) for left, right in rows]


triangle = Bound(
    "triangle inequality",
    r""":math:`|a + b + \dots| \le |a| + |b| + \dots`; of a sum
:math:`\left|\sum_i a_i\right| \le \sum_i |a_i|`, and of an integral with a ≤ b
:math:`\left|\int_a^b f\right| \le \int_a^b |f|`.
""",
)
maximum = Bound(
    "maximum taken out",
    r""":math:`\sum_i a_i b_i \le \left(\max_i b_i\right) \sum_i a_i` for real :math:`b_i` and
:math:`a_i \ge 0`.
""",
)
cauchy_schwarz = Bound(
    "Cauchy–Schwarz",
    r""":math:`\left|\sum_i a_i b_i\right|^2 \le \sum_i |a_i|^2 \sum_i |b_i|^2`.""",
)
exponential_tangent = Bound(
    "exponential above its tangent",
    r""":math:`1 + x \le e^x` for real x.""",
)
sine_chord = Bound(
    "sine below its argument",
    r""":math:`|\sin x| \le |x|` for real x.""",
)
trigonometric_integrals = Bound(
    "sine and cosine integral at their ends",
    r""":math:`\left|\mathrm{Ci}(x) + i\left(\mathrm{Si}(x) - \tfrac\pi2\right)\right| \le \tfrac2x` and
:math:`\left|\mathrm{Ci}(x) + i\,\mathrm{Si}(x) - \ln x - \gamma\right| \le x`, both for x > 0.
""",
)
one_term = Bound(
    "one term of a sum",
    r""":math:`a_k \le \sum_i a_i` for k in the range, where all :math:`a_i \ge 0`.""",
)
