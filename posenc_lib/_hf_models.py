"""What a Hugging Face config does not say and the model's code does: pairing of channels, number of axes."""

# Which channels make a pair, checked against each model's own rotate_half; other types need `layout`.
HALF = frozenset(
    (
        "llama",
        "mistral",
        "mixtral",
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "phi",
        "phi3",
        "gpt_neox",
        "qwen2",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
        "stablelm",
        "olmo",
        "olmo2",
        "granite",
        "starcoder2",
        "persimmon",
        "nemotron",
        "smollm3",
        "gpt_oss",
        "qwen2_vl",
        "qwen2_vl_text",
        "qwen2_5_vl",
        "qwen2_5_vl_text",
        "qwen3_vl",
        "qwen3_vl_text",
    )
)
INTERLEAVED = frozenset(
    (
        "gptj",
        "codegen",
        "cohere",
        "cohere2",
        "glm",
        "glm4",
        "helium",
        "ernie4_5",
        "deepseek_v2",
        "llama4_text",
    )
)
# They rotate a part of each head unless told otherwise.
PARTIAL = frozenset(
    ("gpt_neox", "gptj", "codegen", "phi", "persimmon", "stablelm", "nemotron", "glm", "glm4")
)
# The type of layer that has no rotary encoding, which their config does not say.
WITHOUT = {"cohere2": "full_attention", "llama4_text": "full_attention"}
# Three axes: are their planes dealt in turn?
MULTI_AXIS = {
    "qwen2_vl": False,
    "qwen2_vl_text": False,
    "qwen2_5_vl": False,
    "qwen2_5_vl_text": False,
    "qwen3_vl": True,
    "qwen3_vl_text": True,
}
# The base 10000 is in their code, not in their config.
FIXED_BASE = frozenset(("gptj", "codegen"))
