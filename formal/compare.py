"""``python -m formal.compare FILE``: certificates that the kernel takes or refuses, and what Rocq says.

Each line of FILE is JSON: the certificate's text, and true or the kernel's reason. What Rocq accepts is true,
by ``check_sound``. A certificate that Rocq accepts and the kernel refuses is refused for its form (a name, a
model, a range by convention), or a rule of the kernel is narrower. One that the kernel accepts and Rocq does
not has a rule that Rocq's checker lacks, or is wrong.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

from .__main__ import HEAD
from .export import Writer, read
from .rocq import coqtop, library

SAID = re.compile(r"= \((\d+)(?:%N)?,\s*\(?(true|false)")
NOBODY: dict[str, str] = {}  # a certificate by itself knows no other claim


def written(text: str) -> str | None:
    """A certificate as a term; None: it is none, or names a claim of somebody else."""
    try:
        return Writer(read(text), NOBODY.__getitem__).written()
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return None


def main(file: Path, strict: bool) -> int:
    """1 if ``strict`` and Rocq accepts what the kernel refuses, else 0."""
    library()
    rows = [json.loads(line)[:2] for line in file.read_text(encoding="utf-8").splitlines()]
    terms = [(text, kernel, term) for text, kernel in rows if (term := written(text)) is not None]
    counts: Counter[str] = Counter()
    counts["no certificate at all: neither"] = len(rows) - len(terms)
    start = "Open Scope list_scope.\n"
    asked = "\n".join(
        f"Definition c{n} : cert := {term}.\nTimeout 20 Eval vm_compute in (n_{n} (verdict [] c{n}))."
        for n, (_, _, term) in enumerate(terms)
    )
    marks = "\n".join(f"Definition n_{n} (v : bool * option N) := ({n}%N, v)." for n in range(len(terms)))
    printed = coqtop(HEAD + start + marks + "\n" + asked)
    said = {int(number): answer == "true" for number, answer in SAID.findall(printed)}
    for n, (text, kernel, _) in enumerate(terms):
        rocq = said.get(n)
        told = "not a term or no time" if rocq is None else "accepted" if rocq else "refused"
        counts[f"kernel {'accepted' if kernel is True else 'refused'}, Rocq {told}"] += 1
        if (kernel is True) != (rocq is True):
            print(f"{'kernel accepts' if kernel is True else kernel}; Rocq: {told}: {text[:300]}")
    for what, count in counts.most_common():
        print(f"{count:6} {what}")
    lost = counts["kernel refused, Rocq accepted"] if strict else 0
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--strict" in sys.argv))
