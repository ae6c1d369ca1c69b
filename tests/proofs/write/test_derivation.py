"""A derivation keeps what was written and what was found, under labels of its own."""

import pytest
from sympy import Abs, I, Integer, Matrix, Rational, cos, exp, sin

from posenc_lib.proofs import *

m, n = integers("m n")
i = naturals("i")
a, b, t, x, y = reals("a b t x y")
h = complex_sequence("h")
g, phi = real_function("g"), real_function("phi")


def test_a_derivation_records_what_was_written_and_what_was_found():
    D = Derivation("record", "a paper")
    D.model(phi(x), x)
    made = {
        "defined": D.define(h[i], exp(I * i * t), "an abbreviation", "eq-defined"),
        "assumed": D.assume("eq-assumed", phi(x + y), phi(x) + phi(y), "a hypothesis", "page 1"),
        "proved": D.prove("eq-proved", (a + b) ** 2, eq(a**2 + 2 * a * b + b**2, "expanded"), source="p. 2"),
        "refuted": D.refute("eq-refuted", (a + b) ** 2, a**2 + b**2, "a common slip", "page 3"),
        "sampled": D.sample("eq-sampled", a**2 + 1, ">", Integer(0), "looks so", "page 4"),
        "cited": D.cite("eq-cited", sin(x), "<=", Abs(x), "page 5"),
    }
    found = {
        kind: (r.label, r.derivation, r.kind, r.source, r.links[0].relation, r.links[0].because)
        for kind, r in made.items()
    }
    assert found == {
        "defined": ("eq-defined", "record", "defined", "", ":=", "an abbreviation"),
        "assumed": ("eq-assumed", "record", "assumed", "page 1", "=", "a hypothesis"),
        "proved": ("eq-proved", "record", "proved", "p. 2", "=", "expanded"),
        "refuted": ("eq-refuted", "record", "refuted", "page 3", "=", "a common slip"),
        "sampled": ("eq-sampled", "record", "sampled", "page 4", ">", "looks so"),
        "cited": ("eq-cited", "record", "cited", "page 5", "<=", ""),
    }
    assert {kind: r.verdict.status for kind, r in made.items()} == {kind: kind for kind in made}
    methods = {kind: r.verdict.method for kind, r in made.items() if kind not in ("proved", "sampled")}
    assert methods == {
        "defined": "definition",
        "assumed": "hypothesis",
        "refuted": "certified counterexample",
        "cited": "cited: page 5",
    }
    scopes = {kind: made[kind].verdict.scope for kind in ("assumed", "proved", "refuted", "cited")}
    assert scopes == {
        "assumed": "assumed of the real function φ, for all x, y ∈ ℝ",
        "proved": "for all a, b ∈ ℝ",
        "refuted": "for all a, b ∈ ℝ",
        "cited": "for all x ∈ ℝ",
    }
    point = {name: Rational(value) for name, value in made["refuted"].verdict.counterexample.point}
    assert point["a"] * point["b"] != 0
    left, right = made["refuted"].left, made["refuted"].links[0].right
    assert (left, right) == ((a + b) ** 2, a**2 + b**2)


def test_labels_are_unique_and_known():
    D = Derivation("labels")
    D.prove("eq-a", cos(a) ** 2 + sin(a) ** 2, eq(1, "unit circle"))
    with pytest.raises(ValueError, match="taken"):
        D.prove("eq-a", cos(a) ** 2 + sin(a) ** 2, eq(1, "again"))
    with pytest.raises(ValueError, match="not an earlier result"):
        D.prove("eq-b", cos(a), eq(cos(a), "", follows("eq-missing")))
    with pytest.raises(ValueError, match="at least one claim"):
        D.prove("eq-c", cos(a))


def test_a_citation_is_drawn_as_one():
    result = Derivation("c").cite("cite-x", sin(1), "!=", 0, "Lindemann 1882")
    assert (result.kind, result.verdict.status) == ("cited", "cited")
    assert "not checked here" in result.badge()


def test_a_result_says_what_it_rests_on():
    D = Derivation("rests")
    D.assume("eq-rel", phi(m) - phi(n), phi(m - n), "hypothesis")
    D.model(phi(m), m * t)
    D.prove("eq-zero", phi(0), eq(0, "n := m", follows(D.at("eq-rel", n=m))))
    later = D.prove("eq-later", phi(0) + t, eq(t, "by the last", follows("eq-zero")))
    assert later.uses == ("eq-zero",)
    assert later.rests_on == ("eq-rel",)
    assert "rests on eq-rel" in later.badge()
    assert 'href="#equation-eq-rel"' in later.markdown()


def test_a_matrix_beside_an_equals_sign_keeps_its_own_columns():
    turn = Matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])
    shown = Derivation("d").prove("eq-m", turn.T, eq(turn.subs(a, -a), "transpose")).latex()
    assert shown.count("&") == 4, "two columns in each row of each matrix, and no alignment"


def test_a_result_keeps_both_sides_its_scope_and_its_bases():
    D = Derivation("kept")
    defined = D.define(h[i], x**i, "powers")
    assert (defined.left, defined.right, defined.label) == (h[i], x**i, "def-kept-1")
    assert defined.links[0].because == "powers"
    assert D.define(y, x + 1).links[0].because == ""
    sampled = D.sample("eq-s", a**2, ">=", Integer(0), "looks so")
    assert (sampled.left, sampled.right, sampled.source) == (a**2, 0, "")
    recalled = D.recall("eq-far", Abs(g(x)) ** 2, "=", g(x) ** 2)
    assert (recalled.kind, recalled.verdict.status, recalled.left, recalled.right) == (
        "recalled", "recalled", Abs(g(x)) ** 2, g(x) ** 2,
    )  # fmt: skip
    assert recalled.verdict.method == "proved elsewhere as eq-far"
    assert recalled.verdict.scope == "for all x ∈ ℝ and every real function g"
    assert (recalled.label, recalled.derivation, recalled.source) == ("eq-far", "kept", "")
    assert (recalled.links[0].relation, recalled.links[0].because) == ("=", "")
    used = D.prove("eq-u", Abs(g(x)) ** 2 * h[i], eq(g(x) ** 2 * x**i, "", follows("eq-far")))
    assert used.rests_on == ("eq-far",)
    named = D.prove("eq-n", h[i] * y, eq(x**i * y, "", follows(defined.label)))
    assert (named.uses, named.rests_on) == (("def-kept-1",), ()), "a definition is not a base"
    assert D.refute("eq-r", a, a + 1, "").source == ""
