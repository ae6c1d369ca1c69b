"""Attacks on the checker: each false statement below was once proved, each true one once refused as false."""

from unittest.mock import patch

import pytest
from sympy import (
    Abs,
    Derivative,
    Function,
    I,
    IndexedBase,
    Integer,
    Integral,
    Limit,
    Matrix,
    Max,
    Ne,
    Product,
    Rational,
    Sum,
    Symbol,
    conjugate,
    cos,
    exp,
    expand,
    eye,
    im,
    log,
    oo,
    pi,
    prod,
    sin,
    sqrt,
)

from posenc_lib.proofs import (
    BlockDiagonal,
    Derivation,
    Inner,
    MaxOver,
    Modulus,
    ProofError,
    Stacked,
    Statement,
    adding,
    antiderivative,
    cauchy_schwarz,
    certified,
    check,
    complex_function,
    complex_sequence,
    complexes,
    counts,
    eq,
    evens,
    finite,
    follows,
    induction,
    integers,
    le,
    limit_by,
    matrix_function,
    maximum,
    naturals,
    positives,
    real_entries,
    real_function,
    real_sequence,
    reals,
    smooth_function,
    triangle,
    two_jet,
    vector_function,
)  # fmt: skip
from posenc_lib.proofs.prove.written_out import written_out
from posenc_lib.proofs.rules.certified import decide_on_box
from posenc_lib.proofs.rules.identity import identity
from posenc_lib.proofs.write.claims import Claim

REFUSED = (ProofError, ValueError, TypeError)

a, b, x, y, T, H = reals("a b x y T H")
m, n = integers("m n")
N, i, j, k = naturals("N i j k")
d, e, g = counts("d"), *evens("e g")
z, w = complexes("z w")
p = positives("p")
h, q = complex_sequence("h"), real_sequence("q")
f, F = real_function("f"), complex_function("F")
G, K = smooth_function("G"), smooth_function("K")
unknown = Derivative(f(T), T)  # has no value at any point: no second opinion is possible


def refused(attempt):
    """Whether an attempt ends in an error or in anything but ``proved``."""
    try:
        return not attempt()
    except REFUSED:
        return True


def false(left, right):
    """Neither path may accept it, nor may the normal form alone."""
    assert not check(left, right)
    with patch("posenc_lib.proofs.prove.check.second_opinion", return_value=True):
        assert not check(left, right)


def with_definition(head, body):
    D = Derivation("attack")
    D.define(head, body)
    return D


# roots, exponentials and letters of the normal form


def test_roots_stay_under_their_sum_and_integral():
    false(N * Sum(Abs(h[i]) * Abs(q[i]), (i, 1, N)), Sum(Abs(h[i]), (i, 1, N)) * Sum(Abs(q[i]), (i, 1, N)))
    false(Sum(f(Abs(h[i])), (i, 0, N)), (N + 1) * f(Abs(h[naturals("l")])))
    apart = Integral(Abs(G(a)), (a, 0, 1)) * Integral(Abs(K(a)), (a, 0, 1))
    assert not check(Integral(Abs(G(a)) * Abs(K(a)), (a, 0, 1)), apart)
    assert check(Sum(Abs(h[i + 1]), (i, 0, N - 1)), Sum(Abs(h[j]), (j, 1, N)))


def test_a_turn_by_an_even_number_of_half_turns_keeps_its_fractions():
    assert not check(cos(pi * e * m / 4), cos(pi * e / 4))
    false(cos(pi * e / 4), cos(pi * g / 4))
    assert check(exp(I * pi * e / 4) ** 8, 1)


def test_an_even_letter_is_only_halved():
    """SymPy 1.14 says that e/6 is an integer for every even e, and that e/3 is none."""
    with pytest.raises(ValueError):
        check(conjugate((-1) ** (e / 6)), (-1) ** (e / 6))
    D = with_definition(f(x), sin(pi * x))
    assert refused(lambda: D.prove("eq-x", f(e / 6), eq(0, "not for e = 2")).verdict)
    D.prove("eq-m", f(m), eq(0, "whole turns"))
    with pytest.raises(ValueError):
        D.at("eq-m", m=e / 6)


def test_an_even_letter_may_be_divided_by_powers_of_two():
    assert check(e / 4 + e / 4, e / 2).status == "proved"
    for fraction in (e / 3, 5 * e / 12):
        for sides in ((fraction + fraction, 2 * fraction), (x, fraction)):
            with pytest.raises(ValueError, match="divides an even letter by more than twos"):
                check(*sides)


