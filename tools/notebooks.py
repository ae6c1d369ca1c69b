"""How this project runs notebooks: one environment, race-free kernels, and one written form.

``tools.execute`` (the build) and the root ``conftest.py`` (the tests) both start kernels through
:class:`NotebookKernel`, so an output stored by the one can be compared byte for byte by the other.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any

import ipykernel.kernelspec
import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager, KernelManager

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
EXTENSION = Path(__file__).resolve().parent / "kernel"  # on the kernels' path, and all that is

#: What every notebook kernel sees, whichever machine it runs on.
ENVIRONMENT = {
    "ATEN_CPU_CAPABILITY": "default",  # the same torch code path on every x86 CPU: sums agree in the last bit
    "OMP_NUM_THREADS": "1",  # the order of a parallel sum depends on the number of threads
    "MKL_CBWR": "COMPATIBLE",  # MKL's promise of the same bits on every CPU
    "PYTHONHASHSEED": "0",  # the order of sets, and so of printed sums
    "SOURCE_DATE_EPOCH": "0",  # no dates inside SVG figures
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "80",
}

_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def kernel_environment() -> dict[str, str]:
    """``ENVIRONMENT`` and private configuration folders, so that no user's setting reaches a notebook."""
    folders = {"MPLCONFIGDIR": CACHE / "matplotlib", "IPYTHONDIR": CACHE / "ipython"}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(filter(None, [str(EXTENSION), os.environ.get("PYTHONPATH")]))
    return ENVIRONMENT | {name: str(folder) for name, folder in folders.items()} | {"PYTHONPATH": path}


def build_font_cache() -> None:
    """Let matplotlib list the fonts now: doing so first inside a notebook prints to its stderr."""
    environment = kernel_environment()
    if not list(Path(environment["MPLCONFIGDIR"]).glob("fontlist-*.json")):
        command = [sys.executable, "-c", "import matplotlib.font_manager"]
        subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)


class _ThisPython(KernelSpecManager):
    """Whatever kernel a notebook names, run it with the Python that is running now."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        # the history database is shared between kernels and would be locked by parallel runs
        options = ["--HistoryManager.hist_file=:memory:", "--ext=opened_files"]
        kernel = ipykernel.kernelspec.get_kernel_dict(options)
        return KernelSpec(**kernel, env=kernel_environment())


SOCKET = "kernel-ipc-5"  # the longest name of a kernel's sockets
_LONGEST = 107  # bytes of a Unix socket's path


def short_folder() -> str:
    """A fresh folder for a kernel's sockets: where temporary files go, or in /tmp if that is too deep.

    Raises:
        OSError: where neither leaves room for a socket's path.
    """
    usual = tempfile.gettempdir()
    for parent in (usual, "/tmp"):
        if len(os.fsencode(f"{parent}/nb-12345678/{SOCKET}")) <= _LONGEST:
            with contextlib.suppress(OSError):
                return tempfile.mkdtemp(prefix="nb-", dir=parent)
    raise OSError(f"no folder for sockets: set TMPDIR to a folder with a shorter path, got {usual}")


class _Local:
    """Kernel managers that talk over private sockets: two runs can never be given the same port."""

    def __init__(self, **kwargs: Any) -> None:
        build_font_cache()
        folder = short_folder()
        ours = {"transport": "ipc", "connection_file": f"{folder}/kernel.json"}
        super().__init__(**(kwargs | ours | {"kernel_spec_manager": _ThisPython()}))  # type: ignore[call-arg]
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


class NotebookKernel(_Local, KernelManager):
    """For nbval, which is synchronous."""


class AsyncNotebookKernel(_Local, AsyncKernelManager):
    """For nbclient, which is not."""


def canonical(notebook: Any) -> str:
    """The one text of ``notebook``: metadata that varies between runs, machines and editors is left out."""
    notebook = nbformat.from_dict(notebook)
    notebook.metadata = nbformat.from_dict(_METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells):
        cell.setdefault("id", f"cell-{number}")
        for volatile in ("execution", "ExecuteTime", "collapsed", "scrolled", "lines_to_next_cell"):
            cell.metadata.pop(volatile, None)
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"
