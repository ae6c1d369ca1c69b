"""Rotating queries and keys: floor, ours and peers, in one process, correctness first.

Run: python benchmarks/rotary.py [--rounds 9] [--length 2048] [--heads 32] [--dim 128] [--compiled 1]
"""

from argparse import Namespace
from collections.abc import Callable
from functools import partial

import torch
from harness import MEMORY, arguments, compare, one_thread, peak_mib, save, set_memory
from torch import Tensor

from posenc_lib import apply_rotary, apply_rotary_qk, cos_sin, inv_freq

Pair = tuple[Tensor, Tensor]
Rotate = Callable[[Tensor, Tensor], Pair]


def hugging_face(length: int, dim: int, dtype: torch.dtype, device: str = "cpu") -> tuple[str, Rotate]:
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    tables = cos_sin(inv_freq(dim), torch.arange(length))
    wide = tuple(torch.cat((t, t), dim=-1)[None].to(device, dtype) for t in tables)
    return "half", lambda q, k: apply_rotary_pos_emb(q, k, *wide)


def complex_product(length: int, dim: int, dtype: torch.dtype) -> tuple[str, Rotate]:
    """As Llama's own code turns: neighbours as complex numbers in float32, times one table."""
    table = torch.complex(*cos_sin(inv_freq(dim), torch.arange(length)))

    def turn(x: Tensor) -> Tensor:
        pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * table).flatten(-2).type_as(x)

    return "interleaved", lambda q, k: (turn(q), turn(k))


def rotary_embedding_torch(length: int, dim: int, dtype: torch.dtype) -> tuple[str, Rotate]:
    from rotary_embedding_torch import RotaryEmbedding

    turn = RotaryEmbedding(dim).rotate_queries_or_keys
    return "interleaved", lambda q, k: (turn(q), turn(k))


def x_transformers(length: int, dim: int, dtype: torch.dtype) -> tuple[str, Rotate]:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    freqs, _ = RotaryEmbedding(dim).forward_from_seq_len(length)
    return "interleaved", lambda q, k: (apply_rotary_pos_emb(q, freqs), apply_rotary_pos_emb(k, freqs))


def torchtune(length: int, dim: int, dtype: torch.dtype) -> tuple[str, Rotate]:
    from torchtune.modules.position_embeddings import RotaryPositionalEmbeddings

    module = RotaryPositionalEmbeddings(dim, max_seq_len=length)  # heads after the sequence
    turn = lambda x: module(x.transpose(1, 2)).transpose(1, 2)  # noqa: E731
    return "interleaved", lambda q, k: (turn(q), turn(k))


PEERS = {
    "Hugging Face": hugging_face,
    "complex product": complex_product,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
    "torchtune": torchtune,
}


def peers(length: int, dim: int, dtype: torch.dtype) -> dict[str, tuple[str, Rotate]]:
    """Other people's rotations that can be imported, with tables built once: name → layout, function."""
    found = {}
    for name, make in PEERS.items():
        try:
            found[name] = make(length, dim, dtype)
        except ImportError as missing:
            print(f"left out: {name} ({missing})")
    return found


def cases(q: Tensor, k: Tensor, compiled: bool) -> dict[str, tuple[str, Rotate]]:
    length, dim = q.shape[-2:]
    tables = cos_sin(inv_freq(dim), torch.arange(length))

    def ours(layout: str) -> Rotate:
        return lambda q, k: apply_rotary_qk(q, k, *tables, layout=layout)

    found = {f"ours, {layout}": (layout, ours(layout)) for layout in ("half", "interleaved")}
    if compiled:
        torch._dynamo.reset()  # one code object serves all layouts, dtypes and gradient modes
        for layout in ("half", "interleaved"):
            found[f"ours, {layout}, compiled"] = layout, torch.compile(ours(layout), fullgraph=True)
    found |= peers(length, dim, q.dtype)
    if compiled and "Hugging Face" in found:  # the textbook's formula
        found["Hugging Face, compiled"] = "half", torch.compile(found["Hugging Face"][1], fullgraph=True)
    return found


def correct(q: Tensor, k: Tensor, found: dict[str, tuple[str, Rotate]]) -> dict[str, tuple[str, Rotate]]:
    """Those whose result agrees with float64 to the rounding of the dtype and of float32 angles."""
    length, dim = q.shape[-2:]
    tables = tuple(t.to(q.device) for t in cos_sin(inv_freq(dim), torch.arange(length), dtype=torch.float64))
    tolerance = 3e-3 if q.dtype == torch.float32 else 0.1
    right = {}
    for name, (layout, rotate) in found.items():
        exact = apply_rotary_qk(q.double(), k.double(), *tables, layout=layout)
        pairs = zip(rotate(q, k), exact, strict=True)
        error = max(float((got.double() - true).abs().max()) for got, true in pairs)
        if error <= tolerance:
            right[name] = (layout, rotate)
        else:
            print(f"left out: {name} is wrong by {error:.2g} in {q.dtype}")
    return right


