"""A number in a chapter's text is printed or set there, filled into its sentence, computed, or listed."""

import nbformat
import pytest
from nbformat import v4
from number_sources import COMPUTED, GIVEN, NAMES
from page_numbers import Page, is_among, is_told_by, numbers, unbound, values, without
from sentences import COMPUTED as FILLED_IN

from tools.contents import find_notebooks
from tools.notebooks import ROOT

PATHS = {path.stem: path for path in find_notebooks() if path.stem[0].isdigit()}
PAGES = {name: Page(path) for name, path in PATHS.items()}
SENTENCES = {
    name: [*FILLED_IN.get(path.relative_to(ROOT).as_posix(), []), *NAMES.get(name, [])]
    for name, path in PATHS.items()
}
LISTED = {name: {**COMPUTED.get(name, {}), **GIVEN.get(name, {})} for name in COMPUTED.keys() | GIVEN.keys()}


@pytest.mark.parametrize("name", PAGES)
def test_a_number_in_a_text_has_a_source(name):
    assert list(unbound(PAGES[name], PAGES.values(), LISTED.get(name, ()), SENTENCES[name])) == []


@pytest.mark.parametrize(("name", "written"), [(name, it) for name in COMPUTED for it in COMPUTED[name]])
def test_a_number_that_is_computed_is_what_is_written(name, written):
    (number,) = numbers(written)
    assert is_among(number, [abs(COMPUTED[name][written]())])


def test_what_is_listed_is_said_and_shown_by_no_page():
    for name, listed in LISTED.items():
        alone = set(unbound(PAGES[name], PAGES.values(), (), SENTENCES[name]))
        assert set(listed) <= alone, f"{name}: {set(listed) - alone} needs no line"


@pytest.mark.parametrize(("name", "said"), [(name, said) for name in NAMES for said in NAMES[name]])
def test_a_name_is_said(name, said):
    assert any(said in cell.source for cell in PAGES[name].cells)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("about $9.21$ for $b=10000$", ["9.21"]),
        ("393 309 of 500 000", ["393 309"]),
        (r"$m=169\,646$, $n=64,128,256$ and 22,765", [r"169\,646", "22,765"]),
        (r"$3.35\cdot10^{12}$ bytes, $1.1$ million", [r"3.35\cdot10^{12}", "1.1 million"]),
        ("GLM-4.5 in `0.123`, [here](x/0.99), {cite}`a2.34`, section 6.2(ii), Python 3.11", []),
        ("4096, 511, 300, 7, 0.9", []),
    ],
)
def test_what_counts_as_a_number_that_says_something(text, found):
    assert [number.written for number in numbers(text)] == found


@pytest.mark.parametrize(
    ("text", "printed", "bound"),
    [
        ("0.382", "x = 0.38197", True),
        ("0.381", "x = 0.38197", False),
        ("38.2 %", "x = 0.38197", True),
        (r"$38.2\,\%$", "x = 0.38197", True),
        ("38.2 times", "x = 0.38197", False),
        ("6166.1", "for all x ∈ [6166, 61661/10]", True),
        ("2.25", r"b=L^{\frac{9}{4}}", True),
        ("22,765", "safe: 22764.9", True),
        ("22,766", "safe: 22764.9", False),
        ("118", "above it: 118 121 126", True),
        (r"1.25\cdot10^{-5}", "error 1.2499e-05", True),
        ("1.1 million", "base 1083021", True),
        ("1.2 million", "base 1083021", False),
    ],
)
def test_a_number_is_printed_if_one_rounds_to_it(text, printed, bound):
    (number,) = numbers(text)
    assert is_among(number, values(printed)) == bound


@pytest.mark.parametrize(
    ("text", "printed", "told"),
    [
        ("0.47", "0.474", True),
        ("0.47", "0.474 0.61", True),
        ("0.47", "0.474 0.48", False),
        ("0.47", "0.455 0.474", False),
        ("0.47", "0.61", False),
        ("47.3 %", "0.473 0.474", False),
        ("769", "769", False),  # 770 would say nothing
        ("0.10", "0.10", False),
        ("1.1 million", "1083021 1190000", False),
    ],
)
def test_a_number_is_told_from_its_neighbours(text, printed, told):
    (number,) = numbers(text)
    assert is_told_by(number, values(printed)) == told


def test_a_sentence_is_left_out_however_its_lines_break():
    left = without("So $a$ is 0.47,\nthat\nis, $b=0.48$ and 0.49.", ["is 0.47, that is, $b=0.48"])
    assert [number.written for number in numbers(left)] == ["0.49"]


def test_a_number_of_another_section_needs_to_be_told_on_the_whole_page(tmp_path):
    def page(text, *outputs):
        cells = [v4.new_markdown_cell(text)]
        for output in outputs:
            cells += [
                v4.new_code_cell("1", outputs=[v4.new_output("stream", text=output)]),
                v4.new_markdown_cell("## Next"),
            ]
        nbformat.write(v4.new_notebook(cells=cells), tmp_path / "10-page.ipynb")
        return Page(tmp_path / "10-page.ipynb")

    assert list(unbound(page("0.47", "0.47", "0.48"), [])) == []
    assert list(unbound(page("0.48", "0.47", "0.48"), [])) == ["0.48"]
    assert list(unbound(page("0.48", "0.47", "0.48"), [], (), ["0.48"])) == []
    assert list(unbound(page("0.48", "0.47", "0.61"), [], ["0.48"])) == []
    assert list(unbound(page("0.47", "0.47"), [], ["0.48"])) == ["0.47"]


def written(folder, name, text, output="", code="1"):
    shown = v4.new_output("stream", text=output)
    cells = [v4.new_markdown_cell(text), v4.new_code_cell(code, outputs=[shown])]
    nbformat.write(v4.new_notebook(cells=cells), folder / f"{name}.ipynb")
    return Page(folder / f"{name}.ipynb")


def test_a_number_may_be_printed_set_or_on_a_page_that_is_named(tmp_path):
    other = written(tmp_path, "20-other", "Text.", output="0.3816")
    assert list(unbound(written(tmp_path, "10-page", "It is 0.382."), [other])) == ["0.382"]
    assert list(unbound(written(tmp_path, "10-page", "It is 0.382, {doc}`20-other`."), [other])) == []
    assert list(unbound(written(tmp_path, "10-page", "It is 0.382.", output="0.3816"), [other])) == []
    assert list(unbound(written(tmp_path, "10-page", "It is 0.382.", code="x = 0.382"), [other])) == []
    (tmp_path / "10-page.json").write_text('{"x": 0.3816}')  # is not read
    assert list(unbound(written(tmp_path, "10-page", "It is 0.382."), [other])) == ["0.382"]


def test_coordinates_of_a_drawing_are_not_printed_numbers(tmp_path):
    shown = '<svg><title>0.95</title><path d="M 0.382 1"/></svg>'
    output = v4.new_output("display_data", {"text/markdown": shown})
    cells = [v4.new_markdown_cell("0.382 and 0.95"), v4.new_code_cell("1", outputs=[output])]
    nbformat.write(v4.new_notebook(cells=cells), tmp_path / "10-page.ipynb")
    assert list(unbound(Page(tmp_path / "10-page.ipynb"), [])) == ["0.382"]
