from .cell.derive import derive as derive
from .cell.source import Misread as Misread
from .rules.adding import adding as adding
from .rules.antiderivative import antiderivative as antiderivative
from .rules.bounds import (
    cauchy_schwarz as cauchy_schwarz,
)
from .rules.bounds import (
    exponential_tangent as exponential_tangent,
)
from .rules.bounds import (
    maximum as maximum,
)
from .rules.bounds import (
    one_term as one_term,
)
from .rules.bounds import (
    sine_chord as sine_chord,
)
from .rules.bounds import (
    triangle as triangle,
)
from .rules.bounds import (
    trigonometric_integrals as trigonometric_integrals,
)
from .rules.certified import certified as certified
from .rules.finite import finite as finite
from .rules.follows import follows as follows
from .rules.identity import identity as identity
from .rules.induction import induction as induction
from .rules.jets import two_jet as two_jet
from .rules.limits import in_the_limit as in_the_limit
from .rules.limits import limit_by as limit_by
from .rules.termwise import termwise as termwise
from .show.printer import latex as latex
from .show.results import Result as Result
from .terms.any_size import (
    invertible_matrices as invertible_matrices,
)
from .terms.any_size import (
    square_matrices as square_matrices,
)
from .terms.blocks import BlockDiagonal as BlockDiagonal
from .terms.blocks import Stacked as Stacked
from .terms.extrema import MaxOver as MaxOver
from .terms.matrices import (
    Inner as Inner,
)
from .terms.matrices import (
    matrix_function as matrix_function,
)
from .terms.matrices import (
    real_entries as real_entries,
)
from .terms.matrices import (
    vector_function as vector_function,
)
from .terms.modulus import Modulus as Modulus
from .terms.statement import Statement as Statement
from .terms.symbols import (
    complex_function as complex_function,
)
from .terms.symbols import (
    complex_sequence as complex_sequence,
)
from .terms.symbols import (
    complexes as complexes,
)
from .terms.symbols import (
    counts as counts,
)
from .terms.symbols import (
    evens as evens,
)
from .terms.symbols import (
    integers as integers,
)
from .terms.symbols import (
    naturals as naturals,
)
from .terms.symbols import (
    positive_function as positive_function,
)
from .terms.symbols import (
    positives as positives,
)
from .terms.symbols import (
    real_function as real_function,
)
from .terms.symbols import (
    real_sequence as real_sequence,
)
from .terms.symbols import (
    reals as reals,
)
from .terms.symbols import (
    smooth_function as smooth_function,
)
from .terms.verdict import (
    CheckerBug as CheckerBug,
)
from .terms.verdict import (
    Counterexample as Counterexample,
)
from .terms.verdict import (
    ProofError as ProofError,
)
from .terms.verdict import (
    Refuted as Refuted,
)
from .terms.verdict import (
    Undecided as Undecided,
)
from .terms.verdict import (
    Verdict as Verdict,
)
from .values.evaluate import evaluate as evaluate
from .values.point import Point as Point
from .write.claims import eq as eq
from .write.claims import le as le
from .write.claims import lt as lt
from .write.derivation import Derivation as Derivation
from .write.equation import check as check
