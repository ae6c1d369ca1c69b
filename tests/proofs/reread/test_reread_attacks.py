"""Prints that a reader takes for something else than what was proved: each is noticed."""

import random
import re
from contextlib import suppress

import pytest
from sympy import (
    Abs,
    Derivative,
    Integer,
    Limit,
    Matrix,
    Max,
    Min,
    Sum,
    conjugate,
    cos,
    cosh,
    exp,
    oo,
    pi,
    sin,
    sinh,
)

from posenc_lib.proofs import (
    BlockDiagonal,
    Derivation,
    check,
    complex_sequence,
    complexes,
    counts,
    eq,
    follows,
    integers,
    limit_by,
    matrix_function,
    naturals,
    positives,
    real_function,
    reals,
)
from posenc_lib.proofs.kernel.terms import read
from posenc_lib.proofs.reread.remainders import third_order
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread

m, n = integers("m n")
i, j, N = naturals("i j N")
x, y = reals("x y")
p = positives("p")
z = complexes("z")
f, g = real_function("f"), real_function("g")
h = complex_sequence("h")


def printed_as(left, right, define=(), **instead):
    """Prove, and confirm the record with some of it replaced."""
    D = Derivation("attack")
    for head, body in define:
        D.define(head, body)
    D.prove("eq-it", left, eq(right, "so it is"))
    record = D.results["eq-it"].record()
    Derived([record], D.theorems.claimed).confirm("eq-it")
    Derived([{**record, **instead}], D.theorems.claimed).confirm("eq-it")


