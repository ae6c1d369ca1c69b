"""The targets that this project set itself, beside the stored results, as the tables of ``README.md``.

Run: python benchmarks/targets.py
"""

from collections.abc import Iterator
from typing import Any

from posenc_book.stored import stored

Row = dict[str, Any]


def _rotary() -> Iterator[tuple[Row, float]]:
    layouts = ("half", "interleaved")
    for dtype, kind, limit, suffix in (
        ("float32", "forward", 1.3, ""),
        ("float32", "forward+backward", 1.35, ""),
        ("bfloat16", "forward", 1.7, ", compiled"),
        ("bfloat16", "forward+backward", 1.7, ", compiled"),
        ("bfloat16", "forward", 3.0, ""),
        ("float32", "decode", 0.75, ""),
    ):
        for layout in layouts:
            yield {"case": f"ours, {layout}{suffix}", "dtype": dtype, "pass": kind}, limit


def _bias() -> Iterator[tuple[Row, float]]:
    for case, limit in (("ALiBi", 1.15), ("T5", 1.15), ("Shaw, keys", 1.4), ("Shaw, keys and values", 1.4)):
        for causal in (True, False):
            yield {"case": case, "causal": causal, "training": False}, limit


def _linear_attention() -> Iterator[tuple[Row, float]]:
    for case, limit in (("whole", 2.0), ("causal", 3.5)):
        for length in (4096, 16384, 65536):
            yield {"case": case, "length": length}, limit


def _one_token() -> Iterator[tuple[Row, float]]:
    for dtype in ("float32", "bfloat16"):
        for case in ("ours, half", "ours, half, offset", "ours, interleaved"):
            yield {"case": case, "dtype": dtype}, 1.1


# stored file → what its columns are, their values, and the rows with their targets
TARGETS = {
    "rotary": ("memory", ("kept", "mapped"), tuple(_rotary())),
    "one_token": ("key_heads", (8, 32), tuple(_one_token())),
    "bias": ("length", (2048, 8192), tuple(_bias())),
    "linear_attention": ("memory", ("kept", "mapped"), tuple(_linear_attention())),
}
SHOWN = {True: "causal", False: "both directions"}


def table(name: str) -> str:
    """The ratios of one stored file beside their targets; a ratio above its target is set in bold."""
    rows = stored(name)["rows"]
    key, values, targets = TARGETS[name]
    lines = [f"| {name} | target | {' | '.join(f'{key} {value}' for value in values)} |", "|---" * 4 + "|"]
    for wanted, limit in targets:
        words = [SHOWN.get(value, str(value)) if key == "causal" else str(value)
                 for key, value in wanted.items() if key != "training"]  # fmt: skip
        ratios = [_ratio(rows, limit, {**wanted, key: value}) for value in values]
        lines.append(f"| {', '.join(words)} | {limit:g} | {' | '.join(ratios)} |")
    return "\n".join(lines)


def _ratio(rows: list[Row], limit: float, wanted: Row) -> str:
    found = [row["ratio"] for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if len(found) > 1:
        raise ValueError(f"expected one row with {wanted}, found {len(found)}")
    if not found:
        return "–"
    return f"{found[0]:.2f}" if found[0] <= limit else f"**{found[0]:.2f}**"


if __name__ == "__main__":
    print("\n\n".join(map(table, TARGETS)))
