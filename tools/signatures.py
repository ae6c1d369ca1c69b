"""The public interface as a list of calls, ``tests/tools/signatures.txt``, from which nothing goes unsaid.

    python -m tools.signatures    # write the list anew; what went, and what came, is shown and reviewed

Annotations are left out: type checkers look at those. A method is listed where one of our classes defines it.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from tools.notebooks import ROOT
from tools.reference import api
from tools.whole_files import write_whole

FILE = ROOT / "tests" / "tools" / "signatures.txt"
_PLACE = re.compile(r" at 0x[0-9a-f]+")


def listed() -> str:
    """One line for each public call and value, in the order of their names."""
    names = {name: home for package in api.PACKAGES for name, home in api.public(package).items()}
    lines = {
        line for name, home in names.items() for line in _lines(name, getattr(home, name.split(".")[-1]))
    }
    return "".join(f"{line}\n" for line in sorted(lines))


def _lines(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"{name}{_call(value)}"
        for method in dir(value):
            if not method.startswith("_") and _is_ours(value, method):
                yield f"{name}.{method}{_call(getattr(value, method))}"
    elif callable(value):
        yield f"{name}{_call(value)}"
    else:
        yield f"{name}: {type(value).__name__}"


def _is_ours(owner: type, method: str) -> bool:
    """Written in one of our modules (SymPy's classes give properties to those that inherit from them).

    A method whose function is private is there to refuse the call.
    """
    found = inspect.getattr_static(owner, method)
    written = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    if not inspect.isfunction(written) or written.__name__.startswith("_"):
        return False
    return written.__module__.startswith("posenc_lib")


def _call(value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # a property, say, or a class whose constructor is C
        return ""
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    shown = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
    return _PLACE.sub("", str(shown))


def breaks(before: str, after: str) -> list[str]:
    """The lines of a list that are gone or changed in a later one: calls that may fail now."""
    return sorted(set(before.splitlines()) - set(after.splitlines()))


def may_break(before: str, after: str) -> bool:
    """Whether the step between two versions allows it: a new major, or before 1.0 a new minor version."""
    (major, minor, _), (new_major, new_minor, _) = (map(int, v.split(".")) for v in (before, after))
    return new_major > major or (major == 0 and new_minor > minor)


def main() -> None:
    """Write the list and show what changed."""
    old, new = FILE.read_text(encoding="utf-8") if FILE.exists() else "", listed()
    for line in difflib.ndiff(old.splitlines(), new.splitlines()):
        if line[:1] in "+-":
            print(line)
    write_whole(FILE, new)


if __name__ == "__main__":
    main()