PRODUCT = ((x + y) * (x - y), x**2 - y**2)
NUMBERS = (6 * x, 4 * x + 2 * x)
TAMPERED = {
    "braces that nobody sees": (*PRODUCT, r"{x + y} {x - y} = x^{2} - y^{2}"),
    "braces under a power": ((x + y) ** 2, x**2 + 2 * x * y + y**2, r"{x + y}^{2} = x^{2} + 2 x y + y^{2}"),
    "braces for brackets of a cosine": (cos(x + y), cos(y + x), r"\cos{x + y} = \cos(y + x)"),
    "digits side by side": (*NUMBERS, "2 3 x = 4 x + 2 x"),
    "digits in braces": (12 * x, 10 * x + 2 * x, "{3}{4} x = 10 x + 2 x"),
    "a mixed fraction": (3 * x, 2 * x + x, r"6 \frac{1}{2} x = 2 x + x"),
    "an exponent without braces": (x**10, x**9 * x, "x^10 = x^{9} x"),
    "an exponent of two numbers": (x**6, x**5 * x, "x^{2 3} = x^{5} x"),
    "an exponent above another": (x**6, x**5 * x, "{x^{2}}^{3} = x^{5} x"),
    "two exponents": (x**6, x**5 * x, "x^{2}^{3} = x^{5} x"),
    "a derivative of another order": (
        Derivative(sin(x * y), x), y * cos(x * y), r"\frac{\partial^{2}}{\partial x} \sin(x y) = y \cos(x y)",
    ),
    "an inverse function": (cosh(x) * (1 / cosh(x)), 1 + 0 * x, r"\cosh(x) \cosh^{-1}(x) = 1"),
    "a pole hidden by a delta": (
        (m**2 - n**2) / (m - n), m + n, r"\left(m + n\right) \left(1 - \delta_{m n}\right) = m + n",
    ),
    "a matrix for a number": (x + y, y + x, r"\left(\begin{matrix}x + y\end{matrix}\right) = y + x"),
    "a break inside a matrix": (x * y, y * x, "x y = \\left(\\begin{matrix}y \\\\\n x\\end{matrix}\\right)"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_a_print_that_reads_otherwise_is_noticed(name):
    left, right, latex = TAMPERED[name]
    with pytest.raises(Unread):
        printed_as(left, right, latex=latex)


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
]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_scope_is_read_to_its_end(scope):
    with pytest.raises(Unread):
        printed_as(2 * sinh(x), exp(x) - exp(-x), scope=scope)


DEFINED = [
    ["g(y,x) := x - y"],
    ["g(x,y) := x - y", "g(x,y) := x + y"],
    ["g(x,y) + 1 := x - y"],
    ["g := x - y"],
]


@pytest.mark.parametrize("meant", DEFINED)
def test_the_head_of_a_definition_is_compared(meant):
    with pytest.raises(Unread):
        printed_as(g(x, y) + y, x, [(g(x, y), x - y)], meant=meant)


@pytest.mark.parametrize("name", ["ln", "exp", "det", "max", "sin"])
def test_a_known_function_is_no_other(name):
    known = real_function(name)
    with pytest.raises(ValueError, match="the name of a known function"):
        printed_as(known(2 * x), 4 * known(x), [(known(x), x**2)])
    with pytest.raises(ValueError, match="the name of a known function"):
        check(known(2 * x), known(x + x))
    twice = rf"\operatorname{{{name}}}(2 x) = 4 \operatorname{{{name}}}(x)"
    with pytest.raises(Unread):
        meant = [rf"\operatorname{{{name}}}(x) := x^{{2}}"]
        printed_as(g(2 * x), 4 * g(x), [(g(x), x**2)], latex=twice, meant=meant)


def test_pi_is_the_number():
    with pytest.raises(ValueError, match="pi is the name of a known function or number"):
        printed_as(reals("pi") + 1, 4 + 0 * x, [(reals("pi"), Integer(3))])


def test_a_free_letter_of_a_meaning_is_not_bound_by_a_sum_around_its_name():
    total = Sum(2 * j, (j, 0, N))
    with pytest.raises(Unread):
        printed_as(
            total + n, n + 2 * Sum(i, (i, 0, N)),
            latex=r"\sum_{n=0}^{N} g(n) + n = n + 2 \sum_{i=0}^{N} i", meant=["g(x) := x + n"],
        )  # fmt: skip


FEWER = [
    "for all x ∈ [0, 1] and every real function f",
    "for all x ∈ ℝ and every real function f, with x <= y",
]


@pytest.mark.parametrize("scope", FEWER)
def test_a_hypothesis_for_fewer_values_is_another(scope):
    D = Derivation("given")
    D.assume("eq-shift", f(x + 1), f(x), "periodic")
    D.model(f(x), 1)
    D.prove("eq-two", f(x + 2), eq(f(x), "twice", follows("eq-shift", D.at("eq-shift", x=x + 1))))
    records = [result.record() for result in D.results.values()]
    records[0]["scope"] = scope
    with pytest.raises(Unread, match="no hypothesis is printed"):
        Derived(records, D.theorems.claimed).confirm("eq-two")


def test_ranges_of_blocks_are_compared():
    R = matrix_function("R", 2, 2)
    D = Derivation("blocks")
    D.define(R(x), Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]]))
    turn = BlockDiagonal(R(i * x), (i, 0, N))
    D.prove("eq-turns", turn.T * turn, eq(BlockDiagonal(Matrix([[1, 0], [0, 1]]), (i, 0, N)), "orthogonal"))
    record = D.results["eq-turns"].record()
    Derived([record], D.theorems.claimed).confirm("eq-turns")
    other = record["latex"].replace(r" = \bigoplus_{i=0}", r" = \bigoplus_{i=1}")
    assert other != record["latex"]
    with pytest.raises(Unread, match="two shapes"):
        Derived([{**record, "latex": other}], D.theorems.claimed).confirm("eq-turns")


def test_blocks_range_over_values_of_their_letter():
    """What is proved of 1, 2, ... says nothing of a block 0."""
    k, R = counts("k"), matrix_function("R", 2, 2)
    D = Derivation("blocks")
    D.define(R(x), Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]]))
    turn = BlockDiagonal(R(k * x), (k, 1, N))
    D.prove("eq-turns", turn.T * turn, eq(BlockDiagonal(Matrix([[1, 0], [0, 1]]), (k, 1, N)), "orthogonal"))
    record = D.results["eq-turns"].record()
    Derived([record], D.theorems.claimed).confirm("eq-turns")
    other = record["latex"].replace(r"\bigoplus_{k=1}", r"\bigoplus_{k=0}")
    with pytest.raises(Unread, match="leaves the set of k"):
        Derived([{**record, "latex": other}], D.theorems.claimed).confirm("eq-turns")


