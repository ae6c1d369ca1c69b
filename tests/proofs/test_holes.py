"""Statements that are false, and were once called proved; each is refused for a reason of its own."""

import re
from pathlib import Path

import pytest
from sympy import (
    Abs,
    Derivative,
    I,
    Integer,
    Integral,
    Limit,
    Matrix,
    Rational,
    Subs,
    Sum,
    cos,
    exp,
    pi,
    prod,
    sin,
)  # fmt: skip

import posenc_lib.proofs as proofs
from posenc_lib.proofs import (
    Derivation,
    MaxOver,
    Modulus,
    ProofError,
    Refuted,
    Stacked,
    Undecided,
    adding,
    antiderivative,
    certified,
    check,
    complex_function,
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
    real_function,
    real_sequence,
    reals,
    smooth_function,
    two_jet,
    vector_function,
)  # fmt: skip
from posenc_lib.proofs.attack.refute import corners
from posenc_lib.proofs.terms.undefined import nonzero
from posenc_lib.proofs.values.point import Point
from posenc_lib.proofs.values.substitution import substitute

x, y, a, t, u = reals("x y a t u")
k, m, n = integers("k m n")
N, i, j, l = naturals("N i j l")
c, d = counts("c d")
e, p = evens("e"), positives("p")
z, w = complexes("z w")
f, g, K = real_function("f"), real_function("g"), real_function("K")
F, H = complex_function("F"), complex_function("H")
G, S = smooth_function("G"), smooth_function("S")
q = real_sequence("q")


# a primitive with a pole that the statement lacks


@pytest.mark.parametrize("letter", integers("k l m n r s u v w"), ids=str)
@pytest.mark.parametrize(
    "pair",
    [
        lambda r: (cos(r * t), 0, sin(r * t) / r),
        lambda r: (exp(I * r * t), 0, exp(I * r * t) / (I * r)),
        lambda r: (cos(r * t) ** 2, pi, t / 2 + sin(2 * r * t) / (4 * r)),
    ],
    ids=["cosine", "wave", "square"],
)
def test_whole_periods_do_not_integrate_to_zero_at_frequency_zero(letter, pair):
    integrand, value, primitive = pair(letter)
    with pytest.raises(Undecided, match=f"says nothing where {letter} vanishes"):
        row = eq(value, "whole periods", by=antiderivative(primitive))
        Derivation("hole").prove("eq-x", Integral(integrand, (t, 0, 2 * pi)), row)


def test_the_same_integral_is_proved_where_the_frequency_is_not_zero():
    row = eq(0, "whole periods", by=antiderivative(sin(d * t) / d))
    assert Derivation("whole").prove("eq-x", Integral(cos(d * t), (t, 0, 2 * pi)), row).verdict


# a limit that the letter cannot approach


@pytest.mark.parametrize("letter", [e, c], ids=str)
def test_whole_numbers_do_not_tend_to_zero(letter):
    D = Derivation("hole")
    D.prove("eq-e", Modulus(letter + 2), le(3 * letter, "", by=adding({}, rest=2 * letter - 2)))
    with pytest.raises(Undecided, match="not known to tend to zero"):
        D.prove("eq-lim", Limit(letter, letter, 0), eq(-2, "", by=limit_by("eq-e", -2)))


# capture by a bound letter


def test_the_index_of_a_block_is_not_captured_by_a_sum_inside():
    captured = Stacked(Matrix([Sum(j * i, (i, 0, 3)), 0]), (j, 0, d - 1))
    with pytest.raises(Refuted):
        Derivation("hole").prove("eq-b", Stacked(Matrix([14, 0]), (i, 0, d - 1)), eq(captured, ""))
    named_apart = Stacked(Matrix([6 * l, 0]), (l, 0, d - 1))
    assert Derivation("true").prove("eq-b", captured, eq(named_apart, "")).verdict


def test_the_index_of_a_maximum_is_not_captured_by_a_sum_inside():
    largest = MaxOver(Sum(j * i, (i, 0, 3)), (j, 0, c - 1)) * Sum(Abs(q[l]), (l, 0, c - 1))
    with pytest.raises(ProofError):
        left = Sum(14 * Abs(q[i]), (i, 0, c - 1))
        Derivation("hole").prove("eq-m", left, le(largest, "taken out", by=maximum))


