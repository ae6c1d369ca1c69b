"""Fused rotations of queries and keys, ours and other people's: name → layout, function of q and k."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch
from torch import Tensor

from posenc_lib import cos_sin, inv_freq
from posenc_lib.kernels import fused_rotary_at, fused_rotary_qk, turns

Rotate = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
Cases = dict[str, tuple[str, Rotate]]


def ours(length: int, dim: int, device: str) -> Cases:
    """Tables read from memory, and angles made in the kernel from integer turns."""
    theta, at = inv_freq(dim), torch.arange(length, device=device)
    tables = tuple(t.to(device) for t in cos_sin(theta, at.cpu()))
    phase = turns(theta).to(device)
    found: Cases = {}
    for layout in ("half", "interleaved"):
        found[f"ours, {layout}"] = (
            layout,
            lambda q, k, layout=layout: fused_rotary_qk(q, k, *tables, layout=layout),
        )
        found[f"ours, {layout}, angles made inside"] = (
            layout,
            lambda q, k, layout=layout: fused_rotary_at(q, k, at, phase, layout=layout),
        )
    return found


def peers(length: int, dim: int, device: str) -> Cases:
    """Those that can be imported. Liger's works in place where the heads lie after the sequence."""
    tables = tuple(t.to(device) for t in cos_sin(inv_freq(dim), torch.arange(length)))
    found: Cases = {}
    try:
        from liger_kernel.ops.rope import LigerRopeFunction

        wide = tuple(torch.cat((t, t), -1)[None] for t in tables)
        found["Liger"] = "half", lambda q, k: LigerRopeFunction.apply(q, k, *wide)
    except ImportError as missing:
        print(f"left out: Liger ({missing})")
    try:
        from flash_attn.layers.rotary import apply_rotary_emb

        def turn(x: Tensor, pairs: bool) -> Tensor:
            return apply_rotary_emb(x.transpose(1, 2), *tables, interleaved=pairs).transpose(1, 2)

        for layout in ("half", "interleaved"):
            found[f"flash-attention, {layout}"] = (
                layout,
                lambda q, k, pairs=layout == "interleaved": (turn(q, pairs), turn(k, pairs)),
            )
    except ImportError as missing:
        print(f"left out: flash-attention ({missing})")
    return found


def versions() -> dict[str, str]:
    """Of Triton and of the peers; of a peer that is only a file, the file's hash."""
    found = {}
    for name, file in (
        ("transformers", None),
        ("triton", None),
        ("liger_kernel", None),
        ("flash_attn", "flash_attn.ops.triton.rotary"),
    ):
        with suppress(ImportError):
            module = import_module(file or name)
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = (
                    "file " + hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest()[:12]
                )
    return found
