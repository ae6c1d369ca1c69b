"""Products of square matrices of any one size: words of letters that do not commute.

A theorem about words holds for every linear function of a matrix: of X, of a X b, of the transpose of X.
"""

from collections.abc import Callable

from .terms import ZERO, Term, ask, has_words, replaced
from .theorem import Formula, Theorem, concluded, rule

Letters = tuple[Term, ...]


def in_words(t: Term, f: Callable[[Letters], Letters]) -> Term:
    """t with f of the letters of each word."""

    return replaced(t, lambda s, _: Term("word", (), f(s.args)) if s.head == "word" else None)


def turned(letters: Letters) -> Letters:
    return tuple(a.args[0] if a.head == "T" else Term("T", (), (a,)) for a in reversed(letters))


@rule("theorem", ["matrix"], ["matrix"])
def between(th: Theorem, before: list[Term], after: list[Term]) -> Theorem:
    """H |- L = R: H |- a L b = a R b. X to f(a X b) is linear where f is."""
    left, right = (in_words(t, lambda w: (*before, *w, *after)) for t in (th.left, th.right))
    return concluded((left, th.relation, right), [th])


@rule("theorem")
def transposed(th: Theorem) -> Theorem:
    """H |- L = R: H |- L^T = R^T. X to f(X^T) is linear where f is, and (A B)^T = B^T A^T."""
    return concluded((in_words(th.left, turned), th.relation, in_words(th.right, turned)), [th])


@rule("theorem", ["matrix"], ["matrix"])
def other_side(th: Theorem, a: list[Term], b: list[Term]) -> Theorem:
    """H |- a b = 1: H |- b a = 1. The matrices are square: what is one to one there is onto."""
    ask((th.left, th.relation) == (Term("word", (), (*a, *b)), "="), "a product of the two is expected")
    ask(th.right == Term("word"), "a product that is 1 is expected")
    return concluded((Term("word", (), (*b, *a)), "=", th.right), [th])


def is_sum_of_words(t: Term) -> bool:
    """Whether t is a sum of words with coefficients as it is written: so it can be read as a matrix."""
    if t.head == "+":
        return all(map(is_sum_of_words, t.args))
    if t.head == "*":
        with_words = [a for a in t.args if has_words(a)]
        return len(with_words) == 1 and is_sum_of_words(with_words[0])
    return t.head == "word" or t == ZERO


def between_matrices(h: Formula) -> None:
    """Refused unless the sides of a formula with words read as matrices: two numbers would commute."""
    if has_words(h.left, h.right):
        ask(is_sum_of_words(h.left) and is_sum_of_words(h.right), "a sum of products of matrices is expected")