def test_a_definition_is_not_captured_by_a_derivative_in_it():
    D = Derivation("hole")
    D.define(f(x), Derivative(x * G(y), y))
    with pytest.raises(Refuted):
        D.prove("eq-f", f(y) - y * Derivative(G(y), y), eq(G(y), "by definition"))
    assert check(D.meaning(f(y)), y * Derivative(G(y), y))


def test_an_instance_is_not_captured_by_a_derivative_in_it():
    D = Derivation("hole")
    D.prove("eq-1", Derivative(x * G(y), y) - x * Derivative(G(y), y), eq(0, "x does not vary"))
    (instance,) = D.premises([D.at("eq-1", x=y)])
    assert instance.left == instance.right == 0


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        (Sum(x * i, (i, 0, 3)), {x: i}, 6 * i),
        (Sum(i * j, (i, 0, j), (j, 0, 2)), {j: i}, Integer(7)),
        (Sum(i + x, (i, 0, j), (j, 0, 2)), {x: j}, 4 + 6 * j),
        (Sum(i, (i, 0, N)), {N: N + 1, i: l}, Sum(i, (i, 0, N + 1))),
        (Integral(x * t, (t, 0, x)), {x: t + 1}, (t + 1) ** 3 / 2),
        (Derivative(x * G(y), y), {x: y}, y * Derivative(G(y), y)),
        (Derivative(G(y), y), {y: t}, Derivative(G(t), t)),
        (Derivative(x * y**2, y), {y: 2 * x}, 4 * x**2),
        (Limit(x / t, t, 0), {x: t}, Limit(t / u, u, 0)),
    ],
    ids=str,
)
def test_what_is_put_in_keeps_its_meaning(before, values, after):
    result = substitute(before, values)
    if isinstance(before, Limit):
        own = result.args[1]
        assert own != t and result.args[0] == t / own
    else:
        assert result.doit().expand() == after.doit().expand()


def test_a_derivative_at_a_value_is_not_the_derivative_of_a_value():
    result = substitute(Derivative(G(y), y), {y: 2 * t})
    assert isinstance(result, Subs) and result.doit() == Derivative(G(y), y).subs(y, 2 * t).doit()


# what SymPy makes of a sixth of an even number


def test_a_definition_is_not_evaluated_wrongly():
    D = Derivation("hole")
    D.define(f(x), sin(pi * x / 6), "six to a half turn")
    with pytest.raises(ProofError, match="to which SymPy evaluates it"):
        D.prove("eq-s", f(e), eq(0, "whole half turns"))


def test_an_instance_is_not_evaluated_wrongly():
    D = Derivation("hole")
    D.assume("eq-h", f(m), sin(pi * m / 6), "six to a half turn")
    D.model(f(m), sin(pi * m / 6))
    with pytest.raises(ProofError, match="to which SymPy evaluates it"):
        D.prove("eq-s", f(e), eq(0, "m := e", by=follows(D.at("eq-h", m=e))))


def test_a_range_is_not_evaluated_wrongly():
    hidden = prod([e - r for r in (2, 4, 8, 10)]) * Sum(sin(pi * i / 6), (i, e, e))
    with pytest.raises(ProofError, match="to which SymPy evaluates it"):
        check(x + hidden, x)


# what does not vanish, and where


@pytest.mark.parametrize(
    "factor", [(2 * m + 2 * n) / (2 * N + 3), m / (2 * N + 1), 2 * m / 3 + 2 * n / 3], ids=str
)
def test_a_fraction_of_whole_numbers_may_vanish(factor):
    assert not nonzero(factor)
    D = Derivation("hole")
    D.assume("eq-h", f(x) * (m + n), g(x) * (m + n), "")
    with pytest.raises(ValueError, match="which may vanish"):
        D.prove("eq-f", f(x), eq(g(x), "cancelled", by=follows("eq-h", times=factor)))


@pytest.mark.parametrize(
    "factor", [2 * m + 1, p / (2 * N + 3), exp(I * x) / p, Rational(2, 3), -p * c], ids=str
)
def test_what_does_not_vanish_is_known_not_to(factor):
    assert nonzero(factor)


