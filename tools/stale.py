"""Which notebooks have to run again: those whose code, or any file that they read, is not what it was.

While a notebook runs, its kernel notes every file that it opens (``tools/kernel/opened_files.py``). Code
counts without comments and docstrings: to word one better changes no output.
"""

import ast
import hashlib
import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat

from tools.notebooks import CACHE, ENVIRONMENT, ROOT
from tools.whole_files import write_whole


class ExecutionFailed(Exception):
    """A notebook did not run cleanly; the message says in which cell and why."""


def read_files(opened: Iterable[str]) -> list[Path]:
    """Those of ``opened`` that belong to this project, in order."""
    return sorted({Path(name) for name in opened if _is_ours(Path(name))})


def _is_ours(file: Path) -> bool:
    if not file.is_relative_to(ROOT) or not file.is_file():
        return False
    return not any(part.startswith(".") for part in file.relative_to(ROOT).parts)  # .venv, .cache


def stamp_of(path: Path) -> Path:
    """Where it is kept what the last execution of ``path`` saw."""
    return CACHE / "executed" / (path.relative_to(ROOT).as_posix().replace("/", "__") + ".json")


def write_stamp(path: Path, notebook: Any, files: Iterable[Path]) -> None:
    """Keep what ``notebook``, stored at ``path``, is made from."""
    seen = {file.relative_to(ROOT).as_posix(): digest(file) for file in files}
    stamp_of(path).parent.mkdir(parents=True, exist_ok=True)
    write_whole(stamp_of(path), json.dumps({"notebook": fingerprint(notebook), "files": seen}, indent=1))


def is_stale(path: Path) -> bool:
    """Whether ``path``, or anything that it read, has changed since it was last executed here."""
    stamp = stamp_of(path)
    if not stamp.exists():
        return True
    seen = json.loads(stamp.read_text())
    if seen["notebook"] != fingerprint(nbformat.read(path, as_version=4)):
        return True
    files = ((ROOT / name, was) for name, was in seen["files"].items())
    return any(not file.exists() or digest(file) != was for file, was in files)


def fingerprint(notebook: Any) -> str:
    """A digest of the code cells with their outputs, the pinned packages, the environment and the Python."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pins = (ROOT / "requirements.txt").read_text()
    return _sha(json.dumps([ENVIRONMENT, platform.python_version(), pins, cells], sort_keys=True).encode())


def digest(file: Path) -> str:
    """A digest of ``file``: of Python only what it does, of anything else every byte."""
    if file.suffix != ".py":
        return _sha(file.read_bytes())
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return _sha(ast.dump(tree).encode())


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
