"""Named inequalities: axioms of the kernel, times a factor that is not negative."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.theorem import Theorem
from ..search import inequalities
from ..search.proof import Proof
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Bound(Plain):
    """A named inequality, at the places where both sides show it."""

    relations = ("<=",)
    name: str

    def __post_init__(self) -> None:
        if self.name not in inequalities.INSTANCES:
            raise ValueError(f"name must be one of {sorted(inequalities.INSTANCES)}, got {self.name!r}")

    def method(self) -> str:
        return f"bound ({self.name})"

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [inequalities.bound(P, self.name, left, right) for left, right in rows]


triangle = Bound("triangle inequality")
maximum = Bound("maximum taken out")
cauchy_schwarz = Bound("Cauchy–Schwarz")
exponential_tangent = Bound("exponential above its tangent")
sine_chord = Bound("sine below its argument")
trigonometric_integrals = Bound("sine and cosine integral at their ends")
one_term = Bound("one term of a sum")
