"""Small models of many families, with random weights, whose scores are steep enough to show mistakes."""

import torch
from transformers import AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

SIZES = {
    "vocab_size": 31,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "pad_token_id": None,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 0.1, "high_freq_factor": 1.0}
LONGROPE = {
    "rope_type": "longrope",
    "factor": 4.0,
    "short_factor": [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7],
    "long_factor": [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5],
}
SHORT = {"rope_theta": 300.0, "original_max_position_embeddings": 64}
THREE_OF_FOUR = ["sliding_attention"] * 3 + ["full_attention"]
LATENT = {
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "num_key_value_heads": 4,
    "first_k_dense_replace": 4,
}
MODELS = {
    "llama": {"rope_parameters": LLAMA3 | SHORT},
    "mistral": {},
    "qwen2": {},
    "qwen3": {"head_dim": 16},
    "gemma2": {"head_dim": 16},
    "gemma3_text": {"head_dim": 16, "layer_types": ["sliding_attention", "full_attention"] * 2},
    "phi3": {"rope_parameters": LONGROPE | SHORT, "original_max_position_embeddings": 64},
    "gpt_neox": {
        "rope_parameters": {"rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.25}
    },
    "stablelm": {},
    "cohere": {},
    "cohere2": {"layer_types": THREE_OF_FOUR, "sliding_window": 8},
    "glm": {"head_dim": 16},
    "ernie4_5": {"head_dim": 16},
    "helium": {"head_dim": 16},
    "olmo2": {},
    "granite": {},
    "ministral3": {},
    "smollm3": {"no_rope_layers": [1, 1, 1, 0]},
    "llama4_text": {
        "head_dim": 16,
        "no_rope_layers": [1, 1, 1, 0],
        "intermediate_size_mlp": 64,
        "moe_layers": [],
    },
    "deepseek_v3": LATENT,
    "youtu": LATENT,
    "gemma4_text": {
        "head_dim": 16,
        "global_head_dim": 32,
        "layer_types": THREE_OF_FOUR,
        "vocab_size_per_layer_input": 31,
        "hidden_size_per_layer_input": 8,
    },
}
TOKENS = torch.randint(0, 31, (2, 24), generator=torch.Generator().manual_seed(1))


def made(model_type, dtype=torch.float64, **more):
    torch.manual_seed(0)
    config = CONFIG_MAPPING[model_type](**SIZES | MODELS.get(model_type, {}) | more)
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
