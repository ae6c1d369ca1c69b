"""Mutants of a module one after another in forks of one process that has collected the tests.

``python -m tools.mutants.in_place TASK``: TASK is a JSON file with ``module``, ``texts`` (of the mutants),
``arguments`` (of pytest), ``limit`` (seconds a mutant) and ``answers``, the file that is written: for each
text, and at last for the module as it is where all were killed, ``[verdict, test that objected]``. A verdict
is None where the change could not be put in place, or where nobody objected: that is asked again with the
change in the file, as code that runs while modules load, or in processes of its own, is not reached here.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def put_in_place(file: Path, text: str) -> bool:
    """Give the functions made from ``file`` the code that ``text`` has for them; whether there was one."""
    name = str(file)
    before, after = (
        [
            *_functions(compile(one, name, "exec", dont_inherit=True))
        ]  # of what this module has from the future
        for one in (file.read_text(encoding="utf-8"), text)
    )
    if len(before) != len(after):
        return False
    changed = [(old, new) for old, new in zip(before, after, strict=True) if _does(old) != _does(new)]
    alive = [one for one in gc.get_objects() if isinstance(one, types.FunctionType)]
    given = False
    for old, new in changed:
        for function in alive:
            if function.__code__.co_filename == name and function.__code__ == old:
                function.__code__ = new
                given = True
    return given


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    """The functions and methods of a module; those inside a function are made anew by each call of it."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from [one] if one.co_flags & inspect.CO_OPTIMIZED else _functions(one)


def _does(code: types.CodeType) -> tuple[Any, ...]:
    """What a function does, whatever the lines that it stands on."""
    constants = [
        _does(one) if isinstance(one, types.CodeType) else (type(one), repr(one)) for one in code.co_consts
    ]
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants)


class Forks:
    """The plugin that runs the collected tests once for each mutant."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.task = task
        self.answers: list[list[str | None]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's loop: the whole loop for each text, in a process of its own."""
        if session.testsfailed:
            return True  # as they could not be collected, and the exit status says so
        for text in self.task["texts"]:
            self.answers.append(self.answer(session, text))
        if all(verdict for verdict, _ in self.answers):
            self.answers.append(self.answer(session, None))
        return True

    def answer(self, session: pytest.Session, text: str | None) -> list[str | None]:
        """What the tests say of one text, or of the module as it is."""
        signal.alarm(self.task["limit"] + 60)  # whoever runs all this allows as long as for one mutant
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(told)
            signal.alarm(self.task["limit"])
            if text is not None and not put_in_place(Path.cwd() / self.task["module"], text):
                os._exit(0)
            try:
                by = first_objection(session)
            except BaseException as error:  # what a mutant does to pytest itself is an objection, too
                by = f"{type(error).__name__}: {error}"
            os.write(tell, (by or "").encode())
            os._exit(0 if by is None else 1)
        os.close(tell)
        with os.fdopen(told, encoding="utf-8") as pipe:
            by = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGALRM:
            return ["timeout", ""]
        return ["killed", by or f"the process ended with {status}"] if status else [None, ""]


def first_objection(session: pytest.Session) -> str | None:
    """Run the collected tests up to the first that fails; its name."""
    failed: list[str] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)

    session.config.pluginmanager.register(Listener())
    for item, after in zip(session.items, [*session.items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if failed:
            return failed[0]
    return None


if __name__ == "__main__":
    given: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    forks = Forks(given)
    status = pytest.main(given["arguments"], plugins=[forks])
    Path(given["answers"]).write_text(json.dumps(forks.answers), encoding="utf-8")
    sys.exit(status)
