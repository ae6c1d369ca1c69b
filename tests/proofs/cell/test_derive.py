"""The short form of a derivation: what is entered, and where a text is refused."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from sympy import Abs, Sum, cos, exp, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.cell.derive import load_ipython_extension

i, N, t = naturals("i N t")
m = integers("m")
a, b, x, y = reals("a b x y")
p = positives("p")
h, g = complex_sequence("h"), complex_sequence("g")
f, K = real_function("f"), real_function("K")
NAMES = {str(e): e for e in (i, N, t, m, a, b, x, y, p)} | {"h": h, "g": g, "f": f, "K": K}

TEXT = """
# the addition formulas
eq-cos: cos(a + b)
  = cos(a)*cos(b) - sin(a)*sin(b)     -- addition formula
eq-double: cos(2*a)
  = cos(a)^2 - sin(a)^2               -- both angles alike   [follows eq-cos(b=a)]
  = 2*cos(a)^2
    - 1                               -- sines are what   # a row may go on
                                         cosines leave

eq-gauss: sum(i, i, 0, N) = N*(N + 1)/2 -- Gauss [induction N]
K(x) := cos(p*x)                      -- a kernel
eq-even: K(-x) = K(x)                 -- even
eq-abs: |h(1) + h(2)|
  ≤ |h(1)| + |h(2)|                   -- triangle inequality [triangle]
eq-turned: |h(1)| + |h(2)|
  >= |h(1) + h(2)|                    -- the same [triangle]
eq-each: |h(i) + g(i)|
  <= |h(i)| + |g(i)|                  -- for each [triangle]
eq-sum: sum(|h(i) + g(i)|, i, 0, N)
  <= sum(|h(i)| + |g(i)|, i, 0, N)    -- added up [termwise eq-each]
eq-int: int(cos(x), x, 0, y)
  = sin(y)                            -- sine [antiderivative sin(x)]
eq-box: cos(x) < 1                    -- cosines [certified x from 1 to 2]
eq-more: p*|h(1) + h(2)| <= p*(|h(1)| + |h(2)|) + p -- and more [adding eq-abs times p, rest p]
"""


def test_a_text_is_entered_as_its_author_would():
    D = Derivation("text")
    results = derive(D, TEXT, NAMES)
    assert [r.kind for r in results] == ["proved"] * 3 + ["defined"] + ["proved"] * 8
    assert list(D.results) == [r.label for r in results]
    double = D.results["eq-double"]
    assert [link.right for link in double.links] == [cos(a) ** 2 - sin(a) ** 2, 2 * cos(a) ** 2 - 1]
    assert [link.because for link in double.links] == ["both angles alike", "sines are what cosines leave"]
    assert double.uses == ("eq-cos",)
    assert D.results["eq-gauss"].left == Sum(i, (i, 0, N))
    turned = D.results["eq-turned"]
    assert (turned.left, turned.links[0].relation) == (D.results["eq-abs"].left, "<=")


def test_a_result_of_another_page_is_recalled():
    D = Derivation("text")
    text = """
recall eq-far: |h(1) + h(2)| <= |h(2)| + |h(1)|
recall eq-turned: p
  >= |sin(p)|
eq-near: 2*|sin(p)| <= 2*p   -- twice  [adding eq-turned times 2]
"""
    far, turned, near = derive(D, text, NAMES)
    assert [r.kind for r in (far, turned, near)] == ["recalled", "recalled", "proved"]
    assert far.written[1] == (r"\left|{h_{2}}\right|", r"+ \left|{h_{1}}\right|"), "as its author wrote it"
    assert (turned.left, turned.links[0].relation, turned.right) == (Abs(sin(p)), "<=", p)
    assert near.rests_on == ("eq-turned",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recall eq-a: x = x\n  = x", "one statement is recalled: write recall eq-name: left <= right"),
        ("recall x = x", "one statement is recalled"),
        ("recall eq-a: f(x) := x", "one statement is recalled"),
        ("recall eq-a: x = x -- because", "nothing is expected here: the reason stands where it is proved"),
        ("recall eq-a: x = x -- [identity]", "nothing is expected here"),
    ],
)
def test_what_is_no_recalled_result(text, message):
    with pytest.raises(Misread, match=message):
        derive(Derivation("text"), text, NAMES)


def test_hypotheses_and_induction_from_them():
    D = Derivation("hypotheses")
    D.model(f(t), 2**t)
    text = """
