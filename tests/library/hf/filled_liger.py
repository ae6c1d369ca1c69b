"""Run as a program: Liger puts our function into a Llama, and what changed is printed.

``filled_liger.py FOLDER``, where Liger is installed. In a process of its own, because what is registered with
Liger stays.
"""

import sys
import warnings

from small_llama import compare, counted

from posenc_lib.hf import liger_rotary


def fill(model):
    from liger_kernel.backends import register_impl
    from liger_kernel.transformers import apply_liger_kernel_to_llama

    register = register_impl("rope", impl_name="posenc", preference_rank=0)
    register(liger_rotary(counted))
    others = ("rms_norm", "swiglu", "cross_entropy", "fused_linear_cross_entropy")
    apply_liger_kernel_to_llama(rope=True, **dict.fromkeys(others, False))


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    warnings.simplefilter("ignore")
    compare(fill)
