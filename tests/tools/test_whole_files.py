"""What is written is there whole, or what was there before is."""

import ast
import os
import signal
import subprocess
import sys

import pytest

from benchmarks import harness
from experiments import stored
from tools import lock, outline, seals, signatures
from tools.faults import report
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
    "tools/mutants/__main__.py": "what is to be tried, beside the copy in which it is",
    "tools/mutants/in_place.py": "the answers, beside that copy",
    "tools/page_head.py": "a page of the site",
    "tools/pyodide.py": "a folder that counts when the file `complete` is in it",
    "tools/try_it.py": "a file of the site",
    "tools/whole_files.py": "this is the one place",
}


def full(*_):
    raise OSError("No space left on device")


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


def seal(path, monkeypatch):
    monkeypatch.setattr(seals, "SEALS", path)
    monkeypatch.setattr(seals, "seals", lambda: "new")
    seals.main([])


def sketch(path, monkeypatch):
    monkeypatch.setattr(outline, "OUTLINE", path)
    monkeypatch.setattr(outline, "ROOT", path.parent)
    monkeypatch.setattr(outline, "outline", lambda: "new")
    outline.main([])


def sign(path, monkeypatch):
    monkeypatch.setattr(signatures, "FILE", path)
    monkeypatch.setattr(signatures, "listed", lambda: "new")
    signatures.main()


def measure(path, monkeypatch):
    monkeypatch.setattr(harness, "RESULTS", path.parent)
    harness.save(path.stem, [{"new": 1}])


def judge(path, monkeypatch):
    monkeypatch.setattr(report, "STORED", path)
    report.write([], [], "new")


def pin(path, monkeypatch):
    monkeypatch.setattr(lock, "ROOT", path.parent)
    monkeypatch.setattr(lock, "requirements", lambda *_: [])
    monkeypatch.setattr(lock, "compiled", lambda *_: "new")
    lock.main()


def experiment(path, _):
    stored.write(path, {"new": 1})


WRITERS = {
    "a.json": (experiment, measure),
    "result.json": (judge,),
    "a.txt": (seal, sketch, sign),
    "requirements.lock": (pin,),
}


@pytest.mark.parametrize(
    ("name", "writer"),
    [(name, writer) for name, writers in WRITERS.items() for writer in writers],
    ids=lambda it: getattr(it, "__name__", it),
)
def test_a_full_disk_leaves_what_was_stored(name, writer, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_text(before := '{"faults": []}')
    with monkeypatch.context() as patched, pytest.raises(OSError, match="No space"):
        patched.setattr(os, "replace", full)
        writer(path, patched)
    assert path.read_text() == before and list(tmp_path.iterdir()) == [path]
    if writer is not pin:  # which writes a second one, elsewhere
        writer(path, monkeypatch)
        assert "new" in path.read_text()


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