assume eq-start: f(0) = 1              -- where it begins
assume eq-step: f(t + 1) = 2*f(t)      -- how it grows
eq-power: f(t) = 2^t                   -- by induction [induction t, eq-start, eq-step]
"""
    assert derive(D, text, NAMES)[-1].rests_on == ("eq-start", "eq-step")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  eq-a: x = x", "line 1, column 3: a line at the margin is expected"),
        ("x\n  = x", "line 1, column 1: a label is expected: write eq-name: left side"),
        ("eq-a: x", "a row is expected below: write   = right side"),
        ("eq-a: x\n  = \n", "line 2, column 3: a right side is expected after ="),
        ("eq-a: x\n  = y + q -- why", "line 2, column 9: q is not known here"),
        ("eq-a: x\n  = x = x", "line 2, column 7: one relation a line"),
        ("eq-a: x\n  = x -- why [magic]", "line 2, column 15: a rule is expected, one of follows, induction"),
        ("eq-a: x\n  = x -- why [follows]", r"follows needs more: write \[follows eq-a, eq-b\(n=m\)\]"),
        ("eq-a: x\n  = x -- why [follows eq-z(x=1)]", "eq-z is not an earlier result"),
        ("eq-a: x\n  = x -- why [follows eq-z(x)]", "letter=value is expected"),
        ("eq-a: x\n  = x -- why [follows 3]", "an earlier result is expected, such as eq-a"),
        ("eq-a: x\n  = x -- why [triangle x]", "nothing is expected after triangle"),
        ("eq-a: x\n  = x -- why [induction N from x]", "a whole number is expected after from"),
        ("eq-a: x\n  < 2 -- why [certified x 1 2]", "a range is expected, such as x from 1 to 2"),
        ("eq-a: x\n  >= x -- why [triangle]\n  >= y -- why", "a result with >= has one row"),
        ("eq-a: x\n  = x -- why\n  >= y -- why", "line 3, column 6: = <= or < is expected in a chain"),
        ("f(x) := x\n  = y", "a definition has one right side"),
        ("assume eq-a: x <= y -- why", "one equation is assumed"),
    ],
)
def test_a_text_that_is_none_is_refused_with_its_place(text, said):
    with pytest.raises(Misread, match=said):
        derive(Derivation("refused"), text, NAMES)


def test_a_false_row_is_refused_by_the_derivation():
    D = Derivation("false")
    with pytest.raises(Refuted, match="eq-a, row 1"):
        derive(D, "eq-a: cos(a + b)\n  = cos(a)*cos(b) + sin(a)*sin(b) -- a sign", NAMES)
    assert not D.results


def test_a_cell_of_a_notebook_uses_its_letters(capsys):
    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "posenc_lib.proofs")
        shell.user_ns |= {"x": x, "y": y, "D": Derivation("cell"), "E": Derivation("other")}
        shell.run_cell_magic("derive", "", "eq-a: exp(x)*exp(y)\n  = exp(x + y) -- powers")
        shell.run_cell_magic("derive", "E", "eq-b: exp(x)\n  = exp(x) -- itself")
        assert shell.user_ns["D"].results["eq-a"].links[0].right == exp(x + y)
        assert list(shell.user_ns["E"].results) == ["eq-b"]
        assert capsys.readouterr().out.strip()
        shell.run_cell_magic("derive", "Q", "for all x ∈ ℝ\neq-q: x + x\n  = 2x -- twice")
        assert list(shell.user_ns["derivations"]["Q"].results) == ["eq-q"]
    finally:
        InteractiveShell.clear_instance()
    assert load_ipython_extension.__name__ == "load_ipython_extension"
