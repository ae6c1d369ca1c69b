"""Ways to a falsehood that were tried on checkers like this one; the kernel refuses each.

Where a rule refuses before the end, the steps stop there. `unproved` are statements that no search may find.
"""

import json

import pytest
from kernel_copies import lenient
from kernel_terms import *

from posenc_proofs.kernel import Refused, Theorem, replay
from posenc_proofs.kernel.terms import Term, read
from posenc_proofs.kernel.theorem import RULES
from posenc_proofs.search.equations import identity
from posenc_proofs.search.proof import NotFound, Proof

LENIENT = lenient()
M = v("M", "N")
FULL_TURN = times(TWO, PI)


def sixth(a):
    return ["sin", times(PI, a, n("1/6"))]


# the end of the inner sum is the outer index, hidden under a further binder
HIDDEN = over("sum", "i", ZERO, TWO, over("sum", "j", ZERO, over("sum", "k", ZERO, ZERO, ["bv", 1]), ONE))
# an integer that is a value of a function of a sum: put into a body, it must not take that body's index
INNER = app("f", "N", total(app("g", "C", B0), ZERO, minus(M, ONE)))


def captured(weight):
    body = times(weight, over("sum", "l", ZERO, minus(M, ONE), ["abs", plus(["bv", 1], times(I, B0))]))
    return over("sum", "a", ZERO, minus(N, ONE), over("sum", "b", INNER, plus(INNER, minus(d, ONE)), body))


ATTACKS = {
    "a rectangle that is a triangle in disguise": [axiom("swap", HIDDEN)],
    "letters of N+ and N that share a name have one least value": [
        adding(
            ZERO,
            "<",
            plus(v("n", "N+"), times(n(-1), v("n", "N"))),
            rest=plus(v("n", "N+"), times(n(-1), v("n", "N"))),
        )
    ],
    "an index captured by a shift": [["ring", captured(["bv", 1]), captured(minus(B0, INNER))]],
    "x = 3 from f = 0 and f = x - 3": (
        [defined(), assume(f(x), "=", minus(x, n(3)), [x]), combine(x, n(3), [], [[n(-1), 1], [ONE, 0]])],
        [0],
    ),
    "x = 1 for all x": ([assume(x, "=", ONE, [x]), instance(n(5))], []),
    "0 = 1 as a hypothesis for all x": ([assume(ZERO, "=", ONE, [x])], []),
    "z := 1/w in an inverse": [axiom("inverse", ["inv", w])],
    "h = g from h (m + n) = g (m + n)": [
        assume(times(f(x), plus(m, N)), "=", times(f(x, "g"), plus(m, N)), [x, m, N]),
        combine(f(x), f(x, "g"), [plus(m, N)], [[ONE, 0]]),
    ],
    "|x| + 1 as a smooth function": ([assume(f(x, "f", "S"), "=", plus(["abs", x], ONE), [x])], [0]),
    "a function as the value of each linear function of 1: then 1 = 0 is supposed to be possible": (
        [
            assume(f(x, "f", "C"), "=", word(), [x]),
            ["between", 0, [B], []],
            combine(word(), word(B), [], [[n(-1), 0], [ONE, 1]]),
            assume(word(B), "=", ZERO),
            combine(word(), ZERO, [], [[ONE, 2], [ONE, 3]]),
            assume(word(), "=", ZERO),
        ],
        [4],
    ),
    "f(-2) of a function defined for positive arguments": (
        [defined(["abs", p], p), instance(n(-2), 0, p)],
        [0],
    ),
    "f(1/2) of a function defined for integers": (
        [defined(["cos", times(PI, m)], m), instance(n("1/2"), 0, m)],
        [0],
    ),
    "0 < d - 1": [adding(ZERO, "<", minus(d, ONE), rest=minus(d, ONE))],
    "z = z": [["ring", app("H", "R", m), app("H", "C", m)]],
    "a square below 0 over complex numbers": [adding(ZERO, "<=", ["^", z, 2], rest=["^", z, 2])],
    "induction with a hypothesis that does not mention the letter": [
        assume(ZERO, "=", ONE),
        ["induct", N, ZERO, "=", ONE, 0, [0], ZERO],
    ],
}


@pytest.mark.parametrize("name", ATTACKS)
def test_refused(name):
    case = ATTACKS[name]
    steps, model = case if isinstance(case, tuple) else (case, ())
    text = claimed(LENIENT, steps, model)
    try:
        result = replay(text)
    except Refused:
        return
    assert result.conditions, "a theorem"  # it says on what it rests: a constant, a contradiction
    assert name == "induction with a hypothesis that does not mention the letter"
    assert {(h.left, h.relation, h.right) for h in result.conditions} == {(read(ZERO), "=", read(ONE))}


