"""A copy of the project in which faults are planted and commands run; the checkout is never written to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.browser import chromium
from tools.faults.catalogue import Fault
from tools.faults.plant import planted
from tools.notebooks import ROOT

WARM = Path(__file__).with_name("warm.py")
TIMEOUT = 600  # seconds a command may take
HIDDEN = (".ci", ".github", ".gitignore")  # ours, though their names begin with a dot
CACHES = (".mypy_cache", ".cache/matplotlib", ".cache/fonts")  # saves time, decides nothing


class Ran(NamedTuple):
    """What a command said: its exit status and all that it printed."""

    status: int
    said: str

    @property
    def late(self) -> bool:
        """Whether it was ended because its time was over, which says nothing of any fault."""
        return self.status == -signal.SIGALRM


def project_files() -> list[str]:
    """What git tracks or would track; without git, everything that is not hidden or built."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if names := [name for name in listed.split("\0") if name and (ROOT / name).is_file()]:
        return names
    built = {"_build", "generated", "__pycache__"}
    files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    shown = (f for f in files if not built & set(f.parts) and (f.parts[0] in HIDDEN or f.parts[0][0] != "."))
    return [file.as_posix() for file in shown]


class Copy:
    """A copy of the project below ``folder``.

    Args:
        limit: seconds that a command may take.
        heavy: modules that are loaded once for all commands, besides those of ``warm.py``.
    """

    def __init__(self, folder: Path, limit: int = TIMEOUT, heavy: Iterable[str] = ()) -> None:
        self.limit = limit
        self.root = folder
        for name in project_files():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
        for name in CACHES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name)
        own = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        own |= {"CHROMIUM": path} if (path := chromium()) else {}  # ours is not in the copy
        environment = {key: value for key, value in os.environ.items() if key != "CI"} | own
        self.warm = subprocess.Popen(
            [sys.executable, WARM, str(limit), *heavy],
            cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    @contextmanager
    def with_planted(self, faults: Iterable[Fault]) -> Iterator[None]:
        """The copy with ``faults`` in it; afterwards every tracked file is as it was."""
        try:
            for fault in faults:
                path = self.root / fault.file
                changed = planted(fault, path.read_text(encoding="utf-8"))
                if changed is None:
                    path.unlink()
                else:
                    path.write_text(changed, encoding="utf-8")
            yield
        finally:
            for name in project_files():
                self._restore(name)

    def _restore(self, name: str) -> None:
        original, mine = ROOT / name, self.root / name
        if not mine.exists() or mine.stat().st_mtime_ns != original.stat().st_mtime_ns:
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(original, mine)

    def run(self, module: str, *arguments: str) -> Ran:
        """``python -m module arguments`` on the copy's own library, leaving no compiled files behind."""
        assert self.warm.stdin and self.warm.stdout
        said = self.root.parent / f"{self.root.name}.said"
        self.warm.stdin.write(json.dumps([[module, *arguments], str(said)]) + "\n")
        self.warm.stdin.flush()
        status = int(self.warm.stdout.readline())
        text = said.read_text(encoding="utf-8", errors="replace")
        late = f"\nE   ran longer than {self.limit} s" if (ran := Ran(status, text)).late else ""
        return ran._replace(said=text + late)

    def close(self) -> None:
        """End the process that ran the commands."""
        assert self.warm.stdin
        self.warm.stdin.close()
        self.warm.wait()
