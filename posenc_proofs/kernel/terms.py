"""Terms: what a statement is made of. Checked when they are built, never changed afterwards.

A term has a complex value for all values of its letters; every function is total:

- ``inv`` of 0 is 0, ``log`` of 0 is 0, and so is ``pow`` of 0 unless the exponent is 0;
- ``sum`` and ``prod`` run over the integers n with lo <= n <= hi (none if an end is not real); of nothing
  they are 0 and 1; ``max`` is 0 of nothing, and of values that are not all real;
- ``int`` is the oriented integral from lo to hi, 0 where an end is not real or the body cannot be
  integrated;
- ``lim`` is the limit of its body: from 0 to oo, or from oo to 0, the letter goes through the positive
  numbers, from 1 to oo through the integers; ``oo`` is some number that means nothing elsewhere, and the
  limit where there is none;
- ``delta`` is 1 where its arguments are equal, else 0;
- a function of domain ``M`` has square matrices as values, all of one size, whatever that is; ``T`` is a
  transpose; ``word`` is any one linear function, the same everywhere, of the product of its matrices, of
  none the identity: so an equation between words says that two matrices are equal, and coefficients commute;
  no matrix depends on a word, or it would be another for each linear function;
- a function of domain D has values in D, whatever its arguments; one of domain ``S`` is real and smooth in
  its real arguments; of one argument f' is its derivative, of more f'12 that in the first and the second.

A bound letter has no name: ``bv`` counts the binders between it and its own (locally nameless, de Bruijn
1972). So two terms that differ in a bound letter's name, the ``hint``, are equal, and substitution cannot
capture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import inf
from operator import is_
from typing import Any

DOMAINS = ("Z", "N", "N+", "R", "R+", "C", "S", "M")  # S, M: functions, no letters
INTEGERS = ("Z", "N", "N+")
BINDERS = ("sum", "prod", "int", "max", "lim")
# Each function, and of how many arguments it is.
OF_ONE = "exp log sqrt cos sin tan cosh sinh tanh conj abs re im inv Ci Si erf"
FUNCTIONS = dict.fromkeys(OF_ONE.split(), 1) | {"pow": 2, "delta": 2, "pi": 0, "euler": 0, "oo": 0}
NAME = re.compile(r"[^\W\d]\w*('+|'\d+)?(\[\])?", re.ASCII)  # no two alphabets, whose letters look alike
FRESH = re.compile(r"#\d+", re.ASCII)
LONGEST = 10**6  # characters of a term: doubling it twenty times over is refused before the memory is full
DIGITS = 10**4  # binary, of a number
MOST = 3 * 10**5  # terms and values that one replay may compute: some seconds
RATIONAL = re.compile(r"-?\d+(/0*[1-9]\d*)?", re.ASCII)


class Refused(ValueError):
    """A rule does not apply, or a certificate is not one."""


def ask(condition: bool, message: str) -> None:
    """A condition of a rule: refused where it does not hold."""
    if not condition:
        raise Refused(message)


_left = [inf]


@contextmanager
def limited(times: int = 1) -> Iterator[None]:
    """Meanwhile ``work`` refuses to compute more than so many times ``MOST`` terms and values."""
    before, _left[0] = _left[0], times * MOST
    try:
        yield
    finally:
        _left[0] = before


def work(amount: int) -> None:
    _left[0] -= amount
    ask(_left[0] >= 0, "too many terms and values to compute")


class Term:
    """A head, its plain data (numbers, names), its arguments; equal when they print alike as ``text``."""

    __slots__ = ("args", "data", "head", "hint", "loose", "text")

    head: str
    data: tuple[Any, ...]
    args: tuple[Term, ...]
    hint: str
    loose: int  # how many binders around it its bound letters need
    text: str

    def __init__(self, head: str, data: tuple = (), args: tuple[Term, ...] = (), hint: str = "") -> None:
        loose = max([a.loose for a in args]) if args else 0
        if head == "num":
            ok = len(data) == 2
            ask(all(n.bit_length() < DIGITS for x in data for n in x.as_integer_ratio()), "a number too long")
        elif head == "var":
            ok = _named(*data) and data[1] not in ("S", "M") and not args
        elif head == "app":
            ok = _named(*data) and (len(args) > 0 or data[1] == "M") and _partial(data[0], len(args))
        elif head in ("bv", "^"):
            ok = len(data) == 1 and type(data[0]) is int and data[0] >= 0
            loose = data[0] + 1 if head == "bv" else loose
        elif head in BINDERS:
            ok = len(args) == 3 and NAME.fullmatch(hint) is not None and hint not in FUNCTIONS
            loose = max(args[0].loose, args[1].loose, args[2].loose - 1)
        elif head == "T":
            ok = len(args) == 1 and args[0].head == "app" and is_matrix(args[0])
        elif head == "word":
            ok = all(map(is_matrix, args)) and not has_words(*args)
        else:
            ok = head in ("+", "*") or FUNCTIONS.get(head) == len(args)
        if not ok:
            ask(False, f"not a term: {head} {data} of {len(args)}")
        ask(head in ("word", "T") or not any(map(is_matrix, args)), "a matrix outside a product")
        text = f"({' '.join([head, *map(str, data), *[a.text for a in args]])})"
        ask(len(text) < LONGEST, f"a term of more than {LONGEST} characters")
        for name, value in zip(self.__slots__, (args, data, head, hint, loose, text), strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, *_: object) -> None:
        raise AttributeError("terms are not changed")

    def __init_subclass__(cls) -> None:
        raise TypeError("there is one class of terms")

    def __eq__(self, other: object) -> bool:
        return type(other) is Term and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


def is_matrix(t: Term) -> bool:
    return t.head == "T" or (t.head == "app" and t.data[1] == "M")


def _named(name: str, domain: str) -> bool:
    """A name that no function of the language has, and a domain; a prime only on a smooth function."""
    named = name not in FUNCTIONS and (NAME.fullmatch(name) or FRESH.fullmatch(name)) is not None
    return named and domain in DOMAINS and ("'" not in name or domain == "S")


def _partial(name: str, arity: int) -> bool:
    """Whether f'12, each argument in its turn, or f'' of one argument, is a derivative of f.

    Of ten arguments and more there is none: f'11 would be two of them.
    """
    _, prime, slots = name.partition("'")
    if arity == 1:
        return set(slots) <= {"'"}
    in_turn = slots > "" and set(slots) <= set("123456789"[:arity]) and list(slots) == sorted(slots)
    return not prime or (arity < 10 and in_turn)


def num(re: Fraction | int, im: Fraction | int = 0) -> Term:
    return Term("num", (Fraction(re), Fraction(im)))


def var(name: str, domain: str) -> Term:
    return Term("var", (name, domain))


def fun(head: str, *args: Term) -> Term:
    return Term(head, (), args)


def add(*args: Term) -> Term:
    return Term("+", (), args)


def mul(*args: Term) -> Term:
    return Term("*", (), args)


def power(base: Term, exponent: int) -> Term:
    return Term("^", (exponent,), (base,))


ZERO, ONE, I, PI, OO = num(0), num(1), num(0, 1), fun("pi"), fun("oo")
PATHS = {(ZERO, OO): "R+", (OO, ZERO): "R+", (ONE, OO): "N+"}  # of a limit, and the domain of its letter


def neg(a: Term) -> Term:
    return mul(num(-1), a)


def sub(a: Term, b: Term) -> Term:
    return add(a, neg(b))


def subterms(t: Term) -> Iterator[Term]:
    yield t
    for a in t.args:
        yield from subterms(a)


def letters(*terms: Term) -> frozenset[Term]:
    return frozenset[Term]().union(*map(_letters, terms))


@lru_cache(maxsize=100_000)
def _letters(t: Term) -> frozenset[Term]:
    return frozenset([t]) if t.head == "var" else letters(*t.args)


def has_words(*terms: Term) -> bool:
    return any("(word" in t.text for t in terms)  # a name has no bracket


def replaced(t: Term, at: Callable[[Term, int], Term | None], depth: int = 0) -> Term:
    """``t`` with ``at(subterm, binders passed)`` for each outermost subterm for which that is a term."""
    new = at(t, depth)
    if new is not None:
        return new
    inner = depth + (t.head in BINDERS)
    args = tuple([replaced(a, at, inner if k == 2 else depth) for k, a in enumerate(t.args)])
    return t if all(map(is_, args, t.args)) else Term(t.head, t.data, args, t.hint)


def substitute(t: Term, values: Mapping[Term, Term]) -> Term:
    """``t`` with closed terms for closed subterms, all at once."""
    if any(a.loose for pair in values.items() for a in pair):
        raise AssertionError("a bound letter would be captured")

    def put(s: Term, _: int) -> Term | None:
        if s in values:
            return values[s]
        return None if any(key.text in s.text for key in values) else s  # s itself, where no key stands

    return replaced(t, put)


def bind(binder: str, hint: str, lo: Term, hi: Term, letter: Term, body: Term) -> Term:
    """The binder over ``letter`` in ``body``."""

    def put(s: Term, depth: int) -> Term | None:
        if s == letter:
            return Term("bv", (depth,))
        return None if letter.text in s.text else s

    return Term(binder, (), (lo, hi, replaced(body, put)), hint)


def at(t: Term, value: Term) -> Term:
    """The body of the binder ``t`` with a closed value for its letter: the only way to open a binder."""
    if t.head not in BINDERS or t.loose or value.loose:
        raise AssertionError("a closed binder and a closed value are expected")

    def put(s: Term, depth: int) -> Term | None:
        if s.loose <= depth:  # nothing in it is bound here
            return s
        return value if s.head == "bv" else None

    return replaced(t.args[2], put)


def mapped(t: Term, f: Callable[[Term], Term], ends: Callable[[Term], Term] = lambda end: end) -> Term:
    """The binder ``t`` with ``f`` of its body, and ``ends`` of its ends."""
    x = fresh("R" if t.head == "int" else "Z", t)
    return bind(t.head, t.hint, ends(t.args[0]), ends(t.args[1]), x, f(at(t, x)))


def fresh(domain: str, *terms: Term) -> Term:
    """A letter that occurs in none of the terms, with a name that no certificate can write."""
    taken = {x.data[0] for x in letters(*terms)}
    return var(next(name for name in (f"#{n}" for n in range(len(taken) + 1)) if name not in taken), domain)


def read(row: Any, shared: Sequence[Term] = ()) -> Term:
    """A term from plain JSON; its names are an author's, its numbers written as in "-3/2".

    Instead of a term that occurs often there may be its number among those ``shared``.
    """
    if type(row) is int:
        ask(row >= 0, f"the number of an earlier term is expected: {row}")
        return shared[row]
    ask(type(row) is list, f"not a term: {str(row)[:60]}")
    head, rest = row[0], row[1:]
    if head == "num":
        ask(all(RATIONAL.fullmatch(q) for q in rest), f"not a number: {rest}")
        return Term("num", tuple(map(Fraction, rest)))
    first = 2 if head in ("var", "app") else 1 if head in BINDERS else 0
    last = 0 if head == "bv" else 1 if head == "^" else len(rest)
    args = tuple(read(a, shared) for a in rest[first:last])
    if head in BINDERS:
        return Term(head, (), args, *rest[:1])
    if head in ("var", "app"):
        ask(not FRESH.fullmatch(str(rest[0])), f"a name of the kernel's own: {rest[:1]}")
    return Term(head, tuple(rest[:first] + rest[last:]), args)
