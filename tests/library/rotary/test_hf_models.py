"""Small random Hugging Face models, their rotary code replaced by posenc_lib: the same logits and gradients.

Two comparisons each. *Compatible*: with the frequencies the model itself uses and float32 angles, logits and
parameters after a training step agree to rounding (ours fuses a product and a sum; the model rounds twice).
*Exact*: with float64 angles from the spec, logits differ only by what the model's own float32 angles are off.
"""

import copy

import pytest
import torch
from torch import nn

from posenc_lib import (
    RotaryEmbedding,
    RotarySpec,
    apply_rotary,
    apply_rotary_pos_emb,
    apply_rotary_qk,
    axis_frequencies,
    cos_sin,
    cos_sin_axes,
    positions_mrope,
)

transformers = pytest.importorskip("transformers")
from transformers.models.deepseek_v3 import modeling_deepseek_v3  # noqa: E402
from transformers.models.gemma3 import modeling_gemma3  # noqa: E402
from transformers.models.gpt_neox import modeling_gpt_neox  # noqa: E402
from transformers.models.gptj import modeling_gptj  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402
from transformers.models.qwen2_vl import modeling_qwen2_vl  # noqa: E402
from transformers.models.qwen3_vl import modeling_qwen3_vl  # noqa: E402

SEQ, ORIGINAL = 24, 16  # longer than the original context, so that length-dependent rules act
SIZES = {
    "vocab_size": 31,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "attn_implementation": "eager",
}
ROPES = {
    "default": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": ORIGINAL, "beta_fast": 2.0, "beta_slow": 0.1},
    "longrope": {
        "factor": 4.0,
        "original_max_position_embeddings": ORIGINAL,
        "short_factor": [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7],
        "long_factor": [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5],
    },
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 0.1,
        "high_freq_factor": 1.0,
        "original_max_position_embeddings": ORIGINAL,
    },
    "proportional": {"partial_rotary_factor": 0.5},
}
# Theirs are float32 angles below 24 radians: each is off by 1e-6 (half an ulp of 16 to 32). Logits are of
# size 0.5, and a score of size 1 passes an error of its angles on undiminished at worst. Measured: 4e-7.
ANGLES = {"rtol": 0.0, "atol": 2e-6}
# The same numbers rounded once less, or summed in another order, through normalisation layers that work in
# float32 whatever the model's dtype: a few units of 6e-8 in logits of size 0.5, amplified by two layers.
ROUNDING = {"rtol": 0.0, "atol": 1e-6}


class Tables(nn.Module):
    """Stands in a model's ``rotary_emb``: half-width tables from posenc_lib."""

    def __init__(self, spec, length=SEQ, theirs=None):
        super().__init__()
        self.spec, self.length, self.theirs = spec, length, theirs

    def forward(self, x, position_ids, layer_type=None):
        spec = self.spec if layer_type is None else self.spec[layer_type]
        if self.theirs is None:
            theta, factor, exact = (
                spec.inv_freq(self.length),
                spec.attention_factor(self.length),
                torch.float64,
            )
        else:
            theta, factor, exact = self.theirs.inv_freq, self.theirs.attention_scaling, torch.float32
        options = {"attention_factor": factor, "dtype": x.dtype, "angle_dtype": exact}
        if spec.sections is None:
            return cos_sin(theta, position_ids, **options)
        matrix = axis_frequencies(theta, spec.sections, interleaved=spec.sections_interleaved)
        return cos_sin_axes(matrix, position_ids, **options)


def _rotate(layout):
    def rotate(q, k, cos, sin, unsqueeze_dim=1):
        return apply_rotary_qk(
            q, k, cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim), layout=layout
        )

    return rotate


def _build(cls, config, dtype=torch.float64):
    torch.manual_seed(0)
    config._attn_implementation = "eager"
    model = cls(config).to(dtype).eval()
    with torch.no_grad():  # the default initialisation makes scores near 0, which would hide mistakes
        for name, weight in model.named_parameters():
            if weight.ndim == 2 and ("q_proj" in name or "k_proj" in name or "query_key" in name):
                weight.mul_(10)
    return model


