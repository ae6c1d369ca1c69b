"""The library installs and imports lightly, and what is written down in several places agrees."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import tomllib
import yaml

from tools.notebooks import ROOT, find_notebooks

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
ADDRESS = CONFIG["repository"]["url"]


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_using_every_public_name_loads_torch_and_nothing_heavy():
    heavy = "{'sympy', 'matplotlib', 'flint', 'transformers', 'scipy', 'pandas'}"
    code = f"import sys\nfrom posenc_lib import *\nprint('torch' in sys.modules, {heavy} & set(sys.modules))"
    assert run_python(code).strip() == "True set()"


def test_the_checker_works_without_torch():
    assert run_python("import sys, posenc_lib.proofs; print('torch' in sys.modules)").strip() == "False"


def test_no_module_hides_behind_a_public_name():
    import posenc_lib

    modules = {path.stem for path in (ROOT / "posenc_lib").iterdir()}
    assert not modules & set(posenc_lib.__all__)


def test_every_public_name_exists_and_is_documented():
    import posenc_lib

    assert len(set(posenc_lib.__all__)) == len(posenc_lib.__all__)
    for name in posenc_lib.__all__:
        value = getattr(posenc_lib, name)
        assert not callable(value) or (value.__doc__ or "").strip(), f"{name} has no docstring"


def test_the_example_in_the_readme_runs():
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    scores = run_python(example + "\nprint(tuple(scores.shape), bool(scores.isfinite().all()))")
    assert scores.strip() == "(2, 8, 128, 128) True"


def test_the_readme_names_the_command_that_ci_runs():
    command = (ROOT / ".ci" / "run").read_text().split("exec ")[1].strip()
    assert f"\n{command} " in (ROOT / "README.md").read_text()
    assert ".ci/run" in (ROOT / ".github" / "workflows" / "book.yml").read_text()


def test_one_version():
    changelog = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert changelog and changelog[1] == PROJECT["version"] == citation["version"]


def _pins():
    lines = (line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines())
    return {re.split(r"[<>=!~]", line)[0]: line for line in lines if line}


def test_requirements_cover_what_the_library_and_its_extras_need():
    extras = PROJECT["optional-dependencies"]
    needed = [*PROJECT["dependencies"], *extras["proofs"], *extras["figures"], *extras["test"]]
    assert {re.split(r"[<>=!~ ]", need)[0] for need in needed} <= _pins().keys()


@pytest.mark.parametrize("package", ["torch", "sympy", "python-flint", "matplotlib", "numpy", "nbval"])
def test_what_decides_a_stored_output_is_pinned_exactly(package):
    assert re.fullmatch(rf"{package}==[\w.+]+", _pins()[package])


@pytest.mark.parametrize("file", ["README.md", "CITATION.cff"])
def test_one_repository_address(file):
    addresses = set(re.findall(r"https://github\.com/[\w.-]+/[\w-]+", (ROOT / file).read_text()))
    assert addresses == {ADDRESS}


@pytest.mark.parametrize("path", find_notebooks(), ids=lambda path: path.name)
def test_a_notebook_opened_elsewhere_installs_the_library_from_that_address(path):
    code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    installs = [address for source in code for address in re.findall(r"git\+(https://[^\"'\s@]+)", source)]
    assert installs in ([], [ADDRESS]), f"{installs}, but _config.yml says {ADDRESS}"
    if installs:
        assert "git+" in code[0], "the install belongs in the first code cell"
        assert "except ModuleNotFoundError" in code[0], (
            "where the library is present, the cell must do nothing"
        )


def _pages_of_the_book():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    return [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]


def test_every_notebook_is_in_the_table_of_contents():
    listed = set(_pages_of_the_book())
    notebooks = {path.relative_to(ROOT).with_suffix("").as_posix() for path in find_notebooks()}
    assert {page for page in notebooks - listed if "/solutions/" not in page} == set()


def test_no_path_of_one_machine_is_in_the_project():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True).stdout
    home = str(Path.home()) + "/"
    found = [name for name in filter(None, tracked.split("\0")) if _mentions(ROOT / name, (home, f"{ROOT}/"))]
    assert found == []


def _mentions(path, words):
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="ignore")
    return any(word in text for word in words)
