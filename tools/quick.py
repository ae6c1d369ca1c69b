"""``make quick``: what a change touches, checked in a minute or two; ``make test`` checks all.

    python -m tools.quick [COMMIT]

It looks at what differs from a commit (default: the last one), prints the words that changed, executes the
pages that changed, and runs the tests of their rooms.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tools.contents import words
from tools.notebooks import ROOT

#: What looks at the text of pages, whichever they are.
OF_PAGES = ("numbers", "arithmetic", "beside_names", "typed_displays", "printed")
#: Where the tests of a folder lie, by room or by the name of the module.
TESTS = {
    "posenc_lib": "library", "posenc_proofs": "proofs", "posenc_book": "book", "tools": "tools",
    "formal": "tools", "experiments": "experiments", "benchmarks": "benchmarks",
}  # fmt: skip


def what_to_run(changed: Iterable[str], root: Path = ROOT) -> list[str]:
    """What pytest is asked to run for these files: pages, tests of their rooms, examples in docstrings.

    Example:
        >>> what_to_run(["posenc_lib/bias/alibi.py", "tests/tools/test_said.py"])
        ['posenc_lib/bias/alibi.py', 'tests/library/bias', 'tests/tools/test_said.py']
    """
    found: dict[str, None] = {}
    for name in changed:
        path = Path(name)
        top, *rooms = path.parent.parts or ("",)
        if path.suffix == ".ipynb" or name.startswith("book/"):
            found |= dict.fromkeys([name] * (path.suffix == ".ipynb"))
            found |= dict.fromkeys(f"tests/book/test_{of}.py" for of in OF_PAGES)
        elif path.name.startswith("test_"):
            found[name] = None
        elif path.suffix == ".py" and top in TESTS:
            names = [*rooms[:1], f"test_{path.stem}.py", f"test_figures_{path.stem}.py", f"test_{top}.py"]
            near = [f"tests/{TESTS[top]}/{test}" for test in names]
            found |= dict.fromkeys([name, *(test for test in near if (root / test).exists())])
    return list(found)


def _git(*asked: str) -> str:
    return subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def _show_words(since: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder, "before"), Path(folder, "after")
        old.write_text(words(_git("show", f"{since}:{name}")), encoding="utf-8")
        new.write_text(words((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
        changes = _git("diff", "--no-index", "--word-diff", "--unified=0", str(old), str(new)).splitlines()
    print("\n".join([name, *(line for line in changes[4:] if not line.startswith("@@"))]), flush=True)


def _passes(what: str, *command: str) -> bool:
    print(what, flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode == 0


def main(since: str = "HEAD") -> int:
    """Check what differs from a commit; returns the exit status."""
    differ = _git("diff", "--name-only", "--diff-filter=d", since)
    changed = [*differ.splitlines(), *_git("ls-files", "-o", "--exclude-standard").splitlines()]
    pages = [name for name in changed if name.endswith(".ipynb")]
    python = [name for name in changed if name.endswith((".py", ".pyi"))]
    for name in pages:
        _show_words(since, name)
    steps = [("The reference", "tools.make_reference", "--check")]
    if python:
        steps += [
            ("Lint", "ruff", "check", "--quiet", *python),
            ("Format", "ruff", "format", "--check", "--quiet", *python),
            ("Types", "mypy", "--no-error-summary"),
        ]
    if pages:
        steps.insert(0, ("Pages", "tools.execute", *pages))
    if asked := what_to_run(changed):
        steps.append((f"Tests: {' '.join(asked)}", "pytest", "--nbval", "-q", "-n", "auto", *asked))
    good = all(_passes(*step) for step in steps)
    print("make quick: what changed passes" if good else "make quick: FAILED; the last lines above say where")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
