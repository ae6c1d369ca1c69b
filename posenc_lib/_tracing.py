"""Whether torch records this call to run it later, in which case numbers in tensors decide nothing."""

from __future__ import annotations

import torch


def traced() -> bool:
    """By torch.compile or torch.export, or by torch.jit.trace."""
    return torch.compiler.is_compiling() or torch.jit.is_tracing()


def exported() -> bool:
    """By torch.export, whose programs run where this library is not installed (torch 2.6 does not tell)."""
    return getattr(torch.compiler, "is_exporting", bool)()
