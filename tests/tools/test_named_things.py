"""Commands, files and versions that the texts name are there: what a reader types works."""

import re
from pathlib import Path

import pytest
import tomllib
import yaml

from tools.notebooks import ROOT

TEXTS = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "Makefile",
        "benchmarks/README.md",
        ".ci/run",
    )
]
TEXTS += [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), *sorted((ROOT / "binder").iterdir())]
TEXTS += sorted(
    p for kind in ("*.md", "*.ipynb") for p in (ROOT / "book").rglob(kind) if "generated" not in p.parts
)
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
def test_every_script_that_a_command_runs_is_there(path):
    named = re.findall(r"python3? ([\w/]+\.py)", path.read_text(encoding="utf-8"))
    assert {name for name in named if not (ROOT / name).exists()} == set()


@every_text
def test_every_target_is_in_the_makefile(path):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:`|^ {4}|^)make ([a-z]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"])
def test_every_file_of_ours_that_is_named_is_there(name):
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()}
    named = re.findall(r"`([\w.-]+/[\w./-]+)`", (ROOT / name).read_text(encoding="utf-8"))
    missing = {n for n in named if n.split("/")[0] in ours and not _there(n)}
    assert missing == set() and (named or name == "README.md")


def _there(name):
    made = name.startswith(("_build/", ".cache/"))
    return made or any((ROOT / f"{name}{suffix}").exists() for suffix in ("", ".py"))


def test_one_oldest_python_for_the_book_and_one_for_the_library():
    said = re.search(r"Python (3\.\d+) or newer", (ROOT / "README.md").read_text())[1]
    major, minor = said.split(".")
    assert f"sys.version_info < ({major}, {minor})" in (ROOT / "Makefile").read_text()
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text())["jobs"]
    (built_with,) = (s["with"]["python-version"] for s in jobs["check"]["steps"] if "setup-python" in str(s))
    assert built_with == said
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["mypy"]["python_version"] == said
    tried = [said, *jobs["library"]["strategy"]["matrix"]["python"]]
    classified = re.findall(r"Python :: (3\.\d+)", str(project["project"]["classifiers"]))
    assert sorted(tried, key=lambda v: int(v.split(".")[1])) == classified
    assert project["project"]["requires-python"] == f">={classified[0]}"


def test_the_readme_s_oldest_torch_is_the_library_s():
    (said,) = re.findall(r"only torch, (\d\.\d+) or newer", (ROOT / "README.md").read_text())
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert needed == [f"torch>={said}"]


#: Every word of the code and of its configuration.
WORDS = {
    word
    for folder in ("posenc_lib", "posenc_book", "tools", "tests", "benchmarks", "experiments", "assets")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".pyi", ".js", ".css", ".yml", ".txt"}
    if path != Path(__file__)
    and path.parent != ROOT / "tools" / "faults" / "data"  # they name what is not there
    for word in re.findall(r"[\w-]+", path.read_text(encoding="utf-8"))
}
WORDS |= {
    word
    for name in ("_config.yml", "pyproject.toml", "Makefile", "conftest.py", ".github/workflows/book.yml")
    for word in re.findall(r"[\w-]+", (ROOT / name).read_text(encoding="utf-8"))
}

#: What the changelog says of names that went.
GONE = {"context_limit", "hf_config.spec_from_hf_config"}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_name_of_the_code_that_is_named_is_there(name):
    """A name with an underscore, or in capitals alone: each of its parts is a word of the code."""
    code = re.findall(r"`([A-Za-z_][\w.]*)(?:\(.*?\)|=[^`]*)?`", (ROOT / name).read_text(encoding="utf-8"))
    ours = {said for said in code if re.search(r"_|^[A-Z]{4,}$", said) and not (ROOT / said).exists()}
    missing = {said for said in ours if not set(said.strip(".").split(".")) <= WORDS}
    assert missing <= GONE and len(ours) > (0 if name == "README.md" else 10)
