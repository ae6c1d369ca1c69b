"""A process that has loaded what takes long to load, and runs each command in a copy of itself.

Most trials take a second, and loading torch and SymPy for each would take four. Nothing of the project is
loaded here, so a command finds the modules with the fault in them. It is run as a script, by
:class:`tools.faults.copies.Copy`: each line of its input is a module, its arguments and a file for what is
printed; it answers with the exit status.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import signal
import sys
import traceback

HEAVY = (
    "torch",
    "sympy",
    "flint",
    "numpy",
    "matplotlib.figure",
    "nbformat",
    "jsonschema",
    "yaml",
    "pygments",
)


def run(arguments: list[str]) -> int:
    """What ``python -m`` would do with ``arguments``, or the command ``module:function``; its exit status."""
    sys.argv = list(arguments)
    module, _, function = arguments[0].partition(":")
    try:
        if function:
            sys.exit(getattr(importlib.import_module(module), function)())
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def serve(timeout: int) -> None:
    """Answer one line after another, until there are no more."""
    for line in sys.stdin:
        arguments, said = json.loads(line)
        child = os.fork()
        if child == 0:
            os.setpgrp()
            signal.alarm(timeout)
            printed = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(printed, stream)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            status = run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    sys.path[0] = ""  # as with -m: where the command runs, and not where this file lies
    for name in (*HEAVY, *sys.argv[2:]):
        importlib.import_module(name)
    serve(int(sys.argv[1]))
