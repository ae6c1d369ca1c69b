"""Strict inequalities on a box: certified, refuted at a point, or undecided where a bound is attained."""

import pytest
from attempts import outcome, proved, refused
from sympy import Ci, Dummy, Ei, I, Integer, Limit, Rational, Si, cos, im, log, oo, pi, sqrt

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.box import failure_on
from posenc_lib.proofs.write.claims import Claim

a, x, y = reals("a x y")
p, r = positives("p r")
z = complexes("z")
q = real_sequence("q")
f = real_function("f")


def test_certified_inequality_and_its_limit():
    box = certified((x, Rational(1, 2), 2))
    D = Derivation("certified")
    proved = D.prove("eq-cos", cos(x), Claim("<", 1 - x**2 / 2 + x**4 / 24, "alternating series", box))
    assert "ball arithmetic" in proved.verdict.method
    with pytest.raises(Refuted):
        D.prove("eq-x", cos(x), Claim("<", 1 - x**2 / 2, "one term too few", box))


def test_a_bound_that_touches_is_undecided_not_proved():
    box = certified((x, Rational(1, 3), Rational(3, 2)))
    assert outcome(box, 2 * x - x**2, "<=", Integer(1)) == "undecided"


@pytest.mark.parametrize(("left", "right"), [(x, Rational(201, 100)), (-x, Rational(1, 100))])
def test_an_affine_bound_with_little_room_is_certified(left, right):
    verdict = proved(certified((x, 0, 2)), left, "<", right)
    assert (verdict.method, verdict.scope) == ("certified (ball arithmetic, bisection)", "for all x ∈ [0, 2]")


@pytest.mark.parametrize(
    ("left", "right"), [(x, Rational(19, 10)), (-x, -Rational(1, 10)), (x**2, 4 - x / 100)]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_bound_that_fails_near_an_end_of_the_box_is_refuted(left, right, swapped):
    statement = Statement(right, ">", left) if swapped else Statement(left, "<", right)
    assert outcome(certified((x, 0, 2)), *statement[:3]) == "refuted"
    found = failure_on({x: (0, 2)}, statement)
    at = Rational(dict(found.point)["x"])
    values = [float(side.split()[0].strip("[")) for side in (found.left, found.right)]
    assert values == pytest.approx([float(side.subs(x, at)) for side in (statement.left, statement.right)])


def test_neither_a_pole_nor_an_attained_bound_is_certified():
    assert outcome(certified((x, -1, 1)), Integer(0), "<", 1 / x**2) == "undecided"
    assert outcome(certified((x, 0, 1)), Integer(0), "<", x) == "undecided"
    assert outcome(certified((x, 0, 1)), x, "<=", x) == "undecided"
    assert outcome(certified((x, 0, 1)), x, "<", x) == "refuted"


@pytest.mark.parametrize("order", [(x, y), (y, x)])
def test_a_box_is_halved_along_its_longest_side(order):
    sides = {x: (-10, -1), y: (0, 1)}
    box = certified(*((letter, *sides[letter]) for letter in order))
    assert proved(box, x**2 + y, "<", Integer(102)), "halving y does not help"
    three = certified((x, -10, -1), (y, 0, 1), (a, 0, 9))
    assert proved(three, x**2 + y + a**2, "<", Integer(183))


def test_nothing_follows_for_all_values_from_a_box():
    D = Derivation("attack")
    D.prove("eq-box", x, le(20, "", certified((x, 0, 10))))
    assert refused(lambda: D.prove("eq-x", x, le(21, "", adding({"eq-box": 1}, rest=1))).verdict)
    far = 1 / (2 * p) + p / 1000
    D.prove("eq-near", Modulus(far), le(1 / p, "", certified((p, 1, 10))))
    assert refused(lambda: D.prove("eq-y", Limit(far, p, oo), eq(0, "", limit_by("eq-near", 0))).verdict)


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
    assert refused(lambda: proved(certified(*((s, *ends) for s, ends in box.items())), *statement[:3]))


CUTS = {
    "root": Si(sqrt(-1 + I * x)),
    "logarithm": Si(2 + log(-1 + I * x)),
    "cosine integral": Ci(-1 + I * x),
    "exponential integral": Ei(-1 + I * x),
}


@pytest.mark.parametrize("jump", CUTS.values(), ids=CUTS)
def test_a_small_box_across_a_cut_is_not_certified(jump):
    value = im(jump)  # odd in x, with a jump at 0
    box = certified((x, Rational(-1, 32), Rational(3, 32)))
    for left, right in ((Integer(0), value), (-value, Integer(0)), (-value / 2, value / 2)):
        assert outcome(box, left, "<", right) != "proved"


@pytest.mark.parametrize("free", [y, Dummy("y", real=True), f(x), q[0]], ids=str)
def test_a_box_names_every_letter_of_both_sides(free):
    for left, right in ((x, free + 100), (free - 100, x)):
        with pytest.raises(Undecided, match="range for every letter"):
            proved(certified((x, 0, 1)), left, "<", right)


@pytest.mark.parametrize("box", [{x: (0.1, 1)}, {x: (0, 0.9)}, {x: (0, pi)}, {z: (0, 1)}, {cos(x): (0, 1)}])
def test_a_box_has_rational_ends_and_real_letters(box):
    with pytest.raises((ValueError, TypeError), match="box"):
        certified(*((letter, *ends) for letter, ends in box.items()))


def test_a_box_of_one_claim_is_not_a_claim_for_all():
    with pytest.raises(ValueError, match="rational numbers"):
        Derivation("attack").prove("eq-x", x, Claim(">", Rational(1, 10), "", certified((x, 0.1, 1))))


def test_a_box_is_searched_inside_and_must_name_every_letter():
    x = positives("x")
    kernel = (Ci(x) - Ci(x / 10000)) / log(10000)
    row = le(0, "negative after its first zero", by=certified((x, 6167, 7000)))
    result = Derivation("box").prove("eq-box", kernel, row)
    assert result.wrong_versions.refuted >= 1
    assert "x ∈ [6167, 7000]" in result.verdict.scope
    with pytest.raises(Refuted, match="r = "):
        Derivation("box").prove("eq-y", cos(x) * r, le(2, "r is free", by=certified((x, 1, 2))))
