"""No test is left out for good, no command overruled: skips have a condition, what is needed is installed."""

import ast
import re
import sys
from importlib.util import find_spec

import pytest
import tomllib
import yaml

from tools.notebooks import ROOT

FILES = sorted([*(ROOT / "tests").rglob("*.py"), *ROOT.glob("posenc_*/**/*.py"), ROOT / "conftest.py"])
SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES}
RUNS = [
    (f"{path.stem}, {name}", step["run"])
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    for name, job in yaml.safe_load(path.read_text())["jobs"].items()
    for step in job["steps"]
    if "run" in step
]


def left_out(source):
    """What of a file never runs, or may fail: each with its line."""
    tree = ast.parse(source)
    conditional = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If | ast.ExceptHandler)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        of_mark = isinstance(node.value, ast.Attribute) and node.value.attr == "mark"
        if node.attr == "xfail" or (node.attr == "skip" and of_mark):
            yield f"line {node.lineno}: {node.attr}"
        elif node.attr == "skip" and ast.unparse(node) == "pytest.skip" and id(node) not in conditional:
            yield f"line {node.lineno}: skip without a condition"
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        asked = ast.unparse(call.func)
        given = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        if asked.endswith("mark.skipif") and isinstance(given, bool | int):
            yield f"line {call.lineno}: skipif of a constant"
        if asked == "pytest.importorskip" and isinstance(given, str):
            name = given.partition(".")[0]
            there = find_spec(name) or (name == "triton" and sys.platform != "linux")
            if not there:
                yield f"line {call.lineno}: {name} is not installed by make test"


#: When a test may be skipped. ``make test`` on Linux, or a job of the workflow, runs each but the last.
CONDITIONS = {
    # on a machine that make test did not set up, or where it found no network
    "not PEERS.is_dir()", "not list(distributions(name='kernels'))", "find_spec(PACKAGE) is None",
    "not chromium()", "not headless.fits()", "not pyodide.is_loaded()", "not FILES.exists()", "not files",
    "not pages()", "not chromium() or not pages()", "bool(why_not())", "why_not()",
    "not (SITE / 'objects.inv').exists()",
    # another version than the one that a record is of
    "stored['versions']['triton'] != triton.__version__", "stored['transformers'] != version",
    "found != pin.version", "sys.version_info < (3, 11)", "not hasattr(torch.compiler, 'is_exporting')",
    "not dist.is_gloo_available()", "queries > 1 and (not groups._CPU_KERNELS_SHARE)",
    # tests that were copied away from the checkout, or a checkout without history or releases
    "not model_types.STORED.is_file()", "HISTORY.stdout.strip() != 'false'",
    "said.returncode", "then.returncode",
    # asked for once a week; needs a GPU
    "'WHOLE_RUNS' not in os.environ", "device.type == 'cpu'",
}  # fmt: skip


def conditions(source):
    """Under which conditions tests of a file are skipped."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.skipif"):
            yield ast.unparse(node.args[0])
        elif isinstance(node, ast.If) and any("pytest.skip(" in ast.unparse(line) for line in node.body):
            yield ast.unparse(node.test)


def test_a_test_is_skipped_for_a_reason_that_is_listed():
    assert {said for name in SOURCES for said in conditions(SOURCES[name])} == CONDITIONS


@pytest.mark.parametrize("name", SOURCES)
def test_every_test_runs_somewhere(name):
    assert list(left_out(SOURCES[name])) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("pytestmark = pytest.mark.skip", ["line 1: skip"]),
        ("@pytest.mark.xfail(strict=False)\ndef test(): ...", ["line 1: xfail"]),
        ("def test():\n    pytest.skip('later')", ["line 2: skip without a condition"]),
        ("def test():\n    if late():\n        pytest.skip('later')", []),
        ("slow = pytest.mark.skipif(True, reason='later')", ["line 1: skipif of a constant"]),
        ("slow = pytest.mark.skipif(late(), reason='later')", []),
        ("pytest.importorskip('sympi')", ["line 1: sympi is not installed by make test"]),
        ("pytest.importorskip('sympy.core')", []),
    ],
)
def test_what_is_left_out_is_seen(source, found):
    assert list(left_out(source)) == found


def test_pytest_collects_all_that_there_is():
    assert re.findall(r"^collect_ignore\w* = (.*?)(?: *#.*)?$", SOURCES["conftest.py"], re.MULTILINE) == [
        '["_build", "posenc_lib/kernels/_triton.py"]',
        '["*/conftest.py"]',
    ]
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert asked["addopts"].split() == [
        "-p", "no:randomly", "--doctest-modules", "--nbval-cell-timeout=120",
    ]  # fmt: skip
    assert set(asked) == {"testpaths", "addopts", "filterwarnings"}


@pytest.mark.parametrize(("where", "run"), RUNS, ids=[f"{w}: {r.splitlines()[0][:40]}" for w, r in RUNS])
def test_a_command_of_a_workflow_is_not_overruled(where, run):
    assert not re.search(r"\|\|| ; |set \+e|& *$|--collect-only|--deselect|--exitfirst| -k ", run)
    ignored = re.findall(r"--ignore[= ](\S+)", run)
    assert ignored == (
        ["tests/tools/test_exact_pins.py"] if where == "book, unpinned" and "pytest" in run else []
    )


def test_the_workflows_run_the_tests_of_library_and_checker():
    asked = [re.findall(r"pytest -q (?:-n auto )?(.*)", run) for _, run in RUNS]
    assert sorted(tests for found in asked for tests in found) == [
        "--ignore=tests/tools/test_exact_pins.py tests posenc_lib posenc_book",
        "tests/experiments/test_trained_model.py",
        "tests/library tests/proofs",
        "tests/library tests/proofs",
    ]


def test_the_audit_asks_about_every_lock_and_passes_over_nothing():
    recipe = (ROOT / "Makefile").read_text().split("\naudit:\n")[1].split("\n\n")[0].replace("\\\n", "")
    calls = [line.split() for line in recipe.splitlines() if "bin/pip-audit " in line]
    assert len(calls) == 2 and all("--strict" in call and "--ignore-vuln" not in call for call in calls)
    asked = {call[at + 1] for call in calls for at, word in enumerate(call) if word == "-r"}
    locks = {"requirements.lock", "tests/requirements.lock", "tests/peers.txt", "tests/weights.txt"}
    assert asked == locks | {".cache/audit/torch.txt"}
    assert "make audit" in [run for where, run in RUNS if where == "book, outside"]


#: Installed at whatever version is newest, on purpose: the library is for several.
FREE = {"pytest", "hypothesis", "pytest-xdist", "transformers", "ipython"}


def test_a_package_that_a_command_installs_by_name_has_its_version():
    commands = [*(run for _, run in RUNS), (ROOT / "Makefile").read_text().replace("\\\n", " ")]
    lines = [
        line
        for text in commands
        for line in re.findall(r"pip\"? install (.*)", text.replace("--progress-bar off", ""))
    ]
    words = [word for line in lines for word in re.split(r"&&|[|]|;", line)[0].split()]
    names = {w for w in words if re.fullmatch(r"[a-z][\w-]*(?:==[\w.]+)?", w)}
    assert {"uv", "pip-audit", "sphinx-autobuild"} <= {name.partition("==")[0] for name in names}
    assert {name for name in names if "==" not in name} <= FREE
