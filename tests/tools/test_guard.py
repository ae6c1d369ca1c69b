"""Crafted notebooks: each way in which a stored output can lie is caught, and honest notebooks pass."""

import asyncio
import copy
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat import v4

from tools.contents import find_notebooks
from tools.execute import execute
from tools.guard import problems
from tools.notebooks import ROOT, canonical


def output(data, kind="display_data", **more):
    return v4.new_output(kind, data, **more)


def code(source, count, *outputs, **metadata):
    return v4.new_code_cell(source, execution_count=count, outputs=list(outputs), metadata=metadata)


def notebook(*cells):
    return v4.new_notebook(cells=[v4.new_markdown_cell("# A title"), *cells])


def shown(html, kind="text/html"):
    return notebook(code("f()", 1, output({kind: html})))


def text(*cells):
    return notebook(*map(v4.new_markdown_cell, cells))


PNG = {"image/png": "iVBORw0KGgo="}
ERROR = v4.new_output("error", ename="NameError", evalue="x", traceback=["…"])
ANSWER = code("1", 1, output({"text/plain": "1"}))
NAMED_SVG = '<svg role="img" aria-label="a line"><svg></svg></svg>'

HONEST = {
    "text": notebook(code("1", 1, output({"text/plain": "1"}, "execute_result", execution_count=1))),
    "image with alternative text": notebook(code("f()", 1, output(PNG), mystnb={"image": {"alt": "a line"}})),
    "named svg": notebook(code("f()", 1, output({"text/markdown": f"<figure>{NAMED_SVG}</figure>"}))),
    "svg in a named figure": shown('<figure role="img" aria-label="a"><svg></svg></figure>'),
    "decoration": shown('<p><svg aria-hidden="true"></svg>ok</p>'),
    "opt-out with a reason": notebook(code("1", 1, tags=["nbval-ignore-output"], nbval_reason="a timing")),
    "image in text": text("![a cat](cat.png)\n\n:::{image} a.png\n:alt: a cat\n:::"),
}

