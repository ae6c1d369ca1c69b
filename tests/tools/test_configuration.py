"""What no page shows when it is lost: main alone is published, warnings fail, outputs repeat."""

import re

import yaml

from tools.notebooks import ENVIRONMENT, ROOT

JOBS = {
    (path.stem, name): job
    for path in (ROOT / ".github" / "workflows").glob("*.yml")
    for name, job in yaml.safe_load(path.read_text())["jobs"].items()
}


def test_only_main_is_published_after_the_check_and_only_these_jobs_may_write():
    publish = JOBS["book", "publish"]
    assert publish["needs"] == "check"
    assert publish["if"] == "github.ref == 'refs/heads/main' && github.event_name != 'pull_request'"
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == {
        ("book", "publish"): {"pages": "write", "id-token": "write"},
        ("book", "report"): {"issues": "write"},
        ("release", "publish"): {"id-token": "write"},
    }


def test_the_render_stops_at_any_warning_and_no_failure_is_overlooked():
    makefile = (ROOT / "Makefile").read_text()
    assert "jupyter-book build . -q -W -n --keep-going" in makefile
    assert not re.search(r"\|\| *(?:true|:)\b|^\t@?-", makefile, re.MULTILINE)
    commands = [step.get("run", "") for job in JOBS.values() for step in job["steps"]]
    assert not any(re.search(r"\|\| *true|set \+e", command) for command in commands)


def test_notebooks_run_in_one_environment():
    """Without these a sum depends on the processor or its cores, a set on a seed, a picture on the date."""
    fixed = {
        "ATEN_CPU_CAPABILITY": "default", "OMP_NUM_THREADS": "1", "MKL_CBWR": "COMPATIBLE",
        "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0", "TZ": "UTC", "COLUMNS": "80",
    }  # fmt: skip
    assert fixed.items() <= ENVIRONMENT.items()
