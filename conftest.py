"""How notebooks are tested: nbval compares every stored output with a fresh one; this file closes its gaps.

Each notebook gets one more test, ``clean-run`` (see ``tools/guard.py``). Images are compared as well,
structured outputs are compared without crashing, a trailing ``;`` silences a cell as it does for a reader,
and kernels are those of the build (see ``tools/notebooks.py``). All of it holds for
plain ``pytest --nbval``, too.
"""

import gc
import json

import nbformat
import nbval.kernel
import pytest
from nbval.plugin import IPyNbCell

from tools.browser import pages
from tools.guard import problems
from tools.notebooks import NotebookKernel

# Triton kernels are made, when first imported, for a compiler or for the interpreter: the tests choose which,
# not the search for examples.
pytest_plugins = ["tools.tolerances"]
collect_ignore = ["_build", "posenc_lib/kernels/_triton.py"]
collect_ignore_glob = ["*/conftest.py"]  # several of one name: the search for examples would mix them up


def pytest_configure(config):
    gc.set_threshold(20_000, 20, 20)  # of so many objects few go in a test, and each look at all takes long
    nbval.kernel.KernelManager = NotebookKernel
    nbval.kernel.RunningKernel.execute_cell_input = _execute_like_a_reader
    IPyNbCell.sanitize = _as_text


def _execute_like_a_reader(self, source, allow_stdin=None):
    # nbval keeps cells out of the history, and IPython looks for the trailing ";" there
    return self.kc.execute(source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


_sanitize = IPyNbCell.sanitize


def _as_text(self, value):
    # nbval's report of a difference knows only strings; JSON outputs are dictionaries
    return _sanitize(self, value if isinstance(value, str) else json.dumps(value, indent=1, sort_keys=True))


def pytest_collection_modifyitems(items):
    for item in items:
        if isinstance(item, IPyNbCell):
            item.parent.skip_compare = tuple(
                k for k in item.parent.skip_compare if not k.startswith("image/")
            )
    nothing = [item.nodeid for item in items if _is_of_nothing(item)]
    if nothing and pages():  # without built pages there is nothing to look at, and tests say so
        raise pytest.UsageError(f"parametrised by nothing, so pytest would skip it: {', '.join(nothing)}")


def _is_of_nothing(item):
    reasons = (mark.kwargs.get("reason", "") for mark in item.iter_markers("skip"))
    return any(reason.startswith("got empty parameter set") for reason in reasons)


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return GuardedNotebook.from_parent(parent, path=file_path)


class GuardedNotebook(pytest.File):
    def collect(self):
        yield CleanRun.from_parent(self, name="clean-run")


class NotClean(Exception):
    pass


class CleanRun(pytest.Item):
    def runtest(self):
        found = problems(nbformat.read(self.path, as_version=4))
        if found:
            raise NotClean("\n".join(found))

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, NotClean):
            return (
                f"{self.path.name} is not one clean run (python -m tools.execute renews it):\n{excinfo.value}"
            )
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}::clean-run"
