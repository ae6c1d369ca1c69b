"""Check derivations step by step: exact where it says proved, with a counterexample where it says refuted.

``check`` decides one equation. ``Derivation`` holds a chain of them, each with its reason, its scope and the
wrong versions of it that were refuted. Needs sympy and python-flint, which come with the
distribution ``posenc-proofs``.

Rooms, each on top of what it imports: ``terms`` (what a statement is made of), ``values`` (what it is worth
at a point), ``show`` (how it is printed), ``attack`` (where it fails), ``prove`` (when two sides are one),
``rules`` (the reasons of a row), ``write`` (how a derivation is written). Apart from them ``kernel`` rebuilds
results from axioms, by certificates that ``search`` finds; no page uses the two yet.
"""

from importlib import import_module

try:
    for _needed in ("sympy", "flint"):
        import_module(_needed)
except ModuleNotFoundError as missing:
    said = f"posenc_lib.proofs needs {missing.name}: pip install sympy python-flint"
    raise ModuleNotFoundError(said, name=missing.name) from None

from .prove.check import check
from .rules.adding import adding
from .rules.antiderivative import antiderivative
from .rules.bounds import cauchy_schwarz, exponential_tangent, maximum, sine_chord, triangle
from .rules.certified import certified
from .rules.finite import finite
from .rules.follows import follows
from .rules.identity import identity
from .rules.induction import induction
from .rules.jets import two_jet
from .rules.limits import limit_by
from .rules.termwise import termwise
from .show.printer import latex
from .show.results import Result
from .terms.blocks import BlockDiagonal, Stacked
from .terms.extrema import MaxOver
from .terms.matrices import Inner, matrix_function, real_entries, vector_function
from .terms.modulus import Modulus
from .terms.statement import Statement
from .terms.symbols import (
    complex_function,
    complex_sequence,
    complexes,
    counts,
    evens,
    integers,
    naturals,
    positive_function,
    positives,
    real_function,
    real_sequence,
    reals,
    smooth_function,
)  # fmt: skip
from .terms.verdict import CheckerBug, Counterexample, ProofError, Refuted, Undecided, Verdict
from .values.evaluate import evaluate
from .values.point import Point
from .write.claims import eq, le, lt
from .write.derivation import Derivation

__all__ = [
    "BlockDiagonal",
    "CheckerBug",
    "Counterexample",
    "Derivation",
    "Inner",
    "MaxOver",
    "Modulus",
    "Point",
    "ProofError",
    "Refuted",
    "Result",
    "Stacked",
    "Statement",
    "Undecided",
    "Verdict",
    "adding",
    "antiderivative",
    "cauchy_schwarz",
    "certified",
    "check",
    "complex_function",
    "complex_sequence",
    "complexes",
    "counts",
    "eq",
    "evaluate",
    "evens",
    "exponential_tangent",
    "finite",
    "follows",
    "identity",
    "induction",
    "integers",
    "latex",
    "le",
    "limit_by",
    "lt",
    "matrix_function",
    "maximum",
    "naturals",
    "positive_function",
    "positives",
    "real_entries",
    "real_function",
    "real_sequence",
    "reals",
    "sine_chord",
    "smooth_function",
    "termwise",
    "triangle",
    "two_jet",
    "vector_function",
]  # fmt: skip
