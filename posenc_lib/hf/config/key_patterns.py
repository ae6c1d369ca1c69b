"""What the name of a setting says by its words: that it bears on positions, switches the rotation, or pairs.

A config may hold names that nobody has seen before. So it is the words of a name that count, and only names
that are listed leave the rotation alone. tests/library/hf/test_hf_sweep.py reads every type with it.
"""

from __future__ import annotations

import re

from posenc_lib.hf.config.models import names

# Parts of names that bear on positions, or on the width of a head; then words, which stand between "_".
BEARS = re.compile(
    r"rope(?!r)|rotary|theta|freq|alibi|nope|position|pos_?emb|ntk|logn|yarn|mscale|dual_chunk|temperature"
    r"|head_(dim|size|width)|d_head|dim_head|d_kv|kv_channels|llama_4|per_layer_config|att(n|ention)_config"
    r"|relative|window_bias|buckets|max_(\w+_)?distance|sinus|sincos|timescale|wavelength|interpolation_factor"
    r"|(attn|floor)_scale$|attention_scaling|log_scaling|ssmax|kerple|self_extend|stick_?breaking|forget"
    r"|(^|_)(pos|abs|rel|pe|ape|rpe|xpos|cope|fope|rot|rotate[ds]?|rotations?|axial|angles?|neox|interleaved)(_|$)"
    r"|^scaling(_factor|_type)?$"
)
# They match, but leave the rotation of queries and keys alone: widths of other parts, sizes of learned
# tables, the rate at which a caller makes positions, the temperature of a gate.
HARMLESS = names(
    """
    qk_head_dim qk_nope_head_dim v_head_dim index_head_dim indexer_head_dim linear_head_dim
    linear_key_head_dim linear_value_head_dim mamba_d_head mamba_head_dim cross_head_dim resampler_dim_head
    prediction_head_size pad_head_dim_to_multiple_of num_position_embeddings position_id_per_seconds
    residual_gate_temperature max_target_positions max_source_positions dropout_positions
    """
)
_TURNS = names("rope ropes rotary")
_AROUND = names(
    """
    use uses using used apply enable enabled active with has do is add on qk attention attn layer layers pos
    position positions positional emb embs embed embeds embedding embeddings encoding encodings to in queries
    keys
    """
)
_PAIRS = {"interleave": "interleaved", "interleaved": "interleaved", "neox": "half"}
_AROUND_PAIRS = names("is use gpt style layout") | _TURNS


def is_switch(name: str) -> bool:
    """Whether a name says no more than that there is a rotation.

    Example:
        >>> [is_switch(name) for name in ("rope", "use_rotary_embedding", "rope_theta", "use_rope_scaling")]
        [True, True, False, False]
    """
    words = _words(name)
    return bool(words & _TURNS) and words <= _TURNS | _AROUND


def layout_meant(name: str) -> str | None:
    """The layout that a name stands for where its value is True; where it is False it stands for the other.

    Example:
        >>> layout_meant("is_neox_style"), layout_meant("rope_interleaved"), layout_meant("interleave_layers")
        ('half', 'interleaved', None)
    """
    words = _words(name)
    said = words & _PAIRS.keys()
    if len(said) != 1 or not words <= _PAIRS.keys() | _AROUND_PAIRS:
        return None
    return _PAIRS[next(iter(said))]


def bears(name: str) -> bool:
    """Whether a setting of this name may bear on positions.

    Example:
        >>> bears("xpos"), bears("relative_attention_num_buckets"), bears("hidden_size"), bears("property")
        (True, True, False, False)
    """
    return name not in HARMLESS and BEARS.search(name.lower()) is not None


def _words(name: str) -> frozenset[str]:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return frozenset(re.findall(r"[a-z0-9]+", apart.lower()))
