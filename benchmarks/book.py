"""What the book costs: each page's code in a fresh process, and the part of it that checks derivations.

Run: python benchmarks/book.py [--rounds 3]

Targets: at most 5 s of checking a page, wrong versions included, and 120 s for all pages together.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import arguments, save

BOOK = Path(__file__).parent.parent / "book"
CHECKS = ("define", "assume", "model", "check_model", "prove", "refute", "sample")

# Runs in the fresh process, before the page: counts the CPU time spent in the outermost call of a check.
TIMED = """
import time, sys
def _timed(made, name, state={{"depth": 0, "spent": 0.0}}):
    plain = getattr(made, name)
    def call(*given, **named):
        state["depth"] += 1
        start = time.process_time()
        try:
            return plain(*given, **named)
        finally:
            state["depth"] -= 1
            if not state["depth"]:
                state["spent"] += time.process_time() - start
    setattr(made, name, call)
    return state
display = lambda *shown: None
import io as _io
_before, sys.stdout = sys.stdout, _io.StringIO()
from posenc_proofs import Derivation as _D
for _name in {checks}:
    _state = _timed(_D, _name)
exec(compile(open({code!r}).read(), {page!r}, "exec"), dict(display=display, __name__="page"))
sys.stdout = _before
print(_state["spent"], time.process_time())
"""


def code_of(page: Path) -> str:
    """The page's code cells as one program, the cell that installs the library in Colab left out."""
    cells = json.loads(page.read_text())["cells"]
    kept = (
        c for c in cells if c["cell_type"] == "code" and "remove-cell" not in c["metadata"].get("tags", [])
    )
    return "\n".join("".join(cell["source"]) for cell in kept)


def seconds(page: Path, folder: Path) -> tuple[float, float]:
    """CPU seconds of (checking, everything) for one page, in a process of its own."""
    program = folder / f"{page.stem}.py"
    program.write_text(code_of(page))
    source = TIMED.format(checks=CHECKS, code=str(program), page=page.name)
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=page.parent, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{page}: {done.stderr.strip()}")
    checking, everything = map(float, done.stdout.split()[-2:])
    return checking, everything


def main() -> None:
    rounds, rows = arguments(rounds=3).rounds, []
    with tempfile.TemporaryDirectory() as folder:
        for page in [*sorted(BOOK.rglob("[1-9]*.ipynb")), BOOK / "reference/check-your-own.ipynb"]:
            runs = [seconds(page, Path(folder)) for _ in range(rounds)]
            checking, everything = (round(statistics.median(values), 2) for values in zip(*runs, strict=True))
            rows.append({"page": page.stem, "checking_s": checking, "whole_process_s": everything})
    for key in ("checking_s", "whole_process_s"):
        print(f"{key} of all pages: {sum(row[key] for row in rows):.1f}")
    save("book", rows)


if __name__ == "__main__":
    main()
