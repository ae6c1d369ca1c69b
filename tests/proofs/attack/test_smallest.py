"""A failure is shown at values that a person would try first; small points are part of every search."""

from sympy import I, cos, exp

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.refute import SMALL, counterexample, points
from posenc_lib.proofs.attack.smallest import angles, smallest
from posenc_lib.proofs.values.point import Point, Turn, gaussian_text

m, n = integers("m n")
N, d = counts("N"), evens("d")
theta, x, s = reals("theta x s")
z = complexes("z")
h = complex_sequence("h")


def least(left, right, relation="="):
    said = Statement(left, relation, right)
    return smallest(lambda point: counterexample(*said, [point]), said, points())


def test_a_failure_is_made_small():
    found = least(cos((m - n) * theta), cos((m + n) * theta))
    assert found.point == (("m", "1"), ("n", "1"), ("θ", "π/2"))
    assert (found.left, found.right) == ("1", "-1")
    assert least(N * x, N).point == (("N", "1"), ("x", "0"))
    assert dict(least(d + h[0], d).point) == {"d": "2", "h[0]": "1 + 0i"}


def test_no_failure_is_found_of_what_is_true():
    assert least(cos(theta) ** 2, 1 - cos(theta + 2 * m - 2 * m) ** 2) is not None
    assert least(z * exp(I * theta), exp(I * theta) * z) is None


def test_angles_are_what_turns():
    assert angles(exp(s + I * m * theta)) == {"theta"}
    assert angles(cos(theta) * x) == {"theta"}


def test_small_points_come_first_and_keep_to_their_domains():
    first = list(points())[:SMALL]
    assert {point.style for point in first} == {"small"}
    for point in first:
        assert abs(point.value(m, "m")) <= 3 and point.value(N, "N") >= 1 and point.value(d, "d") in (2, 4)
    assert {point.style for point in list(points())[SMALL:]} == {"random", "constant"}


def test_multiples_of_pi_are_values():
    assert [gaussian_text(Turn(k)) for k in (1, 2)] == ["π/2", "π"]
    assert counterexample(cos(theta), "=", theta - theta, at=[Point(0, known_as={"theta": Turn(1)})]) is None
