"""Symbols with a domain. Every statement's scope is read off these; a symbol without one is refused."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from sympy import Basic, Dummy, Expr, Function, Indexed, IndexedBase, MatrixBase, Symbol, nan, oo, zoo
from sympy.core.function import AppliedUndef
from sympy.core.function import UndefinedFunction as FunctionClass

CANONICAL_PREFIX = "_k"
FINISHED = ("sum_", "product_", "integral_", "prime_")  # functions that stand for what is not rewritten again


def _make(names: str, **assumptions: bool) -> Any:
    made = tuple(Symbol(name, **assumptions) for name in names.replace(",", " ").split())
    return made[0] if len(made) == 1 else made


def integers(names: str) -> Any:
    """Integer symbols, such as positions: ``m, n = integers("m n")``.

    >>> m, n = integers("m n")
    >>> (m - n).is_integer
    True
    """
    return _make(names, integer=True)


def evens(names: str) -> Any:
    """Even positive integers, such as the width of a head; they may be halved, but not divided by 3.

    >>> (evens("d") / 2).is_integer
    True
    """
    return _make(names, even=True, positive=True)


def naturals(names: str) -> Any:
    """Symbols in {0, 1, 2, …}, such as the length of a sum.

    >>> naturals("N").is_nonnegative
    True
    """
    return _make(names, integer=True, nonnegative=True)


def counts(names: str) -> Any:
    """Symbols in {1, 2, 3, …}, such as the number of planes.

    >>> counts("d").is_positive
    True
    """
    return _make(names, integer=True, positive=True)


def reals(names: str) -> Any:
    """Real symbols, such as angles.

    >>> reals("theta").is_real
    True
    """
    return _make(names, real=True)


def positives(names: str) -> Any:
    """Positive real symbols, such as a base or a modulus.

    >>> positives("b").is_positive
    True
    """
    return _make(names, positive=True)


def complexes(names: str) -> Any:
    """Complex symbols, such as a plane of a query read as one number.

    >>> q, k = complexes("q k")
    >>> print(q.is_complex, q.is_real)
    True None
    """
    return _make(names, complex=True)


def real_sequence(name: str) -> IndexedBase:
    """A real sequence: ``theta = real_sequence("theta")``, used as ``theta[i]``.

    >>> real_sequence("theta")[integers("i")].is_real
    True
    """
    return IndexedBase(name, real=True)


def complex_sequence(name: str) -> IndexedBase:
    """A complex sequence.

    >>> complex_sequence("h")[0].is_complex
    True
    """
    return IndexedBase(name, complex=True)


def real_function(name: str) -> FunctionClass:
    """An arbitrary real-valued function (no smoothness is assumed).

    >>> real_function("g")(integers("m")).is_real
    True
    """
    return Function(name, real=True)


def positive_function(name: str) -> FunctionClass:
    """An arbitrary positive function.

    >>> positive_function("r")(integers("m")).is_positive
    True
    """
    return Function(name, positive=True)


class SmoothFunction(FunctionClass):
    """The class of unknown functions that are declared infinitely differentiable."""


def smooth_function(name: str) -> FunctionClass:
    """An arbitrary infinitely differentiable real function; its derivatives are further unknowns.

    >>> h, t = smooth_function("h"), reals("t")
    >>> h(t).diff(t)
    Derivative(h(t), t)
    """
    return SmoothFunction(name, real=True)


def is_smooth_unknown(e: Basic) -> bool:
    """Whether ``e`` is a smooth unknown function of one argument."""
    return isinstance(e.func, SmoothFunction) and len(e.args) == 1


def complex_function(name: str) -> FunctionClass:
    """An arbitrary complex-valued function.

    >>> complex_function("f")(integers("m")).is_complex
    True
    """
    return Function(name, complex=True)


@lru_cache(maxsize=8192)
def domain_of(atom: Expr) -> str:
    """The set an atom ranges over, as it is printed in a scope.

    Raises
    ------
    ValueError
        if the atom has no domain (a plain ``Symbol("x")``).
    """
    facts = _facts(atom)
    for domain, example in EXAMPLES.items():
        if facts == _facts(example):
            return domain
    raise ValueError(
        f"symbol {atom} has no domain; make it with integers, reals, positives, complexes, "
        "real_sequence or real_function, so that the statement says for which values it holds"
    )


QUESTIONS = [
    "integer",
    "even",
    "prime",
    "rational",
    "real",
    "extended_real",
    "complex",
    "imaginary",
    "positive",
    "nonnegative",
    "negative",
    "nonpositive",
    "zero",
]


def _facts(atom: Expr) -> tuple[bool | None, ...]:
    """What is known of an atom: a letter with more than its domain says would prove too much."""
    return tuple(getattr(atom, f"is_{question}") for question in QUESTIONS)


EXAMPLES = {
    "ℤ": integers("x"),
    "ℕ": naturals("x"),
    "ℕ₊": counts("x"),
    "2ℤ": Symbol("x", even=True),
    "2ℕ₊": evens("x"),
    "ℝ": reals("x"),
    "ℝ₊": positives("x"),
    "ℂ": complexes("x"),
}


def in_domain(letter: Basic, value: Basic) -> bool:
    """Whether a value is known to lie in the domain of a letter."""
    questions = ("integer", "even", "extended_real", "nonnegative", "positive")
    asked = [f"is_{question}" for question in questions if getattr(letter, f"is_{question}", None)]
    return not value.has(oo, -oo, zoo, nan) and all(getattr(value, question, None) for question in asked)


def free_atoms(*expressions: Basic | MatrixBase, distinct: bool = False) -> list[Expr]:
    """The free symbols and the sequences/functions of some expressions, one a name, in a stable order.

    With ``distinct``, letters of one name but several domains are all listed.
    """
    found: dict[str, Expr] = {}
    for expression in expressions:
        heads = expression.atoms(Indexed, AppliedUndef)
        hidden = {head.base.label for head in heads if isinstance(head, Indexed)}
        for head in heads:
            name = str(head.base.label) if isinstance(head, Indexed) else head.func.__name__
            found.setdefault(f"1{name}{domain_of(head) if distinct else ''}", head)
        for symbol in expression.free_symbols:
            if isinstance(symbol, Symbol) and symbol not in hidden and not isinstance(symbol, Dummy):
                found.setdefault(f"0{symbol.name}{domain_of(symbol) if distinct else ''}", symbol)
    return [found[key] for key in sorted(found)]


def scope_of(*expressions: Basic | MatrixBase) -> str:
    """The scope of a statement: ``for all m, n ∈ ℤ, θ ∈ ℝ and every real sequence h``."""
    letters: dict[str, list[str]] = {}
    unknowns: dict[str, list[str]] = {}
    words = {"ℂ": "complex", "ℝ₊": "positive", "ℝ": "real"}
    for atom in free_atoms(*expressions):
        domain = domain_of(atom)
        if isinstance(atom, Indexed):
            unknowns.setdefault(f"{words.get(domain, domain)} sequence", []).append(str(atom.base.label))
        elif isinstance(atom, AppliedUndef):
            kind = "smooth real" if isinstance(atom.func, SmoothFunction) else words.get(domain, domain)
            unknowns.setdefault(f"{kind} function", []).append(atom.func.__name__)
        else:
            letters.setdefault(domain, []).append(str(atom))
    shown = [f"{', '.join(map(pretty_name, names))} ∈ {domain}" for domain, names in letters.items()]
    every = [f"every {kind} {', '.join(map(pretty_name, names))}" for kind, names in unknowns.items()]
    parts = ([f"for all {', '.join(shown)}"] if shown else []) + (
        ["for " * (not shown) + " and ".join(every)] if every else []
    )
    return " and ".join(parts) or "for these numbers"


GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "theta": "θ",
    "Theta": "Θ", "lambda": "λ", "mu": "μ", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "Phi": "Φ", "varphi": "φ", "psi": "ψ", "omega": "ω", "zeta": "ζ", "eta": "η", "kappa": "κ",
}  # fmt: skip


def pretty_name(name: str) -> str:
    """``theta_1`` → ``θ_1`` and ``phi(0)`` → ``φ(0)``, for scopes and counterexamples, which are text."""
    letters = re.match(r"[A-Za-z]*", name)[0]  # type: ignore[index]
    return GREEK.get(letters, letters) + name[len(letters) :]
