"""``python -m posenc_lib.proofs.kernel FILE.json ...``: results rebuilt, and the axioms used.

A file holds one JSON object: the name of a result, and its certificate.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from .axioms import AXIOMS
from .replay import replay
from .terms import Refused


def main(paths: list[Path]) -> int:
    """Prints a line for each refused result and the count of all; 1 if one was refused, else 0."""
    start, used, rebuilt, refused = time.perf_counter(), Counter[str](), 0, 0
    for path in paths:
        for name, certificate in json.loads(path.read_text(encoding="utf-8")).items():
            try:
                used.update(replay(json.dumps(certificate)).theorem.axioms)
                rebuilt += 1
            except Refused as reason:
                refused += 1
                print(f"{path.name}: {name}: refused: {reason}")
    for axiom, results in used.most_common():
        print(f"{results:6} rest on {axiom} ({AXIOMS[axiom].reference})")
    print(f"{rebuilt} results rebuilt, {refused} refused, in {time.perf_counter() - start:.1f} s")
    return 1 if refused else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m posenc_lib.proofs.kernel", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    sys.exit(main(parser.parse_args().files))
