"""No page loses a section, a result or a cell, and no text changes, without a change in the outline."""

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


FIGURE = '<figure><figcaption>It falls</figcaption><svg aria-label="A line that goes down"></svg></figure>'
TWO_EXERCISES = v4.new_markdown_cell("## Exercises\n\n**1.** Is it?\n\n**2.** Is it not?")
CELLS = [
    v4.new_markdown_cell("# Title\n\nTwo words.\n\n## First\n\nThree more words\n\n$$a=b$$ (typed)"),
    v4.new_code_cell("prove()", outputs=[step("eq-a"), step("eq-b")]),
    v4.new_markdown_cell("```\n# a comment in code, no heading\n```\n\n## Second\n\nEnd."),
    v4.new_code_cell("1", outputs=[v4.new_output("display_data", {"text/markdown": FIGURE})]),
]


@pytest.fixture
def book(tmp_path):
    """A book of one notebook and one text."""
    (tmp_path / "_toc.yml").write_text("root: text\nparts: [{caption: c, chapters: [{file: page}]}]\n")
    (tmp_path / "text.md").write_text("# Text\n\nOne two three.\n\n(here)=\n## Below\n")
    nbformat.write(v4.new_notebook(cells=CELLS), tmp_path / "page.ipynb")
    (tmp_path / "tests" / "deep").mkdir(parents=True)
    (tmp_path / "tests" / "deep" / "test_it.py").write_text("def test_a(): ...\n\n\ndef helper(): ...\n")
    return tmp_path


def test_an_outline_holds_headings_words_cells_and_labels(book):
    lines = [line.split() for line in outline.outline(book).splitlines()]
    assert [line[1:] if "words" in line else line for line in lines] == [
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
        [],
        ["parts"],
        ["c"],
        [],
        ["tests"],
        ["1", "tests/deep/test_it.py"],
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


def _say_the_contrary(cells):
    cells[0].source = cells[0].source.replace("more words", "fewer words")


def _turn_a_sign(cells):
    cells[0].source = cells[0].source.replace("a=b", "a=-b")


def _change_a_caption(cells):
    cells[3].outputs[0].data["text/markdown"] = FIGURE.replace("falls", "rises")


def _change_what_a_figure_is_told_to_show(cells):
    cells[3].outputs[0].data["text/markdown"] = FIGURE.replace("down", "up")


@pytest.mark.parametrize(
    "change",
    [
        _drop_heading, _drop_sentence, _drop_result, _hide_result, _hide_cell, _drop_last_cell,
        _say_the_contrary, _turn_a_sign, _change_a_caption, _change_what_a_figure_is_told_to_show,
    ],
)  # fmt: skip
def test_what_a_page_loses_or_says_otherwise_is_seen(book, change):
    before = outline.outline(book)
    notebook = nbformat.read(book / "page.ipynb", as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, book / "page.ipynb")
    assert any(line.startswith("-") for line in outline.difference(before, outline.outline(book)))


def test_where_lines_break_does_not_matter(book):
    before = outline.outline(book)
    (book / "text.md").write_text("# Text\n\nOne\ntwo   three.\n\n(here)=\n## Below\n")
    assert outline.outline(book) == before


def test_another_name_of_a_part_is_seen(book):
    before = outline.outline(book)
    (book / "_toc.yml").write_text((book / "_toc.yml").read_text().replace("caption: c", "caption: d"))
    assert {"-c", "+d"} < set(outline.difference(before, outline.outline(book)))


def test_a_test_that_goes_is_missed_and_so_is_a_file_of_them(book):
    before, file = outline.outline(book), book / "tests" / "deep" / "test_it.py"
    file.write_text(file.read_text().replace("def test_a", "def a"))
    assert "+   0 tests/deep/test_it.py" in outline.difference(before, outline.outline(book))
    file.unlink()
    assert "-   1 tests/deep/test_it.py" in outline.difference(before, outline.outline(book))


def test_the_words_of_a_table_are_seen(book):
    table = book / outline.TABLES[0]
    table.parent.mkdir(parents=True)
    table.write_text("items: [{holds: '≥'}]\ncorrections: []\n")
    before = outline.outline(book)
    table.write_text("items: [{holds: '≤'}]\ncorrections: []\n")
    changed = outline.difference(before, outline.outline(book))
    assert [line[0] for line in changed if "items" in line] == ["-", "+"]


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


def test_the_command_says_what_went_and_what_came(tmp_path, monkeypatch, capsys):
    stored = tmp_path / "outline.txt"
    stored.write_text("page\n  an α that went\n", encoding="utf-8")
    monkeypatch.setattr(outline, "OUTLINE", stored)
    monkeypatch.setattr(outline, "outline", lambda: "page\n  a β that came\n")
    assert outline.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [" page", "-  an α that went", "+  a β that came"]
    monkeypatch.setattr(outline, "outline", lambda: "page\n  an α that went\n")
    assert outline.main(["--check"]) == 0 and capsys.readouterr().out == ""
