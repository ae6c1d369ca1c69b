"""Check derivations step by step: exact where it says proved, with a counterexample where it says refuted.

``check`` decides one equation. ``Derivation`` holds a chain of them, each with its reason, its scope and the
wrong versions of it that were refuted. Needs sympy and python-flint (``pip install posenc_lib[proofs]``).
"""

from .blocks import BlockDiagonal, Stacked
from .claims import eq, le, lt
from .derivation import Derivation
from .evaluate import evaluate
from .extrema import MaxOver
from .identity import Statement, check
from .modulus import Modulus
from .named import Inner, matrix_function, real_entries, vector_function
from .point import Point
from .printer import latex
from .reasons import (
    adding,
    antiderivative,
    cauchy_schwarz,
    certified,
    exponential_tangent,
    finite,
    follows,
    identity,
    induction,
    limit_by,
    maximum,
    sine_chord,
    termwise,
    triangle,
    two_jet,
)
from .results import Result
from .symbols import (
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
from .verdict import CheckerBug, Counterexample, ProofError, Refuted, Undecided, Verdict

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
