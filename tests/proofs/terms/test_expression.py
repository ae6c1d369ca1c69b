"""Strings are refused where an expression is expected; none is ever evaluated."""

import re
from pathlib import Path

import pytest
from sympy import I, Matrix, Rational

import posenc_lib.proofs as proofs
from posenc_lib.proofs import *

x, m, i = reals("x"), integers("m"), naturals("i")
f = real_function("f")
TRAP = "__import__('pathlib').Path('EVALUATED').touch()"


def derivation():
    D = Derivation("strings")
    D.prove("eq-x", x + x, eq(2 * x, "twice"))
    return D


ENTRIES = {
    "check, left": lambda s: check(s, x),
    "check, right": lambda s: check(x, s),
    "eq": lambda s: eq(s, ""),
    "le": lambda s: le(s, "", by=identity),
    "lt": lambda s: lt(s, "", by=identity),
    "evaluate": lambda s: evaluate(s, Point(0)),
    "latex": latex,
    "MaxOver": lambda s: MaxOver(s, (i, 0, 1)),
    "MaxOver, letter": lambda s: MaxOver(x, (s, 0, 1)),
    "MaxOver, first": lambda s: MaxOver(x, (i, s, 1)),
    "MaxOver, range": lambda s: MaxOver(x, s),
    "Modulus": Modulus,
    "Inner": lambda s: Inner(s, Matrix([1])),
    "Inner, right": lambda s: Inner(Matrix([1]), s),
    "BlockDiagonal": lambda s: BlockDiagonal(s, (i, 0, 1)),
    "Stacked": lambda s: Stacked(s, (i, 0, 1)),
    "Stacked, last": lambda s: Stacked(Matrix([1]), (i, 0, s)),
    "matrix_function": lambda s: matrix_function("R", 2, 2)(s),
    "vector_function": lambda s: vector_function("v", 2)(x, s),
    "follows, times": lambda s: follows("eq-x", times=s),
    "antiderivative": antiderivative,
    "adding, weight": lambda s: adding({"eq-x": s}),
    "adding, rest": lambda s: adding({}, rest=s),
    "limit_by": lambda s: limit_by("eq-x", s),
    "in_the_limit": lambda s: in_the_limit("eq-x", s),
    "in_the_limit, to": lambda s: in_the_limit("eq-x", x, s),
    "induction": induction,
    "finite": lambda s: finite(s, [1]),
    "finite, value": lambda s: finite(m, [s]),
    "certified, letter": lambda s: certified((s, 0, 1)),
    "certified, end": lambda s: certified((x, s, 1)),
    "certified, range": certified,
    "two_jet": lambda s: two_jet(f, [s]),
    "prove": lambda s: derivation().prove("eq-a", s, eq(x, "")),
    "prove, where": lambda s: derivation().prove("eq-a", x, eq(x, ""), where=[s]),
    "refute": lambda s: derivation().refute("eq-a", s, x, ""),
    "refute, right": lambda s: derivation().refute("eq-a", x, s, ""),
    "refute, at": lambda s: derivation().refute("eq-a", x, 0, "", at={x: s}),
    "define": lambda s: derivation().define(f(x), s),
    "assume": lambda s: derivation().assume("eq-a", s, x, ""),
    "assume, right": lambda s: derivation().assume("eq-a", x, s, ""),
    "recall": lambda s: derivation().recall("eq-a", s, "=", x),
    "recall, right": lambda s: derivation().recall("eq-a", x, "=", s),
    "model": lambda s: derivation().model(f(x), s),
    "constant": lambda s: derivation().constant(s),
    "sample": lambda s: derivation().sample("eq-a", s, "=", x, ""),
    "sample, right": lambda s: derivation().sample("eq-a", x, "=", s, ""),
    "cite": lambda s: derivation().cite("eq-a", s, "=", x, ""),
    "cite, right": lambda s: derivation().cite("eq-a", x, "=", s, ""),
    "at": lambda s: derivation().at("eq-x", x=s),
    "at, by letter": lambda s: derivation().at("eq-x", {x: s}),
    "meaning": lambda s: derivation().meaning(s),
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
@pytest.mark.parametrize("text", [TRAP, "x", "1"])
def test_a_string_is_no_expression(entry, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError):
        entry(text)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", [TRAP, f"eq-a: {TRAP}\n  = 1", f"eq-a: x\n  = {TRAP}", f"eq-a: x\n  = x -- [{TRAP}]"]
)
def test_what_is_read_as_text_is_not_run(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(proofs.Misread):
        proofs.derive(derivation(), text, {"x": x, "open": open, "Path": Path, "sympy": proofs})
    assert list(tmp_path.iterdir()) == []


def test_every_public_name_that_takes_expressions_is_tried():
    tried = {name.split(",")[0] for name in ENTRIES} | {"derive"}
    names = {"reals", "integers", "evens", "naturals", "counts", "positives", "complexes", "real_entries"}
    makers = ("_sequence", "_function", "_matrices")
    names |= {name for name in proofs.__all__ if name.endswith(makers)} - tried
    rules = {
        "cauchy_schwarz",
        "exponential_tangent",
        "identity",
        "maximum",
        "one_term",
        "sine_chord",
        "triangle",
        "termwise",
        "trigonometric_integrals",
    }
    records = {"CheckerBug", "Counterexample", "ProofError", "Refuted", "Result", "Undecided", "Verdict"}
    assert set(proofs.__all__) - tried == names | rules | records | {
        "Derivation",
        "Misread",
        "Point",
        "Statement",
    }
    methods = {name for part in Derivation.__mro__[:4] for name in vars(part) if not name.startswith("_")}
    assert methods - tried == {"check_model", "print_as"}


def test_expressions_enter_at_one_gate_only():
    folder = Path(proofs.__file__).parent
    opens = re.compile(r"\bsympify\(|parse_expr|(?<!def )\beval\(|\bS\(")
    found = [path.name for path in folder.rglob("*.py") if opens.search(path.read_text(encoding="utf-8"))]
    assert found == ["expression.py"]


POSITIVE, NATURAL = positives("r"), naturals("N")
WRONG = {
    "prove, no claim": (lambda: derivation().prove("eq-a", x, x), "eq-a, row 1: eq(…), le(…) or lt(…) is"),
    "prove, where": (lambda: derivation().prove("eq-a", x, eq(x, ""), where=x > 0), "where lists conditions"),
    "recall, where": (lambda: derivation().recall("eq-a", x, "=", x, where=x > 0), "where lists conditions"),
    "check, where": (lambda: check(x, x, x > 0), "where lists conditions, such as [x > 0], got x > 0"),
    "check, condition": (lambda: check(x, x, [x]), "a condition must be a relation such as x > 0, got x"),
    "prove, label": (lambda: derivation().prove(3, x, eq(x, "")), "a label must be a string such as 'eq-a'"),
    "assume, label": (lambda: derivation().assume(3, x, m, ""), "a label must be a string"),
    "at, mapping": (lambda: derivation().at("eq-x", 3), "eq-x: at takes a mapping from letters to values"),
    "define, head": (lambda: derivation().define("f", x), "what is defined must be a number, a SymPy"),
    "refute, at": (lambda: derivation().refute("eq-a", x, 0, "", at=3), "at must be a mapping"),
    "eq, by": (lambda: eq(x, "b", by=3), "by must be a rule"),
    "le, by": (lambda: le(x, "b", by=None), "by must be a rule"),
    "lt, because": (lambda: lt(x, 3, by=triangle), "because must be the reason in words, got 3"),
    "letters": (lambda: reals(3), "names must be a string such as 'a b', got 3 (int)"),
    "sequence": (lambda: real_sequence(3), "names must be a string"),
    "function": (lambda: complex_function(None), "names must be a string"),
    "matrix": (lambda: matrix_function(3, 2, 2), "names must be a string"),
    "matrices": (lambda: square_matrices(3, counts("d")), "names must be a string"),
    "entries, name": (lambda: real_entries(3, 2), "names must be a string"),
    "entries, True": (lambda: real_entries("x", True), "rows must be an int, got True"),
    "entries, half": (lambda: real_entries("x", 2, 2.5), "columns must be an int, got 2.5"),
    "adding": (lambda: adding(3), "weights must be a mapping"),
    "adding, label": (lambda: adding({3: 1}), "an earlier result is named by its label"),
    "follows": (lambda: follows("eq-x", 3), "an earlier result is named by its label"),
    "termwise": (lambda: termwise(None), "an earlier result is named by its label"),
    "limit_by": (lambda: limit_by(3, 0), "an earlier result is named by its label"),
    "in_the_limit": (lambda: in_the_limit(3, POSITIVE), "an earlier result is named by its label"),
    "induction": (lambda: induction(NATURAL, 0, [3]), "an earlier result is named by its label"),
    "induction, using": (lambda: induction(NATURAL, 0, 3), "using must be a list or a tuple, got 3"),
    "induction, at": (lambda: induction(NATURAL, at=3), "at must be a mapping"),
    "finite": (lambda: finite(m, 3), "values must be a list or a tuple, got 3"),
    "two_jet": (lambda: two_jet(smooth_function("g"), 3), "small must be a list or a tuple, got 3"),
    "Inner": (lambda: Inner(1, 2), "a side of an inner product must be a column, got the number 1"),
    "derive, text": (lambda: derive(derivation(), None, {}), "text must be a str, got None"),
    "derive, names": (lambda: derive(derivation(), "", "{}"), "names must be a Mapping, got '{}'"),
    "derive, D": (lambda: derive(None, "", {}), "D must be a Derivation, got None"),
    "Point": (lambda: Point(0, given=3), "given must be a mapping"),
    "Point, NaN": (lambda: Point(0, given={x: float("nan")}), "the value of x must be a rational number"),
    "Point, I": (lambda: Point(0, given={x: I}), "the value of x must be a rational number"),
}
OUT_OF_RANGE = {
    "a digit first": (lambda: reals("a 1b"), "a name must not begin with a digit, got '1b' in 'a 1b'"),
    "no name": (lambda: reals(" "), "names must hold one name or more"),
    "two names": (lambda: real_sequence("a b"), "name must be one name, got 'a b'"),
    "no entry": (lambda: real_entries("x", 0), "rows must be at least 1, got 0"),
    "fewer": (lambda: real_entries("x", 2, -1), "columns must be at least 1, got -1"),
    "too many entries": (lambda: real_entries("x", 10**9), "x may have at most 10000 entries"),
    "too large a matrix": (lambda: matrix_function("R", 10**9, 2)(x).generic(), "R may have at most 10000"),
    "too large a power": (lambda: check(x**10**12, x**10**12), "the exponent of x**1000000000000 is above"),
    "too small a power": (lambda: check(x ** -(10**12), x), "is above 10000: write a letter for it"),
}


@pytest.mark.parametrize(
    ("call", "message", "error"),
    [
        pytest.param(*case, error, id=name)
        for error, cases in ((TypeError, WRONG), (ValueError, OUT_OF_RANGE))
        for name, case in cases.items()
    ],
)
def test_what_is_of_another_kind_is_refused_with_what_was_expected(call, message, error):
    with pytest.raises(error, match=re.escape(message)):
        call()


def test_the_largest_exponent_and_the_most_entries_are_taken():
    assert check(x**10_000, x**9_999 * x).status == "proved"
    assert real_entries("x", 100, 100).shape == (100, 100)
    assert set(Point(0, given={x: Rational(1, 2), m: 3}).values) == {"x", "m"}
    assert check(x, x, [x > 0]).status == "proved"