def forward(
    q: Tensor, k: Tensor, found: dict[str, tuple[str, Rotate]], rounds: int
) -> list[dict[str, object]]:
    runs: dict[str, Callable[[], object]] = {"clone": lambda: (q.clone(), k.clone())}
    runs |= {name: (lambda rotate=rotate: rotate(q, k)) for name, (_, rotate) in found.items()}
    work_q, work_k = q.clone(), k.clone()
    tables = cos_sin(inv_freq(q.shape[-1]), torch.arange(q.shape[-2]))
    for layout in ("half", "interleaved"):
        runs[f"ours, {layout}, in place"] = lambda layout=layout: apply_rotary_qk(
            work_q, work_k, *tables, layout=layout, inplace=True
        )
    with torch.no_grad():
        times = compare(runs, "clone", rounds=rounds)
        memory = {name: peak_mib(run) for name, run in runs.items()}
    return [{"pass": "forward", "case": n, **times[n], "peak_mib": memory[n]} for n in runs]


def training(
    q: Tensor, k: Tensor, found: dict[str, tuple[str, Rotate]], rounds: int
) -> list[dict[str, object]]:
    q, k = q.clone().requires_grad_(), k.clone().requires_grad_()
    cotangents = torch.randn_like(q), torch.randn_like(k)

    def step(rotate: Rotate) -> Callable[[], object]:
        return lambda: torch.autograd.grad(rotate(q, k), (q, k), cotangents)

    runs = {"clone": lambda: tuple(x.clone() for x in (q.detach(), k.detach(), *cotangents))}
    runs |= {name: step(rotate) for name, (_, rotate) in found.items()}
    times = compare(runs, "clone", rounds=rounds)
    memory = {name: peak_mib(run) for name, run in runs.items()}
    return [{"pass": "forward+backward", "case": n, **times[n], "peak_mib": memory[n]} for n in runs]


def few(length: int, dtype: torch.dtype, heads: int, dim: int, rounds: int) -> list[dict[str, object]]:
    """One token, or a short text; as a multiple of Hugging Face's eager call: memory does not bind here."""
    q, k = torch.randn(2, 1, heads, length, dim).to(dtype).unbind()
    wanted = ("ours, half", "ours, interleaved", "Hugging Face", "complex product")
    found = {name: turn for name, (_, turn) in cases(q, k, compiled=False).items() if name in wanted}
    if "Hugging Face" not in found:
        return []
    cos, sin = cos_sin(inv_freq(dim), torch.arange(length))
    for layout in ("half", "interleaved"):
        alone = partial(apply_rotary, cos=cos, sin=sin, layout=layout)
        found[f"ours, {layout}, one by one"] = lambda q, k, alone=alone: (alone(q), alone(k))
        own = partial(apply_rotary_qk, cos=cos, sin=sin, layout=layout, inplace=True)
        found[f"ours, {layout}, in place"] = own

    def many(rotate: Rotate) -> Callable[[], object]:
        return lambda: [rotate(q, k) for _ in range(50 if length == 1 else 5)]

    with torch.no_grad():
        times = compare({n: many(r) for n, r in found.items()}, "Hugging Face", rounds=10 * rounds)
    shape = {"memory": "kept", "dtype": str(dtype).removeprefix("torch."), "shape": list(q.shape)}
    return [{**shape, "pass": "decode" if length == 1 else "short", "case": n, **t} for n, t in times.items()]


def main() -> None:
    options = arguments(rounds=9, length=2048, heads=32, dim=128, compiled=1)
    one_thread()
    torch.manual_seed(0)
    rows: list[dict[str, object]] = []
    for memory in MEMORY:
        set_memory(memory)
        for dtype in (torch.float32, torch.bfloat16):
            rows += [{"memory": memory, **row} for row in at_length(options, dtype, memory == "kept")]
    set_memory("kept")
    for length in (1, 128):
        for dtype in (torch.float32, torch.bfloat16):
            rows += few(length, dtype, options.heads, options.dim, options.rounds)
    save(
        "rotary",
        rows,
        seed=0,
        packages=["transformers", "rotary-embedding-torch", "x-transformers", "torchtune"],
    )


def at_length(options: Namespace, dtype: torch.dtype, transposed: bool) -> list[dict[str, object]]:
    """Forward and training, and on request forward on inputs with the heads after the sequence."""
    q, k = torch.randn(2, 1, options.heads, options.length, options.dim).to(dtype).unbind()
    found = correct(q, k, cases(q, k, bool(options.compiled)))
    label = {"dtype": str(dtype).removeprefix("torch."), "shape": list(q.shape)}
    rows = forward(q, k, found, options.rounds) + training(q, k, found, options.rounds)
    if transposed:
        eager = {name: case for name, case in found.items() if "compiled" not in name}
        strided = [x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k)]
        rows += [{**row, "pass": "forward, transposed"} for row in forward(*strided, eager, options.rounds)]
    return [{**label, **row} for row in rows]


if __name__ == "__main__":
    main()
