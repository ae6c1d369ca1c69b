"""No page loses a section, a sentence, a result or a cell without a change in the stored outline."""

import nbformat
import pytest
from nbformat import v4

from tools import outline
from tools.reading import STEP, problems


def test_the_book_is_what_its_outline_says():
    changed = outline.difference(outline.OUTLINE.read_text(encoding="utf-8"), outline.outline())
    assert not changed, "if it was meant, run: python -m tools.outline\n" + "\n".join(changed)


def step(label):
    return v4.new_output("display_data", {"text/plain": label, STEP: {"label": label}})


def answer(*tags, text="1"):
    return v4.new_code_cell("1", outputs=[v4.new_output("stream", text=text)], metadata={"tags": list(tags)})


TWO_EXERCISES = v4.new_markdown_cell("## Exercises\n\n**1.** Is it?\n\n**2.** Is it not?")
CELLS = [
    v4.new_markdown_cell("# Title\n\nTwo words.\n\n## First\n\nThree more words\n\n$$a=b$$ (typed)"),
    v4.new_code_cell("prove()", outputs=[step("eq-a"), step("eq-b")]),
    v4.new_markdown_cell("```\n# a comment in code, no heading\n```\n\n## Second\n\nEnd."),
    v4.new_code_cell("1"),
]


@pytest.fixture
def book(tmp_path):
    """A book of one notebook and one text."""
    (tmp_path / "_toc.yml").write_text("root: text\nparts: [{caption: c, chapters: [{file: page}]}]\n")
    (tmp_path / "text.md").write_text("# Text\n\nOne two three.\n\n(here)=\n## Below\n")
    nbformat.write(v4.new_notebook(cells=CELLS), tmp_path / "page.ipynb")
    return tmp_path


def test_an_outline_holds_headings_words_cells_and_labels(book):
    assert [line.split() for line in outline.outline(book).splitlines()] == [
        ["text"],
        ["4", "words", "#", "Text"],
        ["here"],
        ["0", "words", "##", "Below"],
        [],
        ["page"],
        ["2", "words", "#", "Title"],
        ["14", "words", "1", "code", "##", "First"],  # a fenced line is text
        ["typed"],
        ["eq-a"],
        ["eq-b"],
        ["1", "words", "1", "code", "##", "Second"],
    ]


def _drop_heading(cells):
    cells[2].source = "End."


def _drop_sentence(cells):
    cells[0].source = cells[0].source.replace("Two words.", "")


def _drop_result(cells):
    cells[1].outputs.pop()


def _hide_result(cells):
    cells[1].metadata["tags"] = ["remove-output"]


def _hide_cell(cells):
    cells[1].metadata["tags"] = ["remove-cell"]


def _drop_last_cell(cells):
    cells.pop()


@pytest.mark.parametrize(
    "lose", [_drop_heading, _drop_sentence, _drop_result, _hide_result, _hide_cell, _drop_last_cell]
)
def test_what_a_page_loses_is_seen(book, lose):
    before = outline.outline(book)
    notebook = nbformat.read(book / "page.ipynb", as_version=4)
    lose(notebook.cells)
    nbformat.write(notebook, book / "page.ipynb")
    assert any(line.startswith("-") for line in outline.difference(before, outline.outline(book)))


def test_a_page_missing_from_the_contents_is_seen(book):
    before = outline.outline(book)
    (book / "_toc.yml").write_text("root: text\nparts: []\n")
    assert "-page" in outline.difference(before, outline.outline(book))


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([v4.new_markdown_cell("## Exercises\n\n1. What?"), answer()], "an answer stands open"),
        (
            [v4.new_markdown_cell("## Exercises\n\n### 1\n\nWhat?"), answer("hide-input")],
            "an answer stands open",
        ),
        ([v4.new_markdown_cell("## Exercises"), answer("hide-cell")], None),
        ([v4.new_markdown_cell("## Exercises\n\n## What is proved"), answer()], None),
        (
            [TWO_EXERCISES, answer("hide-cell", text="1: yes\n2: no\n")],
            "an answer to exercise 1 stands below exercise 2",
        ),
        ([TWO_EXERCISES, answer("hide-cell", text="2. no\n")], None),
        ([CELLS[1]], None),
        ([CELLS[1], CELLS[1]], "eq-a is displayed with no word"),
        ([CELLS[1], v4.new_code_cell("x = 1"), CELLS[1]], "eq-a is displayed with no word"),
        ([CELLS[1], CELLS[2], CELLS[1]], None),
        ([CELLS[2], v4.new_code_cell("x = 1"), CELLS[1]], None),
    ],
)
def test_answers_are_folded_and_results_introduced(cells, found):
    given = v4.new_notebook()
    given.cells = [nbformat.from_dict(cell | {"id": f"cell-{i}"}) for i, cell in enumerate(cells)]
    messages = list(problems(given))
    assert len(messages) == (found is not None)
    assert all(found in message for message in messages)
