"""The library installs and imports lightly, and what is written down in several places agrees."""

import re
import statistics
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


def test_using_every_public_name_loads_torch_and_nothing_heavy():
    heavy = "{'sympy', 'matplotlib', 'flint', 'transformers', 'scipy', 'pandas'}"
    code = f"import sys\nfrom posenc_lib import *\nprint('torch' in sys.modules, {heavy} & set(sys.modules))"
    assert run_python(code).strip() == "True set()"


# The path: the unpacked wheel, then torch and what is installed beside it; and a hook that hides all of that
# but torch from the wheels' own modules. (The checker, unpacked beside, shows that it does: it needs SymPy.)
BARE = """
import sys, importlib.abc
sys.path = [{wheel!r}, {torch!r}, *[p for p in sys.path if "site-packages" not in p]]
class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        importer = sys._getframe(1)
        while "importlib" in importer.f_code.co_filename:
            importer = importer.f_back
        top = name.partition(".")[0]
        if {wheel!r} in importer.f_code.co_filename and top in {blocked!r}:
            raise ModuleNotFoundError(f"needed by {{importer.f_code.co_filename}}", name=top)
sys.meta_path.insert(0, Refuse())
import posenc_lib, posenc_lib.kernels
assert posenc_lib.__file__.startswith({wheel!r}), posenc_lib.__file__
values = [getattr(m, n) for m in (posenc_lib, posenc_lib.kernels) for n in m.__all__]
import torch
q, rope = torch.ones(1, 2, 3, 8), posenc_lib.RotaryEmbedding(posenc_lib.RotarySpec(8))
for encoding in (rope, *[bias(2) for bias in posenc_lib.BIASES.values()], posenc_lib.RelativeAttention(8, 2)):
    assert posenc_lib.attention(q, q, q, encoding, causal=True).shape == q.shape
try:
    from posenc_lib.proofs import check
except ModuleNotFoundError as error:
    print(len(values), error.name, posenc_lib.__version__)
"""


def test_the_wheel_works_with_torch_alone(wheels, tmp_path):
    import torch

    import posenc_lib
    from posenc_lib import kernels

    for name in ("posenc_lib", "posenc-proofs"):
        zipfile.ZipFile(wheels[name]).extractall(tmp_path)
    blocked = ["numpy", "sympy", "mpmath", "flint", "matplotlib", "scipy", "transformers", "triton"]
    code = BARE.format(wheel=str(tmp_path), torch=str(Path(torch.__file__).parents[1]), blocked=blocked)
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count = len(posenc_lib.__all__) + len(kernels.__all__)
    assert done.stdout.split() == [str(count), "sympy", PROJECT["version"]]


def test_the_sdist_holds_what_the_wheel_is_built_from_and_nothing_else(wheels, sdist):
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    sources = {name for name in zipfile.ZipFile(wheels["posenc_lib"]).namelist() if ".dist-info/" not in name}
    assert inside == sources | {"pyproject.toml", "README.md", "LICENSE", ".gitignore", "PKG-INFO"}


@pytest.mark.parametrize(
    ("statement", "limit"), [("import posenc_lib", 0.02), ("from posenc_lib import *", 0.1)]
)
def test_importing_the_library_adds_little_to_importing_torch(statement, limit):
    """As a share of torch's own processor time, the median of seven; no other package comes along."""
    code = (
        "import sys, time; start = time.process_time(); import torch\n"
        "torch_took = time.process_time() - start\n"
        f"before = set(sys.modules); start = time.process_time(); {statement}\n"
        "added = time.process_time() - start\n"
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}\n"
        "print(added / torch_took, *new - sys.stdlib_module_names - {'torch', 'posenc_lib'})"
    )
    runs = [run_python(code).split() for _ in range(7)]
    assert all(len(run) == 1 for run in runs), runs
    added = statistics.median(float(run[0]) for run in runs)
    print(f"{statement}: {100 * added:.1f} % of torch")
    assert added < limit


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


def _jobs():
    return yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text())["jobs"]


def test_ci_looks_at_the_committed_outputs_before_the_build_renews_them():
    """`make book` writes outputs in place: nbval after it compares fresh with fresh, and sees nothing."""
    steps = [step.get("run", "") for step in _jobs()["check"]["steps"]]
    assert steps.index(".ci/run") < steps.index("make book")
    assert steps[steps.index("make book") + 1] == "git diff --exit-code"


