"""An expression as text: SymPy and LaTeX say the same; every name is looked up, nothing is run."""

import pytest
import sympy
from sympy import Abs, Integral, KroneckerDelta, Rational, Sum, conjugate, cos, exp, factorial, sqrt

from posenc_lib.proofs import *
from posenc_lib.proofs.cell.expressions import parsed
from posenc_lib.proofs.reread.expressions import Reader
from posenc_lib.proofs.reread.names import Names
from posenc_lib.proofs.reread.tokens import tokens
from posenc_lib.proofs.search.proof import Proof
from posenc_lib.proofs.search.read import term

m, n = integers("m n")
i, j, N = naturals("i j N")
d = counts("d")
x, y, t, θ = reals("x y t theta")
p, b = positives("p b")
z = complexes("z")
h, w = complex_sequence("h"), real_sequence("w")
f, G = real_function("f"), smooth_function("G")
R = matrix_function("R", 2, 2)
LETTERS = (m, n, i, j, N, d, x, y, t, p, b, z)
NAMES = {str(e): e for e in LETTERS} | {"θ": θ, "h": h, "w": w, "f": f, "G": G, "R": R, "alias": x + y}

SAME = {
    "y + x": x + y,
    "x - y - x": -y,
    "x - (y - x)": 2 * x - y,
    "b^2*x": b**2 * x,
    "-x^2": -(x**2),
    "(-x)**2": x**2,
    "2^-1*x": x / 2,
    "x*y/p/b": x * y / (p * b),
    "1/2": Rational(1, 2),
    "1/3*x": x / 3,
    "e^(I*m*θ)": exp(sympy.I * m * θ),
    "exp(-x)": exp(-x),
    "cos(π*x)": cos(sympy.pi * x),
    "|z|": Abs(z),
    "|z|^2 + |x + |z||": Abs(z) ** 2 + Abs(x + Abs(z)),
    "||x| - |y||": Abs(Abs(x) - Abs(y)),
    "|x|*|y|": Abs(x) * Abs(y),
    "conj(z)*z": conjugate(z) * z,
    "h(i)*h[j]": h[i] * h[j],
    "f(x + 1)": f(x + 1),
    "sum(h(i), i, 0, N)": Sum(h[i], (i, 0, N)),
    "sum(sum(h[i]*w[j], j, 0, i), i, 0, N)": Sum(h[i] * w[j], (j, 0, i), (i, 0, N)),
    "prod(p, i, 0, N)": sympy.Product(p, (i, 0, N)),
    "int(G(t), t, 0, x)": Integral(G(t), (t, 0, x)),
    "max(w[i], i, 0, d)": MaxOver(w[i], (i, 0, d)),
    "max(x, y)": sympy.Max(x, y),
    "min(x, y)": sympy.Min(x, y),
    "delta(i, j)": KroneckerDelta(i, j),
    "factorial(N)": factorial(N),
    "binomial(m, 2)": sympy.binomial(m, 2),
    "diff(G(x)*x, x)": sympy.Derivative(G(x) * x, x),
    "sqrt(p)": sqrt(p),
    "p^(1/2)": sqrt(p),
    "p^(-1/2)": 1 / sqrt(p),
    "b^x": b**x,
    "(-1)^m": (-1) ** m,
    "alias*2": 2 * x + 2 * y,
    "x − y·2": x - 2 * y,
    "x +\n   y": x + y,
}


@pytest.mark.parametrize("text", SAME)
def test_what_is_printed_is_what_sympy_has(text):
    expression, shown = parsed(text, NAMES)
    assert expression == SAME[text]
    t = term(expression)
    names = Names([Proof().ring(s, s) for s in (t, *map(term, LETTERS))], {})
    assert names.same(Reader(tokens(shown.text), names, {}).sum(), t), shown.text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("y + x + 2", "y + x + 2"),
        ("x - (y + x)", r"x - \left(y + x\right)"),
        ("x + (y + 2)", "x + y + 2"),
        ("-2*x*y/p", r"- \frac{2 x y}{p}"),
        ("y*x*2", r"y x \cdot 2"),
        ("(y + x)*b^2", r"\left(y + x\right) b^{2}"),
        ("x/b*y", r"\frac{x}{b} y"),
        ("cos(x)^2", r"\cos^{2}(x)"),
        ("sum(w(i), i, 0, N)*x", r"\left(\sum_{i=0}^{N} w_{i}\right) x"),
        ("x*sum(w(i) + 1, i, 0, N)", r"x \sum_{i=0}^{N} \left(w_{i} + 1\right)"),
        ("f(x)^2*0.10", r"f(x)^{2} \cdot 0.1"),
        ("R(m).T*R(n)", r"R_{m}^{\top} R_{n}"),
        ("alias*2", r"\left(x + y\right) \cdot 2"),
    ],
)
def test_what_is_printed_keeps_the_order_of_the_author(text, printed):
    assert parsed(text, NAMES).written.text == printed


