"""The theorems of a notebook beside those of an earlier revision of it: the same, or what differs.

Both sides are compared in normal form, with what defined names stand for, and the hypotheses other than
definitions, too; names may change. A page that is written anew keeps its theorems.

    python -m tools.same_theorems book/4-rotary/43-abel-bound.ipynb          # against the last commit
    python -m tools.same_theorems book/4-rotary/43-abel-bound.ipynb HEAD~3
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

from posenc_proofs.kernel.pages import found, rebuilt
from posenc_proofs.kernel.terms import Term, subterms
from posenc_proofs.kernel.theorem import Formula, Theorem
from posenc_proofs.latex.names import Names, is_definition
from posenc_proofs.latex.normal import normal

SHOWN = 400  # signs of a side that differs
MOST_RENAMED = 5


def theorems(notebook: Path) -> dict[str, Theorem]:
    """By claim; a recalled one rests on what another page proves."""
    claims = list(found(notebook))
    return rebuilt([claim for claim in claims if not claim.recalls])[0]


def said(th: Theorem, called: Mapping[str, str]) -> dict[str, Any]:
    """What a theorem says, whatever its names are called that stand for something."""
    names = Names([], {})
    names.meanings = {h.left.data[0]: h for h in th.hypotheses if is_definition(h)}

    def side(t: Term) -> Term:
        return normal(_renamed(names.unfolded(t), called))

    def supposed(h: Formula) -> tuple[Term, str, Term]:
        return side(h.left), h.relation, side(h.right)

    hypotheses = frozenset(supposed(h) for h in th.hypotheses if not is_definition(h))
    return {"left": side(th.left), "relation": th.relation, "right": side(th.right), "hypotheses": hypotheses}


def _renamed(t: Term, called: Mapping[str, str]) -> Term:
    """With other names; a sequence is a function on the integers."""
    args = tuple(_renamed(a, called) for a in t.args)
    if t.head not in ("var", "app"):
        return Term(t.head, t.data, args, t.hint)
    name = t.data[0].removesuffix("[]")
    return Term(t.head, (called.get(name, name), *t.data[1:]), args, t.hint)


def names_of(parts: dict[str, Any]) -> dict[str, str]:
    """The names in what a theorem says, and their domains."""
    sides = [parts["left"], parts["right"], *(side for h in parts["hypotheses"] for side in h[::2])]
    return {s.data[0]: s.data[1] for side in sides for s in subterms(side) if s.head in ("var", "app")}


def differences(old: dict[str, Theorem], new: dict[str, Theorem]) -> Iterator[str]:
    """A line for each claim that is missing, new, or says something else."""
    for name in old.keys() - new.keys():
        yield f"{name}: is missing"
    for name in new.keys() - old.keys():
        yield f"{name}: is new"
    for name in old.keys() & new.keys():
        one, other = said(old[name], {}), said(new[name], {})
        lost, found = (names_of(a).keys() - names_of(b).keys() for a, b in ((one, other), (other, one)))
        if len(lost) == len(found) <= MOST_RENAMED:
            called = (dict(zip(sorted(lost), others, strict=True)) for others in permutations(found))
            one = next((it for c in called if (it := said(old[name], c)) == other), one)
        for part in (part for part in one if one[part] != other[part]):
            yield f"{name}: {part} was {_text(one[part])}\n{' ' * len(name)}  {part} is  {_text(other[part])}"


def _text(part: Any) -> str:
    if isinstance(part, frozenset):
        return "; ".join(sorted(f"{a} {relation} {b}" for a, relation, b in part))[:SHOWN] or "none"
    return str(part)[:SHOWN]


def main(notebook: Path, revision: str = "HEAD") -> int:
    """Prints what differs, and counts; 1 if something does."""
    command = ["git", "show", f"{revision}:./{notebook.name}"]
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder, notebook.name)
        stored.write_bytes(
            subprocess.run(command, cwd=notebook.parent, capture_output=True, check=True).stdout
        )
        old, new = theorems(stored), theorems(notebook)
    lines = sorted(differences(old, new))
    print("\n".join([*lines, f"{len(old)} claims before, {len(new)} now: {len(lines)} differ"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
