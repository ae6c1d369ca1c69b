"""Lines of code of each folder: without comments, blank lines and docstrings.

python -m tools.weights
"""

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
    line: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _BLANK:
            line.append(token)
        elif token.type == tokenize.NEWLINE:
            if [part.type for part in line] != [tokenize.STRING]:
                held.update(*(range(part.start[0], part.end[0] + 1) for part in line))
            line = []
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
