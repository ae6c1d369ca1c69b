"""Linear attention with rotated numerator, as a multiple of q(kᵀv) without features, rotation or denominator.

Run: python benchmarks/linear_attention.py [--rounds 5] [--longest 65536]
"""

import torch
from harness import MEMORY, Case, arguments, compare, one_thread, peak_mib, save, set_memory
from torch import Tensor
from torch.nn.functional import elu, scaled_dot_product_attention

from posenc_lib import LinearState, apply_rotary, cos_sin, inv_freq, linear_attention

HEADS, DIM = 8, 64


def quadratic(q: Tensor, k: Tensor, v: Tensor, cos: Tensor, sin: Tensor, causal: bool) -> Tensor:
    fq, fk = elu(q) + 1, elu(k) + 1
    below = apply_rotary(fq, cos, sin) @ apply_rotary(fk, cos, sin).transpose(-1, -2)
    plain = fq @ fk.transpose(-1, -2)
    if causal:
        below, plain = below.tril(), plain.tril()
    return (below @ v) / plain.sum(-1, keepdim=True)


def inputs(length: int) -> tuple[Tensor, ...]:
    torch.manual_seed(0)
    return (*torch.randn(3, 1, HEADS, length, DIM).unbind(), *cos_sin(inv_freq(DIM), torch.arange(length)))


def check() -> None:
    q, k, v, cos, sin = inputs(1100)
    for causal in (False, True):
        exact = quadratic(*(x.double() for x in (q, k, v, cos, sin)), causal)
        ours = linear_attention(q, k, v, cos, sin, causal=causal)
        torch.testing.assert_close(ours.double(), exact, rtol=0, atol=1e-5)


def measure(length: int, rounds: int) -> list[dict[str, object]]:
    q, k, v, cos, sin = inputs(length)
    cases: dict[str, Case] = {
        "floor": lambda: q @ (k.transpose(-1, -2) @ v),
        "whole": lambda: linear_attention(q, k, v, cos, sin),
        "causal": lambda: linear_attention(q, k, v, cos, sin, causal=True),
    }
    if length <= 4096:
        cases["quadratic"] = lambda: quadratic(q, k, v, cos, sin, False)
        cases["softmax attention"] = lambda: scaled_dot_product_attention(q, k, v)
    with torch.no_grad():
        times = compare(cases, "floor", rounds=rounds)
        memory = {name: peak_mib(case) for name, case in cases.items()}
    return [{"length": length, "case": n, **times[n], "peak_mib": memory[n]} for n in cases]


def measure_decode(rounds: int) -> list[dict[str, object]]:
    """One token after 64 and after 16384: the same time."""
    cases: dict[str, Case] = {}
    for past in (64, 16384):
        q, k, v, cos, sin = inputs(past + 1)
        before = [x[:, :, :past] for x in (q, k, v)]
        state: LinearState
        _, state = linear_attention(*before, cos[:past], sin[:past], causal=True, return_state=True)
        now = [x[:, :, past:].clone() for x in (q, k, v)]

        def step(
            now: list[Tensor] = now, cos: Tensor = cos[past:], sin: Tensor = sin[past:], state=state
        ) -> None:
            for _ in range(50):
                linear_attention(*now, cos, sin, causal=True, state=state, return_state=True)

        cases[f"one token after {past}"] = step
    with torch.no_grad():
        times = compare(cases, "one token after 64", rounds=rounds)
    return [{"length": 1, "case": name, **times[name]} for name in cases]


def main() -> None:
    options = arguments(rounds=5, longest=65536)
    one_thread()
    check()
    rows: list[dict[str, object]] = []
    for memory in MEMORY:
        set_memory(memory)
        for length in (4096, 16384, 65536):
            if length <= options.longest:
                rows += [{"memory": memory, **row} for row in measure(length, options.rounds)]
    set_memory("kept")
    rows += [{"memory": "kept", **row} for row in measure_decode(options.rounds)]
    save("linear_attention", rows, seed=0)


if __name__ == "__main__":
    main()
