"""Strings are refused where an expression is expected; none is ever evaluated."""

import re
from pathlib import Path

import pytest
from sympy import Matrix

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
