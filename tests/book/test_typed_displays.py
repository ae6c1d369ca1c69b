"""A displayed equation is printed from what was checked: no text cell of a page displays a typed one."""

import re

import nbformat
import pytest

from tools.contents import find_notebooks
from tools.notebooks import ROOT
from tools.reading import STEP

COMPUTED = {  # (page, cell): of what else than a checked result its code prints a display
    ("3-relative/32-biases", "bucket-formula-31"): "of the expression that the next cell evaluates"
}

FENCED = re.compile(r"^ *(`{3,}|~{3,}) *(?!\{)[^\n`]*\n.*?^ *\1`*~* *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
NUMBERED = "align|alignat|equation|eqnarray|flalign|gather|multline"  # what MyST displays without dollars
DISPLAY = re.compile(
    rf"\$\$|(?:`{{3,}}|~{{3,}}|:{{3,}}) *\{{math\}}|(?<!\\)\\\[|\\begin\{{(?:{NUMBERED})\*?\}}|<math\b"
)


def displays(text):
    """What displays mathematics in Markdown; code is none."""
    return DISPLAY.findall(CODE.sub("", FENCED.sub("", text)))


def cells():
    """Every cell of the book's notebooks, with its page and id."""
    for path in find_notebooks():
        page = path.relative_to(ROOT / "book").with_suffix("").as_posix()
        for cell in nbformat.read(path, as_version=4).cells:
            yield (page, cell.id), cell


def printed(output):
    """Whether an output displays mathematics that no checked result printed."""
    data = output.get("data", {})
    texts = data.get("text/markdown", ""), data.get("text/latex", "")
    return any(map(displays, texts)) and STEP not in data


def test_no_text_cell_displays_a_typed_equation():
    found = {place for place, cell in cells() if cell.cell_type == "markdown" and displays(cell.source)}
    assert not found


def test_no_code_displays_anything_but_results_and_what_it_computes_with():
    found = {place for place, cell in cells() if any(map(printed, cell.get("outputs", [])))}
    assert found == set(COMPUTED)


TYPED = [
    "It is\n\n$$a=b$$\n\nhere.",
    "It is $$a=b$$ here.",
    "```{math}\na=b\n```",
    "````{math} a=b\n````",
    ":::{math}\na=b\n:::",
    ":::{dropdown} Solution\n$$\na=b\n$$\n:::",
    r"\[a=b\]",
    "\\begin{align*}\na&=b\n\\end{align*}",
    "`code`, then $$a=b$$",
    "```python\nx\n```\n\n$$a=b$$\n\n```python\ny\n```",
]
NOT_TYPED = [
    "Inline $a=b$, and $c=d$.",
    r"A matrix $\begin{pmatrix}a&b\\[2pt]c&d\end{pmatrix}$.",
    "In Markdown `$$` displays.",
    "```text\n$$a=b$$\n```",
    ":::{dropdown} Solution\n$a$\n:::",
]


@pytest.mark.parametrize("text", TYPED + NOT_TYPED)
def test_a_typed_display_is_noticed_and_inline_mathematics_and_code_are_none(text):
    assert bool(displays(text)) == (text in TYPED)


def test_a_display_that_code_types_is_noticed():
    typed = nbformat.v4.new_output("execute_result", {"text/markdown": "$$\na=b\n$$"})
    checked = nbformat.v4.new_output(
        "execute_result", {"text/markdown": "$$\na=b\n$$", STEP: {"label": "eq"}}
    )
    assert printed(typed) and not printed(checked)
