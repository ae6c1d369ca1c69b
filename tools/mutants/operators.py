"""Small changes of a module's text, one at a time: what a slip of an editor would leave there."""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Iterator
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Add,
}  # fmt: skip
#: What is called on these is a function of its first argument, and no method.
_MODULES = ("torch", "math", "re", "json", "inspect", "ast", "np", "self", "cls", "ctx")
#: Left as they are, besides hints and decorators.
_SKIPPED = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)


class Mutant(NamedTuple):
    """One change: the function, its line, the operator, the lines that go and come, the new text."""

    function: str
    line: int
    operator: str
    diff: str
    text: str


def mutants(text: str) -> list[Mutant]:
    """Every mutant of a module, in the order of the text.

    Args:
        text: of a Python module.

    Returns:
        Changes inside functions: signs, comparisons, conditions, whole numbers and flags, keyword arguments
        left out, neighbouring arguments exchanged, and calls that give back what they were given.

    Raises:
        SyntaxError: ``text`` is not Python.

    Example:
        >>> [one.diff for one in mutants("def f(x):\\n    return x < -1\\n")]
        ['-    return x < -1\\n+    return x <= -1', '-    return x < -1\\n+    return x < 1', ...
    """
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = []
    for function, node in _expressions(ast.parse(text), ""):
        a = starts[node.lineno - 1] + node.col_offset
        b = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        for name, other in _changed(node):
            source = ast.unparse(ast.fix_missing_locations(other))
            source = f"({source})" if isinstance(other, ast.BinOp) else source
            changed = (text.encode()[:a] + source.encode() + text.encode()[b:]).decode()
            difference = difflib.unified_diff(text.splitlines(), changed.splitlines(), n=0, lineterm="")
            rows = [row for row in difference if not row.startswith(("---", "+++", "@@"))]
            found.append(Mutant(function, node.lineno, name, "\n".join(rows), changed))
    return found


def _expressions(node: ast.AST, function: str) -> Iterator[tuple[str, Any]]:
    """Expressions inside functions, each with the name of its function."""
    for field, value in ast.iter_fields(node):
        if field in ("decorator_list", "annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _SKIPPED):
                continue
            named = isinstance(child, ast.FunctionDef | ast.ClassDef)
            inner = f"{function}.{child.name}".lstrip(".") if named else function  # type: ignore[attr-defined]
            if isinstance(child, ast.expr) and function[:1]:
                yield function, child
            yield from _expressions(child, inner)


def _changed(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Each change of one expression, and what the operator is called."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "comparison", _with(node, ops=[COMPARISONS[type(op)]()])
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield "sign", node.operand
        case ast.BoolOp():
            yield "and, or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.IfExp():
            yield "condition", _with(node, body=node.orelse, orelse=node.body)
        case ast.Constant(value=bool(value)):
            yield "flag", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "number", ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield "number", ast.Constant(2 * value + 1)
        case ast.Call():
            yield from _calls(node)


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    for i, keyword in enumerate(node.keywords):
        if keyword.arg:
            yield "keyword left out", _with(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    plain = [not isinstance(one, ast.Starred) for one in node.args]
    for i in range(len(node.args) - 1):
        a, b = node.args[i : i + 2]
        if plain[i] and plain[i + 1] and ast.dump(a) != ast.dump(b):
            yield "arguments exchanged", _with(node, args=[*node.args[:i], b, a, *node.args[i + 2 :]])
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is not None and not (isinstance(owner, ast.Name) and owner.id in _MODULES):
        yield "call left out", owner
    elif node.args and plain[0]:
        yield "call left out", node.args[0]


def _with(node: ast.expr, **fields: object) -> ast.expr:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other
