"""What is written is there whole, or what was there before is."""

import ast
import signal
import subprocess
import sys

from tools.notebooks import ROOT
from tools.whole_files import write_whole

#: Modules that write where half a file is no loss, and what they write.
IN_PLACE = {
    "benchmarks/book.py": "a program in a temporary folder",
    "benchmarks/harness.py": "a switch of Linux, /proc/self/clear_refs",
    "benchmarks/machine_code.py": "a kernel's code in a temporary file",
    "tools/break_steps.py": "a page of the site, which each build renders whole or not at all",
    "tools/faults/copies.py": "the copy in which faults are planted",
    "tools/fonts.py": "a font of the site",
    "tools/headless.py": "a folder that counts when the file `chromium` is in it",
    "tools/lock.py": "what uv is given, in a temporary folder",
    "tools/same_theorems.py": "a notebook of an earlier revision, in a temporary folder",
    "tools/page_head.py": "a page of the site",
    "tools/pyodide.py": "a folder that counts when the file `complete` is in it",
    "tools/try_it.py": "a file of the site",
    "tools/whole_files.py": "this is the one place",
}


def test_a_file_is_replaced_and_nothing_stays_beside_it(tmp_path):
    path = tmp_path / "a.txt"
    for content, kept in (("θ\n", b"\xce\xb8\n"), (b"\xff", b"\xff")):
        write_whole(path, content)
        assert path.read_bytes() == kept and list(tmp_path.iterdir()) == [path]


def python(first, path, content):
    """A process that runs a line of Python, then writes to the path."""
    call = f"write_whole(Path({str(path)!r}), {content!r})"
    code = f"from pathlib import Path; from tools.whole_files import write_whole; {first}; {call}"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)


def test_a_system_that_takes_half_of_it_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    done = python(limit, path, "x" * 2000)
    assert "OSError" in done.stderr and "File too large" in done.stderr
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    assert python(limit, path, "x" * 900).returncode == 0 and path.read_text() == "x" * 900


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    done = python("import os; os.replace = lambda *_: os.kill(os.getpid(), 9)", path, "new")
    assert done.returncode == -signal.SIGKILL and path.read_text() == "old"
    (left,) = set(tmp_path.iterdir()) - {path}
    ignored = subprocess.run(["git", "check-ignore", "-q", "--no-index", left.name], cwd=ROOT)
    assert ignored.returncode in (0, 128)  # 128: a copy without its repository


def writes_in_place(path):
    names = {"write_text", "write_bytes"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.Attribute) and node.attr in names for node in ast.walk(tree))


def test_nobody_else_writes_in_place():
    modules = [
        path for room in ("tools", "experiments", "benchmarks") for path in (ROOT / room).rglob("*.py")
    ]
    found = {path.relative_to(ROOT).as_posix() for path in modules if writes_in_place(path)}
    assert len(modules) > 60 and found == set(IN_PLACE)
