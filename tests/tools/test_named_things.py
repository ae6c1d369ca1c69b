"""Commands, files and versions that the texts name are there: what a reader types works."""

import re

import pytest

from tools.notebooks import ROOT

NAMES = ["README.md", "CONTRIBUTING.md", "DESIGN.md", "CHANGELOG.md", "Makefile"]
NAMES += ["benchmarks/README.md", ".ci/run"]
TEXTS = [ROOT / name for name in NAMES]
TEXTS += [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), *sorted((ROOT / "binder").iterdir())]
BOOK = [path for kind in ("md", "ipynb") for path in ROOT.glob(f"book/**/*.{kind}")]
TEXTS += sorted(path for path in BOOK if "generated" not in path.parts)
NOT_OURS = {"venv", "pip", "pytest", "http.server", "sphinx", "hatchling"}

every_text = pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())


@every_text
def test_every_module_that_a_command_runs_is_there(path):
    text = path.read_text(encoding="utf-8")
    named = {name.rstrip(".") for name in re.findall(r"python3? -m ([\w.]+)", text)}
    assert {name for name in named - NOT_OURS if not _runs(name)} == set()


def _runs(name):
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__main__.py").exists()


@every_text
def test_every_target_is_in_the_makefile(path):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:`|^ {4}|^|run: )make ([a-z]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "DESIGN.md", "benchmarks/README.md"])
def test_every_file_of_ours_that_is_named_is_there(name):
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()}
    named = re.findall(r"`([\w.-]+/[\w./-]+)`", (ROOT / name).read_text(encoding="utf-8"))
    missing = {n for n in named if n.split("/")[0] in ours and not _there(n)}
    assert missing == set() and (named or name == "README.md")


def _there(name):
    made = name.startswith(("_build/", ".cache/"))
    return made or any((ROOT / f"{name}{suffix}").exists() for suffix in ("", ".py"))


def test_the_readme_s_versions_are_those_that_are_asked_for():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    asked = {
        "pyproject.toml": [r"torch>=([\d.]+)", r'requires-python = ">=([\d.]+)"'],
        "Makefile": [r"version_info < \((\d+, \d+)\)"],
        "requirements.txt": [r"(?m)^torch==(\d+\.\d+)"],
    }
    needed, lowest, python, pinned = (
        re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))[1]
        for file, patterns in asked.items()
        for pattern in patterns
    )
    assert f"The book needs Python {python.replace(', ', '.')} or newer" in text
    assert f"The library needs only torch, {needed} or newer, and Python {lowest} or newer" in text
    assert f"its tests pass with {needed}" in text and f"FlexAttention, are tested with {pinned}." in text
