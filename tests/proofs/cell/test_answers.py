"""A text that stands alone is answered part by part, and nothing that is typed is evaluated or raised."""

import json

import pytest

from posenc_lib.proofs.cell.answers import answers

LETTERS = 'a, b = reals("a b")\nN, i = naturals("N i")\n'


def told(text):
    return [(answer.kind, answer.label) for answer in answers(text)]


def test_an_equation_alone_is_a_derivation_of_one_row():
    [answer] = answers(LETTERS + "cos(a - b) = cos(a)*cos(b) + sin(a)*sin(b)")
    assert (answer.kind, answer.label, answer.reasons, answer.more) == ("proved", "eq-1", [], [])
    assert answer.latex == r"\cos(a - b) = \cos(a) \cos(b) + \sin(a) \sin(b)"
    assert answer.said == "✔ proved · identity · for all a, b ∈ ℝ · 11 wrong versions refuted"


def test_parts_are_answered_in_order_up_to_the_first_that_is_not_accepted():
    text = LETTERS + (
        "b := 2*a                          -- twice\n"
        "eq-even: cos(-b)^2 = 1 - sin(b)^2 -- even\n"
        "eq-slip: cos(a)\n  = cos(-a)       -- even\n  = -cos(a)      -- a slip\n"
        "eq-never: a = a + 0"
    )
    assert told(text) == [("defined", "def-page-1"), ("proved", "eq-even"), ("refuted", "eq-slip")]
    *_, slip = answers(text)
    assert slip.said.startswith("✘ refuted at a = ") and "left side" in slip.said
    assert slip.more[0].startswith("eq-slip, row 2: cos(a)") and "  reason given: a slip" in slip.more
    assert slip.latex.count(r"\overset{?}{=}") == 2


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("sqrt(1 + cos(2*a)) = sqrt(2)*|cos(a)|", "undecided", "? undecided: no proof was found"),
        ("sum(i, i, 0, N) = N*(N + 1)/2", "undecided", "? undecided: "),
        ("cos(c) = 1", "unread", '✎ not checked: line 3, column 5: c is not known here: write c = reals('),
        ("cos(a = 1", "unread", "✎ not checked: line 3, column 1: a row is expected below"),
        ("cos(-a) = cos(a)", "same", "= true, but the right side repeats the left: write"),
        ("", "unread", "✎ not checked: line 1, column 1: an equation is expected"),
        ("|a| <= |a| + 1", "unread", "✎ not checked: eq-1, row 1: Identity shows =, not <="),
        ('__import__("os").getcwd() = 1', "unread", "✎ not checked: line 3, column 1: a name is expected"),
        ("a/0 = 1", "unread", "✎ not checked: line 3, column 3: a divisor other than 0"),
        ("eq-x: a = a + 0\neq-x: b = b + 0", "unread", "✎ not checked: the label eq-x is taken"),
    ],
)  # fmt: skip
def test_what_is_not_accepted_is_said_in_words(text, kind, said):
    *_, answer = answers(LETTERS + text)
    assert answer.kind == kind and answer.said.startswith(said)
    assert "\n" not in answer.said and all(line.strip() != "reason given:" for line in answer.more)


def test_answers_are_plain_data():
    text = LETTERS + "eq-gauss: sum(i, i, 0, N) = N*(N + 1)/2 -- Gauss [induction N]\na = b"
    for answer in answers(text):
        assert json.loads(json.dumps(answer._asdict())) == answer._asdict()
