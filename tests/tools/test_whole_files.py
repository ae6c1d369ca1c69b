"""What is written is there whole, or what was there before is."""

import subprocess
import sys

from tools.notebooks import ROOT


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