def test_a_limit_through_the_integers_says_so():
    whole = counts("x")
    wave = sin(pi * whole / 2) * cos(pi * whole / 2)  # 0 at the integers, and without a limit between them
    D = Derivation("limit")
    D.prove("eq-error", Abs(wave), eq(0 * whole, "0 at each"))
    D.prove("eq-it", Limit(wave, whole, oo), eq(Integer(0), "so it stays", limit_by("eq-error", 0)))
    record = D.results["eq-it"].record()
    assert record["scope"] == "for these numbers, as x → ∞ in ℕ₊"
    Derived([record], D.theorems.claimed).confirm("eq-it")
    with pytest.raises(Unread):
        Derived([{**record, "scope": "for these numbers"}], D.theorems.claimed).confirm("eq-it")


@pytest.mark.parametrize("letter", [z, n], ids=str)
def test_a_derivative_is_by_a_real_letter(letter):
    name, star = str(letter), conjugate(letter)
    with pytest.raises(Unread, match="no real letter"):
        printed_as(
            star + 1,
            1 + star,
            latex=rf"\frac{{d}}{{d {name}}} {name}^{{*}} + {name}^{{*}} = 1 + {name}^{{*}}",
        )


ZERO, ONE, B0 = ["num", "0", "0"], ["num", "1", "0"], ["bv", 0]
H, LATE = ["var", "h", "R"], ["var", "h", "R+"]
PEAK = ["*", ["^", ["inv", B0], 2], ["exp", ["*", ["num", "-1", "0"], ["^", ["*", H, ["inv", B0]], 2]]]]
REMAINDERS = {
    "of third order": (True, H, ONE, ["*", ["^", H, 3], B0]),
    "a square, as three over one": (False, LATE, ONE, ["*", ["^", LATE, 3], ["inv", LATE]]),
    "a square, by a range that grows": (False, H, ["inv", H], ["^", H, 3]),
    "a number, the letter called as the kernel's own": (False, ["var", "remainder", "R"], ONE, ["^", B0, 3]),
    "a square, by a peak that grows": (False, H, ONE, ["*", ["^", H, 3], PEAK]),
    "no integral": (False, H, None, ["^", H, 3]),
}


@pytest.mark.parametrize("name", REMAINDERS)
def test_a_remainder_of_third_order_is_bounded_by_a_cube(name):
    expected, small, end, body = REMAINDERS[name]
    rest = ["int", "u", ZERO, end, body] if end else body
    assert third_order(read(rest), [read(small)]) == expected


