"""The wrong versions that a page shows: of the printed row, one of a kind, each refuted at its own point."""

from sympy import Abs, Derivative, Matrix, Sum, cos, pi, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.cell.derive import derive

m, n = integers("m n")
theta, a, b = reals("theta a b")
z, w = complexes("z w")


def shown(result):
    return [(v["changed"], v["latex"], v["left"], v["right"]) for v in result.record()["wrong_versions"]]


def test_a_row_shows_a_few_of_different_kinds():
    row = eq(cos(m * theta) * cos(n * theta) + sin(m * theta) * sin(n * theta), "addition")
    versions = shown(Derivation("d").prove("eq-a", cos((m - n) * theta), row))
    assert [changed for changed, *_ in versions] == ["a sign", "n for m", "cos for sin"]
    assert versions[0][1:] == (
        r"\cos((m - n) \theta) = \cos(m \theta) \cos(n \theta) \wrong{-} \sin(m \theta) \sin(n \theta)",
        *("1", "-1"),
    )


def test_names_stay_as_they_are_printed():
    R, D = matrix_function("R", 2, 2), Derivation("names")
    D.define(R(m), Matrix([[cos(m * theta), -sin(m * theta)], [sin(m * theta), cos(m * theta)]]))
    record = D.prove("eq-r", R(m) * R(n), eq(R(m + n), "addition")).record()
    first = record["wrong_versions"][0]
    assert first["latex"] == r"R_{m} R_{n} = R_{m \wrong{-} n}" and len(first["entry"]) == 2


def test_of_a_bound_the_relation_may_be_wrong():
    versions = shown(Derivation("d").prove("eq-t", Abs(z + w), le(Abs(z) + Abs(w), "triangle", triangle)))
    assert (r"\left|{w + z}\right| \wrong{\ge} \left|{w}\right| + \left|{z}\right|") in [
        v[1] for v in versions
    ]


def test_what_holds_as_well_is_not_shown():
    result = Derivation("d").prove("eq-w", cos(a), le(100, "wide", certified((a, 0, 1))))
    assert result.links[0].mutation.equal and all("99" not in latex for _, latex, *_ in shown(result))


def test_an_expansion_is_compared_at_no_point():
    f, x, t = smooth_function("f"), *reals("x t")
    taylor = f(x) + t * Derivative(f(x), x) + t**2 * Derivative(f(x), x, x) / 2
    assert shown(Derivation("d").prove("eq-f", f(x + t), eq(taylor, "Taylor", by=two_jet(f, [t])))) == []


def test_the_author_s_order_is_kept():
    (result,) = derive(
        Derivation("d"), "eq-s: (a - b)^2\n  = b^2 - 2*a*b + a^2 -- square\n", {"a": a, "b": b}
    )
    assert result.written and shown(result)[0][1].endswith(r"= b^{2} \wrong{+} 2 a b + a^{2}")


def test_a_listed_value_is_part_of_the_point():
    row = eq(1, "at these two", by=finite(d := counts("d"), [2, 4]))

    record = Derivation("d").prove("eq-d", cos(2 * pi * d), row).record()
    assert all(["d", "2"] in wrong["point"] for wrong in record["wrong_versions"])


def test_a_slip_is_shown_where_the_row_itself_has_values():
    """Without its denominator a slip has a value, and fails, where q is 1; the row says nothing there."""
    q, i, N = complexes("q"), *naturals("i N")
    row = eq((q ** (N + 1) - 1) / (q - 1), "one power more", by=induction(N))
    record = Derivation("d").prove("eq-q", Sum(q**i, (i, 0, N)), row).record()
    points = [dict(wrong["point"]) for wrong in record["wrong_versions"]]
    assert points and all(point["q"] != "1 + 0i" for point in points)