def _apart(one, other):
    return float((one - other).detach().abs().max()) > 1e-3  # a thousand times what rounding does


def _tokens(batch=2):
    return torch.randint(0, 31, (batch, SEQ), generator=torch.Generator().manual_seed(1))


def _llama(kind):
    rope = {"rope_type": kind, "rope_theta": 300.0, **ROPES[kind]}
    longest = ORIGINAL if kind == "dynamic" else 4 * ORIGINAL
    return transformers.LlamaConfig(
        **SIZES, num_key_value_heads=2, max_position_embeddings=longest, rope_parameters=rope
    )


def _training_step(model, tokens, **inputs):
    model.train()
    loss = model(input_ids=tokens, labels=tokens, **inputs).loss
    loss.backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return loss.detach(), {n: p.detach() for n, p in model.named_parameters()}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("kind", ROPES)
def test_llama_with_every_scaling(kind, dtype, monkeypatch):
    config, tokens = _llama(kind), _tokens()
    model = _build(transformers.LlamaForCausalLM, config, dtype)
    theirs = model(tokens).logits
    rotary = model.model.rotary_emb
    spec = RotarySpec.from_hf_config(config)
    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", _rotate(spec.layout))

    model.model.rotary_emb = Tables(spec, theirs=rotary)
    torch.testing.assert_close(model(tokens).logits, theirs, **ROUNDING)

    model.model.rotary_emb = Tables(spec)
    torch.testing.assert_close(model(tokens).logits, theirs, **ANGLES)
    if kind != "default":
        model.model.rotary_emb = Tables(RotarySpec(spec.dim, spec.base))
        assert _apart(model(tokens).logits, theirs)  # the comparison sees the scaling


@pytest.mark.parametrize("kind", ROPES)
def test_llama_training_step(kind, monkeypatch):
    config, tokens = _llama(kind), _tokens()
    model = _build(transformers.LlamaForCausalLM, config)
    model(tokens)  # "dynamic" sets its frequencies in the first call
    ours = copy.deepcopy(model)
    loss, weights = _training_step(model, tokens)
    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", _rotate("half"))
    spec = RotarySpec.from_hf_config(config)
    ours.model.rotary_emb = Tables(spec, theirs=model.model.rotary_emb)
    our_loss, our_weights = _training_step(ours, tokens)
    torch.testing.assert_close(our_loss, loss, **ROUNDING)
    for name, weight in weights.items():
        torch.testing.assert_close(our_weights[name], weight, **ROUNDING, msg=name)  # elsewhere: its norms


def test_llama_drop_in_function(monkeypatch):
    """``apply_rotary_pos_emb`` of posenc_lib in place of the model's, tables left as they are."""
    model, tokens = _build(transformers.LlamaForCausalLM, _llama("yarn")), _tokens()
    theirs = model(tokens).logits
    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", apply_rotary_pos_emb)
    torch.testing.assert_close(model(tokens).logits, theirs, **ROUNDING)  # elsewhere: norms in float32


