"""`RotaryEmbedding` on one token, from its position to turned queries and keys: a multiple of Hugging Face's.

Run: python benchmarks/one_token.py [--rounds 200] [--heads 32] [--dim 128]
"""

import torch
from harness import Case, arguments, compare, one_thread, save
from torch import Tensor
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

from posenc_lib import RotaryEmbedding, apply_rotary_qk

PEER = "Hugging Face"
CALLS = 20  # in each timing: one call is shorter than what a clock tells well


def cases(q: Tensor, k: Tensor, at: Tensor) -> dict[str, Case]:
    """Tables of one position and the rotation by them; our angles are float64, theirs float32."""
    dim = q.shape[-1]
    theirs = LlamaRotaryEmbedding(LlamaConfig(head_dim=dim))
    half, pairs = RotaryEmbedding(dim), RotaryEmbedding(dim, layout="interleaved")
    place, tables = int(at), half.tables(at)
    return {
        PEER: lambda: apply_rotary_pos_emb(q, k, *theirs(q, at)),
        "ours, half": lambda: half(q, k, at),
        "ours, interleaved": lambda: pairs(q, k, at),
        "ours, half, offset": lambda: half(q, k, offset=place),
        "ours, half, tables made once for all layers": lambda: apply_rotary_qk(q, k, *tables),
    }


def check(found: dict[str, Case], dtype: torch.dtype) -> None:
    """Theirs and ours agree to float32 angles and the rounding of the dtype, where the layout is theirs."""
    expected = found[PEER]()
    for name in (n for n in found if n.startswith("ours, half")):
        for one, other in zip(found[name](), expected, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=3e-3 if dtype == torch.float32 else 0.1)


def many(case: Case) -> Case:
    return lambda: [case() for _ in range(CALLS)]


def main() -> None:
    options = arguments(rounds=200, heads=32, dim=128)
    one_thread()
    torch.manual_seed(0)
    rows: list[dict[str, object]] = []
    for dtype in (torch.float32, torch.bfloat16):
        for key_heads in (options.heads, options.heads // 4):
            q = torch.randn(1, options.heads, 1, options.dim).to(dtype)
            k = torch.randn(1, key_heads, 1, options.dim).to(dtype)
            with torch.no_grad():
                found = cases(q, k, torch.tensor([[2047]]))
                check(found, dtype)
                times = compare({n: many(c) for n, c in found.items()}, PEER, rounds=options.rounds)
            setting = {"dtype": str(dtype).removeprefix("torch."), "key_heads": key_heads}
            rows += [{**setting, "case": n, **t} for n, t in times.items()]
    save("one_token", rows, seed=0, packages=["transformers"], heads=options.heads, dim=options.dim)


if __name__ == "__main__":
    main()
