"""Run as a program: Hugging Face's kernels library puts our layer into a Llama, and what changed is printed.

In a process of its own, because transformers decides when it is imported whether its functions can be
replaced.
"""

import json
import warnings

import kernels
import torch
from transformers.utils import import_utils

# transformers 5.23 asks for kernels 0.18.2 or newer; the lock of the tests holds 0.17.2. What is called here,
# its decorators and `kernelize`, is in both.
if not import_utils.is_kernels_available():
    import_utils.is_kernels_available = lambda *versions: True

from transformers import LlamaConfig, LlamaForCausalLM

from posenc_lib import apply_rotary_qk
from posenc_lib.hf import rotary_layer

CALLS = []
SMALL = LlamaConfig(
    vocab_size=31, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=64,
)  # fmt: skip


def counted(*tensors, **layout):
    CALLS.append(layout["layout"])
    return apply_rotary_qk(*tensors, **layout)


class Ours:
    """A repository as kernels knows them: it is asked for the layer."""

    def load(self):
        return rotary_layer(counted)


def measured(model):
    ids = torch.arange(20)[None]
    model.zero_grad()
    out = model(ids, labels=ids)
    out.loss.backward()
    return out.logits.detach(), model.model.layers[0].self_attn.q_proj.weight.grad.clone()


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    model = LlamaForCausalLM(SMALL).double().train()
    before = measured(model)
    mapping = {"rotary_pos_emb": {"cpu": Ours()}}
    with kernels.use_kernel_mapping(mapping, inherit_mapping=False):
        kernels.kernelize(model, mode=kernels.Mode.TRAINING | kernels.Mode.TORCH_COMPILE, device="cpu")
    after = measured(model)
    apart = [float((a - b).abs().max()) for a, b in zip(before, after, strict=True)]
    size = [float(b.abs().max()) for b in before]
    print(json.dumps({"calls": CALLS, "apart": apart, "size": size}))


if __name__ == "__main__":
    main()