FAULTY = {
    "never run": (notebook(code("1", None)), "never run"),
    "out of order": (notebook(code("1", 2), code("1", 1)), "expected 1"),
    "gap": (notebook(code("1", 1), code("1", 3)), "expected 2"),
    "traceback": (notebook(code("x", 1, ERROR)), "stored traceback: NameError"),
    "stderr": (notebook(code("w()", 1, v4.new_output("stream", name="stderr", text="careful"))), "stderr"),
    "tag": (notebook(code("1", 1, tags=["nbval-skip"])), "opts out"),
    "raises": (notebook(code("1", 1, tags=["raises-exception"])), "opts out"),
    "comment": (notebook(code("# NBVAL_IGNORE_OUTPUT\n1", 1)), "opts out"),
    "blank reason": (notebook(code("1", 1, tags=["nbval-skip"], nbval_reason=" ")), "opts out"),
    "image": (notebook(code("f()", 1, output(PNG))), "image/png without"),
    "bare svg": (shown("<div><svg></svg></div>"), "<svg> without"),
    "bare img": (shown("<img src='a.png'>"), "<img> without"),
    "markdown output": (shown("![](a.png)", "text/markdown"), "alternative text"),
    "markdown cell": (text("![ ](a.png)"), "alternative text"),
    "exercise out of order": (text("**1.** *One.*", "**3.** *Two.*"), "exercise 3 comes after 1"),
    "open answer": (notebook(v4.new_markdown_cell("## Exercises"), ANSWER), "an answer stands open"),
    "svg with letters": (shown('<svg role="img" aria-label="a"><text>5</text></svg>'), "leaves rubbish"),
    "directive": (text("```{figure} a.png\n:name: x\n\nA.\n```"), "without :alt:"),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_notebook_has_no_problem(name):
    assert problems(HONEST[name]) == []


@pytest.mark.parametrize("name", FAULTY)
def test_each_fault_is_named(name):
    faulty, expected = FAULTY[name]
    found = problems(faulty)
    assert len(found) >= 1
    assert any(expected in problem for problem in found), found


# What only an execution can show: one notebook as it runs, and a copy for each change of a stored output.

SHOW = "display({'image/png': 'iVBORw0KGgoA', 'text/plain': 'an image'}, raw=True)\n1 + 1;"
STRUCTURE = """class Step:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {'text/plain': 'step', 'application/vnd.example+json': {'a': ['x' * 80, 2]}}
display(Step())
Step()"""
NAMED = {"image": {"alt": "a rising line"}}
RUN = notebook(code(SHOW, 1, mystnb=NAMED), code(STRUCTURE, 2), code("print('sum', 1 + 1)", 3))


def _set_image(cells):
    cells[1].outputs[0].data["image/png"] = cells[1].outputs[0].data["image/png"].replace("A", "B", 1)


def _drop_image(cells):
    del cells[1].outputs[0].data["image/png"]


def _set_structured(cells):
    cells[2].outputs[0].data["application/vnd.example+json"]["a"][1] = 3


def _drop_structured(cells):
    del cells[2].outputs[1].data["application/vnd.example+json"]


def _set_text(cells):
    cells[3].outputs[0].text = "sum 3\n"


def _set_source(cells):
    cells[3].source = "print('sum', 1 - 1)"


def _unrun(cells):
    cells[3].execution_count, cells[3].outputs = None, []


#: What is changed, and where it is noticed.
CHANGES = {
    "same": (None, None),
    "image": (_set_image, "Cell 0"),
    "no_image": (_drop_image, "Cell 0"),
    "structured": (_set_structured, "Cell 1"),
    "no_structured": (_drop_structured, "Cell 1"),
    "text": (_set_text, "Cell 2"),
    "source": (_set_source, "Cell 2"),
    "unrun": (_unrun, "clean-run"),
}


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """``RUN`` with the outputs of a real execution."""
    path = tmp_path_factory.mktemp("run") / "run.ipynb"
    path.write_text(canonical(RUN), encoding="utf-8")
    return asyncio.run(execute(path))[0]


@pytest.fixture(scope="module")
def report(executed, tmp_path_factory):
    """What ``pytest --nbval book`` says of one notebook for each change."""
    project = tmp_path_factory.mktemp("project")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, project)
    shutil.copytree(ROOT / "tools", project / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "book").mkdir()
    (project / "tests").mkdir()
    for name, (change, _) in CHANGES.items():
        changed = copy.deepcopy(executed)
        if change:
            change(changed.cells)
        (project / "book" / f"{name}.ipynb").write_text(canonical(changed), encoding="utf-8")
    options = ["--nbval", "-rfE", "-q", "-p", "no:cacheprovider", "--color=no", "book"]
    command = [sys.executable, "-m", "pytest", *options]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300)
    return ran.stdout + ran.stderr


def test_an_unchanged_notebook_passes(report):
    """Also shows that a trailing semicolon silences a cell, and that structured outputs can be compared."""
    assert "FAILED book/same.ipynb" not in report, report
    assert re.search(r"\d+ passed", report), report
    assert "ERROR" not in report, report


@pytest.mark.parametrize(("name", "where"), [(name, where) for name, (_, where) in CHANGES.items() if where])
def test_a_changed_output_fails_where_it_was_changed(report, name, where):
    failures = re.findall(rf"^FAILED book/{name}\.ipynb::([\w -]+?)(?: - |$)", report, re.MULTILINE)
    assert failures == [where], report


def test_a_second_execution_writes_the_same_bytes(executed, tmp_path):
    path = tmp_path / "again.ipynb"
    path.write_text(canonical(executed), encoding="utf-8")
    assert canonical(asyncio.run(execute(path))[0]) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", find_notebooks(), ids=lambda path: path.name)
def test_committed_notebooks_are_in_written_form(path):
    """Otherwise the next build would show a change where there is none."""
    text = path.read_text(encoding="utf-8")
    assert canonical(nbformat.reads(text, as_version=4)) == text
