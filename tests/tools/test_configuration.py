"""Lines of configuration that no page shows to be missing: each is kept, and what it prevents is said."""

import re

import pytest
import tomllib
import yaml

from tools.notebooks import ENVIRONMENT, ROOT

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
SPHINX = CONFIG["sphinx"]["config"]
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text())


@pytest.mark.parametrize(
    ("section", "key", "value", "else_"),
    [
        ("execute", "execute_notebooks", "off", "pages are executed a second time, elsewhere"),
        ("execute", "stderr_output", "error", "a warning that a cell prints reaches the reader"),
        ("sphinx", "recursive_update", True, "the theme's options erase the launch buttons"),
        ("repository", "path_to_book", "", "buttons to edit lead to book/book/…"),
        ("html", "use_multitoc_numbering", False, "chapters have other numbers than their files"),
        ("launch_buttons", "thebe", False, "a button fetches scripts from another host"),
    ],
)
def test_a_line_that_looks_odd_is_kept(section, key, value, else_):
    assert CONFIG[section][key] == value, else_


@pytest.mark.parametrize(
    ("key", "value", "else_"),
    [
        ("nb_render_markdown_format", "myst", "equations have no numbers"),
        ("autodoc_inherit_docstrings", False, "torch's docstrings stand on our pages"),
        ("html_static_path", ["assets"], "style and scripts are missing"),
        ("templates_path", ["tools/templates"], "the theme's own page comes back"),
        ("language", "en", "screen readers guess the language"),
    ],
)
def test_a_line_for_sphinx_is_kept(key, value, else_):
    assert SPHINX[key] == value, else_


def test_only_two_kinds_of_warnings_are_silenced():
    assert SPHINX["suppress_warnings"] == ["myst.domains", "mystnb.unknown_mime_type"]
    assert all(kind == "py:class" for kind, _ in SPHINX["nitpick_ignore_regex"])


def test_every_extension_of_ours_is_a_module_that_sets_itself_up():
    ours = CONFIG["sphinx"]["local_extensions"]
    setups = {path.stem for path in (ROOT / "tools").glob("*.py") if "\ndef setup(" in path.read_text()}
    assert set(ours) == setups and set(ours.values()) == {"tools"}


def test_the_launch_buttons_lead_to_binder_and_colab():
    assert CONFIG["launch_buttons"]["binderhub_url"] == "https://mybinder.org"
    assert CONFIG["launch_buttons"]["colab_url"] == "https://colab.research.google.com"
    assert CONFIG["html"]["use_repository_button"] and CONFIG["html"]["use_issues_button"]
    assert CONFIG["html"]["use_edit_page_button"]


def test_one_branch():
    """What buttons open is what is pushed, tested and published."""
    (pushed,) = WORKFLOW[True]["push"]["branches"]  # YAML reads the key `on` as true
    assert CONFIG["repository"]["branch"] == pushed
    conditions = re.findall(r"refs/heads/(\w+)", (ROOT / ".github" / "workflows" / "book.yml").read_text())
    assert set(conditions) == {pushed}


def test_only_a_push_to_that_branch_is_published_and_only_after_the_check():
    publish = WORKFLOW["jobs"]["publish"]
    assert publish["needs"] == "check"
    assert publish["if"] == "github.ref == 'refs/heads/main' && github.event_name != 'pull_request'"
    writing = {
        name for name, job in WORKFLOW["jobs"].items() if "write" in job.get("permissions", {}).values()
    }
    assert writing == {"publish", "report"}
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert WORKFLOW["jobs"]["report"]["permissions"] == {"issues": "write"}


def test_binder_s_last_step_stops_at_an_error_and_installs_every_distribution():
    lines = (ROOT / "binder" / "postBuild").read_text().splitlines()
    assert lines[0] == "#!/bin/bash" and "set -euo pipefail" in lines
    folders = [
        ".",
        *(f"./{p.parent.relative_to(ROOT)}" for p in sorted(ROOT.glob("distributions/*/pyproject.toml"))),
    ]
    command = lines[-1].split()
    assert command[:2] == ["pip", "install"]
    assert sorted(word for word in command[2:] if not word.startswith("--")) == sorted(folders)
    assert {word for word in command if word.startswith("--")} == {"--no-deps", "--no-cache-dir"}


