"""The domain of a letter, and the scope of a statement read off its letters; none without a domain."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import TypeAlias

from sympy import Basic, Dummy, Expr, Indexed, MatrixBase, Symbol, nan, oo, zoo
from sympy.core.function import AppliedUndef

from .any_size import kind_of, unknown
from .symbols import SmoothFunction, complexes, counts, evens, integers, naturals, positives, reals


@lru_cache(maxsize=8192)
def domain_of(atom: Expr) -> str:
    """The set an atom ranges over, as it is printed in a scope.

    Raises:
        ValueError: if the atom has no domain (a plain ``Symbol("x")``).
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


Named: TypeAlias = dict[str, list[str]]


def _named(*expressions: Basic | MatrixBase) -> tuple[Named, Named]:
    """The letters by domain, and the sequences, functions and matrices by kind."""
    letters: Named = {}
    unknowns: Named = {}
    words = {"ℂ": "complex", "ℝ₊": "positive", "ℝ": "real"}
    for matrix in unknown(*expressions):
        unknowns.setdefault(kind_of(matrix), []).append(matrix.name)
    for atom in free_atoms(*expressions):
        domain = domain_of(atom)
        if isinstance(atom, Indexed):
            unknowns.setdefault(f"{words.get(domain, domain)} sequence", []).append(str(atom.base.label))
        elif isinstance(atom, AppliedUndef):
            kind = "smooth real" if isinstance(atom.func, SmoothFunction) else words.get(domain, domain)
            unknowns.setdefault(f"{kind} function", []).append(atom.func.__name__)
        else:
            letters.setdefault(domain, []).append(str(atom))
    return letters, unknowns


def _listed(letters: Named) -> str:
    return ", ".join(f"{', '.join(map(pretty_name, names))} ∈ {domain}" for domain, names in letters.items())


def scope_of(*expressions: Basic | MatrixBase) -> str:
    """The scope of a statement: ``for all m, n ∈ ℤ, θ ∈ ℝ and every real sequence h``."""
    letters, unknowns = _named(*expressions)
    every = [f"every {kind} {', '.join(map(pretty_name, names))}" for kind, names in unknowns.items()]
    parts = ([f"for all {_listed(letters)}"] if letters else []) + (
        ["for " * (not letters) + " and ".join(every)] if every else []
    )
    return " and ".join(parts) or "for these numbers"


def assumed_of(constants: Collection[str], *expressions: Basic | MatrixBase) -> str:
    """Of whom a hypothesis is assumed, and for which values.

    Example:
        >>> from posenc_lib.proofs import integers, real_function, reals
        >>> m, c, phi = integers("m"), reals("c"), real_function("phi")
        >>> assumed_of(["c"], phi(m), c * m)
        'assumed of c ∈ ℝ and the real function φ, for all m ∈ ℤ'
    """
    letters, unknowns = _named(*expressions)
    sides = [
        {d: [n for n in ns if (n in constants) is own] for d, ns in letters.items()} for own in (True, False)
    ]
    own, free = ({domain: names for domain, names in side.items() if names} for side in sides)
    of = [_listed(own)] if own else []
    for kind, names in unknowns.items():
        many = f"{kind[:-2]}ices" if kind.endswith("matrix") else f"{kind}s"
        of.append(f"the {many if len(names) > 1 else kind} {', '.join(map(pretty_name, names))}")
    whom = f" of {' and '.join(of)}" + "," * bool(free) if of else ""
    values = f" for all {_listed(free)}" if free else " for these numbers" * (not of)
    return f"assumed{whom}{values}"


EVERY = re.compile(
    r"\bevery ([^,]+?(?:function|sequence|matrix|-vector)) ((?:[^\s,∈]+, )*[^\s,∈]+)(?=,| and |;|$)"
)


def as_assumed(scope: str, names: Collection[str]) -> str:
    """A scope in which the sequences, functions and matrices of these names are not any: they are as assumed.

    Example:
        >>> as_assumed("for all m ∈ ℤ and every real function f, φ", {"phi"})
        'for all m ∈ ℤ and every real function f and every real function φ as assumed'
    """
    known = set(map(pretty_name, names))

    def marked(found: re.Match[str]) -> str:
        kind, each = found[1], found[2].split(", ")
        free, given = ([n for n in each if (n in known) is own] for own in (False, True))
        parts = [f"every {kind} {', '.join(free)}"] if free else []
        return " and ".join(parts + ([f"every {kind} {', '.join(given)} as assumed"] if given else []))

    return EVERY.sub(marked, scope)


GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "theta": "θ",
    "Theta": "Θ", "lambda": "λ", "mu": "μ", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "Phi": "Φ", "varphi": "φ", "psi": "ψ", "omega": "ω", "zeta": "ζ", "eta": "η", "kappa": "κ",
}  # fmt: skip


def pretty_name(name: str) -> str:
    """``theta_1`` → ``θ_1``, ``phi(0)`` → ``φ(0)``, ``x^star`` → ``x⋆``: in text, a scope or a point."""
    letters = re.match(r"[A-Za-z]*", name)[0]  # type: ignore[index]
    return GREEK.get(letters, letters) + name[len(letters) :].replace("^star", "⋆")