def test_half_an_angle_is_not_the_root_of_its_exponential():
    left = Sum(h[i + 1] * exp(I * pi * i / 2), (i, 0, 4 * N - 1))
    right = Sum(h[i] * exp(I * pi * (i - 1) / 2), (i, 0, 4 * N)) + I * h[0]
    assert check(left, right).status in ("proved", "undecided")
    false(left, right + 2 * I * h[4 * N] - 2 * I * h[0])


def test_nested_binders_have_letters_of_their_own():
    nested = {
        "maximum": lambda r, c: MaxOver(1 + MaxOver(q[r, c], (i, 0, N)), (j, 0, N)),
        "product": lambda r, c: Product(1 + Product(q[r, c], (i, 0, N)), (j, 0, N)),
        "sum": lambda r, c: Sum(1 + Sum(q[r, c], (i, 0, N)) ** 2, (j, 0, N)),
    }
    for build in nested.values():
        false(build(i, j), build(i, i))
    inner = lambda t: Integral(1 + Integral(G(a) * t, (a, 0, 1)), (b, 0, 1))  # noqa: E731
    assert not check(inner(b), inner(a))


cube = real_sequence("c")
INSIDE = {
    "one sum inside another": lambda u: Sum(Sum(u(i, j), (i, 0, d - 1)) ** 2, (j, 0, d - 1)),
    "one product inside another": lambda u: Product(1 + Product(u(i, j), (i, 0, d - 1)), (j, 0, d - 1)),
    "two sums inside another, the outermost letter": lambda u: Sum(
        Sum(Sum(u(i, k) * cube[j], (i, 0, d - 1)) ** 2 + cube[j], (j, 0, d - 1)) ** 2, (k, 0, d - 1)
    ),
    "two sums inside another, the two outer letters": lambda u: Sum(
        Sum(u(j, k) * Sum(cube[i, j] * cube[i, k], (i, 0, d - 1)) ** 2, (j, 0, d - 1)) ** 2, (k, 0, d - 1)
    ),
    "a sum over two letters around another": lambda u: Sum(
        Sum(u(i, k) * cube[i, j], (i, 0, d - 1)) ** 2, (j, 0, d - 1), (k, 0, d - 1)
    ),
}


@pytest.mark.parametrize("build", INSIDE.values(), ids=INSIDE)
def test_letters_of_nested_sums_are_told_apart(build):
    square, transposed = (lambda r, c: q[r, c] ** 2), (lambda r, c: q[r, c] * q[c, r])
    false(build(square), build(transposed))
    assert check(build(transposed), build(lambda r, c: q[c, r] * q[r, c]))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (exp(x / 2), exp(x / 3)),
        (exp(x / 3), exp(x / 2)),
        (Sum(q[i], (i, 0, N - 1)), Sum(q[i], (i, 0, d - 1))),
        (Sum(q[i], (i, 0, Rational(1, 2))), q[0]),
        (Sum(q[i], (i, 0, N + Rational(1, 2))), Sum(q[i], (i, 0, N))),
        (Sum(1, (i, 1, p)), p),
        (Sum(q[i], (i, 0, N - 3)), Sum(q[i], (i, 0, N - 1)) - q[N - 1] - q[N - 2]),
        (Product(q[i], (i, 0, N), (j, 0, N)), Product(q[i], (i, 0, N))),
        (Product(q[i], (i, 0, N + Rational(1, 2))), Product(q[i], (i, 0, N))),
        (Product(2, (i, 1, p)), Product(2, (i, 1, p - 1)) * 2),
        (Derivative(G(x), x), Derivative(K(x), x)),
        (Rational(2, 3) ** x, 6**x),
    ],
    ids=str,
)
def test_what_differs_has_another_normal_form(left, right):
    false(left, right)


def test_sums_and_integrals_are_not_evaluated_by_other_conventions():
    empty = Sum(1, (i, 0, m))  # 0 for m < 0, where SymPy's summation says m + 1
    R = matrix_function("R", 2, 2)
    D = with_definition(R(m), Matrix([[empty, 0], [0, 1]]))
    assert refused(lambda: D.prove("eq-x", R(m) * Matrix([1, 0]), eq(Matrix([m + 1, 0]), "")).verdict)
    false(Derivative(Sum(x, (i, 0, m)), x), m + 1)


# what holds on a list, on a box, to second order, or not at all


