"""A small Llama, a rotation that counts its calls, and what is measured before and after it is put in."""

import json

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from posenc_lib import apply_rotary_qk

CALLS = []
SMALL = LlamaConfig(
    vocab_size=31, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=64,
)  # fmt: skip


def counted(*tensors, **layout):
    CALLS.append(layout["layout"])
    return apply_rotary_qk(*tensors, **layout)


def compare(fill):
    """Print the layouts of our calls, and how far logits and a gradient are from those before the fill."""
    torch.manual_seed(0)
    model = LlamaForCausalLM(SMALL).double().train()
    before = _measured(model)
    fill(model)
    after = _measured(model)
    apart = [float((a - b).abs().max()) for a, b in zip(before, after, strict=True)]
    size = [float(b.abs().max()) for b in before]
    print(json.dumps({"calls": CALLS, "apart": apart, "size": size}))


def _measured(model):
    ids = torch.arange(20)[None]
    model.zero_grad()
    out = model(ids, labels=ids)
    out.loss.backward()
    return out.logits.detach(), model.model.layers[0].self_attn.q_proj.weight.grad.clone()
