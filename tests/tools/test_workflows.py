"""What the workflows do, and when: lines that no run would miss, because less would run, or more could.

A trigger that goes, a condition, a variable by which pytest selects nothing: all stay green. So what starts a
workflow, and what its jobs wait for, may do and leave out is said here once more.
"""

import re

import pytest
import yaml

from tools.notebooks import ROOT

WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
JOBS = {
    f"{workflow}, {name}": job
    for workflow, content in WORKFLOWS.items()
    for name, job in content["jobs"].items()
}
STEPS = {name: [step.get("run", "") for step in job["steps"]] for name, job in JOBS.items()}

#: YAML reads the key `on` as true.
STARTED_BY = {
    "book": {
        "push": {"branches": ["main"]},
        "pull_request": None,
        "schedule": [{"cron": "17 4 * * 1"}],
        "workflow_dispatch": None,
    },
    "release": {"push": {"tags": ["v*"]}},
}
WEEKLY, ELSE = "github.event_name == 'schedule'", "github.event_name != 'schedule'"
#: Of each job: what it needs, on which condition it runs, what it may write, and in which environment.
BOUNDS = {
    "book, check": (None, ELSE, None, None),
    "book, publish": (
        "check",
        "github.ref == 'refs/heads/main' && github.event_name != 'pull_request'",
        {"pages": "write", "id-token": "write"},
        {"name": "github-pages", "url": "${{ steps.pages.outputs.page_url }}"},
    ),
    "book, library": (None, ELSE, None, None),
    "book, unpinned": (None, WEEKLY, None, None),
    "book, faults": (None, WEEKLY, None, None),
    "book, outside": (None, WEEKLY, None, None),
    "book, report": (["unpinned", "faults", "outside"], f"failure() && {WEEKLY}", {"issues": "write"}, None),
    "release, wheels": (None, None, None, None),
    "release, publish": ("wheels", None, {"id-token": "write"}, "pypi"),
}


def test_what_starts_a_workflow():
    assert {name: content[True] for name, content in WORKFLOWS.items()} == STARTED_BY


def test_what_a_job_needs_and_may_do():
    found = {
        name: tuple(job.get(key) for key in ("needs", "if", "permissions", "environment"))
        for name, job in JOBS.items()
    }
    assert found == BOUNDS


def test_the_only_step_with_a_condition_stores_the_pages():
    conditional = [
        (step["uses"], step["if"]) for job in JOBS.values() for step in job["steps"] if "if" in step
    ]
    assert [(uses.partition("@")[0], when) for uses, when in conditional] == [
        ("actions/upload-pages-artifact", "github.ref == 'refs/heads/main'")
    ]


def test_no_variable_changes_what_the_commands_do():
    """PYTEST_ADDOPTS would select tests, MAKEFLAGS overlook failures; a shell of one's own, too."""
    for content in WORKFLOWS.values():
        assert content.get("env", {}).keys() <= {"PIP_EXTRA_INDEX_URL", "OMP_NUM_THREADS"}
        assert "defaults" not in content
    for name, job in JOBS.items():
        parts = [job, *job["steps"]]
        given = {key for part in parts for key in part.get("env", {})}
        assert given == ({"GH_TOKEN", "REPOSITORY", "RUN"} if name == "book, report" else set()), name
        assert not any({"shell", "defaults", "container"} & part.keys() for part in parts), name
        assert job["runs-on"] == "ubuntu-latest", name


def test_a_deployment_is_not_cut_off():
    cancelled = WORKFLOWS["book"]["concurrency"]["cancel-in-progress"]
    assert cancelled == "${{ github.event_name == 'pull_request' }}"


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("upload-pages-artifact", {"path": "_build/html"}),
        ("upload-artifact", {"name": "wheels", "path": "dist"}),
        ("download-artifact", {"name": "wheels", "path": "dist"}),
        ("deploy-pages", {}),
        ("gh-action-pypi-publish", {}),  # with attestations, to PyPI itself, without a password
    ],
)
def test_what_is_published_is_what_was_made(action, given):
    found = [step for job in JOBS.values() for step in job["steps"] if f"/{action}@" in step.get("uses", "")]
    assert [step.get("with", {}) for step in found] == [given]


def test_a_release_has_every_wheel_and_the_version_of_its_tag():
    folders = {".", *(f"./{p.parent.relative_to(ROOT)}" for p in ROOT.glob("distributions/*/pyproject.toml"))}
    build, compared, tried = filter(None, STEPS["release, wheels"])
    assert build.startswith("pip wheel --no-deps -w dist ") and set(build.split()[5:]) == folders
    assert re.fullmatch(r'test "v\$\(grep .*pyproject\.toml.*\)" = "\$GITHUB_REF_NAME"', compared)
    assert '"$RUNNER_TEMP/empty/bin/pip" install -q dist/*.whl' in tried


def test_the_library_is_tested_as_it_is_installed():
    (install, _) = filter(None, STEPS["book, library"])
    assert install.startswith(
        'pip install ".[test]" ./distributions/proofs '
    )  # an -e would find the checkout


def test_the_unpinned_run_forgets_every_pin():
    """Its command, on our files: no exact version is left. (Jupyter Book has a range, which stays.)"""
    ((pattern, free, files),) = re.findall(r"sed -i -E 's/(.*)/(.*)/' (.*)", STEPS["book, unpinned"][2])
    for name in files.split():
        lines = (ROOT / name).read_text().splitlines()
        assert any(re.match(r"[\w.-]+==", line) for line in lines)
        assert not any(re.match(r"[\w.-]+==", re.sub(pattern, free, line)) for line in lines)


def test_newer_actions_are_proposed():
    (update,) = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    assert (update["package-ecosystem"], update["directory"]) == ("github-actions", "/")