def test_nothing_follows_for_all_values_from_listed_ones():
    D, roots = Derivation("attack"), prod([d - r for r in range(1, 6)])
    D.prove("eq-listed", roots, eq(0, "", finite(d, [1, 2, 3, 4, 5])))
    assert refused(lambda: D.prove("eq-x", expand(roots), eq(0, "", follows("eq-listed"))).verdict)


@pytest.mark.parametrize("values", [[], [0], [Rational(3, 2)]])
def test_listed_values_lie_in_the_domain(values):
    assert refused(lambda: finite(d, values).decide(Statement(d, "=", d + 0 * x), None))


def test_listed_values_are_what_the_scope_says():
    for letter in (m, n):
        scope = finite(letter, [1]).decide(Statement(m * n, "=", m * n / letter), None).scope
        assert f"{letter} one of 1" in scope and f"{letter} ∈" not in scope and f"{letter}, " not in scope
    for other, rest in ((x, " and for all x ∈ ℝ"), (1, "")):
        square = Statement((other + n) ** 2, "=", other**2 + 2 * n * other + n**2)
        assert finite(n, [1, 2, 3]).decide(square, None).scope == "for n one of 1, 2, 3" + rest


def test_nothing_follows_for_all_values_from_a_box():
    D = Derivation("attack")
    D.prove("eq-box", x, le(20, "", certified((x, 0, 10))))
    assert refused(lambda: D.prove("eq-x", x, le(21, "", adding({"eq-box": 1}, rest=1))).verdict)
    far = 1 / (2 * p) + p / 1000
    D.prove("eq-near", Modulus(far), le(1 / p, "", certified((p, 1, 10))))
    assert refused(lambda: D.prove("eq-y", Limit(far, p, oo), eq(0, "", limit_by("eq-near", 0))).verdict)


def test_a_chain_holds_where_all_its_rows_hold():
    rows = eq(x + x, "twice"), Claim("<=", 2 * x + 1, "", certified((x, 0, 1)))
    assert "[0, 1]" in Derivation("attack").prove("eq-chain", 2 * x, *rows).badge()


def taylor(extra=0):
    return f(x) + H * Derivative(f(x), x) + H**2 * Derivative(f(x), x, x) / 2 + extra


def test_an_expansion_is_not_an_equation():
    D = Derivation("attack")
    D.model(f(x), x**2)
    D.prove("eq-jet", f(x + H), eq(taylor(), "Taylor", two_jet(f, [H])))
    assert refused(
        lambda: D.prove("eq-x", f(x + H) - f(x), eq(taylor() - f(x), "", follows("eq-jet"))).verdict
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f(4 + H), 4 * f(3 + H) - 6 * f(2 + H) + 4 * f(1 + H) - f(H)),
        (f(x + H), taylor(5 * Derivative(f(x), x, 4))),
        (Derivative(f(x + H), x, x), Derivative(f(x), x, x) + H * Derivative(f(x), x, 3)),
        (f(x + H), taylor(cos(H) - 1)),
        (f(H), reals("f_c") + H * reals("f_c0") + H**2 * reals("f_c00")),
    ],
    ids=["fourth difference", "fourth derivative", "shifted derivative", "not a polynomial", "names"],
)
def test_what_holds_for_cubics_need_not_hold(left, right):
    assert refused(lambda: Derivation("attack").prove("eq-x", left, eq(right, "", two_jet(f, [H]))).verdict)


def test_what_no_point_confirms_is_not_proved():
    verdict = check(unknown * (x + y) ** 2, unknown * (x**2 + 2 * x * y + y**2))
    assert verdict.status == "undecided" and "at no point" in verdict.reason


def test_equal_numbers_that_may_be_complex_are_not_ordered():
    with pytest.raises(ValueError, match="Identity shows"):
        Derivation("attack").prove("eq-x", (z + w) ** 2, le(z**2 + 2 * z * w + w**2, "", identity))


@pytest.mark.parametrize("left", [G(x) + G(y), G(x).diff(x), Integral(G(a), (a, 0, 1))], ids=str)
def test_a_smooth_unknown_function_is_none_in_particular(left):
    assert check(left, 0).status == "refuted"
    assert check(left, 2 * left).status == "refuted"


def test_nothing_follows_from_a_refuted_statement():
    D = Derivation("attack")
    D.refute("eq-false", f(x), 0, "not every function is zero")
    D.model(f(x), 0 * x)
    assert refused(lambda: D.prove("eq-x", f(x) ** 2, eq(0, "", follows("eq-false"))).verdict)