def test_no_job_of_ci_may_fail_without_a_word():
    for job in _jobs().values():
        assert not any("continue-on-error" in part for part in (job, *job["steps"]))


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_named_by_commit_and_get_no_more_rights_than_they_need(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        for step in job["steps"]:
            if action := step.get("uses"):
                assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), f"{name}: {action}"
                kept = step.get("with", {}).get("persist-credentials", True)
                assert "checkout" not in action or kept is False, name


def test_a_weekly_job_that_fails_is_reported():
    jobs = _jobs()
    weekly = {name for name, job in jobs.items() if job.get("if") == "github.event_name == 'schedule'"}
    assert weekly and weekly == set(jobs["report"]["needs"])
    assert "gh issue create" in jobs["report"]["steps"][0]["run"]


def test_commands_of_the_workflows_are_targets_of_the_makefile():
    runs = [
        step.get("run", "")
        for path in WORKFLOWS
        for job in yaml.safe_load(path.read_text())["jobs"].values()
        for step in job["steps"]
    ]
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    asked = {target for run in runs for target in re.findall(r"\bmake (\w+)", run)}
    assert asked and asked <= targets


def test_ci_tests_the_library_away_from_the_book_s_configuration():
    """Below the repository pytest would climb to its conftest.py, which needs what the book needs."""
    assert 'cp -r tests "$RUNNER_TEMP"' in _jobs()["library"]["steps"][-1]["run"]


def test_one_version():
    changelog = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert changelog and changelog[1] == PROJECT["version"] == citation["version"]


def _pins():
    lines = (line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines())
    return {re.split(r"[<>=!~]", line)[0]: line for line in lines if line}


def test_requirements_cover_what_the_distributions_and_the_tests_need():
    ours = {project["name"] for project in PROJECTS.values()}
    needed = [need for project in PROJECTS.values() for need in project["dependencies"]]
    needed += PROJECT["optional-dependencies"]["test"]
    assert {re.split(r"[<>=!~ ]", need)[0] for need in needed} - ours <= _pins().keys()


@pytest.mark.parametrize("package", ["torch", "sympy", "python-flint", "matplotlib", "numpy", "nbval"])
def test_what_decides_a_stored_output_is_pinned_exactly(package):
    assert re.fullmatch(rf"{package}==[\w.+]+", _pins()[package])


PYPROJECTS = [f"{folder}/pyproject.toml" for folder in PROJECTS]


@pytest.mark.parametrize("file", ["README.md", "CITATION.cff", *PYPROJECTS])
def test_one_repository_address(file):
    addresses = set(re.findall(r"https://github\.com/[\w.-]+/[\w-]+", (ROOT / file).read_text()))
    assert addresses == {ADDRESS}


@pytest.mark.parametrize("folder", PROJECTS)
def test_every_distribution_says_who_wrote_it_and_where_it_lives(folder):
    project, citation = PROJECTS[folder], yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert project["authors"] == citation["authors"] == [{"name": CONFIG["author"]}]
    assert project["urls"]["Repository"] == ADDRESS


def test_no_path_of_one_machine_is_in_the_project():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / name for name in filter(None, tracked.split("\0"))]
    if not files:  # unpacked from an archive: everything that is not made here
        made = {"_build", "generated", "__pycache__"}
        files = [
            p
            for p in ROOT.rglob("*")
            if not (made & set(p.parts) or "/." in p.relative_to(ROOT.parent).as_posix())
        ]
    assert len(files) > 100
    places = [f"{place}/" for place in (Path.home(), ROOT) if place != Path("/")]
    assert [file for file in files if _mentions(file, places)] == []


#: Wherever the checkout lay: the absolute path of an environment in it.
SOMEWHERE = re.compile(r"(?<![\w.$)}~*-])/[A-Za-z][\w./-]*/\.venv/")


def test_the_environment_of_a_checkout_elsewhere_is_seen():
    inside = "/".join((".venv", "bin", "python"))
    assert SOMEWHERE.search(f"Command '['/srv/book/{inside}'")
    assert not SOMEWHERE.search(f"./{inside} ../{inside} {inside}")


def _mentions(path, words):
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="ignore")
    return any(word in text for word in words) or bool(SOMEWHERE.search(text))
