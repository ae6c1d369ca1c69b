"""One dialect of docstrings: sections as Google style writes them, names in double backticks."""

import ast
import re
from pathlib import Path

import pytest

from posenc_lib import proofs

HOUSE = Path(proofs.__file__).parent
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef)
SECTIONS = {"Args", "Returns", "Raises", "Example"}


def docstrings(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, WITH_DOCSTRING) and (text := ast.get_docstring(node)):
            yield text


@pytest.mark.parametrize("file", [path.relative_to(HOUSE).as_posix() for path in sorted(HOUSE.rglob("*.py"))])
def test_docstrings_speak_one_dialect(file):
    for text in docstrings(HOUSE / file):
        assert not re.search(r"^ *-{3,}$", text, flags=re.M), f"a heading is underlined: {text}"
        assert set(re.findall(r"^(\w+):$", text, flags=re.M)) <= SECTIONS, text
        assert ">>>" not in text or "\nExample:\n    >>>" in text, f"an example stands in no section: {text}"
        plain = re.sub(r":\w+:`[^`]+`|``.+?``", "", text, flags=re.S)
        assert "`" not in plain, f"a name in single backticks: {text}"
