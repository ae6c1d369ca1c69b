"""Prints that a reader takes for something else than what was proved: each is noticed."""

import pytest

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.latex.statements import Derived
from posenc_proofs.latex.tokens import Unread

SAID = (
    "for all x, y ∈ ℝ, p ∈ ℝ₊, z ∈ ℂ, m, n ∈ ℤ, i, j, N ∈ ℕ"
    " and every complex sequence h and every real function f, g\n"
)


def derived(text, scope=SAID):
    D = Derivation("attack")
    return [result.record() for result in D.write(scope + text)], D.claimed


def printed_as(row, text="", **instead):
    """Prove ``eq-it``, and confirm it with some of its record replaced."""
    records, theorems = derived(f"{text}eq-it: {row}")
    Derived(records, theorems).confirm("eq-it")
    records[-1].update(instead)
    Derived(records, theorems).confirm("eq-it")


TAMPERED = {
    "braces that nobody sees": ("(x + y)(x - y) = x^2 - y^2", r"{x + y} {x - y} = x^2 - y^2"),
    "braces under a power": ("(x + y)^2 = x^2 + 2xy + y^2", r"{x + y}^2 = x^2 + 2xy + y^2"),
    "braces for brackets of a cosine": (r"\cos(x + y) = \cos(y + x)", r"\cos{x + y} = \cos(y + x)"),
    "digits side by side": ("6x = 4x + 2x", "2 3 x = 4x + 2x"),
    "digits in braces": ("12x = 10x + 2x", "{3}{4} x = 10x + 2x"),
    "a mixed fraction": ("3x = 2x + x", r"6 \frac{1}{2} x = 2x + x"),
    "a number behind a letter": ("3x = 2x + x", "x3 = 2x + x"),
    "and behind a bracket": ("3x = 2x + x", "(x)3 = 2x + x"),
    "digits behind a fraction": (r"\frac32 x = \frac{3x}2", r"\frac{1}23 x = \frac{3x}2"),
    "a second digit below": (r"\frac x{2 \cdot 3} = \frac x6", r"\frac x23 = \frac x6"),
    "a root of two digits": (r"\sqrt{12} x = x\sqrt{12}", r"\sqrt12 x = x\sqrt{12}"),
    "an exponent without braces": ("x^{10} = x^9 x", "x^10 = x^9 x"),
    "an exponent of two numbers": ("x^6 = x^5 x", "x^{2 3} = x^5 x"),
    "an exponent above another": ("x^6 = x^5 x", "{x^2}^3 = x^5 x"),
    "two exponents": ("x^6 = x^5 x", "x^2^3 = x^5 x"),
    "a sum below a brace that is turned": (
        "x - y - p = x - p - y", r"x - \underbrace{y + p}_{\text{two}} = x - p - y",
    ),
    "a power of a brace": ("x + y^2 = y^2 + x", r"\underbrace{x + y}^2 = y^2 + x"),
    "a bar over one letter of two": (r"\overline{z} y = y \overline{z}", r"\bar{zy} = y \overline{z}"),
    "a cosine of what stands apart": (r"\cos(x y) = \cos(y x)", r"\cos x \quad y = \cos(y x)"),
    "a derivative of another order": (
        r"\frac{\partial}{\partial x} \sin(xy) = y \cos(xy)",
        r"\frac{\partial^2}{\partial x} \sin(xy) = y \cos(xy)",
    ),
    "an inverse function": (r"\frac{\cosh(x)}{\cosh(x)} = 1", r"\cosh(x) \cosh^{-1}(x) = 1"),
    "a matrix for a number": ("x + y = y + x", r"\begin{pmatrix} x + y \end{pmatrix} = y + x"),
    "a column for a product": ("xy = yx", r"xy = \begin{pmatrix} y \\ x \end{pmatrix}"),
    "a row that is shorter": ("xy = yx", r"xy = \begin{pmatrix} y & x \\ x \end{pmatrix}"),
    "a half-open interval": ("x + y = y + x", r"\left[x + y\right) = y + x"),
    "a bracket that only opens": ("x + y = y + x", r"\left(x + y) = y + x"),
    "a letter that looks alike": (r"x + y = y + x", r"\mathcal x + y = y + x"),
    "a chain with a cell too many": (
        "x + y\n  = y + x  -- a\n  = x + y  -- b",
        "\\begin{aligned}\nx & + y &= y + x \\\\\n&= x + y\n\\end{aligned}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_a_print_that_reads_otherwise_is_noticed(name):
    row, latex = TAMPERED[name]
    with pytest.raises(Unread):
        printed_as(row, latex=latex)


SCOPES = [
    "for all x ∈ ℝ; for all x ∈ ℝ",
    "not for all x ∈ ℝ",
    "for some x ∈ ℝ",
    "for all x ∈ ℝ, and more",
    "for all e, x ∈ ℝ",
    "for every real function x",
    "for these numbersfor all x ∈ ℝ",
    "for all x ∈ ℂ, x ∈ ℝ",
    "for all x ∈ [0, 1], x ∈ ℝ₊",
    "for all x ∈ [1, 0]",
    *(f"for all x ∈ {ends}" for ends in ("[0]", "[0, 1/0]", "[0, 1, 2]", "[½, 1]", "[a, b]", "[0, 1e3]")),
]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_scope_is_read_to_its_end(scope):
    with pytest.raises(Unread):
        printed_as(r"2\sinh(x) = e^x - e^{-x}", scope=scope)


@pytest.mark.parametrize("name", ["ln", "exp", "det", "max", "sin", "pi"])
def test_a_known_function_is_no_other(name):
    head = rf"\operatorname{{{name}}}(x)"
    with pytest.raises(Unread, match=r"the name of a known function|the upright word"):
        derived(f"{head} := x^2\neq-it: {head} = x^2")


def test_a_free_letter_of_a_meaning_is_not_bound_by_a_sum_around_its_name():
    with pytest.raises(Unread):
        printed_as(
            r"\sum_{j=0}^N 2j + n = n + 2\sum_{i=0}^N i",
            latex=r"\sum_{n=0}^N k(n) + n = n + 2 \sum_{i=0}^N i",
            meant=["k(x) := x + n"],
        )  # fmt: skip


@pytest.mark.parametrize("letter", "zn")
def test_a_derivative_is_by_a_real_letter(letter):
    with pytest.raises(Unread, match="no real letter"):
        printed_as(
            f"{letter}^* + 1 = 1 + {letter}^*",
            latex=rf"\frac{{d}}{{d {letter}}} {letter}^* + {letter}^* = 1 + {letter}^*",
        )


NOT_MEANT = {
    "an index that is a product": ("h_{1 \\cdot i j} + 1 = 1 + h_{ij \\cdot 1}", "h_{ij} + 1 = 1 + h_{ji}"),
    "the factorial of a negative number": ("1 = 1 + 0 n", "(-3)! = 1"),
    "a binomial of a number": ("x + 1 = 1 + x", r"x + \binom x2 = 1 + x"),
    "the larger of two complex numbers": ("z + 1 = 1 + z", r"\max(z, 1) + \min(z, 1) = 1 + z"),
    "a real inner product of complex numbers": (
        "z^2 = z z",
        r"\langle \begin{pmatrix} z \end{pmatrix}, \begin{pmatrix} z \end{pmatrix} \rangle = z^2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_MEANT)
def test_what_has_no_such_meaning_is_not_read(name):
    row, latex = NOT_MEANT[name]
    with pytest.raises(Unread, match=r"reads as|may be negative|may not be real|may be no integer"):
        printed_as(row, latex=latex)
