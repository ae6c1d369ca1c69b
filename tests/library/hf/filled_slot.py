"""Run as a program: Hugging Face's kernels library puts our layer into a Llama, and what changed is printed.

In a process of its own, because transformers decides when it is imported whether its functions can be
replaced.
"""

import warnings

import kernels
from transformers.utils import import_utils

# transformers 5.23 asks for kernels 0.18.2 or newer; the lock of the tests holds 0.17.2. What is called here,
# its decorators and `kernelize`, is in both.
if not import_utils.is_kernels_available():
    import_utils.is_kernels_available = lambda *versions: True

from small_llama import compare, counted

from posenc_lib.hf import rotary_layer


class Ours:
    """A repository as kernels knows them: it is asked for the layer."""

    def load(self):
        return rotary_layer(counted)


def fill(model):
    mapping = {"rotary_pos_emb": {"cpu": Ours()}}
    with kernels.use_kernel_mapping(mapping, inherit_mapping=False):
        kernels.kernelize(model, mode=kernels.Mode.TRAINING | kernels.Mode.TORCH_COMPILE, device="cpu")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    compare(fill)
