"""``make quick``: what a change touches, checked in a minute or two; ``make test`` checks all.

    python -m tools.quick [COMMIT]

It looks at what differs from a commit (default: the last one), executes the pages that changed, or show a
figure that did, prints the words that changed, those in drawings too, and runs the tests of their rooms.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatch
from html import unescape
from pathlib import Path

import yaml

from tools.contents import find_notebooks, words
from tools.notebooks import ROOT
from tools.stale import stamp_of

TABLE = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
_DRAWN = re.compile(r'<svg[^>]*aria-label="([^"]*)"|<(text|figcaption)[^>]*>(.*?)</\2>', re.DOTALL)


def _readers(path: Path, root: Path) -> list[str]:
    """The tests that name a file of their folder; those above that name the folder, if it holds no tests."""
    own = any((root / path.parent).glob("test_*.py"))
    folder, word = (path.parent, path.stem) if own else (path.parents[1], path.parent.name)
    near = sorted((root / folder).glob("test_*.py"))
    named = [test for test in near if re.search(rf"\b{re.escape(word)}\b", test.read_text(encoding="utf-8"))]
    return [test.relative_to(root).as_posix() for test in named or near]


def what_to_run(changed: Iterable[str], root: Path = ROOT) -> list[str]:
    """What pytest is asked to run for these files: pages, tests of their rooms, examples in docstrings.

    Example:
        >>> what_to_run(["tools/said.py", "_toc.yml"])[1:]
        ['tests/tools/test_said.py', 'tests/tools/test_weight.py', 'tests/tools/test_chart.py']
        >>> what_to_run(["tests/proofs/tables/sums.txt", "tests/library/test_docstring_formulas.yml"])
        ['tests/proofs/test_tables.py', 'tests/library/test_docstring_formulas.py']
    """
    found: dict[str, None] = {}
    for name in changed:
        path = Path(name)
        top, *rooms = path.parent.parts or ("",)
        if path.suffix == ".ipynb" or path.match("test_*.py"):
            found[name] = None
        elif top == "tests" and rooms:
            found |= dict.fromkeys(_readers(path, root))
        elif path.suffix == ".py" and top in TABLE["tests"]:
            names = [*rooms[:1], f"test_{path.stem}.py", f"test_figures_{path.stem}.py", f"test_{top}.py"]
            near = [f"tests/{TABLE['tests'][top]}/{test}" for test in names]
            found |= dict.fromkeys([name, *(test for test in near if (root / test).exists())])
        beside = (test for form, tests in TABLE["beside"].items() if fnmatch(name, form) for test in tests)
        found |= dict.fromkeys(f"tests/{test}.py" for test in beside)
    return list(found)


def _drawn_by(changed: list[str]) -> set[str]:
    """The pages that read a figure's module when they ran here last, or, if they never did, import it."""
    figures = {name for name in changed if name.startswith("posenc_book/")}
    found = set()
    for page in find_notebooks():
        lines = re.findall(r'"from (posenc_book[^"]*)', page.read_text(encoding="utf-8"))
        files = {f"posenc_book/figures/{word}.py" for line in lines for word in re.findall(r"\w+", line)}
        if (stamp := stamp_of(page)).exists():
            files = set(json.loads(stamp.read_text())["files"])
        if figures & files:
            found.add(page.relative_to(ROOT).as_posix())
    return found


def _git(*asked: str) -> str:
    return subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def drawn_words(text: str) -> str:
    """What a notebook's drawings say, a line for each: titles, alternative texts, labels, and no numbers.

    Example:
        >>> drawn = {"text/markdown": '<svg aria-label="A line."><text x="1">key <b>n</b></text></svg>'}
        >>> print(drawn_words(json.dumps({"cells": [{"outputs": [{"data": drawn}]}]})))
        A line.
        key n
    """
    outputs = (out for cell in json.loads(text)["cells"] for out in cell.get("outputs", []))
    pictures = ("".join(out.get("data", {}).get("text/markdown", "")) for out in outputs)
    found = (it for picture in pictures if "<svg" in picture for it in _DRAWN.finditer(picture))
    plain = (unescape(re.sub("<[^>]*>", "", it[1] or it[3])) for it in found)
    return "\n".join(line for line in plain if re.search("[^\\W\\d]", line))


def _show_words(since: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder, "before"), Path(folder, "after")
        for file, text in ((old, _git("show", f"{since}:{name}")), (new, (ROOT / name).read_text("utf-8"))):
            file.write_text(f"{words(text)}\n{drawn_words(text) if text else ''}\n", encoding="utf-8")
        changes = _git("diff", "--no-index", "--word-diff", "--unified=0", str(old), str(new)).splitlines()
    print("\n".join([name, *(line for line in changes[4:] if not line.startswith("@@"))]), flush=True)


def _passes(what: str, *command: str) -> bool:
    print(what, flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode == 0


def main(since: str = "HEAD") -> int:
    """Check what differs from a commit; returns the exit status."""
    differ = _git("diff", "--name-only", "--diff-filter=d", since)
    changed = [*differ.splitlines(), *_git("ls-files", "-o", "--exclude-standard").splitlines()]
    pages = sorted({name for name in changed if name.endswith(".ipynb")} | _drawn_by(changed))
    python = [name for name in changed if name.endswith((".py", ".pyi"))]
    good = not pages or _passes("Pages", "tools.execute", *pages)
    for name in pages:
        _show_words(since, name)
    steps = [("The reference", "tools.make_reference", "--check")]
    if python:
        steps += [
            ("Lint", "ruff", "check", "--quiet", *python),
            ("Format", "ruff", "format", "--check", "--quiet", *python),
            ("Types", "mypy", "--no-error-summary"),
        ]
    if asked := what_to_run([*changed, *pages]):
        together = ["-n", "auto", "--dist", "loadscope"]  # the cells of a page
        steps.append((f"Tests: {' '.join(asked)}", "pytest", "--nbval", "-q", *together, *asked))
    good = good and all(_passes(*step) for step in steps)
    print("make quick: what changed passes" if good else "make quick: FAILED; the last lines above say where")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