def test_a_sample_without_points_is_no_evidence():
    with pytest.raises(ProofError):
        Derivation("attack").sample("eq-x", unknown, "=", 7, "")


def test_a_consequence_of_hypotheses_is_not_refuted():
    D = Derivation("attack")
    D.assume("eq-h", f(m), 0, "")
    with pytest.raises(ProofError):
        D.refute("eq-x", f(m), 0, "")
    with pytest.raises(ValueError):
        Derivation("attack").refute("eq-y", I * p, 0, "", relation="!=")


# blocks and matrices


def test_only_what_acts_block_by_block_is_taken_block_by_block():
    v, u = vector_function("v", 2), vector_function("u", 2)
    stack = lambda t: Stacked(t, (i, 0, d - 1))  # noqa: E731
    diagonal = lambda t: BlockDiagonal(t, (i, 0, d - 1))  # noqa: E731
    prove = lambda left, right: Derivation("attack").prove("eq-x", left, eq(right, "")).verdict  # noqa: E731
    outer = stack(v(i)) * stack(u(i)).T
    assert refused(lambda: prove(outer, diagonal(v(i) * u(i).T)))
    assert refused(lambda: prove(outer * stack(v(i)), stack(v(i) * u(i).T * v(i))))
    other = BlockDiagonal(i * eye(2), (j, 0, d - 1))  # i times the unit matrix
    assert refused(lambda: prove(diagonal(i * eye(2)), other))
    assert refused(lambda: prove(diagonal(eye(2)) * other, diagonal(i * eye(2))))
    assert refused(lambda: written_out(Inner(stack(v(i)), Stacked(i * v(j), (j, 0, d - 1)))))


def test_entries_of_large_matrices_have_names_of_their_own():
    for entries in (matrix_function("A", 11, 11)(m).generic(), real_entries("A", 11, 11)):
        assert len(set(entries)) == 121


def test_a_real_inner_product_has_real_entries():
    D = with_definition(F(z), conjugate(z))
    product = lambda: Inner(Matrix([z]), Matrix([w]))  # noqa: E731
    assert refused(lambda: D.prove("eq-x", F(product()), eq(product(), "")).verdict)


# letters


def test_letters_are_not_caught_by_definitions():
    D = with_definition(f(x), Sum(x * i * j, (i, 0, 2), (j, 0, 2)))
    assert refused(lambda: D.prove("eq-x", f(j), eq(15, "")).verdict)
    assert D.prove("eq-nine", f(j), eq(9 * j, "")).verdict
    D = with_definition(f(x), Sum(x + Sum(i * x, (i, 0, 1)), (i, 0, 2)))
    assert refused(lambda: D.prove("eq-x", f(i), eq(3 * i + Sum(i**2, (i, 0, 2)), "")).verdict)
    v = vector_function("v", 2)
    D = with_definition(v(x), Matrix([Sum(x * i, (i, 0, 2)), 0]))
    assert D.prove("eq-column", v(i), eq(Matrix([3 * i, 0]), "")).verdict
    D = with_definition(f(x), 1 + x * Sum(x * i, (i, 0, 2)))
    assert D.prove("eq-inside", f(i), eq(1 + 3 * i**2, "")).verdict
    D = with_definition(f(x), x + n)
    assert refused(lambda: D.prove("eq-x", Sum(f(n), (n, 0, 3)), eq(12, "")).verdict)


@pytest.mark.parametrize(("head", "body"), [(f(x), f(x) + 1), (f(x, x), x + 1)], ids=["circle", "twice x"])
def test_a_definition_defines(head, body):
    with pytest.raises(ValueError):
        Derivation("attack").define(head, body)


def test_letters_are_not_caught_by_instances():
    D = Derivation("attack")
    D.prove("eq-six", Sum(x * i, (i, 0, 3)), eq(6 * x, ""))
    assert refused(lambda: D.premises([D.at("eq-six", x=i)]))
    D.prove("eq-one", cos(x) ** 2 + sin(x) ** 2, eq(1, ""))
    for values in ({Integer(2): Integer(3)}, {cos(x): Integer(0)}, {x: oo}, {y: Integer(1)}):
        with pytest.raises(ValueError):
            D.at("eq-one", values)
    D = with_definition(a, x)
    D.prove("eq-a", a * cos(y), eq(x * cos(y), ""))
    (premise,) = D.premises([D.at("eq-a", {x: Integer(3)})]) if a in D.results["eq-a"].left.args else ()
    assert premise.left == premise.right


