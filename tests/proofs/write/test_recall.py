"""What a page recalls is what another page proves: the kernel's command looks, and refuses anything else."""

import json
import re
from pathlib import Path

import pytest
from sympy import Abs, KroneckerDelta, Limit, Matrix, Rational, Sum, cos, exp, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.kernel.pages import claims_of, found, rebuilt
from posenc_lib.proofs.reread.__main__ import main
from posenc_lib.proofs.reread.definitions import definitions
from posenc_lib.proofs.reread.names import Names
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread

x, y = reals("x y")
p = positives("p")
m = integers("m")
i, N = naturals("i N")
a = real_sequence("a")
f, K = real_function("f"), real_function("K")
R = matrix_function("R", 2, 2)
TURN = Matrix([[cos(x), -sin(x)], [sin(x), cos(x)]])


def page(folder, name, D):
    """A notebook that shows the results of a derivation."""
    results = [*D.results.values(), *D.worded.values()]
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps({"cells": [{"outputs": [{"data": r._repr_mimebundle_()} for r in results]}]}))
    return path


def proving(*results, define=(), name="origin"):
    """A derivation with definitions and results, each a label and what D.prove takes."""
    D = Derivation(name)
    for head, body in define:
        D.define(head, body)
    for result in results:
        D.prove(*result)
    return D


def recalling(*args, define=(), name="here", **more):
    D = proving(define=define, name=name)
    D.recall(*args, **more)
    return D


def refusals(tmp_path, *derivations):
    """Why claims are refused, by name, where each derivation has its own page."""
    pages = [page(tmp_path, f"page-{k}", D) for k, D in enumerate(derivations)]
    return rebuilt([claim for path in pages for claim in found(path)])[1]


CIRCLE = ("eq-far", cos(x) ** 2 + sin(x) ** 2, eq(1, "Pythagoras"))
BOUND = ("eq-far", Abs(sin(p)), le(p, "chord", by=sine_chord))
CHAIN = ("eq-far", p, le(2 * p, "more", by=adding({}, rest=p)), le(3 * p, "still", by=adding({}, rest=p)))
STRICT = ("eq-far", p, lt(2 * p, "by far", by=adding({}, rest=p)))
TURNS = ("eq-far", R(x) * R(y), eq(R(x + y), "angles add"))

GRANTED = {
    "an equation": (CIRCLE, (cos(x) ** 2 + sin(x) ** 2, "=", 1), ()),
    "in another order": (CIRCLE, (1 - 1 + sin(x) * sin(x) + cos(x) ** 2, "=", 1), ()),
    "an inequality": (BOUND, (Abs(sin(p)), "<=", p), ()),
    "turned round": (BOUND, (p, ">=", Abs(sin(p))), ()),
    "a chain, by its ends": (CHAIN, (p, "<=", 3 * p), ()),
    "strict": (STRICT, (p, "<", 2 * p), ()),
    "strict, turned round": (STRICT, (2 * p, ">", p), ()),
    "weaker": (STRICT, (p, "<=", 2 * p), ()),
    "matrices": (TURNS, (R(x) * R(y), "=", R(x + y)), ((R(x), TURN),)),
}


@pytest.mark.parametrize("name", GRANTED)
def test_recalled_as_it_is_proved(tmp_path, name):
    result, said, define = GRANTED[name]
    here = recalling("eq-far", *said, define=define)
    assert refusals(tmp_path, here, proving(result, define=define)) == {}
    assert main([page(tmp_path, "page-0", here), tmp_path / "page-1.ipynb"]) == 0


def test_bound_letters_and_a_definition_s_letters_may_be_called_otherwise(tmp_path):
    one = proving(("eq-far", Sum(K(x), (i, 0, N)), eq((N + 1) * x**2, "a square")), define=[(K(x), x**2)])
    j = naturals("j")
    D = recalling("eq-far", Sum(K(x), (j, 0, N)), "=", (N + 1) * x**2, define=[(K(y), y**2)])
    assert refusals(tmp_path, D, one) == {}


