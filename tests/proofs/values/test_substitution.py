"""What is put for a letter keeps its meaning: nothing is captured, nothing evaluated wrongly."""

import re
from pathlib import Path

import pytest
from attempts import refused, with_definition
from sympy import (
    Abs,
    Derivative,
    Function,
    Integer,
    Integral,
    Limit,
    Matrix,
    Subs,
    Sum,
    cos,
    oo,
    pi,
    prod,
    sin,
)

import posenc_lib.proofs as proofs
from posenc_lib.proofs import *
from posenc_lib.proofs.values.substitution import substitute

m, n = integers("m n")
e = evens("e")
N, i, j, l = naturals("N i j l")
c, d = counts("c d")
a, t, u, x, y = reals("a t u x y")
q = real_sequence("q")
f = real_function("f")
G = smooth_function("G")


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


def test_letters_are_not_caught_by_instances():
    D = Derivation("attack")
    D.prove("eq-six", Sum(x * i, (i, 0, 3)), eq(6 * x, ""))
    assert refused(lambda: D.premises(D.at("eq-six", x=i)))
    D.prove("eq-one", cos(x) ** 2 + sin(x) ** 2, eq(1, ""))
    for values in ({Integer(2): Integer(3)}, {cos(x): Integer(0)}, {x: oo}, {y: Integer(1)}):
        with pytest.raises(ValueError):
            D.at("eq-one", values)
    D = with_definition(a, x)
    D.prove("eq-a", a * cos(y), eq(x * cos(y), ""))
    (premise,) = D.premises(D.at("eq-a", {x: Integer(3)})) if a in D.results["eq-a"].left.args else ()
    assert premise.left == premise.right


def test_letters_may_change_places_in_a_definition():
    D = with_definition(f(x, y), x - 2 * y)
    assert D.prove("eq-x", f(y, x), eq(y - 2 * x, "letters exchanged")).verdict.status == "proved"


def test_letters_may_change_places_in_an_instance():
    D = Derivation("exchange")
    D.assume("eq-h", f(m) - f(n), 2 * f(m), "a hypothesis")
    (exchanged,) = D.premises(D.at("eq-h", {m: n, n: m}))
    assert (exchanged.left, exchanged.relation, exchanged.right) == (f(n) - f(m), "=", 2 * f(n))


def test_an_index_is_not_captured_by_a_definition():
    D = Derivation("capture")
    T, g = real_sequence("T"), Function("g", real=True)
    j = naturals("j")
    D.define(T[j], Sum(g(i, j), (i, 0, 3)))
    rows = Sum(g(i, 0) + g(i, 1), (i, 0, 3))
    assert D.prove("eq-rows", Sum(T[i], (i, 0, 1)), eq(rows, "T is a sum over another index")).verdict


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
    (instance,) = D.premises(D.at("eq-1", x=y))
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
    assert not check(x + hidden, x)


def test_something_is_put_in_at_one_place_only():
    folder = Path(proofs.__file__).parent
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "substitution.py" and path.parent.name != "page"  # whose SymPy is a witness only
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\.(subs|xreplace|msubs)\(", line)
    ]
    assert found == []