def test_letters_may_change_places_in_a_definition():
    D = with_definition(f(x, y), x - 2 * y)
    assert D.prove("eq-x", f(y, x), eq(y - 2 * x, "letters exchanged")).verdict.status == "proved"


def test_letters_may_change_places_in_an_instance():
    D = Derivation("exchange")
    D.assume("eq-h", f(m) - f(n), 2 * f(m), "a hypothesis")
    exchanged = D.relation(D.at("eq-h", {m: n, n: m}))
    assert (exchanged.left, exchanged.relation, exchanged.right) == (f(n) - f(m), "=", 2 * f(n))


def test_an_instance_of_an_even_letter_is_even():
    D = Derivation("attack")
    D.assume("eq-even", f(e), 0, "for even numbers")
    with pytest.raises(ValueError):
        D.at("eq-even", {e: Integer(3)})
    D.assume("eq-step", f(e + 1), f(e), "")
    D.assume("eq-start", f(1), 0, "")
    D.model(f(x), 0 * x)
    rule = induction(e, 1, ["eq-step", "eq-start"])
    assert refused(lambda: D.prove("eq-x", f(e), eq(0, "never reaches 2", rule)).verdict)


FREE = 1 + expand(prod([i - r for r in range(6)])) ** 2  # 1 at 0, …, 5, large beyond
EACH = FREE.subs(i, j)


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        (
            Sum(FREE * Abs(h[i]), (i, 0, d - 1)),
            MaxOver(FREE, (j, 0, d - 1)) * Sum(Abs(h[k]), (k, 0, d - 1)),
            maximum,
        ),
        (
            FREE * Sum(Abs(h[i]), (i, 0, d - 1)),
            MaxOver(EACH, (j, 0, d - 1)) * Sum(Abs(h[k]), (k, 0, d - 1)),
            maximum,
        ),
        (
            Abs(Sum(i * h[i], (i, 0, d - 1))) ** 2,
            Sum(i**2, (j, 0, d - 1)) * Sum(Abs(h[k]) ** 2, (k, 0, d - 1)),
            cauchy_schwarz,
        ),
        (
            Modulus(Integral(a * cos(a), (a, 0, Rational(1, 10)))),
            Integral(a * Modulus(cos(b)), (b, 0, Rational(1, 10))),
            triangle,
        ),
        (Abs(Sum(i * h[i], (i, -2, 0))), Sum(i * Abs(h[i]), (i, -2, 0)), triangle),
    ],
    ids=["maximum, right", "maximum, left", "Cauchy–Schwarz", "integral", "outside the domain"],
)
def test_a_bound_does_not_confuse_bound_and_free_letters(left, right, rule):
    assert refused(lambda: rule.decide(Statement(left, "<=", right), None))


def test_ranges_stay_in_the_domain_of_their_letter():
    D = with_definition(f(x), Abs(x))
    assert refused(lambda: D.prove("eq-x", Sum(f(i), (i, -3, 3)), eq(0, "")).verdict)
    box = Claim("<", p + Rational(1, 10), "", certified((p, -1, 1)))
    assert refused(lambda: D.prove("eq-y", f(p), box).verdict)
    with pytest.raises(ValueError):
        check(Sum(cos(pi * g / 2), (g, 1, 4)), 0)
    for low, high in ((-1, 1), (1, -1)):
        for sides in ((Integral(cos(p), (p, low, high)), x), (x, Integral(cos(p), (p, low, high)))):
            with pytest.raises(ValueError, match="leaves the domain of p"):
                check(*sides)


@pytest.mark.parametrize(
    "letter",
    [
        Symbol("x", negative=True),
        Symbol("x", nonnegative=True),
        Symbol("x", odd=True),
        Symbol("x", prime=True),
        Symbol("x", extended_real=True),
        naturals("_k0"),
        Symbol("x"),
    ],
    ids=str,
)
def test_a_letter_knows_no_more_than_its_scope_says(letter):
    with pytest.raises(ValueError):
        check(letter, letter)


def test_a_sequence_is_called_what_it_is():
    whole = IndexedBase("l", integer=True)
    assert "real sequence" not in check(exp(2 * pi * I * whole[m]), 1 + 0 * whole[m]).scope
    assert "real sequence" not in check(whole[m] + 1, 1 + whole[m]).scope


