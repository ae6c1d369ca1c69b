"""Building the sinusoidal table (65536, 1024), as a multiple of filling a fresh tensor of that size.

Run: python benchmarks/tables.py [--rounds 5] [--length 65536] [--dim 1024]
"""

import torch
from harness import MEMORY, Case, arguments, compare, one_thread, peak_mib, save, set_memory
from torch import Tensor

from posenc_lib import sinusoidal


def usual(length: int, dim: int) -> Tensor:
    """The form of sources 001 and 003, all in float32."""
    angle = torch.arange(length)[:, None].float() * 10000.0 ** (-torch.arange(0, dim, 2).float() / dim)
    table = torch.empty(length, dim)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def main() -> None:
    options = arguments(rounds=5, length=65536, dim=1024)
    one_thread()
    length, dim = options.length, options.dim
    at = torch.arange(length)
    cases: dict[str, Case] = {
        "fill": lambda: torch.full((length, dim), 0.5),
        "ours": lambda: sinusoidal(at, dim),
        "usual float32 form": lambda: usual(length, dim),
    }
    sample = torch.arange(0, length, 97)
    exact = sinusoidal(sample, dim, dtype=torch.float64)
    errors: dict[str, float | None] = {"fill": None}
    errors["ours"] = float((sinusoidal(at, dim)[::97].double() - exact).abs().max())
    errors["usual float32 form"] = float((usual(length, dim)[::97].double() - exact).abs().max())
    rows: list[dict[str, object]] = []
    for memory in MEMORY:
        set_memory(memory)
        times = compare(cases, "fill", rounds=options.rounds)
        setting = {"memory": memory, "shape": [length, dim]}
        for name, case in cases.items():
            measured = {**times[name], "peak_mib": peak_mib(case), "max_error": errors[name]}
            rows.append({**setting, "case": name, **measured})
    save("tables", rows)


if __name__ == "__main__":
    main()
