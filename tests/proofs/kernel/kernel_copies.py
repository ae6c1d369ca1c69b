"""Copies of the kernel with a condition taken out, for tests that every condition is noticed."""

import ast
import itertools
import sys
from pathlib import Path
from types import ModuleType

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


def _is_ask(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "ask"
    )


def _conditions(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """Where a condition stands: the argument of `ask`, or a value called `ok`."""
    found: list[tuple[ast.AST, str]] = []
    for node in ast.walk(tree):
        if _is_ask(node):
            found.append((node.value.args, "ask"))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ok":
            found.append((node, "ok"))
    return found


def _parts(condition: ast.expr) -> int:
    return (
        len(condition.values)
        if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
        else 0
    )


def _get(place: tuple[ast.AST, str]) -> ast.expr:
    return place[0][0] if place[1] == "ask" else place[0].value


def _put(place: tuple[ast.AST, str], value: ast.expr) -> None:
    if place[1] == "ask":
        place[0][0] = value
    else:
        place[0].value = value


def without_each_condition():
    """(label, module, line, changed syntax): each condition taken out, and each part of an `and`."""
    for name in MODULES:
        for k, place in enumerate(_conditions(ast.parse(SOURCES[name]))):
            parts = _parts(_get(place))
            for part in range(-1, parts) if parts else [-1]:
                tree = ast.parse(SOURCES[name])
                copy = _conditions(tree)[k]
                condition = _get(copy)
                text = ast.unparse(condition if part < 0 else condition.values[part])
                if part < 0:
                    _put(copy, ast.Constant(True))
                else:
                    rest = [c for n, c in enumerate(condition.values) if n != part]
                    _put(copy, rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest))
                ast.fix_missing_locations(tree)
                yield f"{name}: {text}", name, condition.lineno, tree


def lenient() -> dict[str, ModuleType]:
    """A kernel that refuses nothing: it says what a case would prove."""
    changes = {
        "terms": ("    if not condition:\n        raise Refused(message)\n", "    return\n"),
        "theorem": ('raise AssertionError("a bound letter', 'str("a bound letter'),
    }
    assert all(SOURCES[name].count(old) == 1 for name, (old, _) in changes.items())
    return load({name: ast.parse(SOURCES[name].replace(*change)) for name, change in changes.items()})
