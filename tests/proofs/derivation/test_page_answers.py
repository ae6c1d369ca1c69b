"""A text that stands alone is answered part by part, and nothing that is typed is evaluated or raised."""

import json

import pytest

from posenc_proofs.derivation.answers import answers

SCOPE = "for all a, b ∈ ℝ, i, N ∈ ℕ\n"


def test_an_equation_alone_is_a_derivation_of_one_row():
    [answer] = answers(SCOPE + r"\cos(a - b) = \cos a \cos b + \sin a \sin b")
    assert (answer.kind, answer.label, answer.reasons, answer.more) == ("proved", "eq-1", [], [])
    assert answer.latex == r"\cos(a - b) = \cos a \cos b + \sin a \sin b"
    assert answer.said.startswith("✔ proved · identity · for all a, b ∈ ℝ · ")


def test_parts_are_answered_in_order_up_to_the_first_that_is_not_accepted():
    text = SCOPE + (
        "c := 2a                            -- twice\n"
        "eq-even: \\cos(-c)^2\n  = 1 - \\sin(c)^2  -- even\n"
        "eq-slip: \\cos a\n  = \\cos(-a)        -- even\n  = -\\cos a        -- a slip\n"
        "eq-never: a = a + b - b"
    )
    *_, slip = found = list(answers(text))
    assert [(answer.kind, answer.label) for answer in found] == [
        ("defined", "def-page-1"), ("proved", "eq-even"), ("refuted", "eq-slip"),
    ]  # fmt: skip
    assert slip.said.startswith("✘ refuted: eq-slip, row 2: false at a = ")
    assert slip.latex.count(r"\overset{?}{=}") == 2


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (r"\sqrt{1 + \cos 2a} = \sqrt2 \, |\cos(a)|", "undecided", "? undecided: "),
        (r"\sum_{i=0}^N i = \frac{N(N + 1)}2", "undecided", "? undecided: "),
        (r"\cos(c) = 1", "unread", "✎ not checked: "),
        (r"\cos(a = 1", "unread", "✎ not checked: a row is expected"),
        (r"\cos a = ?", "unread", "✎ not checked: line 2, column 16: write your formula in the place"),
        (r"b + 2a = 2a + b", "same", "= true, but the right side repeats the left: write"),
        ('__import__("os").getcwd() = 1', "unread", "✎ not checked: "),
        ("eq-x: a = a + b - b\neq-x: b = b + a - a", "unread", "✎ not checked: the label eq-x is taken"),
    ],
)  # fmt: skip
def test_what_is_not_accepted_is_said_in_words(text, kind, said):
    *_, answer = answers(SCOPE + text)
    assert answer.kind == kind and answer.said.startswith(said)
    assert "\n" not in answer.said


@pytest.mark.parametrize(("right", "kind"), [(r"B^\top A^\top", "proved"), (r"(AB)^\top", "same")])
def test_what_the_reader_does_at_once_is_an_answer_all_the_same(right, kind):
    [answer] = answers(f"for all d ∈ ℕ₊ and every real d × d matrix A, B\n(AB)^\\top\n  = {right}")
    assert answer.kind == kind


def test_answers_are_plain_data():
    text = SCOPE + "eq-gauss: \\sum_{i=0}^N i\n  = \\frac{N(N + 1)}2  -- Gauss [induction N]\na = b"
    found = list(answers(text))
    assert [answer.kind for answer in found] == ["proved", "refuted"]
    assert all(json.loads(json.dumps(answer._asdict())) == answer._asdict() for answer in found)
