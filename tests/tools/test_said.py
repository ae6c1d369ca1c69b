"""A number that a text says is the one that its page computed."""

from nbformat import v4

from tools import said


def page(text, **computed):
    cell = v4.new_code_cell("…", metadata={"tags": ["said", "remove-cell"]})
    cell.outputs = [v4.new_output("execute_result", {"text/plain": repr(computed)}, execution_count=1)]
    return v4.new_notebook(cells=[v4.new_markdown_cell(text), cell])


def test_a_text_is_filled_with_what_was_computed():
    typed = "It falls to <!--=low-->$0.1$<!--/--> at\nplace <!--=where-->6<!--/-->."
    notebook = page(typed, low="$0.38$", where="42")
    found = [problem.partition(",")[0] for problem in said.problems(notebook)]
    assert found == ["cell 0: says '$0.1$' for 'low'", "cell 0: says '6' for 'where'"]
    said.fill(notebook)
    text = notebook.cells[0].source
    assert text == "It falls to <!--=low-->$0.38$<!--/--> at\nplace <!--=where-->42<!--/-->."
    assert list(said.problems(notebook)) == []


def test_a_name_that_only_one_side_knows_is_named():
    notebook = page("About <!--=ratio-->2<!--/-->.", share="5 %")
    typed, unsaid = said.problems(notebook)
    assert typed == "cell 0: says '2' for 'ratio', the cell tagged said None"
    assert unsaid == "'share' is computed for a text, and no text says it"


def test_a_line_that_begins_with_a_mark_is_named():
    """Its emphasis and formulas would be shown as they are typed."""
    notebook = page("About\n <!--=ratio-->2<!--/--> of the $x$.", ratio="2")
    (problem,) = said.problems(notebook)
    assert problem.endswith("begin it with a word: <!--=ratio-->2<!--/--> of the $x$.")