@pytest.mark.parametrize("kind", ROPES)
def test_llama_decode_equals_prefill(kind, monkeypatch):
    """Token by token with the model's own cache, for every kind; the caller's length makes the difference."""
    config, tokens = _llama(kind), _tokens(1)
    model = _build(transformers.LlamaForCausalLM, config)

    def decoded():
        cache, rows = None, []
        for at in range(SEQ):
            out = model(tokens[:, at : at + 1], past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            rows.append(out.logits)
        return torch.cat(rows, dim=1)

    with torch.no_grad():
        own = float((decoded()[:, -1] - model(tokens).logits[:, -1]).abs().max())
        spec = RotarySpec.from_hf_config(config)
        monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", _rotate("half"))
        model.model.rotary_emb = Tables(spec, length=SEQ)
        torch.testing.assert_close(decoded(), model(tokens).logits, **ROUNDING)
    # transformers 5.23 switches frequencies between two tokens of a sequence; when that is repaired, say so.
    assert (own > 1e-3) == (kind in ("dynamic", "longrope"))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_gpt_neox_partial(dtype, monkeypatch):
    config = transformers.GPTNeoXConfig(
        **SIZES, rope_parameters={"rope_theta": 300.0, "partial_rotary_factor": 0.25, "rope_type": "default"}
    )
    model, tokens = _build(transformers.GPTNeoXForCausalLM, config, dtype), _tokens()
    spec = RotarySpec.from_hf_config(config)
    assert (spec.dim, spec.rotary_dim) == (16, 4)
    theirs, reference = model(tokens).logits, copy.deepcopy(model)
    monkeypatch.setattr(modeling_gpt_neox, "apply_rotary_pos_emb", _rotate(spec.layout))
    model.gpt_neox.rotary_emb = Tables(spec, theirs=model.gpt_neox.rotary_emb)
    torch.testing.assert_close(model(tokens).logits, theirs, **ROUNDING)
    _, ours = _training_step(model, tokens)
    monkeypatch.undo()
    _, weights = _training_step(reference, tokens)
    for name, weight in weights.items():
        torch.testing.assert_close(ours[name], weight, **ROUNDING, msg=name)


def _gptj(dtype=torch.float64):
    config = transformers.GPTJConfig(
        vocab_size=31, n_embd=64, n_head=4, n_layer=2, n_inner=96, rotary_dim=8, n_positions=64
    )
    return config, _build(transformers.GPTJForCausalLM, config, dtype)


def _rotate_gptj(x, sin, cos):
    return apply_rotary(x, cos[:, :, None].to(x.dtype), sin[:, :, None].to(x.dtype), layout="interleaved")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_gptj_interleaved(dtype, monkeypatch):
    config, model = _gptj(dtype)
    spec, tokens = RotarySpec.from_hf_config(config), _tokens()
    assert (spec.layout, spec.rotated, spec.dim) == ("interleaved", 8, 16)
    theirs = model(tokens).logits
    reference = copy.deepcopy(model)
    monkeypatch.setattr(modeling_gptj, "apply_rotary_pos_emb", _rotate_gptj)
    torch.testing.assert_close(model(tokens).logits, theirs, **ROUNDING)

    cos, sin = cos_sin(spec.inv_freq(), torch.arange(64), dtype=torch.float64)
    for block in model.transformer.h:
        block.attn.embed_positions = torch.cat([sin, cos], dim=-1)
    torch.testing.assert_close(model(tokens).logits, theirs, **ANGLES)
    loss, ours = _training_step(model, tokens)
    monkeypatch.undo()
    their_loss, weights = _training_step(reference, tokens)
    torch.testing.assert_close(loss, their_loss, **ANGLES)
    for name, weight in weights.items():
        torch.testing.assert_close(ours[name], weight, **ANGLES, msg=name)


def _qwen2_vl():
    text = {**SIZES, "num_key_value_heads": 2, "max_position_embeddings": 64}
    text["rope_parameters"] = {"rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 3, 3]}
    vision = {"embed_dim": 32, "hidden_size": 64, "depth": 1, "num_heads": 2, "spatial_merge_size": 2}
    return transformers.Qwen2VLConfig(text_config=text, vision_config=vision)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_qwen2_vl_multi_axis(dtype, monkeypatch):
    config = _qwen2_vl()
    model = _build(modeling_qwen2_vl.Qwen2VLForConditionalGeneration, config, dtype)
    spec = RotarySpec.from_hf_config(config)
    assert spec.sections == (2, 3, 3)
    ids, _ = positions_mrope([3, (1, 3, 4), 2, (1, 2, 2), SEQ - 21])
    ids, tokens = ids[:, None].expand(3, 2, SEQ), _tokens()
    text, inputs = model.model.language_model, {"input_ids": tokens, "position_ids": ids}
    theirs, rotary, reference = model(**inputs).logits, text.rotary_emb, copy.deepcopy(model)
    monkeypatch.setattr(modeling_qwen2_vl, "apply_rotary_pos_emb", _rotate(spec.layout))
    text.rotary_emb = Tables(spec, theirs=rotary)
    torch.testing.assert_close(model(**inputs).logits, theirs, **ROUNDING)
    text.rotary_emb = Tables(spec)
    torch.testing.assert_close(model(**inputs).logits, theirs, **ANGLES)
    flat = {"input_ids": tokens, "position_ids": torch.arange(SEQ).expand(3, 2, SEQ)}
    assert _apart(model(**flat).logits, theirs)  # the comparison sees the axes
    text.rotary_emb = Tables(spec, theirs=rotary)
    loss, ours = _training_step(model, tokens, position_ids=ids)
    monkeypatch.undo()
    their_loss, weights = _training_step(reference, tokens, position_ids=ids)
    torch.testing.assert_close(loss, their_loss, **ROUNDING)
    for name, weight in weights.items():
        torch.testing.assert_close(ours[name], weight, **ROUNDING, msg=name)


def test_qwen3_vl_deals_planes_in_turn(monkeypatch):
    rope = {
        "rope_type": "default",
        "rope_theta": 300.0,
        "mrope_section": [4, 2, 2],
        "mrope_interleaved": True,
    }
    config = transformers.Qwen3VLTextConfig(
        **SIZES, head_dim=16, num_key_value_heads=2, rope_parameters=rope, max_position_embeddings=64
    )
    spec = RotarySpec.from_hf_config(config)
    assert spec.sections == (4, 2, 2) and spec.sections_interleaved
    text = _build(modeling_qwen3_vl.Qwen3VLTextModel, config)
    ids, _ = positions_mrope([3, (1, 3, 4), 2, (1, 2, 2), SEQ - 21])
    inputs = {"input_ids": _tokens(), "position_ids": ids[:, None].expand(3, 2, SEQ)}
    theirs, rotary = text(**inputs).last_hidden_state, text.rotary_emb
    monkeypatch.setattr(modeling_qwen3_vl, "apply_rotary_pos_emb", _rotate(spec.layout))
    text.rotary_emb = Tables(spec, theirs=rotary)
    torch.testing.assert_close(text(**inputs).last_hidden_state, theirs, **ROUNDING)  # elsewhere: its norms
    blocks = RotarySpec(16, spec.base, sections=spec.sections)
    text.rotary_emb = Tables(blocks)
    assert _apart(text(**inputs).last_hidden_state, theirs)


def test_softmax_factor_equals_deepseeks_own():
    """DeepSeek-V3 multiplies the softmax scale by m(s, mscale_all_dim)² beside the ratio on its tables."""
    rope = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 40.0, "original_max_position_embeddings": 64}
    rope |= {"mscale": 1.0, "mscale_all_dim": 0.7, "beta_fast": 32.0, "beta_slow": 1.0}
    config = transformers.DeepseekV3Config(
        hidden_size=64,
        num_attention_heads=4,
        q_lora_rank=16,
        kv_lora_rank=16,
        v_head_dim=8,
        qk_rope_head_dim=8,
        qk_nope_head_dim=8,
        max_position_embeddings=2560,
        rope_parameters=rope,
    )
    spec = RotarySpec.from_hf_config(config)
    layer = modeling_deepseek_v3.DeepseekV3Attention(config, 0)
    assert spec.dim == 8 and spec.layout == "interleaved"
    assert layer.scaling == pytest.approx(16**-0.5 * spec.softmax_factor(), rel=1e-14)
    assert spec.softmax_factor() != 1.0
    theirs = modeling_deepseek_v3.DeepseekV3RotaryEmbedding(config)
    assert spec.attention_factor() == pytest.approx(theirs.attention_scaling, rel=1e-14)


def test_mrope_positions_equal_qwen2_vls_own():
    """Images: the same numbers. Its merge factor of 2 halves the grid it is given."""
    model = modeling_qwen2_vl.Qwen2VLModel(_qwen2_vl())
    segments = [3, (1, 3, 4), 2, (1, 2, 2), 4]
    kinds = torch.tensor([[0] * 3 + [1] * 12 + [0] * 2 + [1] * 4 + [0] * 4], dtype=torch.int32)
    grids = torch.tensor([[1, 6, 8], [1, 4, 4]])
    theirs, delta = model.get_rope_index(torch.zeros_like(kinds).long(), kinds, image_grid_thw=grids)
    ids, our_delta = positions_mrope(segments)
    assert torch.equal(theirs[:, 0], ids) and int(delta) == our_delta


def test_text_after_a_video_starts_beyond_all_its_positions():
    """The paper's rule. transformers 5.23 counts height and width alone: its text reuses 4, 5 of a video."""
    model = modeling_qwen2_vl.Qwen2VLModel(_qwen2_vl())
    ids, delta = positions_mrope([2, (5, 2, 2), 2])
    assert ids[:, -2:].tolist() == [[7, 8]] * 3 and int(ids[:, :-2].max()) == 6 and delta == 9 - 24
    kinds = torch.tensor([[0] * 2 + [2] * 20 + [0] * 2], dtype=torch.int32)
    theirs, _ = model.get_rope_index(
        torch.zeros_like(kinds).long(), kinds, video_grid_thw=torch.tensor([[5, 4, 4]])
    )
    assert torch.equal(theirs[:, 0, :-2], ids[:, :-2])
    assert theirs[:, 0, -2:].tolist() == [[4, 5]] * 3


def test_gemma3_with_a_spec_for_each_kind_of_layer(monkeypatch):
    config = transformers.Gemma3TextConfig(
        **SIZES | {"num_hidden_layers": 3},
        head_dim=16,
        num_key_value_heads=2,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
        sliding_window=8,
        rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e4},
            "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
        },
    )
    model, tokens = _build(transformers.Gemma3ForCausalLM, config), _tokens()
    theirs = model(tokens).logits
    specs = {name: RotarySpec.from_hf_config(config, name) for name in set(config.layer_types)}
    monkeypatch.setattr(modeling_gemma3, "apply_rotary_pos_emb", _rotate("half"))
    model.model.rotary_emb = Tables(specs)
    torch.testing.assert_close(model(tokens).logits, theirs, **ANGLES)
    model.model.rotary_emb = Tables(dict.fromkeys(specs, specs["full_attention"]))
    assert _apart(model(tokens).logits, theirs)