def test_an_instance_may_not_cancel_its_own_pole():
    D = Derivation("hole")
    D.assume("eq-h", z * w * F(w), z * w * H(w), "")
    for value in (1 / w, w / (w + 1), z / w):
        with pytest.raises(ValueError, match="not known to lie in the domain of z"):
            D.at("eq-h", z=value)


# for all, or constant


def test_a_quantified_letter_has_no_model():
    D = Derivation("hole")
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), x - 3, "contradicts it")
    with pytest.raises(ValueError, match="x is quantified"):
        D.model(x, Integer(3))
    with pytest.raises(ValueError, match="x is quantified in eq-0"):
        D.constant(x)


def test_a_model_may_not_depend_on_a_quantified_letter():
    D = Derivation("hole")
    D.assume("eq-h", f(y), a, "for all a?")
    D.model(f(y), a)
    with pytest.raises(ValueError, match="holds 'for all a', and the model depends on a"):
        D.check_model()


def constants():
    D = Derivation("constants")
    D.constant(a)
    D.assume("eq-h", f(m), a, "the same everywhere")
    D.model(a, Integer(2))
    D.model(f(m), Integer(2))
    D.prove("eq-n", f(n), eq(a, "at n", by=follows(D.at("eq-h", m=n))))
    return D


def test_a_constant_keeps_its_value_in_what_rests_on_a_hypothesis():
    D = constants()
    assert D.results["eq-n"].scope == "for all a ∈ ℝ, n ∈ ℤ and every real function f, with a constant"
    for label in ("eq-h", "eq-n"):
        with pytest.raises(ValueError, match="a is a constant"):
            D.at(label, a=5)
    D.prove("eq-free", a + a, eq(2 * a, "for every a"))
    assert D.relation(D.at("eq-free", a=x)).right == 2 * x


@pytest.mark.parametrize(
    ("left", "row"),
    [
        (Integral(a, (a, 0, 1)), eq(Integral(f(0), (a, 0, 1)), "", by=follows("eq-0"))),
        (Derivative(G(a), a) * a, eq(Derivative(G(a), a) * f(0), "", by=follows("eq-0"))),
        (Limit(a * p, a, 0), eq(f(0) * 0, "", by=limit_by("eq-0", 0))),
    ],
    ids=["integral", "derivative", "limit"],
)
def test_nothing_runs_over_a_constant_in_what_rests_on_a_hypothesis(left, row):
    D = constants()
    D.prove("eq-0", a, eq(f(0), "at 0", by=follows(D.at("eq-h", m=0))))
    with pytest.raises(ValueError, match=r"a is (a constant|both bound and free)"):
        D.prove("eq-x", left, row)


def test_no_rule_lets_a_constant_vary_in_what_rests_on_a_hypothesis():
    D = Derivation("constants")
    D.constant(m)
    D.assume("eq-h", f(m), 0, "at this m")
    D.model(m, Integer(1))
    D.model(f(n), n - 1)
    with pytest.raises(ValueError, match="m is a constant"):
        D.prove("eq-x", g(m) * f(m), eq(0, "", by=induction(m, using=["eq-h"])))
    assert finite(m, [1]).letters() == (m,) and certified((x, 0, 1)).letters() == (x,)
    assert two_jet(G, [x]).letters() == (x,)


@pytest.mark.parametrize("letter", ["x", 1, f(x), x + 1], ids=str)
def test_a_constant_is_a_letter(letter):
    with pytest.raises(TypeError, match="a constant must be a letter"):
        Derivation("constants").constant(letter)


# what is looked at again, and what nothing rests on


def test_a_definition_makes_the_model_to_be_looked_at_again():
    D = Derivation("hole")
    D.constant(a)
    D.assume("eq-0", f(x), 0, "")
    D.assume("eq-1", f(x), a, "")
    D.model(f(x), Integer(0))
    D.model(a, Integer(0))
    assert D.check_model() == 2
    D.define(a, Integer(1))
    with pytest.raises(ProofError, match="does not satisfy eq-1"):
        D.check_model()


