"""Execute the book's notebooks, in place, in parallel, and only those that are stale.

A notebook is stale when its code cells, their stored outputs, a file that it read (a module of the library,
a stored result), the pinned requirements, the notebook environment or the Python version differ from what the
last execution here saw: see ``tools/stale.py``. (Jupyter Book's own cache looks at the code cells alone: it
shows old outputs after a library change.)

    python -m tools.execute                 # whatever is stale
    python -m tools.execute --all           # everything
    python -m tools.execute book/4-rotary/41-complex-solution.ipynb
"""

import asyncio
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

from tools import said
from tools.contents import find_notebooks
from tools.guard import problems
from tools.notebooks import CACHE, ROOT, AsyncNotebookKernel, canonical
from tools.stale import ExecutionFailed, is_stale, read_files, write_stamp
from tools.whole_files import write_whole

JOBS = min(4, os.cpu_count() or 1)  # notebooks at a time
CELL_TIMEOUT = 300  # seconds; a slow laptop gets twice what nbval allows a cell
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class _Loop(asyncio.SelectorEventLoop):
    """Leaves ctrl-C to asyncio, which cancels what runs, so that each client stops its kernel.

    Every client would put a handler of its own in its place, and stop a kernel that it still waits for.
    """

    def add_signal_handler(self, *_: Any) -> None:
        raise RuntimeError("clients take this for a loop that cannot have handlers")


async def execute(path: Path) -> tuple[Any, list[Path]]:
    """Run ``path`` from a fresh kernel, in its own folder; the file is left alone.

    Returns the notebook with its outputs, and the project's files that it read.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("print(__import__('opened_files').listed())"))
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_manager_class=AsyncNotebookKernel,
        resources={"metadata": {"path": str(path.parent)}},
        coalesce_streams=True,
        ipython_hist_file="",  # the kernel's own command line says where
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",  # asked politely, a kernel that computes answers with a traceback
    )
    try:
        await client.async_execute()
    except (CellExecutionError, CellTimeoutError, RuntimeError) as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # interrupted: that its kernel died is no failure
            raise asyncio.CancelledError from None
        raise ExecutionFailed(_failure(notebook, error)) from None
    opened = notebook.cells.pop().outputs[0].text.splitlines()
    said.fill(notebook)
    if found := problems(notebook):
        raise ExecutionFailed("\n".join(found))
    return nbformat.reads(canonical(notebook), as_version=4), read_files(opened)


def _failure(notebook: Any, error: Exception) -> str:
    ran = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.execution_count]
    failed = [i for i in ran if any(out.output_type == "error" for out in notebook.cells[i].outputs)]
    index = (failed or ran or [0])[-1]
    return f"cell {index}:\n{notebook.cells[index].source}\n\n{_ANSI.sub('', str(error)).strip()[-3000:]}"


async def run_all(paths: list[Path]) -> list[str]:
    """Execute ``paths``, at most ``JOBS`` at a time; returns the names of those that failed."""
    failed: list[str] = []
    slots = asyncio.Semaphore(JOBS)
    done = 0

    async def one(path: Path) -> None:
        nonlocal done
        name = path.relative_to(ROOT).as_posix()
        async with slots:
            start = time.perf_counter()
            try:
                notebook, files = await execute(path)
                _store(path, notebook, files)
                outcome = ""
            except ExecutionFailed as error:
                failed.append(name)
                outcome = f"  FAILED\n{error}\n"
            done += 1
            print(f"  [{done}/{len(paths)}] {name}  {time.perf_counter() - start:.1f} s{outcome}", flush=True)

    await asyncio.gather(*map(one, paths))
    return sorted(failed)


def _store(path: Path, notebook: Any, files: list[Path]) -> None:
    text = canonical(notebook)
    if path.read_text(encoding="utf-8") != text:
        write_whole(path, text)
    write_stamp(path, notebook, files)


def _require_room() -> None:
    """Write something and remove it: a kernel that has no room for its profile dies without a word."""
    room = CACHE / "room"
    CACHE.mkdir(exist_ok=True)
    write_whole(room, b" " * 2**16)
    room.unlink()


def main() -> int:
    """The command line; returns the exit status."""
    asked = sys.argv[1:]
    chosen = [Path(name).resolve() for name in asked if name != "--all"] or find_notebooks()
    if unknown := [str(path) for path in chosen if path.suffix != ".ipynb" or not path.exists()]:
        sys.exit(f"the arguments must be notebooks, or --all; there is no {', '.join(unknown)}")
    paths = [path for path in chosen if asked or is_stale(path)]
    print(f"Executing {len(paths)} of {len(chosen)} notebooks; the others are up to date", flush=True)
    if paths:
        _require_room()
    with asyncio.Runner(loop_factory=_Loop) as runner:
        failed = runner.run(run_all(paths))
    if failed:
        print(f"{len(failed)} of {len(paths)} notebooks failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
