"""Small models of many families, with random weights, whose scores are steep enough to show mistakes."""

import copy
from pathlib import Path

import torch
import yaml
from transformers import AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

WRITTEN = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text("utf-8"))
SIZES, MODELS, ROPES = WRITTEN["sizes"], WRITTEN["models"], WRITTEN["ropes"]
# Theirs are float32 angles below 24 radians: each is off by 1e-6 (half an ulp of 16 to 32). Logits are of
# size 0.5, and a score of size 1 passes an error of its angles on undiminished at worst. Measured: 4e-7.
# The scores of these models are steeper than usual.
ANGLES = {"rtol": 0.0, "atol": 2e-6}
TOKENS = torch.randint(0, 31, (2, 24), generator=torch.Generator().manual_seed(1))


def made(model_type, dtype=torch.float64, **more):
    torch.manual_seed(0)
    config = CONFIG_MAPPING[model_type](**copy.deepcopy(SIZES | MODELS.get(model_type, {}) | more))
    return sharpened(AutoModelForCausalLM.from_config(config, attn_implementation="eager").to(dtype).eval())


@torch.no_grad()
def sharpened(model, *more):
    """The default initialisation makes scores near 0, which would hide mistakes."""
    projections = ("q_proj", "k_proj", "qkv", "query_key", *more)
    for name, weight in model.named_parameters():
        if weight.ndim == 2 and any(part in name for part in projections):
            weight.mul_(10)
    return model


@torch.no_grad()
def logits(model):
    return model(TOKENS).logits
