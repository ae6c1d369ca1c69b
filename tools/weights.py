"""Lines of code of each folder: without comments, blank lines and docstrings.

python -m tools.weights
"""

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

from tools.notebooks import ROOT

OURS = ("posenc_lib", "posenc_proofs", "posenc_book", "formal")
FOLDERS = (*OURS, "tools", "experiments", "benchmarks", "tests")
_BLANK = {getattr(tokenize, name) for name in ["COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"]}


def code_lines(source: str) -> int:
    """Lines that hold code.

    >>> code_lines('def f():\\n    "F."\\n\\n    return (\\n        1  # one\\n    )\\n')
    4
    """
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _BLANK:
            held |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        may = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if may and ast.get_docstring(node) is not None:
            held -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(held)


def weights(root: Path = ROOT) -> Counter[str]:
    """Lines of code by folder; the rooms of the tests, and the checker, apart."""
    counted: Counter[str] = Counter()
    for path in (path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        parts = path.relative_to(root).parts[:-1]
        apart = parts[0] == "tests"
        counted["/".join(parts[: 2 if apart else 1])] += code_lines(path.read_text(encoding="utf-8"))
    return counted


if __name__ == "__main__":
    for folder, count in sorted(weights().items()):
        print(f"{count:7,d} {folder}")
