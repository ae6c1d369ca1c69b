"""What a Hugging Face config does not say and the model's code does: pairs of channels, axes, layers.

Every name is checked by tests/library/hf/test_hf_sweep.py: against the rotation that the model's own code
computes, and against its class, which completes a config that omits a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Which channels make a pair; other types need `layout`.
HALF = names(
    """
    afmoe apertus arcee aria_text bamba beam bitnet chameleon cosmos3_edge_text csm csm_depth_decoder_model
    cwm deepseek_ocr2_encoder deepseek_ocr2_text dia_decoder dia_encoder diffllama diffusion_gemma_text doge
    dots1 embedding_gemma2_text emu3_text_model esm esmc eurobert evolla exaone4 exaone_moe falcon falcon_h1
    flex_olmo flint gemma gemma2 gemma3 gemma3_text gemma3n_text gemma4_text gemma4_unified_text glm4_moe
    glm4v_moe_text glm_image_text glmasr_encoder gpt_neox gpt_neox_japanese gpt_oss gradium_phonon_tts
    granite granite4_vision_text granite_docling_text granite_swa granitemoe granitemoe_swa granitemoehybrid
    granitemoeshared gte higgs_audio_v2 hrm_text hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4 hyperclovax
    idefics internlm3 iquestcoder jais2 jetmoe jina_embeddings_v3 kolibri1 kyutai_speech_to_text laguna
    lasr_encoder lfm2 lfm2_moe lfm3 llama mellum mimi mimi_decoder mimi_encoder mimo_v2_flash minicpm3
    minimax minimax_m2 minimax_m3_vl_text ministral ministral3 mistral mixtral mllama_text_model modernbert
    modernbert-decoder molmo2_text moshi muse_glimmer_assistant muse_glimmer_text muse_spark_text nemotron
    nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp nemotron3_diarization_audio
    neomme neucodec nomic_bert olmo olmo2 olmo3 olmo_hybrid olmoe paddleocr_vl_text persimmon phi phi3
    phi4_multimodal phimoe pocket_tts pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder
    pocket_tts_audio_tokenizer_encoder qwen2 qwen2_5_omni_dit qwen2_5_omni_talker qwen2_5_omni_text
    qwen2_5_vl qwen2_5_vl_text qwen2_moe qwen2_vl qwen2_vl_text qwen3 qwen3_5_moe_text qwen3_5_text
    qwen3_moe qwen3_next qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen3_omni_moe_text
    qwen3_vl qwen3_vl_moe_text qwen3_vl_text qwen4_exp_text recurrent_gemma seed_oss smollm3 solar_open
    stablelm starcoder2 step3p5 t5_gemma_module t5gemma2_decoder t5gemma2_text timesfm2_5 ultrabert
    unlimited_ocr_text vaultgemma voxtral_realtime_encoder voxtral_realtime_text xcodec2 zamba2 zaya
    """
)
INTERLEAVED = names(
    """
    axk2 bailing_hybrid blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher codegen
    cohere cohere2 deepseek_v2 deepseek_v32 ernie4_5 ernie4_5_moe ernie4_5_vl_moe ernie4_5_vl_moe_text glm
    glm4 glm4v_text glm_moe_dsa glm_ocr_text gptj helium llama4_text longcat_flash moonshine_streaming
    openai_privacy_filter pe_audio_encoder pe_audio_video_encoder pe_video_encoder
    """
)
# Interleaved unless the key `rope_interleave` says otherwise.
SAID_BY_KEY = names("axk1 deepseek_v3 glm4_moe_lite mistral4 youtu")

# No RotarySpec says what the code of these does, whatever the config.
REFUSED = {
    "cohere2_moe": "which of its layers turn depends on where its dense layers stand",
    "deepseek_v4": "it turns the last channels of each head, and turns its outputs back",
    "dinov3_vit": "its positions are places of patches between -1 and 1",
    "dots3_note_audio_encoder": "it turns its channels in an order of its own",
    "dots3_note_text": "its two kinds of layers turn parts of different widths",
    "eomt_dinov3": "its positions are places of patches between -1 and 1",
    "hunyuan_vl": "its two channels of a pair turn by different axes, which is no rotation",
    "hunyuan_vl_text": "its two channels of a pair turn by different axes, which is no rotation",
    "llama4_vision_model": "its positions are places of patches",
    "mistral_large4_text": "its weights hold a factor for each frequency",
    "nanochat": "it turns by the opposite angle; apply_rotary(..., inverse=True) does that",
    "roformer": "its code has the base 10000: queries and keys turn by RotarySpec(width of a head, "
    "layout='interleaved'), and values as well where rotary_value is True",
    "sapiens2": "its positions are places of patches between -1 and 1",
}
# Several axes: are their planes dealt in turn? The code decides, whatever `mrope_interleaved` says.
MULTI_AXIS = dict.fromkeys(
    names(
        """
        glm4v_moe_text glm4v_text glm_image_text glm_ocr_text paddleocr_vl_text qwen2_5_omni_talker
        qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_vl qwen2_vl_text
        """
    ),
    False,
) | dict.fromkeys(
    names(
        """
        cohere_compass_text cosmos3_edge_text qwen3_5_moe_text qwen3_5_text qwen3_omni_moe_talker_text
        qwen3_omni_moe_text qwen3_vl qwen3_vl_moe_text qwen3_vl_text qwen4_exp_text
        """
    ),
    True,
)
# Height and width take planes in turn, then time has the rest.
PAIRED_AXES = names("ernie4_5_vl_moe ernie4_5_vl_moe_text")
# Two axes, which take planes in turn.
TWO_AXES = names("neomme")
# "dynamic" with a key `alpha` is one base for all lengths.
ALPHA = names("hunyuan_v1_dense hunyuan_v1_moe")
# The type of layer that has no rotary encoding where other layers have a window.
WITHOUT = dict.fromkeys(
    names("afmoe cohere2 exaone4 exaone4_5_text exaone_moe flint kolibri1 llama4_text"),
    "full_attention",
)
# In all layers of these, queries grow with their position, as the key `llama_4_scaling_beta` says.
TEMPERATURE = names("ministral3 mistral4")
# In their layers that do not turn, queries do: the key that says so, or the name that it has in the code.
STILL_TEMPERATURE = {"llama4_text": "attn_temperature_tuning", "beam": "attention_scaling"}
# The key that counts their layers, of which each attends so many times.
COUNTED = {"longcat_flash": ("num_layers", 2)}
# no_rope_layers, or an interval, names the layers that turn (1) and that do not (0).
LAYER_PLAN = names("llama4_text smollm3")
# A key of their own says what their layers are: indices of layers of one type and the type of all others, or
# a cycle of types.
PLACED = {
    "bamba": ("attn_layer_indices", "full_attention", "linear_attention"),
    "mllama_text_model": ("cross_attention_layers", "cross_attention", "full_attention"),
    "recurrent_gemma": ("block_types", "", ""),
}
# Keys of which a config of these types must have one: their classes fill them with numbers of their own.
NEEDS: dict[str, frozenset[str]] = {
    "head_dim": names(
        """
        afmoe cwm dia_decoder dia_encoder diffusion_gemma_text embedding_gemma2_text ernie4_5 flint gemma
        gemma2 gemma3 gemma3_text gemma3n_text gemma4_text gemma4_unified_text glm glm4 gpt_oss helium
        higgs_audio_v2 hrm_text hy_v3 internlm3 iquestcoder lfm3 llama4_text mellum mimo_v2_flash minimax_m2
        ministral3 mistral4 molmo2_text muse_glimmer_assistant muse_glimmer_text muse_spark_text neomme
        neucodec pe_audio_encoder pe_audio_video_encoder pe_video_encoder qwen2_5_omni_dit qwen3 qwen3_next
        qwen3_omni_moe_talker_code_predictor solar_open step3p5 t5_gemma_module t5gemma2_decoder
        t5gemma2_text timesfm2_5 vaultgemma voxtral_realtime_encoder xcodec2 zaya
        """
    ),
    "partial_rotary_factor": names(
        """
        bamba glm glm4 glm4_moe glmasr_encoder gpt_neox nemotron neomme persimmon phi qwen3_next
        recurrent_gemma stablelm
        """
    ),
    "rotary_dim": names(
        """
        codegen gptj minimax_m3_vl_text
        """
    ),
    "position_embedding_type": names(
        """
        esm granitemoehybrid
        """
    ),
    "qk_rope_head_dim": names(
        """
        axk1 axk2 bailing_hybrid deepseek_v2 deepseek_v3 deepseek_v32 glm_moe_dsa hy_v4 longcat_flash
        minicpm3 mistral4 youtu
        """
    ),
    "layer_types": names(
        """
        bailing_hybrid granitemoehybrid laguna mellum minimax olmo_hybrid qwen3_5_moe_text qwen3_5_text
        qwen3_next qwen4_exp_text zaya
        """
    ),
    "layer_rope_theta": names(
        """
        muse_glimmer_text muse_spark_text
        """
    ),
    "use_mem_rope": names(
        """
        zamba2
        """
    ),
    "rope_parameters": names(
        """
        beam diffusion_gemma_text embedding_gemma2_text gemma4_text gemma4_unified_text laguna lfm3 mellum
        mimo_v2_flash modernbert modernbert-decoder olmo3 zaya
        """
    ),
    "rope_parameters rope_local_base_freq": names(
        """
        gemma3_text gemma3n_text t5gemma2_decoder t5gemma2_text
        """
    ),
    "rope_parameters rope_scaling": names(
        """
        apertus cwm gpt_oss higgs_audio_v2 ministral3 mistral4 moonshine_streaming
        nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp openai_privacy_filter
        """
    ),
    "rope_parameters rotary_emb_base": names(
        """
        gpt_neox_japanese
        """
    ),
}
# The base 10000 is in their code, not in their config; nor does the code look at any scaling.
FIXED_BASE = frozenset(("gptj", "codegen"))
# Their code turns a part of each head, as `partial_rotary_factor` says; that of others takes no notice of it
# (but where the scaling is "proportional").
PARTIAL = names(
    """
    bamba glm glm4 glm4_moe glm4_moe_lite glm4v_moe_text glm4v_text glm_image_text glm_ocr_text
    glmasr_encoder gpt_neox gpt_neox_japanese laguna mellum mimo_v2_flash minimax_m2 minimax_m3_vl_text
    moonshine_streaming nemotron nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp
    nemotron3_diarization_audio neomme persimmon phi phi3 phi4_multimodal qwen3_5_moe_text qwen3_5_text
    qwen3_next qwen4_exp_text recurrent_gemma solar_open stablelm step3p5 zaya
    """
)
# Of their heads the part that `qk_rope_head_dim` names turns.
LATENT = NEEDS["qk_rope_head_dim"] | {"glm4_moe_lite"}
# They take the width of a head from other sizes, whatever `head_dim` says.
NO_HEAD_DIM = FIXED_BASE | names("deepseek_ocr2_text falcon unlimited_ocr_text")
# Their full-attention layers have wider heads.
GLOBAL_WIDTH = names("gemma4_text gemma4_unified_text diffusion_gemma_text embedding_gemma2_text")
# The key that holds the width of a head.
WIDTH = {"jetmoe": "kv_channels", "zamba2": "attention_head_dim"}
# Keys that the code of these types alone reads; "" is a type in no table, for which the caller speaks.
READ_FOR = {
    "attention_head_dim": names("zamba2"),
    "global_head_dim": GLOBAL_WIDTH,
    "kv_channels": names("jetmoe"),
    "layer_rope_theta": NEEDS["layer_rope_theta"] | names("granite_swa granitemoe_swa") | {""},
    "no_rope_layers": LAYER_PLAN,
    "no_rope_layer_interval": LAYER_PLAN,
    "qk_rope_head_dim": LATENT | {""},
    "rope_local_base_freq": NEEDS["rope_parameters rope_local_base_freq"] | {""},
    "rotary_emb_base": names("gpt_neox gpt_neox_japanese") | {""},
    "rotary_pct": names("gpt_neox gpt_neox_japanese") | {""},
}


def known_layout(cfg: Mapping[str, Any]) -> str | None:
    """The pairing of channels in the code of this model type, if it is known."""
    model_type = cfg.get("model_type")
    if model_type in SAID_BY_KEY:
        return "interleaved" if cfg.get("rope_interleave", True) else "half"
    return "half" if model_type in HALF else "interleaved" if model_type in INTERLEAVED else None