@pytest.mark.parametrize("kind", ROPES)
def test_float32_angles_give_the_tables_that_checkpoints_were_trained_with(kind):
    """``RotaryEmbedding(spec, angle_dtype=torch.float32)``: the model's own tables, bit for bit.

    "dynamic" and "longrope" put the same factors together in another order; they agree to the rounding.
    """
    config = _llama(kind)
    rope = RotaryEmbedding(RotarySpec.from_hf_config(config), angle_dtype=torch.float32)
    again = kind in ("dynamic", "longrope")
    position_ids = torch.arange(SEQ)[None] if again else torch.arange(0, 2**17, 997)[None]
    theirs = modeling_llama.LlamaRotaryEmbedding(config)(torch.zeros(1), position_ids)
    for ours, table in zip(rope.tables(position_ids, length=SEQ), theirs, strict=True):
        half = table[..., : table.shape[-1] // 2]
        assert torch.allclose(ours, half, rtol=0, atol=1e-6) if again else torch.equal(ours, half)
    exact = RotaryEmbedding(rope.spec).tables(position_ids, length=SEQ)
    assert not torch.equal(exact[0], rope.tables(position_ids, length=SEQ)[0])  # the mode makes a difference


def test_the_module_gives_what_the_tables_give():
    """RotaryEmbedding read from a config rotates as the model does."""
    config = _llama("yarn")
    generator = torch.Generator().manual_seed(0)
    q = torch.randn(2, 4, SEQ, 16, generator=generator, dtype=torch.float64)
    k = torch.randn(2, 2, SEQ, 16, generator=generator, dtype=torch.float64)
    ids = torch.arange(SEQ)[None]
    tables = modeling_llama.LlamaRotaryEmbedding(config)(q, ids)
    theirs = modeling_llama.apply_rotary_pos_emb(q, k, *tables)
    for ours, other in zip(RotaryEmbedding(RotarySpec.from_hf_config(config))(q, k), theirs, strict=True):
        torch.testing.assert_close(ours, other, rtol=0, atol=1e-4)