PARTS = [
    ["app", {"h": "f"}, "R", PI],
    ["bv", 0.5],
    ["sum", {"h": "i"}, ZERO, ONE, B0],
    {"th": 0},
    None,
    1,
    "x",
    [],
    ["var", ["x"], "R"],
    ["num", 1, 0],
    ["num", "1", "0", "0"],
    ["+", "+"],
    ["^", x],
    ["pi", x],
    [[]],
    ["num", "1e3", "0"],
    ["num", "1/0", "0"],
    ["var", "x", "R", "R"],
    ["var", "x y", "R"],
    ["lambda", x],
]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_what_is_no_term_is_refused(part):
    for steps in ([["ring", part, part]], [assume(part, "=", part)], [axiom("root", part)]):
        row = certificate(steps, hypotheses=[], left=part, relation="=", right=part)
        with pytest.raises(Refused):
            replay(json.dumps(row))


ROWS = [
    [["ring", x]], [["ring", x, x, x]], ["ring"], [], {}, [["define", x, x]], [["concluded", [], []]], [[]],
    [["ring", x, x], ["instantiate", 0, {"x": ZERO}, []]], [["ring", x, x], ["instantiate", 0, [[x]], []]],
    [["ring", x, x], ["rewrite", 1, [], x]], [["ring", x, x], ["rewrite", {"left": x}, [], x]],
    [["combine", ZERO, ONE, [], [[ONE, {"left": ZERO, "relation": "=", "right": ONE}]], []]],
    [["axiom", ["mine"], []]], [["axiom", "root", []]], [["axiom", ["root", x]]],
]  # fmt: skip


@pytest.mark.parametrize("steps", ROWS, ids=str)
def test_what_is_no_step_is_refused(steps):
    with pytest.raises(Refused):
        replay(json.dumps({**certificate([], hypotheses=[], left=x, relation="=", right=x), "steps": steps}))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "1", '"ring"', "[" * 5000, '{"claim": {}, "steps": [], "model": []}']
)
def test_what_is_no_certificate_is_refused(text):
    with pytest.raises(Refused):
        replay(text)


def test_another_version_is_refused_by_its_number():
    row = certificate([["ring", x, x]], hypotheses=[], left=x, relation="=", right=x)
    with pytest.raises(Refused, match="version 1 is expected: 2"):
        replay(json.dumps(row | {"version": 2}))


def test_theorems_and_terms_are_neither_made_nor_changed_outside():
    with pytest.raises(TypeError):
        Theorem(object(), frozenset(), frozenset(), read(ZERO), "=", read(ONE))
    with pytest.raises(AttributeError):
        read(x).head = "pi"
    for kind in (Term, Theorem):
        with pytest.raises(TypeError):
            type("Other", (kind,), {})


@pytest.mark.parametrize("ends", [(n(1, 5), n(3, 7)), (ONE, n("5/2")), (ONE, N)], ids=str)
def test_a_sum_has_a_value_only_between_integers(ends):
    with pytest.raises(Refused, match="range of numbers"):
        RULES["certified"][0](read(TWO), "<=", read(total(ONE, *ends)), [])


def sums(body, lo=ZERO, hi=TWO, hint="i"):
    return over("sum", hint, lo, hi, body)


FALSE = {
    "the integral of cos(m t), all m": (integral(["cos", times(m, B0)], ZERO, FULL_TURN), ZERO),
    "the index of the inner sum": (n(14), sums(times(["bv", 0], y))),
    "14 and sum i j": (sums(sums(times(["bv", 1], B0), hint="j")), n(14)),
    "sin(pi d / 6)": (sixth(d), ZERO),
    "a sum from d to d": (sums(sixth(B0), d, d), ZERO),
    "x / x": (times(x, ["inv", x]), TWO),
    "sqrt(x^2)": (["sqrt", ["^", x, 2]], x),
    "log(x^2)": (["log", ["^", x, 2]], times(TWO, ["log", x])),
    "e^(log x)": (["exp", ["log", x]], x),
    "|conj z + d/2|": (["abs", plus(times(TWO, z), d)], ["abs", plus(["conj", z], times(n("1/2"), d))]),
    "a constant under a pole": (
        integral(plus(["inv", B0], ONE), n(-1), ONE),
        plus(integral(["inv", B0], n(-1), ONE), ONE),
    ),
    "a sum over i < m, m an integer": (sums(ONE, ZERO, minus(m, ONE)), m),
    "h at two arguments": (app("h", "C", m), app("h", "C", plus(m, ONE))),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_equation_is_not_found(name):
    left, right = map(read, FALSE[name])
    with pytest.raises((NotFound, Refused)):
        identity(Proof(), left, right, conditions=False)