def test_a_definition_makes_citations_to_be_looked_at_again():
    for take in (lambda D: D.cite("eq-c", f(x), "<=", 1, "somewhere"), lambda D: D.recall("eq-c", f(x), 1)):
        D = Derivation("hole")
        take(D)
        with pytest.raises(Refuted, match="eq-c: what is cited fails"):
            D.define(f(x), x)
        D.define(f(x), Integer(1))
        assert D.meaning(f(x)) == 1


def test_nothing_rests_on_a_sample():
    D = Derivation("hole")
    D.sample("eq-s", a**2, ">=", Integer(0), "looks so")
    with pytest.raises(ValueError, match="eq-s was sampled: nothing follows from it"):
        D.prove("eq-r", -(a**2), le(0, "from evidence", by=adding({"eq-s": 1})))


def test_a_sample_is_also_taken_at_the_corners():
    between = prod([m - r for r in range(-4, 6)])
    with pytest.raises(Refuted):
        Derivation("hole").sample("eq-s", between, "=", 0, "true from −4 to 5")


def test_what_is_recalled_is_not_refuted_by_a_point():
    with pytest.raises(Refuted, match="eq-any: what is cited fails"):
        Derivation("hole").recall("eq-any", 0, 1)


# names and domains


def test_one_name_is_one_matrix():
    tall, square = vector_function("H", 12), matrix_function("H", 2, 2)
    with pytest.raises(ValueError, match="H stands for matrices of shapes"):
        check(Matrix([[0] * 11 + [1]]) * tall(m), Matrix([[1, 0]]) * square(m) * Matrix([0, 1]))
    D = Derivation("hole")
    D.prove("eq-tall", tall(m) + tall(m), eq(2 * tall(m), "twice"))
    with pytest.raises(ValueError, match="H stands for matrices of shapes"):
        D.prove("eq-square", square(m) + square(m), eq(2 * square(m), "twice"))


def test_check_asks_for_one_role_of_each_letter():
    hidden = prod([i - r for r in range(6)])
    with pytest.raises(ValueError, match="i is both bound and free"):
        check(x + hidden * Sum(j * (i + 1), (i, 0, 1), (j, i, i)), x + 2 * hidden)


@pytest.mark.parametrize(
    ("head", "body", "value"),
    [
        (K(p), Abs(p), Integer(-2)),
        (F(m), cos(pi * m), Rational(1, 2)),
        (K(N), N, Integer(-1)),
        (F(z), z, 1 / w),
    ],
    ids=str,
)
def test_a_definition_is_used_in_the_domain_of_its_parameters(head, body, value):
    D = Derivation("hole")
    D.define(head, body)
    with pytest.raises(ValueError, match="not known to lie in the domain of"):
        D.prove("eq-x", head.func(value), eq(body, ""))


@pytest.mark.parametrize(("head", "body"), [(f(x), I * x), (p, Integer(-1)), (p, x**2), (m, x)], ids=str)
def test_a_definition_stays_in_the_domain_of_its_name(head, body):
    with pytest.raises(ValueError, match="not known to lie in the domain of"):
        Derivation("hole").define(head, body)


@pytest.mark.parametrize(
    "body", [1 / x, Derivative(f(x), x), (exp(I * x) + exp(-I * x)) / 2, Sum(1 / q[i], (i, 0, N))], ids=str
)
def test_what_is_real_wherever_it_has_a_value_may_define_something_real(body):
    assert Derivation("fine").define(K(x), body).kind == "defined"


# the guards


def test_corners_stay_in_the_domains():
    letters = [x, m, N, c, e, p, z]
    found = [[point.value(letter, letter.name) for letter in letters] for point in corners()]
    zero = [0, 0, 0, 1, 2, Rational(1, 16), (0, 0)]
    assert [str(v) for v in found[0]] == [str(v).replace("(0, 0)", str(found[0][6])) for v in zero]
    assert all(large >= 11 for large in found[2][:6]) and Point(0, "large").values == {}


def test_something_is_put_in_at_one_place_only():
    folder = Path(proofs.__file__).parent
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "substitution.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\.(subs|xreplace|msubs)\(", line)
    ]
    assert found == []
