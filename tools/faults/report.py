"""What the trials showed: a table by kind, and the faults that nobody noticed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tools.faults.trial import Verdict


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
