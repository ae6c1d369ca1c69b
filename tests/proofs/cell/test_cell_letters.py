"""Lines that declare letters: what they make, and where they are refused."""

import pytest

from posenc_lib.proofs import *
from posenc_lib.proofs.cell.letters import MAKERS, MANY, declared

TEXT = """a, b = reals("a b")
th = reals("theta")        # another name
h, g = complex_sequence("h"), complex_sequence("g")
eq-h: h(1) = reals(2)
  = h(1)
q, k = complexes("q, k")
"""


def test_letters_are_those_that_python_would_make():
    letters, rest = declared(TEXT)
    python = {}
    for line in TEXT.split("\n"):
        if '("' in line:
            exec(line, dict(MAKERS), python)
    assert {name: letter.made() for name, letter in letters.items()} == python
    assert len(rest) == len(TEXT) and rest.split("\n")[3:5] == TEXT.split("\n")[3:5]
    assert rest.split() == ["eq-h:", "h(1)", "=", "reals(2)", "=", "h(1)"]


@pytest.mark.parametrize("maker", MAKERS)
def test_every_domain_of_the_checker_can_be_declared(maker):
    """Those of which one call makes several are known, and no maker of single letters is left out."""
    letters, _ = declared(f'x = {maker}("x")')
    assert letters["x"].made() == globals()[maker]("x")
    assert (maker in MANY) == (len(declared(f'x, y = {maker}("x y")')[0]) == 2 if maker in MANY else False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a = reals("a"', "line 1, column 10: letters are declared as"),
        ('\na, b = reals("a")', "line 2, column 1: letters are declared as .* got 2 names for 1 letters"),
        ('a, a = reals("a b")', "got 2 names for 2 letters"),
        ('a = reals("a")\na = complexes("a")', "line 2, column 1: a is declared above"),
        ("a = reals(b)", "line 1, column 5: letters are declared as"),
        ('a = reals("a", real=True)', "letters are declared as"),
        ('h = complex_sequence("h g")', "complex_sequence takes one name, got 'h g'"),
        ('é = reals("x^2")', r"line 1, column 5: a name of letters, digits and _ is expected, not 'x\^2'"),
        (r'a = reals("\\href{x}{y}")', "a name of letters"),
        ('a, b = reals("a"), eval("b")', "column 20: one of integers, .* is expected, not eval"),
        ('lambda = reals("lambda")', "letters are declared as"),
        ('a = reals("a"); b = 1', "letters are declared as"),
    ],
)
def test_a_declaration_of_another_form_is_refused_with_its_place(text, said):
    with pytest.raises(Misread, match=said):
        declared(text)