def test_the_letters_of_a_smaller_domain_may_stand_for_those_of_a_larger(tmp_path):
    small = counts("p")
    assert refusals(tmp_path, recalling("eq-far", Abs(sin(small)), "<=", small), proving(BOUND)) == {}
    wide = complexes("p")
    D = recalling("eq-far", cos(wide) ** 2, "=", (1 + cos(2 * wide)) / 2)
    origin = proving(("eq-far", cos(p) ** 2, eq((1 + cos(2 * p)) / 2, "double angle")))
    assert "is proved, not" in refusals(tmp_path, D, origin)["eq-far@here"]


def test_what_rests_on_a_recalled_result_has_no_free_hypothesis_where_all_pages_are_rebuilt(tmp_path):
    D = recalling("eq-far", Abs(sin(p)), "<=", p)
    D.prove("eq-near", 2 * Abs(sin(p)), le(2 * p, "twice", by=adding({"eq-far": 2})))
    assert len(D.theorems.claimed["eq-near"].hypotheses) == 1, "here it is one"
    pages = [page(tmp_path, "a", D), page(tmp_path, "b", proving(BOUND))]
    theorems, refused = rebuilt([claim for path in pages for claim in found(path)])
    assert not refused and theorems["eq-near"].hypotheses == frozenset()
    assert "chord" in theorems["eq-near"].axioms, "as the result of the other page does"
    assert main(pages) == 0 and main(pages[:1]) == 1


def defined(body):
    return proving(("eq-far", K(x) + 1, eq(body + 1, "put in")), define=[(K(x), body)])


def assumed():
    D = Derivation("origin")
    D.assume("eq-far", f(x), x**2, "a wish")
    D.model(f(x), x**2)
    return D


def resting():
    D = Derivation("origin")
    D.assume("eq-h", f(x), x**2, "a wish")
    D.model(f(x), x**2)
    D.prove("eq-far", f(x) + 1, eq(x**2 + 1, "one more", by=follows("eq-h")))
    return D


def refuted():
    D = Derivation("origin")
    D.refute("eq-far", cos(m * x), 1, "not always", at={m: 1, x: 1})
    return D


def worded():
    D = Derivation("origin")
    D.prove("eq-step", *CIRCLE[1:])
    D.theorem("eq-far", "Theorem", "A circle.", ["eq-step"])
    return D


def jet():
    g, h = smooth_function("g"), reals("h")
    row = eq(g(x) + h * g(x).diff(x) + h**2 * g(x).diff(x, x) / 2, "to third order", by=two_jet(g, [h]))
    return proving(("eq-far", g(x + h), row)), ("eq-far", row.right + 0, "=", g(x + h), "is proved, not")