def test_python_is_checked_as_the_project_says():
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert set(tools["ruff"]["lint"]["select"]) >= {"E", "F", "I", "UP", "B", "SIM", "RUF"}
    assert tools["mypy"]["packages"] == ["posenc_lib", "posenc_book"]
    assert {"posenc_lib", "posenc_book", "tests", "book"} == set(tools["pytest"]["ini_options"]["testpaths"])
    assert "--doctest-modules" in tools["pytest"]["ini_options"]["addopts"]


@pytest.mark.parametrize(
    ("name", "value", "else_"),
    [
        ("ATEN_CPU_CAPABILITY", "default", "the last bits of a sum are those of one processor"),
        ("OMP_NUM_THREADS", "1", "the order of a sum depends on the number of cores"),
        ("MKL_CBWR", "COMPATIBLE", "the last bits of a product are those of one processor"),
        ("PYTHONHASHSEED", "0", "the order of printed sets changes from run to run"),
        ("SOURCE_DATE_EPOCH", "0", "pictures hold dates"),
        ("TZ", "UTC", "times are local"),
        ("COLUMNS", "80", "tables are as wide as somebody's window"),
    ],
)
def test_notebooks_run_in_one_environment(name, value, else_):
    assert ENVIRONMENT[name] == value, else_


def test_the_render_stops_at_any_warning():
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"jupyter-book build \. -q -W -n --keep-going", makefile)


def test_make_test_asks_everybody():
    recipe = re.search(r"^test:.*?(?=^\w)", (ROOT / "Makefile").read_text(), re.MULTILINE | re.DOTALL)[0]
    for part in (
        "ruff check",
        "ruff format --check",
        "/mypy",
        "tools.pyodide",
        "$(MAKE) site",
        "pytest --nbval",
    ):
        assert part in recipe, part
    assert "-" not in {line.strip()[:1] for line in recipe.splitlines()}  # make would overlook a failure


def test_make_stops_at_what_fails_and_serves_this_machine_alone():
    makefile = (ROOT / "Makefile").read_text()
    assert ".SHELLFLAGS := -eu -o pipefail -c\n" in makefile
    handled = re.findall(r"\|\| *(?:\\\n\s*)?\{(.*?)\}", makefile, re.DOTALL)
    assert len(handled) > 5
    assert [said for said in handled if "exit 1;" not in said and "venv" not in said] == []
    assert not re.search(r"\|\| *(?:true|:)\b|^\t-|^\t@-", makefile, re.MULTILINE)
    assert re.findall(r"http\.server .*?--bind (\S+)", makefile) == ["127.0.0.1"]
    assert re.search(r"^faults:.*\n\t@\$\(BIN\)/python -m tools\.faults\n", makefile, re.MULTILINE)
    assert (ROOT / ".ci" / "run").read_text().splitlines()[2:] == [
        "set -eu", 'cd "$(dirname "$0")/.."', "exec make test",
    ]  # fmt: skip


def test_a_change_in_what_pages_are_made_with_renders_them_again():
    asked = re.search(r"\$\$\(find (.*?) -newer", (ROOT / "Makefile").read_text())[1].split()
    assert {"assets", "_config.yml", "_toc.yml", "tools/*.py", "tools/*.js", "tools/templates"} <= set(asked)


def test_what_the_linters_overlook_is_as_it_was_decided():
    """A rule that is ignored everywhere, or a file, is one line; nothing else would say that it is gone."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert tools["ruff"]["extend-exclude"] == ["*.ipynb", "*.md"]
    assert set(tools["ruff"]) == {"line-length", "extend-exclude", "lint"}
    assert tools["ruff"]["lint"]["ignore"] == ["E741", "RUF001", "RUF002", "RUF003"]
    overlooked = tools["ruff"]["lint"]["per-file-ignores"]
    assert {rule for rules in overlooked.values() for rule in rules} == {"F403", "F405"}
    assert set(tools["mypy"]) == {"packages", "python_version", "ignore_missing_imports"}
    assert tools["pytest"]["ini_options"]["filterwarnings"] == ["error::UserWarning:posenc_lib"]