def test_a_decimal_is_the_number_that_its_digits_say():
    assert parsed("0.1 + 0.20", NAMES).expression == Rational(3, 10)


def test_a_result_is_printed_as_it_was_written_if_that_is_what_was_proved():
    D = Derivation("order")
    [first] = derive(D, "eq-order: y + x\n  = x + 1*y -- turned", NAMES)
    assert first.latex() == "y + x = x + 1 y"
    [other] = derive(D, "eq-root: 2*sqrt(x^2)\n  = |2*x| -- a root", NAMES)  # what SymPy took was 2|x|
    assert other.latex() == r"2 \left|{x}\right| = 2 \left|{x}\right|"


REFUSED = {
    "": "an expression is expected",
    "q + 1": r'q is not known here: write q = reals\("q"\)',
    "x + y + 3 x": r"column 9: a product is written with \*: 3\*x, not 3 x",
    "1j": "the imaginary unit is written I",
    "x.is_real": "only A.T, the transpose",
    "f": r"f needs an argument: write f\(i\)",
    "h + 1": "h needs an argument",
    "x(y + 1)": r"x is a letter: write x\*\(…\)",
    "2(x + 1)": r"a product is written with \*",
    "2 x": r"a product is written with \*: 2\*x, not 2 x",
    "cos((x - y)x)": r"a product is written with \*: \)\*x, not \)x",
    "x + ?": r"column 5: write your formula in the place of the \?",
    "x +": "this is no expression",
    "|x": "column 1: this | has no partner",
    "x|y|": r"column 2: a sign is expected before \|",
    "open('f')": "open is no sequence or function",
    "__import__('os')": "__import__ is no sequence or function",
    "(lambda: 1)()": "a name is expected before the bracket",
    "[x for x in y]": "are expected, not",
    "f'{x}'": "a string",
    "x if y else 1": "are expected, not",
    "x < y": "are expected, not",
    "x // y": "are expected, not x // y",
    "not x": "or - is expected",
    "True": "a number is expected",
    "'x'": "a number is expected, not 'x'",
    "9^9^9": "an exponent of at most 1000",
    "x/0": "a divisor other than 0",
    "sum(x)": r"sum\(expression, letter, first, last\) is expected",
    "sum(x, 1, 0, N)": "a letter to run over is expected, not 1",
    "cos(x, y)": "cos: one argument is expected, got 2",
    "max(x)": "max: two arguments are expected, got 1",
    "cos(x=1)": "arguments without names",
    "sum": r"sum is not known here: write sum\(…\)",
    "tool": "tool is a function",
    "x + h[i]*θ + q": "column 14: q is not known",
    "(" * 300 + "x" + ")" * 300: "cannot be read|no expression",
    "x" * 10_001: "at most 10000 characters",
}


@pytest.mark.parametrize("text", REFUSED, ids=[text[:20] for text in REFUSED])
def test_what_is_refused_names_the_place_and_what_to_write(text):
    def tool():
        raise AssertionError("a text ran a function")

    with pytest.raises(Misread, match=REFUSED[text]):
        parsed(text, NAMES | {"tool": tool})


def test_a_letter_of_the_author_comes_before_a_function_of_ours():
    delta = real_sequence("delta")
    assert parsed("delta(i) + delta[j]", NAMES | {"delta": delta})[0] == delta[i] + delta[j]
    assert parsed("e*x", NAMES | {"e": p})[0] == p * x
