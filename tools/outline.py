"""What the pages lost and gained since a commit: headings, labels and words, shown as words.

    python -m tools.outline            # since the last commit
    python -m tools.outline main       # since another

It reads both from git and stores nothing. Text may only go on purpose: here one sees what goes.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from collections.abc import Iterator

import nbformat

from tools.notebooks import ROOT
from tools.reading import labels


def told(text: str, name: str) -> Iterator[str]:
    """A page's words one after another, and the label of each checked result that a reader sees."""
    if name.endswith(".md"):
        yield from re.findall(r"\S+|\n(?=#)", text)
        return
    for cell in nbformat.reads(text, as_version=4).cells if text else []:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            yield from cell.source.split()
        elif not tags & {"remove-cell", "remove-output"}:
            yield from (f"({label})" for label in labels(cell))


def difference(before: list[str], after: list[str]) -> Iterator[str]:
    """Each place at which the words differ: what went in [- -], what came in {+ +}, five words before it."""
    for kind, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            went = f" [-{' '.join(before[i:j])}-]" if j > i else ""
            came = f" {{+{' '.join(after[k:m])}+}}" if m > k else ""
            yield f"  … {' '.join(before[max(0, i - 5) : i])}{went}{came}"


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    since = given[0] if given else "HEAD"

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout

    if not git("rev-parse", "--verify", f"{since}^{{commit}}"):
        print(
            f"tools.outline: {since!r} is no commit; expected a name that git knows, as main", file=sys.stderr
        )
        return 2
    for name in git("diff", "--name-only", since, "--", "book/*.ipynb", "book/*.md").split():
        path = ROOT / name
        now = path.read_text(encoding="utf-8") if path.exists() else ""
        changed = list(difference(list(told(git("show", f"{since}:{name}"), name)), list(told(now, name))))
        if changed:
            print("\n".join([name, *changed]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