NOT_MEANT = {
    "an index that is a product": (h[i * j] + 1, 1 + h[j * i], "h_{i j} + 1 = 1 + h_{j i}"),
    "the factorial of a negative number": (n**0, 1 + 0 * n, r"\left(-3\right)! = 1"),
    "a binomial of a negative number": (x + 1, 1 + x, r"x + \binom{3}{-1} = 1 + x"),
    "the larger of two complex numbers": (z + 1, 1 + z, r"\max(z, 1) + \min(z, 1) = 1 + z"),
    "a real inner product of complex numbers": (
        z**2 * 1, z * z, r"\left\langle \left(\begin{matrix}z\end{matrix}\right),"
        r"\left(\begin{matrix}z\end{matrix}\right)\right\rangle = z^{2}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_MEANT)
def test_what_has_no_such_meaning_is_not_read(name):
    left, right, latex = NOT_MEANT[name]
    with pytest.raises(Unread, match=r"reads as|may be negative|may not be real"):
        printed_as(left, right, latex=latex)


def test_the_larger_of_two_numbers_is_of_real_ones():
    assert check(Max(x, y) + Min(x, y), x + y).status == "proved"
    assert check(Max(z, 1), (z + 1 + Abs(z - 1)) / 2).status == "undecided"


def broken(latex, draw):
    """A piece is lost, doubled, put elsewhere, or another; or what follows is lost."""
    pieces = re.findall(r"\\[a-zA-Z]+|\\.|[a-zA-Z0-9]+|.", latex)
    k, other = draw.randrange(len(pieces)), draw.choice([*pieces, *STRAY])
    ways = [pieces[:k] + new + pieces[k + 1 :] for new in ([], [other], [pieces[k]] * 2, [other, pieces[k]])]
    return "".join(draw.choice([*ways, pieces[:k], pieces[k:]]))


STRAY = [
    "{",
    "}",
    "^",
    "_",
    r"\frac",
    r"\sum_",
    r"\lim_{N}",
    r"\bigoplus_{i}",
    "{}",
    "!",
    ":=",
    r"\to",
    "&",
    "O",
]
N_TIMES = Sum(cos(i * x) ** 2 / 2, (i, 0, N))
PRINTED = {
    "latex": (Derivative(sin(x), x) * N_TIMES, N_TIMES * cos(x)),
    "scope": (sinh(x) + p + m, p + sinh(x) + m),
    "meant": (g(y) + y, y + y**2 / 3 + Sum(cos(j * y), (j, 0, N))),
}


@pytest.mark.parametrize("part", PRINTED)
def test_what_is_broken_is_never_read_otherwise_than_refused(part):
    """Whatever was lost, the answer is Unread, or that it still says the same: no other exception."""
    D = Derivation("broken")
    if part == "meant":
        D.define(g(x), x**2 / 3 + Sum(cos(i * x), (i, 0, N)))
    left, right = PRINTED[part]
    D.prove("eq-it", left, eq(right, "so it is"))
    record = D.results["eq-it"].record()
    said = [record[part]] if part != "meant" else record["meant"]
    draw = random.Random(11)
    for _ in range(250):
        text = broken(draw.choice(said), draw)
        instead = {**record, part: [text] if part == "meant" else text}
        with suppress(Unread):
            Derived([instead], D.theorems.claimed).confirm("eq-it")


BROKEN = {
    "nothing in a fraction": r"\frac{}{2} x = x",
    "nothing after a sign": "x +",
    "nothing in braces": "{} = x",
    "no relation": "x",
    "nothing": "",
    "a limit to nowhere": r"\lim_{N } N = x",
    "blocks over nothing": r"\bigoplus_{i} x = x",
    "a range of no letter": r"\sum_{0 \leq i + \leq N} x = x",
    "a derivative of no whole order": r"\frac{d^{2}}{d x^{y}} x = x",
    "an exponent of nothing": r"\cos^{}(x) = x",
    "brackets in brackets": "(" * 10**5 + "x" + ")" * 10**5 + " = x",
    "a letter that is none": "² = x",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_print_is_unread(name):
    with pytest.raises(Unread):
        printed_as(x, x + y - y, latex=BROKEN[name])


@pytest.mark.parametrize("where", ["[0]", "[0, 1/0]", "[0, 1, 2]", "[½, 1]", "[a, b]", "[0, 1e3]"])
def test_an_interval_has_two_fractions(where):
    with pytest.raises(Unread, match="in the scope"):
        printed_as(2 * sinh(x), exp(x) - exp(-x), scope=f"for all x ∈ {where}")


def test_a_hypothesis_that_is_broken_is_unread():
    D = Derivation("given")
    D.assume("eq-shift", f(x + 1), f(x), "periodic")
    D.model(f(x), 1)
    D.prove("eq-two", f(x + 2), eq(f(x), "twice", follows("eq-shift", D.at("eq-shift", x=x + 1))))
    records = [result.record() for result in D.results.values()]
    Derived(records, D.theorems.claimed).confirm("eq-two")
    for latex in ("", "f(x)", "f(x + 1) = f(x) = f(x)"):
        records[0]["latex"] = latex
        with pytest.raises(Unread, match="one row is expected"):
            Derived(records, D.theorems.claimed).confirm("eq-two")
