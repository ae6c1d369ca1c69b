"""What the trials showed: a table by kind, the faults that nobody noticed, and the stored result."""

from __future__ import annotations

import json
import platform
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tools.faults.catalogue import Fault
from tools.faults.trial import Verdict
from tools.notebooks import ROOT
from tools.whole_files import write_whole

STORED = Path(__file__).with_name("result.json")
PACKAGES = ("torch", "sympy", "matplotlib", "sphinx", "nbval", "pytest", "ruff", "mypy")


def stored() -> dict[str, dict[str, Any]]:
    """What each fault, by its kind and name, met with when it was last tried."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))["faults"] if STORED.exists() else []
    return {row["fault"]: row for row in rows}


def write(faults: Iterable[Fault], verdicts: Iterable[Verdict], command: str) -> None:
    """Store what was found now, and what was found before of faults that were not tried."""
    fresh = {str(v.fault): _row(v) for v in verdicts}
    before = stored()
    rows = [fresh.get(name) or before.get(name) for name in map(str, faults)]
    result = {
        "command": command,
        "commit": commit("tools/faults/result.json"),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
        "faults": [row for row in rows if row],
    }
    write_whole(STORED, json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def _row(verdict: Verdict) -> dict[str, Any]:
    fault = verdict.fault
    row = {"fault": str(fault), "caught": verdict.caught, "message": verdict.message}
    return row | {"digest": fault.digest()}


def commit(verdicts: str) -> str:
    """The commit that was tried; "-dirty" where a tracked file, ``verdicts`` aside, is not as committed."""
    said = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "-uno", "--", ".", f":(exclude){verdicts}")
    return f"{said}-dirty" if said and changed else said or "unknown"


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip()


def table(verdicts: Iterable[Verdict]) -> str:
    """Kind by kind how many were planted, caught and missed."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for verdict in verdicts:
        for kind in (verdict.fault.kind, "all"):
            counts[kind][0] += 1
            counts[kind][1] += verdict.caught
    order = sorted(counts, key=lambda kind: (kind == "all", kind))
    rows = [
        f"{kind:16}{n:9}{caught:8}{n - caught:8}" for kind, (n, caught) in ((k, counts[k]) for k in order)
    ]
    return "\n".join([f"{'kind':16}{'planted':>9}{'caught':>8}{'missed':>8}", *rows])


def unexplained(verdicts: Iterable[Verdict]) -> list[str]:
    """Faults that nobody noticed, and whose data do not say why."""
    return [str(v.fault) for v in verdicts if not v.caught and not v.fault.missed]
