"""The library installs and imports lightly, and what is written down in several places agrees."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import tomllib
import yaml

from tools.notebooks import ROOT

PROJECTS = {
    folder: tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    for folder in (".", "distributions/proofs", "distributions/book")
}
PROJECT = PROJECTS["."]
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
ADDRESS = CONFIG["repository"]["url"]


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_sdist_holds_what_the_wheel_is_built_from_and_nothing_else(wheels, sdist):
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    sources = {name for name in zipfile.ZipFile(wheels["posenc_lib"]).namelist() if ".dist-info/" not in name}
    assert inside == sources | {"pyproject.toml", PROJECT["readme"], "LICENSE", ".gitignore", "PKG-INFO"}


def test_importing_the_library_adds_little_to_importing_torch():
    """As a share of torch's processor time, the least of two runs; no other package comes along."""
    code = (
        "import sys, time; t = [time.process_time()]; import torch; t += [time.process_time()]\n"
        "before = set(sys.modules); import posenc_lib; t += [time.process_time()]\n"
        "from posenc_lib import *; t += [time.process_time()]\n"
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}\n"
        "assert not new - sys.stdlib_module_names - {'torch', 'posenc_lib'}, new\n"
        "print(*((end - t[1]) / (t[1] - t[0]) for end in t[2:]))"
    )
    runs = [map(float, run_python(code).split()) for _ in range(2)]
    alone, every_name = map(min, zip(*runs, strict=True))
    print(f"import posenc_lib: {100 * alone:.1f} % of torch; every name: {100 * every_name:.1f} %")
    assert alone < 0.02 and every_name < 0.1


@pytest.mark.parametrize("readme", ["README.md", PROJECT["readme"]])
def test_the_example_in_the_readme_runs(readme):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / readme).read_text(), re.DOTALL)
    exec(example, given := {})
    assert given["z"].shape == (2, 8, 128, 64) and given["z"].isfinite().all() and callable(given["use_in"])


def test_one_version():
    changelog = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert changelog and changelog[1] == PROJECT["version"] == citation["version"]
    needs = PROJECTS["distributions/book"]["dependencies"]
    ours = [need.partition("==")[2] for need in needs if need.startswith("posenc")]
    assert ours == [PROJECT["version"]] * 2


#: Whose code the workflows run: owner, name and commit. Look at what changed before you change a line here.
ACTIONS = {
    "actions/checkout": "3d3c42e5aac5ba805825da76410c181273ba90b1",
    "actions/deploy-pages": "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128",
    "actions/download-artifact": "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
    "actions/setup-python": "5fda3b95a4ea91299a34e894583c3862153e4b97",
    "actions/upload-artifact": "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f",
    "actions/upload-pages-artifact": "fc324d3547104276b827a68afc52ff2a11cc49c9",
    "pypa/gh-action-pypi-publish": "dc37677b2e1c63e2034f94d8a5b11f265b73ba33",
}


def test_workflows_run_exactly_these_actions():
    texts = [path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    used = {line for text in texts for line in re.findall(r"\buses: *(\S+)", text)}
    assert used == {f"{name}@{commit}" for name, commit in ACTIONS.items()}


def test_checkouts_keep_no_token_no_failure_is_swallowed_and_every_weekly_job_is_reported():
    folder = ROOT / ".github" / "workflows"
    texts = {name: (folder / name).read_text() for name in ("book.yml", "release.yml")}
    for name, text in texts.items():
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), name
        assert not re.search(r"\|\| *(true|:)|continue-on-error|git diff(?!.*--exit-code)", text), name
    jobs = yaml.safe_load(texts["book.yml"])["jobs"]
    weekly = {name for name, job in jobs.items() if job.get("if") == "github.event_name == 'schedule'"}
    assert set(jobs["report"]["needs"]) == weekly


def test_the_oldest_python_is_tried():
    tried = [("book.yml", "library"), ("release.yml", "tried")]
    for name, job in tried:
        workflow = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text())
        oldest, *_ = workflow["jobs"][job]["strategy"]["matrix"]["python"]
        assert {f">={oldest}"} == {project["requires-python"] for project in PROJECTS.values()}


PYPROJECTS = [f"{folder}/pyproject.toml" for folder in PROJECTS]


@pytest.mark.parametrize("file", ["README.md", "CITATION.cff", *PYPROJECTS])
def test_one_repository_address(file):
    addresses = set(re.findall(r"https://github\.com/[\w.-]+/[\w-]+", (ROOT / file).read_text()))
    assert addresses == {ADDRESS}


#: Wherever a checkout lay: the absolute path of an environment in it.
SOMEWHERE = re.compile(r"(?<![\w.$)}~*-])/[A-Za-z][\w./-]*/\.venv/")


def test_no_path_of_one_machine_is_in_the_project():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / name for name in tracked.split("\0") if name and (ROOT / name).is_file()]
    if not files:
        pytest.skip("no repository here")
    places = [f"{place}/" for place in (Path.home(), ROOT) if place != Path("/")]
    texts = {file: file.read_text(encoding="utf-8", errors="ignore") for file in files}
    assert [f for f, text in texts.items() if SOMEWHERE.search(text) or any(p in text for p in places)] == []


def test_the_render_stops_at_any_warning():
    assert "jupyter-book build . -q -W -n --keep-going" in (ROOT / "Makefile").read_text()
