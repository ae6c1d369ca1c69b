"""What a page lost is shown in words; answers are folded, and results introduced."""

import nbformat
import pytest
from nbformat import v4

from tools.reading import STEP, problems


def step(label):
    return v4.new_output("display_data", {"text/plain": label, STEP: {"label": label}})


def answer(*tags, text="1"):
    return v4.new_code_cell("1", outputs=[v4.new_output("stream", text=text)], metadata={"tags": list(tags)})


text_cell = v4.new_markdown_cell
TWO = text_cell("## Exercises\n\n**1.** Is it?\n\n**2.** Is it not?")
BELOW = "an answer to exercise 1 stands below exercise 2"
FOLD = text_cell("<!-- proof -->")
CELLS = [
    text_cell("# Title\n\nThe hands turn clockwise, all of them."),
    v4.new_code_cell("prove()", outputs=[step("eq-a"), step("eq-b")]),
    text_cell("## Second\n\nEnd."),
]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([text_cell("## Exercises\n\n1. What?"), answer()], "an answer stands open"),
        ([text_cell("## Exercises\n\n### 1\n\nWhat?"), answer("hide-input")], "an answer stands open"),
        ([text_cell("## Exercises"), answer("hide-cell")], None),
        ([text_cell("## Exercises\n\n## What is proved"), answer()], None),
        ([TWO, answer("hide-cell", text="1: yes\n2: no\n")], BELOW),
        ([TWO, answer("hide-cell", text="2. no\n")], None),
        ([CELLS[1]], None),
        ([CELLS[1], CELLS[1]], "eq-a is displayed with no word"),
        ([CELLS[1], v4.new_code_cell("x = 1"), CELLS[1]], "eq-a is displayed with no word"),
        ([CELLS[1], CELLS[2], CELLS[1]], None),
        ([CELLS[2], v4.new_code_cell("x = 1"), CELLS[1]], None),
        ([text_cell("So it is:"), FOLD], "cell 0: a sentence ends in a colon"),
        ([text_cell("So it is:"), CELLS[1], FOLD], None),
    ],
)
def test_answers_are_folded_and_results_introduced(cells, found):
    given = v4.new_notebook()
    given.cells = [nbformat.from_dict(cell | {"id": f"cell-{i}"}) for i, cell in enumerate(cells)]
    messages = list(problems(given))
    assert len(messages) == (found is not None)
    assert all(found in message for message in messages)
