"""What the trials showed: a table by kind, and the faults that nobody noticed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tools.faults.trial import Verdict


def table(verdicts: Iterable[Verdict]) -> str:
    """Kind by kind how many were planted, caught, missed, and undecided when their time was over."""
    counts: dict[str, Counter[bool | None]] = defaultdict(Counter)
    for verdict in verdicts:
        for kind in (verdict.fault.kind, "all"):
            counts[kind][verdict.caught] += 1
    order = sorted(counts, key=lambda kind: (kind == "all", kind))
    rows = [
        f"{kind:16}{c.total():9}{c[True]:8}{c[False]:8}{c[None]:11}"
        for kind, c in ((k, counts[k]) for k in order)
    ]
    return "\n".join([f"{'kind':16}{'planted':>9}{'caught':>8}{'missed':>8}{'undecided':>11}", *rows])


def unexplained(verdicts: Iterable[Verdict]) -> list[str]:
    """Faults that nobody noticed, and whose data do not say why."""
    return [str(v.fault) for v in verdicts if v.caught is False and not v.fault.missed]
