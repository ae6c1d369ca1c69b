"""Machines unlike ours: folders of any name, no home, a long TMPDIR, an impatient reader."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from nbformat import v4

from tools.notebooks import ROOT, canonical

CELLS = ["import pathlib", "print(pathlib.Path.cwd().parent.name)"]


def project(folder, cells=CELLS):
    """A project of one page and the tools that execute it, in ``folder``; no repository."""
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "book").mkdir()
    page = folder / "book" / "page.ipynb"
    page.write_text(canonical(v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])), "utf-8")
    (folder / "_toc.yml").write_text("root: book/page\nparts: []\n")
    (folder / "requirements.txt").write_text("torch\n")
    cache = folder / ".cache"
    cache.mkdir()
    if (ROOT / ".cache" / "matplotlib").exists():  # the list of fonts, which takes a minute to make
        shutil.copytree(ROOT / ".cache" / "matplotlib", cache / "matplotlib")
    return page


def start(page, **changed):
    """``tools.execute`` for the page, in a process of its own; a variable that is None is not set there."""
    environment = {k: v for k, v in (os.environ | changed).items() if v is not None}
    command, folder = [sys.executable, "-m", "tools.execute"], page.parents[1]
    caught = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **caught)


def ended(run):
    said, _ = run.communicate(timeout=300)
    assert run.returncode == 0, said


@pytest.mark.parametrize("name", ["with a space", "Größe ξ 位", "a'b%20$c"])
def test_a_page_is_executed_in_a_folder_of_any_name_without_git_and_without_a_home(tmp_path, name):
    page = project(tmp_path / name)
    ended(start(page, HOME=None, USER=None, LOGNAME=None))
    assert f'"{name}\\n"' in page.read_text(encoding="utf-8").replace("\\\\", "\\")
    assert not list(page.parent.glob("*.new"))


def test_two_executions_at_once_leave_a_whole_page(tmp_path):
    page = project(tmp_path / "project")
    for run in [start(page) for _ in range(2)]:
        ended(run)
    once = page.read_bytes()
    ended(start(page))  # finds nothing stale
    assert page.read_bytes() == once and b'"project\\n"' in once
    assert {p.name for p in page.parent.iterdir()} == {"page.ipynb"}


def test_a_long_tmpdir_is_no_obstacle(tmp_path):
    long = tmp_path / ("t" * 120)
    long.mkdir()
    ended(start(project(tmp_path / "project"), TMPDIR=str(long)))


@pytest.fixture
def heard():
    """SIGINT is not ignored by what is started now, though these tests may run in a script's background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_an_interrupted_run_loses_nothing_and_says_so_in_a_line(tmp_path, how, heard):
    begins = "import os, pathlib, time; pathlib.Path('kernel').write_text(str(os.getpid()))"
    page = project(tmp_path / "project", [begins, "time.sleep(300)"])
    before, kernel = page.read_bytes(), page.parent / "kernel"
    run = start(page)
    patience = time.monotonic() + 240
    while not (kernel.exists() and kernel.read_text()) and time.monotonic() < patience and run.poll() is None:
        time.sleep(0.1)
    os.kill(run.pid, how)
    said, _ = run.communicate(timeout=120)
    assert run.returncode == -signal.SIGINT, said
    assert said.splitlines()[-1] == "interrupted: what was not finished is as it was"
    assert "Traceback" not in said and "FAILED" not in said and "Kernel died" not in said
    assert page.read_bytes() == before and {p.name for p in page.parent.iterdir()} == {"page.ipynb", "kernel"}
    with pytest.raises(ProcessLookupError):
        os.kill(int(kernel.read_text()), 0)


def test_a_disk_without_room_is_said_in_a_line(tmp_path):
    page = project(tmp_path / "project")
    before = page.read_bytes()
    limit = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"
    code = f"import sys; sys.argv = ['-m']; {limit}; runpy.run_module('tools.execute', run_name='__main__')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=page.parents[1], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.endswith(": what was not finished is as it was\n")
    assert "File too large" in done.stderr and "Traceback" not in done.stderr
    assert page.read_bytes() == before and {p.name for p in page.parent.iterdir()} == {"page.ipynb"}
