"""One fused kernel for queries and keys (Triton), and exact angles without float64.

Importing this package loads neither Triton nor a compiler; calling the fused functions does. They run on
GPUs, and on the CPU in Triton's interpreter (``TRITON_INTERPRET=1``), which is for tests. On an H100 long
texts turn at 87 to 94 % of the speed of a copy; the page "Speed and memory" has the figures.
"""

from posenc_lib.kernels.fused import fused_rotary_at, fused_rotary_qk
from posenc_lib.kernels.phase import cos_sin_from_turns, turns

__all__ = ["cos_sin_from_turns", "fused_rotary_at", "fused_rotary_qk", "turns"]