NOT_THERE = "no result eq-far is rebuilt"
REFUSED = {
    "no page proves it": (Derivation("origin"), ("eq-far", f(x), "=", f(x) + 0 * y), NOT_THERE),
    "another statement": (
        proving(CIRCLE), ("eq-far", sin(x) ** 2, "=", 1 - cos(x) ** 2), "is proved, not"),
    "a stronger relation": (proving(BOUND), ("eq-far", Abs(sin(p)), "<", p), "is proved, not"),
    "an equation for a bound": (
        proving(("eq-far", 2 * f(x) ** 2, le(3 * f(x) ** 2, "more", by=adding({}, rest=f(x) ** 2)))),
        ("eq-far", 2 * f(x) ** 2, "=", 3 * f(x) ** 2), "is proved, not"),
    "a part of a chain": (proving(CHAIN), ("eq-far", p, "<=", 2 * p), "is proved, not"),
    "a name that is defined otherwise": (
        defined(x**2), ("eq-far", K(x) + 1, "=", x**2 + 1), "has other hypotheses"),
    "assumed there": (assumed(), ("eq-far", f(x), "=", x**2), NOT_THERE),
    "resting on a hypothesis": (resting(), ("eq-far", f(x) + 1, "=", x**2 + 1), "has other hypotheses"),
    "false": (refuted(), ("eq-far", f(m), "=", f(m)), NOT_THERE),
    "in words": (worded(), ("eq-far", cos(x) ** 2 + sin(x) ** 2, "=", 1), NOT_THERE),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_anything_else_is_refused_with_both_statements(tmp_path, name):
    origin, said, reason = REFUSED[name]
    found = refusals(tmp_path, recalling(*said), origin)
    assert list(found) == ["eq-far@here"] and reason in found["eq-far@here"]


def test_no_remainder_is_left_out_of_what_is_recalled(tmp_path):
    g, h = smooth_function("g"), reals("h")
    jet = g(x) + h * g(x).diff(x) + h**2 * g(x).diff(x, x) / 2
    origin = proving(("eq-far", g(x + h), eq(jet, "to third order", by=two_jet(g, [h]))))
    found = refusals(tmp_path, recalling("eq-far", g(x + h), "=", jet), origin)
    assert "is proved, not" in found["eq-far@here"]


def test_a_condition_is_said_again(tmp_path):
    j, d = naturals("j"), counts("d")
    picked, where = Sum(KroneckerDelta(i, j) * a[j], (j, 0, d - 1)), (i <= d - 1,)
    origin = Derivation("origin")
    origin.prove("eq-far", picked, eq(a[i], "one term"), where=where)
    found = refusals(tmp_path, recalling("eq-far", picked, "=", a[i]), origin)
    assert "has other hypotheses" in found["eq-far@here"]
    D = recalling("eq-far", picked, "=", a[i], where=where)
    with pytest.raises(ValueError, match="eq-far holds where"):
        D.prove("eq-near", 2 * picked, eq(2 * a[i], "twice", by=follows("eq-far")))
    D.prove("eq-near", 2 * picked, eq(2 * a[i], "twice", by=follows("eq-far")), where=where)
    assert refusals(tmp_path, D, origin) == {}


def test_a_name_that_is_defined_here_or_there_alone(tmp_path):
    every = proving(("eq-far", K(x) + K(y), eq(K(y) + K(x), "in any order")))
    D = recalling("eq-far", K(x) + 2 * K(y), "=", 2 * K(y) + K(x), define=[(K(x), x**2)])
    assert "is proved, not" in refusals(tmp_path, D, every)["eq-far@here"]
    D = recalling("eq-far", K(x) + K(y), "=", K(y) + K(x), define=[(K(x), x**2)])
    assert refusals(tmp_path, D, every) == {}, "it holds for every function, so for this one"
    squares = defined(x**2)
    assert refusals(tmp_path, recalling("eq-far", K(x) + 1, "=", x**2 + 1), squares).keys() == {"eq-far@here"}
    D = recalling("eq-far", K(x) + 1, "=", x**2 + 1, define=[(K(x), x**2)])
    assert refusals(tmp_path, D, squares) == {}


def test_results_that_recall_each_other_are_refused(tmp_path):
    D = recalling("eq-b", Abs(sin(p)), "<=", p, name="one")
    E = recalling("eq-a", 2 * Abs(sin(p)), "<=", 2 * p, name="two")
    D.prove("eq-a", 2 * Abs(sin(p)), le(2 * p, "twice", by=adding({"eq-b": 2})))
    E.prove("eq-b", Abs(sin(p)), le(p, "half", by=adding({"eq-a": Rational(1, 2)})))
    assert refusals(tmp_path, D, E).keys() == {"eq-b@one", "eq-a", "eq-a@two", "eq-b"}


def test_a_label_of_two_pages_is_refused(tmp_path):
    with pytest.raises(ValueError, match="eq-far: two results have this label"):
        refusals(tmp_path, proving(TURNS, define=[(R(x), TURN)]), proving(CIRCLE))
    with pytest.raises(ValueError, match="eq-far: two claims have this name"):
        refusals(tmp_path, proving(BOUND), proving(CIRCLE))


def spoilt(change):
    """Why the kernel refuses a recalled result whose record was changed, and why it is not read so."""
    D = recalling("eq-far", Abs(sin(p)), "<=", p)
    record = D.results["eq-far"].record()
    changed = {**record, **change(record)}
    there = proving(BOUND).results["eq-far"].record()
    claims = [*claims_of(Path("here"), changed), *claims_of(Path("there"), there)]
    theorems, refused = rebuilt(claims)
    try:
        Derived([changed], theorems).confirm("eq-far")
    except Unread as reason:
        return refused.get("eq-far@here", ""), str(reason)
    return refused.get("eq-far@here", ""), ""


def test_what_is_printed_of_a_recalled_result_is_what_was_recalled():
    assert spoilt(lambda r: {}) == ("", "")
    assert "printed" in spoilt(lambda r: {"latex": r["latex"].replace("sin", "cos")})[1]
    assert "scope" in spoilt(lambda r: {"scope": "for all y ∈ ℝ₊"})[1]
    assert spoilt(lambda r: {"certificates": {}})[1]


def test_what_is_recalled_has_no_other_proof():
    own = json.loads(
        proving(("eq-own", x + x, eq(2 * x, ""))).results["eq-own"].record()["certificates"]["eq-own"]
    )
    refused, _ = spoilt(lambda r: {"certificates": {"eq-far@here": json.dumps(own)}})
    assert refused == "it is not eq-far, recalled"
    refused, _ = spoilt(lambda r: {"certificates": dict.fromkeys(["eq-far@here"], "[]")})
    assert refused == "claim, steps, model are expected"


def test_a_claim_is_called_as_its_result():
    record = proving(CIRCLE).results["eq-far"].record()
    claims = claims_of(Path("here"), {**record, "label": "eq-else"})
    assert rebuilt(list(claims))[1] == {"eq-far": "a claim of eq-else is called otherwise"}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (("eq-a", x, "!=", y), "relation must be =, <=, <, >= or >, got '!='"),
        (("eq-a", x, "==", y), "got '=='"),
        (("eq-a", Limit(exp(-x), x, 5), "=", exp(-5)), "eq-a cannot be recalled"),
    ],
)
def test_what_cannot_be_recalled(said, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Derivation("here").recall(*said)


def test_a_label_is_recalled_or_proved_once():
    D = proving(CIRCLE)
    with pytest.raises(ValueError, match="the label eq-far is taken"):
        D.recall("eq-far", x, "=", x)
    assert D.theorems.claimed["eq-far"].hypotheses == frozenset()


def test_a_wrong_row_is_still_refuted_where_it_names_a_recalled_result():
    D = recalling("eq-far", Abs(sin(p)), "<=", p)
    with pytest.raises(Refuted):
        D.prove("eq-near", 2 * Abs(sin(p)), le(p, "once", by=adding({"eq-far": 1})))


def test_a_recalled_row_is_no_hypothesis_that_the_page_states(tmp_path):
    D = Derivation("here")
    D.define(K(x), x**2)
    D.recall("eq-far", Matrix([K(x), sin(x) ** 2]), "=", Matrix([x**2, 1 - cos(x) ** 2]))
    D.prove("eq-near", K(x) + sin(x) ** 2, eq(x**2 + 1 - cos(x) ** 2, "both", by=follows("eq-far")))
    origin = Derivation("origin")
    origin.define(K(x), x**2)
    origin.prove("eq-far", Matrix([K(x), sin(x) ** 2]), eq(Matrix([x**2, 1 - cos(x) ** 2]), "entries"))
    assert refusals(tmp_path, D, origin) == {}


def test_another_page_s_equation_is_not_what_a_name_stands_for():
    D = recalling("eq-far", K(x), "=", 1 - x, define=[(K(x), sin(x) ** 2 + cos(x) ** 2 - x)])
    there, known = D.theorems.claimed["eq-far"], definitions([r"K(x) := \sin^{2}(x) + \cos^{2}(x) - x"])
    assert Names([there], known, elsewhere=D.theorems.proof.elsewhere).meanings == {}
    here = Names([D.theorems.claimed["eq-far@here"]], known, elsewhere=D.theorems.proof.elsewhere)
    assert [h.right.head for h in here.meanings.values()] == ["+"] and "cos" in here.meanings["K"].right.text