def test_one_name_is_one_letter():
    with pytest.raises(ValueError):
        check(x + Modulus(positives("x")), x + positives("x"))
    for one, other in (
        (f(x), complex_function("f")(y)),
        (q[m], complex_sequence("q")[n]),
        (x, positives("x")),
    ):
        for sides in ((one + other, other), (one, other)):
            with pytest.raises(ValueError, match="stands for two letters"):
                check(*sides)
    with pytest.raises(ValueError, match="kept for the checker"):
        check(x, Function("sum_")(x))
    with pytest.raises(ValueError):
        decide_on_box(Statement(x - 1 + 0 * p, ">", Integer(0) * x), {x: (0, 1), positives("x"): (2, 3)})


# limits, denominators, boxes


@pytest.mark.parametrize("limit", [Limit(p + 1 / p, p, oo), Limit(Abs(f(p)) + p, p, 0, "-")])
def test_a_limit_has_a_value_and_a_direction(limit):
    D = with_definition(f(x), Abs(x) / x)
    D.prove("eq-far", Modulus(1 / p), eq(1 / p, ""))
    D.prove("eq-near", Modulus((f(p) + p) - 1), eq(p, ""))
    assert refused(lambda: D.prove("eq-x", Limit(p + 1 / p, p, oo), eq(p, "", limit_by("eq-far", p))).verdict)
    below = Limit(f(p) + p, p, 0, "-")
    assert refused(lambda: D.prove("eq-y", below, eq(1, "", limit_by("eq-near", 1))).verdict)


def test_a_premise_says_nothing_where_its_denominator_vanishes():
    D, g_ = Derivation("attack"), real_function("g")
    D.assume("eq-quotients", f(n) / n, g_(n) / n, "")
    D.model(f(n), n)
    D.model(g_(n), n)
    assert refused(lambda: D.prove("eq-x", f(n), eq(g_(n), "also at 0?", follows("eq-quotients"))).verdict)


@pytest.mark.parametrize(
    ("statement", "box"),
    [
        (Statement(im(sqrt(-1 + I * x)), ">", Integer(0)), {x: (Rational(-1, 8), 2)}),
        (
            Statement((log(-1 + I * x) - log(-1 - I * x)) / (2 * I), ">", Integer(0)),
            {x: (Rational(-1, 2), 2)},
        ),
        (Statement(I + x, "<", Integer(2)), {x: (0, 1)}),
        (Statement(sqrt(x), "<", Integer(1)), {x: (-3, -1)}),
        (Statement(x, "<", Integer(-5)), {x: (2, 1)}),
    ],
    ids=["root", "logarithm", "not real", "root of negative", "reversed"],
)
def test_a_box_is_not_certified_across_a_cut(statement, box):
    assert refused(lambda: decide_on_box(statement, box))


def test_integers_are_not_refuted_between_them():
    with pytest.raises(ValueError):
        decide_on_box(Statement((n - Rational(3, 2)) ** 2, ">", Rational(1, 5)), {n: (1, 4)})


# true statements


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f(cos(x) ** 2 + sin(x) ** 2), f(1)),
        (F((z * w + z) / (w + 1)), F(z)),
        (f((exp(2 * x) - 1) / (exp(x) - 1)), f(exp(x) + 1)),
    ],
    ids=["identity inside", "complex", "exponential"],
)
def test_equal_arguments_have_equal_values(left, right):
    assert check(left, right).status in ("proved", "undecided")
    assert check(left, right + 1).status == "refuted"


def test_an_antiderivative_of_nested_letters():
    left = Integral(cos(a), (a, 0, b))
    assert Derivation("d").prove("eq-x", left, eq(sin(b), "", by=antiderivative(sin(a)))).verdict


@pytest.mark.parametrize("nonsense", [None, True, x < y, float("nan"), "x", [1, 2]], ids=str)
def test_nonsense_is_named(nonsense):
    with pytest.raises((TypeError, ValueError)):
        check(nonsense, x)


def test_a_condition_that_a_listed_value_settles_is_no_obstacle():
    statement = Statement((d - 1) * (d - 3), "=", Integer(0), (Ne(d, 2),))
    verdict = finite(d, [1, 2, 3]).decide(statement, None)
    assert verdict.status in ("proved", "undecided")
    assert finite(d, [1, 3]).decide(statement, None).status == "proved"


def test_the_modulus_of_a_number_is_a_number():
    assert Modulus(Rational(-1, 2)) == Rational(1, 2)
    assert check(Max(Modulus(Rational(-1, 2)), Rational(1, 3)), Rational(1, 2))
