"""Copies of the kernel with a condition taken out, for tests that every condition is noticed."""

import ast
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import posenc_proofs.kernel as kernel

FOLDER = Path(kernel.__file__).parent
MODULES = [
    *("terms", "ring", "domains", "theorem", "calculus", "binders"),
    *("axioms", "ranges", "balls", "limits", "words", "models", "replay"),
]
SOURCES = {name: (FOLDER / f"{name}.py").read_text() for name in MODULES}
CODES = {name: compile(source, f"{name}.py", "exec") for name, source in SOURCES.items()}
_count = itertools.count()


def load(changed: dict[str, ast.Module]) -> dict[str, ModuleType]:
    """The kernel's modules by name, some from changed source, under a package name of their own."""
    package = f"kernel_copy_{next(_count)}"
    root = ModuleType(package)
    root.__path__ = []
    sys.modules[package] = root
    modules = {}
    for name in MODULES:
        module = ModuleType(f"{package}.{name}")
        module.__package__ = package
        sys.modules[module.__name__] = modules[name] = module
        setattr(root, name, module)
        code = compile(changed[name], f"{name}.py", "exec") if name in changed else CODES[name]
        exec(code, module.__dict__)
    for name in [package, *(m.__name__ for m in modules.values())]:
        del sys.modules[name]
    return modules


def _conditions(tree: ast.Module) -> list[tuple[Any, Any]]:
    """Where a condition stands: the argument of `ask`, or a value called `ok`; what holds it, and the key."""
    found: list[tuple[Any, Any]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ask":
            found.append((node.args, 0))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ok":
            found.append((vars(node), "value"))
    return found


def _parts(condition: ast.expr) -> list[ast.expr]:
    both = isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
    return condition.values if both else []


def without_each_condition():
    """(label, module, line, changed syntax): each condition taken out, and each part of an `and`.

    The syntax is one for a module: it is changed back when the next is asked for.
    """
    for name in MODULES:
        tree = ast.parse(SOURCES[name])
        for holder, key in _conditions(tree):
            condition = holder[key]
            for gone in (condition, *_parts(condition)):
                parts = [ast.Constant(True) if part is gone else part for part in _parts(condition)]
                new = ast.Constant(True) if gone is condition else ast.BoolOp(ast.And(), parts)
                holder[key] = ast.fix_missing_locations(ast.copy_location(new, condition))
                yield f"{name}: {ast.unparse(gone)}", name, condition.lineno, tree
            holder[key] = condition


def lenient() -> dict[str, ModuleType]:
    """A kernel that refuses nothing: it says what a case would prove."""
    changes = {
        "terms": ("    if not condition:\n        raise Refused(message)\n", "    return\n"),
        "theorem": ('raise AssertionError("a bound letter', 'str("a bound letter'),
    }
    assert all(SOURCES[name].count(old) == 1 for name, (old, _) in changes.items())
    return load({name: ast.parse(SOURCES[name].replace(*change)) for name, change in changes.items()})
