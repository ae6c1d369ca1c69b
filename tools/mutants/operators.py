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
#: Functions, methods, types and words of which one is easily written for the other.
NAMES = {
    "sin": "cos", "cos": "sin", "floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "any": "all",
    "all": "any", "amin": "amax", "amax": "amin", "cumsum": "cumprod", "float64": "float32",
    "float32": "float64", "int64": "int32", "no_grad": "enable_grad", "split": "rsplit", "triu": "tril",
    "tril": "triu", "logical_and": "logical_or", "logical_or": "logical_and",
}  # fmt: skip
EXCEPTIONS = {"ValueError": "TypeError", "TypeError": "ValueError"}
#: What is called on these is a function of its first argument, and no method.
_MODULES = ("torch", "math", "re", "json", "inspect", "ast", "np", "self", "cls", "ctx")
#: Left as they are, besides hints, decorators and ``strict=``, which asks again for lengths that agree.
_SKIPPED = (ast.JoinedStr, ast.Import, ast.ImportFrom)


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
        Changes inside functions: signs, comparisons, conditions, numbers and flags, words that are compared
        or looked up, bounds of slices, the names of ``NAMES``, kinds of errors, keyword arguments left
        out, neighbouring arguments exchanged, and calls that give back what they were given.

    Raises:
        SyntaxError: ``text`` is not Python.

    Example:
        >>> [one.diff for one in mutants("def f(x):\\n    return x < -1\\n")]
        ['-    return x < -1\\n+    return x <= -1', '-    return x < -1\\n+    return x < 1', ...
    """
    whole = text.encode()
    starts = [0]
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for function, node in _expressions(ast.parse(text), ""):
        for name, place, other in _changed(node):
            first, last = starts[place.lineno - 1], starts[place.end_lineno]
            a = first + place.col_offset
            b = starts[place.end_lineno - 1] + place.end_col_offset
            source = ast.unparse(ast.fix_missing_locations(other))
            if isinstance(other, ast.BinOp) or whole[b : b + 1] == b".":
                source = f"({source})"
            come = whole[first:a] + source.encode() + whole[b:last]
            rows = _difference(whole[first:last].decode(), come.decode())
            changed = (whole[:first] + come + whole[last:]).decode()
            found.append(Mutant(function, place.lineno, name, rows, changed))
    return found


def _difference(gone: str, come: str) -> str:
    rows = difflib.unified_diff(gone.splitlines(), come.splitlines(), n=0, lineterm="")
    return "\n".join(row for row in rows if not row.startswith(("---", "+++", "@@")))


def _expressions(node: ast.AST, function: str) -> Iterator[tuple[str, Any]]:
    """What may be changed inside functions, each with the name of its function."""
    for field, value in ast.iter_fields(node):
        if field in ("decorator_list", "annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _SKIPPED):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue
            named = isinstance(child, ast.FunctionDef | ast.ClassDef)
            inner = f"{function}.{child.name}".lstrip(".") if named else function  # type: ignore[attr-defined]
            if function[:1]:
                yield function, child
            if not isinstance(child, ast.Raise):  # its words are free
                yield from _expressions(child, inner)


def _changed(node: ast.AST) -> Iterator[tuple[str, Any, ast.AST]]:
    """Each change of one node: what the operator is called, what goes, and what comes."""
    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                if type(op) in COMPARISONS:
                    ops: list[ast.cmpop] = [*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]]
                    yield "comparison", node, _with(node, ops=ops)
            yield from (change for one in (node.left, *node.comparators) for change in _words(one))
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield "arithmetic", node, _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield "sign", node, node.operand
        case ast.BoolOp():
            yield "and, or", node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.IfExp():
            yield "condition", node, _with(node, body=node.orelse, orelse=node.body)
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield "condition", test, ast.UnaryOp(ast.Not(), test)
        case ast.Slice(lower=low, upper=high):
            for bound in (low, high):
                if bound is not None and not isinstance(bound, ast.Constant):
                    yield "slice bound", bound, ast.Constant(None)
        case ast.Subscript(slice=ast.Constant() as one):
            yield from _words(one)
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
            yield "name", node, _with(node, attr=NAMES[name])
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield "name", node, ast.Name(NAMES[name])
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name) as kind)) if name in EXCEPTIONS:
            yield "error", kind, ast.Name(EXCEPTIONS[name])
        case ast.Constant(value=bool(value)):
            yield "flag", node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "number", node, ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield "number", node, ast.Constant(2 * value + 1)
        case ast.Call():
            yield from ((name, node, other) for name, other in _calls(node))
            yield from _words(node.args[0] if node.args and ast.unparse(node.func).endswith("get") else node)


def _words(node: ast.expr) -> Iterator[tuple[str, Any, ast.AST]]:
    """A word that is compared or looked up, in another spelling."""
    for one in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield "word", one, ast.Constant(one.value + "_")


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    for i, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg != "strict":
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


def _with(node: Any, **fields: object) -> Any:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other
