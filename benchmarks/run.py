"""Run every benchmark of this folder, one after another, each in a fresh process.

Run: python benchmarks/run.py [name ...]    (no name: all of them)
"""

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
NOT_BENCHMARKS = ("run", "harness", "gpu", "machine_code", "fused_rotations", "targets")


def benchmarks() -> list[str]:
    """Names of the scripts here that measure."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_BENCHMARKS)


def main(names: list[str]) -> int:
    """Exit status 0 if all ran, 1 if one failed (the others still run), 2 for an unknown name."""
    known = benchmarks()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark named {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen, failed = names or known, []
    for number, name in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {name}", flush=True)
        start = time.monotonic()
        if subprocess.run([sys.executable, HERE / f"{name}.py"], check=False).returncode:
            failed.append(name)
        print(f"[{number}/{len(chosen)}] {name}: {time.monotonic() - start:.0f} s", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}; their stored results are the old ones", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
