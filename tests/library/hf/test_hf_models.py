"""Small random Hugging Face models that turn by this library: the same logits and training steps.

With float32 angles logits and parameters agree to rounding (ours fuses a product and a sum; the model rounds
twice). With float64 angles from the spec, logits differ only by what the model's own float32 angles are off.
"""

import copy

import pytest
import torch

from posenc_lib import KVCache, RotaryEmbedding, RotarySpec, attention, inv_freq, positions_mrope
from posenc_lib.hf import use_in
from posenc_lib.rotary.scaling.rules import scale

transformers = pytest.importorskip("transformers")
from small_models import ANGLES, ROPES, SIZES, TOKENS, made, sharpened  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402
from transformers.models.deepseek_v3 import modeling_deepseek_v3  # noqa: E402
from transformers.models.ernie4_5_vl_moe.modeling_ernie4_5_vl_moe import Ernie4_5_VLMoeTextModel  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402
from transformers.models.qwen2_vl import modeling_qwen2_vl  # noqa: E402
from transformers.models.qwen3_vl import modeling_qwen3_vl  # noqa: E402

SEQ = TOKENS.shape[1]  # longer than the original context of 16, so that length-dependent rules act
# The same numbers rounded once less, or summed in another order, through normalisation layers that work in
# float32 whatever the model's dtype: a few units of 6e-8 in logits of size 0.5, amplified by two layers.
ROUNDING = {"rtol": 0.0, "atol": 1e-6}


def llama(kind, dtype=torch.float64):
    rope = {"rope_type": kind, "rope_theta": 300.0, **ROPES[kind]}
    longest = 16 if kind == "dynamic" else 64
    return made("llama", dtype, rope_parameters=rope, max_position_embeddings=longest, num_hidden_layers=2)


def trained(model):
    """The loss and the parameters after one step."""
    model = copy.deepcopy(model).train()
    loss = model(input_ids=TOKENS, labels=TOKENS).loss
    loss.backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return {"loss": loss.detach(), **{name: p.detach() for name, p in model.named_parameters()}}


def near(found, expected, **tolerance):
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, **tolerance, msg=name)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("kind", ROPES)
def test_llama_with_every_scaling(kind, dtype):
    model = llama(kind, dtype)
    theirs = model(TOKENS).logits.detach()  # "dynamic" sets its frequencies in the first call
    step = trained(model)
    with use_in(model, angle_dtype=torch.float32, length=SEQ):
        torch.testing.assert_close(model(TOKENS).logits, theirs, **ROUNDING)
        near(trained(model), step, **ROUNDING)  # elsewhere: its norms
    with use_in(model, length=SEQ):
        torch.testing.assert_close(model(TOKENS).logits, theirs, **ANGLES)
        if kind != "default":  # the comparison sees the scaling
            (tables,) = (m for m in model.modules() if type(m).__name__ == "Tables")
            for rope in tables.ropes.values():
                rope.spec = RotarySpec(rope.spec.dim, rope.spec.base)
            assert float((model(TOKENS).logits - theirs).detach().abs().max()) > 1e-3


@pytest.mark.parametrize("kind", ROPES)
@torch.no_grad()
def test_llama_decode_equals_prefill(kind):
    """Token by token with the model's own cache, for every kind; the caller's length makes the difference."""
    model = llama(kind)

    def decoded():
        cache, rows = None, []
        for at in range(SEQ):
            out = model(TOKENS[:1, at : at + 1], past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            rows.append(out.logits)
        return torch.cat(rows, dim=1)

    apart = float((decoded()[:, -1] - model(TOKENS[:1]).logits[:, -1]).abs().max())
    with use_in(model, length=SEQ):
        torch.testing.assert_close(decoded(), model(TOKENS[:1]).logits, **ROUNDING)
    # transformers 5.23 switches frequencies between two tokens of a sequence; when that is repaired, say so.
    assert (apart > 1e-3) == (kind in ("dynamic", "longrope"))


@torch.no_grad()
def test_the_memory_of_a_static_cache_is_that_of_a_preallocated_one():
    """Filled by the model, read and written by ours: the next token attends as in the model's own layer."""
    model = made("llama", torch.float64, num_hidden_layers=1)
    static = transformers.StaticCache(config=model.config, max_cache_len=SEQ)
    model(TOKENS[:, :6], past_key_values=static)
    (held,) = static.layers
    slots, at = torch.arange(SEQ), torch.tensor([6])
    places, used = slots.where(slots < 6, 2**53), held.cumulative_length.clone()
    cache = KVCache(held.keys, held.values, places, used=used)
    layer, x = model.model.layers[0].self_attn, torch.randn(len(TOKENS), 1, model.config.hidden_size).double()
    projected = (f(x) for f in (layer.q_proj, layer.k_proj, layer.v_proj))
    q, k, v = (y.unflatten(-1, (-1, layer.head_dim)).transpose(1, 2) for y in projected)
    rope = RotaryEmbedding(RotarySpec.from_hf_config(model.config), angle_dtype=torch.float32)
    q, k = rope(q, k, at)
    cache = cache.extended(k, v, at)
    z = attention(q, cache.k, cache.v, position_ids=(at, cache.position_ids), causal=True)
    assert torch.equal(held.keys[:, :, 6:7], k) and cache.k.data_ptr() == held.keys.data_ptr()
    seen = torch.zeros(SEQ).double().where(slots <= 6, -torch.inf)[None, None, None]
    tables = model.model.rotary_emb(x, at[None])
    theirs, _ = layer(x, position_embeddings=tables, attention_mask=seen, past_key_values=static)
    torch.testing.assert_close(layer.o_proj(z.transpose(1, 2).flatten(2)), theirs, **ROUNDING)


@pytest.mark.parametrize("kind", ROPES)
def test_float32_angles_give_the_tables_that_checkpoints_were_trained_with(kind):
    """``RotaryEmbedding(spec, angle_dtype=torch.float32)``: the model's own tables, bit for bit.

    "dynamic" and "longrope" put the same factors together in another order; they agree to the rounding.
    """
    config = llama(kind).config
    rope = RotaryEmbedding(RotarySpec.from_hf_config(config), angle_dtype=torch.float32)
    again = kind in ("dynamic", "longrope")
    position_ids = torch.arange(SEQ)[None] if again else torch.arange(0, 2**17, 997)[None]
    theirs = modeling_llama.LlamaRotaryEmbedding(config)(torch.zeros(1), position_ids)
    for ours, table in zip(rope.tables(position_ids, length=SEQ), theirs, strict=True):
        half = table[..., : table.shape[-1] // 2]
        assert torch.allclose(ours, half, rtol=0, atol=1e-6) if again else torch.equal(ours, half)
    exact = RotaryEmbedding(rope.spec).tables(position_ids, length=SEQ)
    assert not torch.equal(exact[0], rope.tables(position_ids, length=SEQ)[0])  # the mode makes a difference


LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0}
RELEASED = {
    "Llama 3.1": (128, 5e5, 8192, LLAMA3 | {"factor": 8.0}),
    "Llama 3.2": (64, 5e5, 8192, LLAMA3 | {"factor": 32.0}),
    "gpt-oss": (64, 1.5e5, 4096, {"rope_type": "yarn", "factor": 32.0, "truncate": False}),
    "Qwen 3": (128, 1e6, 32768, {"rope_type": "yarn", "factor": 4.0}),
    "DeepSeek-V3": (64, 1e4, 4096, {"rope_type": "yarn", "factor": 40.0}),
}


@pytest.mark.parametrize("name", RELEASED)
def test_frequencies_are_those_of_released_models_to_the_bit(name):
    """All planes. YaRN's code divides by s before it inverts: s = 40, no power of two, rounds otherwise."""
    dim, base, original, rope = RELEASED[name]
    sizes = {"head_dim": dim, "hidden_size": 4 * dim, "num_attention_heads": 4}
    rope = {"rope_theta": base, "original_max_position_embeddings": original, **rope}
    longest = int(rope["factor"] * original)
    config = modeling_llama.LlamaConfig(**sizes, max_position_embeddings=longest, rope_parameters=rope)
    theirs = modeling_llama.LlamaRotaryEmbedding(config).inv_freq
    spec = RotarySpec.from_hf_config(config)
    ours, _ = scale(spec.scaling, inv_freq(dim, base, dtype=torch.float32), params=spec.params)
    torch.testing.assert_close(ours, theirs, rtol=2**-23 if name == "DeepSeek-V3" else 0, atol=0)


ERNIE = {"mlp_layer_types": ["dense"] * 4, "moe_num_experts": 2}
SEVERAL_AXES = {
    "qwen2_vl_text": (modeling_qwen2_vl.Qwen2VLTextModel, [2, 3, 3], {}, [0] * 2 + [1] * 3 + [2] * 3),
    "qwen3_vl_text": (modeling_qwen3_vl.Qwen3VLTextModel, [4, 2, 2], {}, [0, 1, 2, 0, 1, 2, 0, 0]),
    "ernie4_5_vl_moe_text": (Ernie4_5_VLMoeTextModel, [3, 3, 2], ERNIE, [1, 2] * 3 + [0, 0]),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("model_type", SEVERAL_AXES)
@torch.no_grad()
def test_planes_that_turn_by_several_axes(model_type, dtype):
    """Images between texts; and text alone, whose coordinates are equal."""
    build, section, more, axes = SEVERAL_AXES[model_type]
    rope = {"rope_type": "default", "rope_theta": 300.0, "mrope_section": section}
    config = CONFIG_MAPPING[model_type](**SIZES | more, head_dim=16, rope_parameters=rope)
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    model = sharpened(build(config).to(dtype).eval())
    places, _ = positions_mrope([3, (1, 3, 4), 2, (1, 2, 2), SEQ - 21])
    images, texts = places[:, None].expand(3, 2, SEQ), torch.arange(SEQ).expand(3, 2, SEQ)

    def states(at):
        return model(TOKENS, position_ids=at).last_hidden_state

    theirs, flat = states(images), states(texts)
    with use_in(model, angle_dtype=torch.float32) as used:
        torch.testing.assert_close(states(images), theirs, rtol=0, atol=2e-6)
        torch.testing.assert_close(states(texts), flat, rtol=0, atol=2e-6)
    assert list(used.specs[0].axes) == axes
    assert (theirs - flat).abs().max() > 1e-3  # the comparison sees the axes


def test_softmax_factor_equals_deepseeks_own():
    """DeepSeek-V3 multiplies the softmax scale by m(s, mscale_all_dim)² beside the ratio on its tables."""
    rope = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 40.0, "original_max_position_embeddings": 64}
    rope |= {"mscale": 1.0, "mscale_all_dim": 0.7, "beta_fast": 32.0, "beta_slow": 1.0}
    config = made("deepseek_v3", max_position_embeddings=2560, rope_parameters=rope).config
    spec = RotarySpec.from_hf_config(config)
    layer = modeling_deepseek_v3.DeepseekV3Attention(config, 0)
    assert spec.dim == 8 and spec.layout == "interleaved" and spec.softmax_factor() != 1.0
    assert layer.scaling == pytest.approx(16**-0.5 * spec.softmax_factor(), rel=1e-14)
    theirs = modeling_deepseek_v3.DeepseekV3RotaryEmbedding(config)
    assert spec.attention_factor() == pytest.approx(theirs.attention_scaling, rel=1e-14)
    assert RotarySpec(16, scaling="yarn", params=ROPES["yarn"]).softmax_factor() == 1.0


@pytest.fixture(scope="module")
def qwen2_vl():
    rope = {"rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 3, 3]}
    text = SIZES | {"rope_parameters": rope}
    vision = {"embed_dim": 32, "hidden_size": 64, "depth": 1, "num_heads": 2, "spatial_merge_size": 2}
    return modeling_qwen2_vl.Qwen2VLModel(transformers.Qwen2VLConfig(text_config=text, vision_config=vision))


def test_mrope_positions_equal_qwen2_vls_own(qwen2_vl):
    """Images: the same numbers. Its merge factor of 2 halves the grid it is given."""
    kinds = torch.tensor([[0] * 3 + [1] * 12 + [0] * 2 + [1] * 4 + [0] * 4], dtype=torch.int32)
    grids = torch.tensor([[1, 6, 8], [1, 4, 4]])
    theirs, delta = qwen2_vl.get_rope_index(torch.zeros_like(kinds).long(), kinds, image_grid_thw=grids)
    ids, our_delta = positions_mrope([3, (1, 3, 4), 2, (1, 2, 2), 4])
    assert torch.equal(theirs[:, 0], ids) and int(delta) == our_delta


def test_text_after_a_video_starts_beyond_all_its_positions(qwen2_vl):
    """The paper's rule. transformers 5.23 counts height and width alone: its text reuses 4, 5 of a video."""
    ids, delta = positions_mrope([2, (5, 2, 2), 2])
    assert ids[:, -2:].tolist() == [[7, 8]] * 3 and int(ids[:, :-2].max()) == 6 and delta == 9 - 24
    kinds = torch.tensor([[0] * 2 + [2] * 20 + [0] * 2], dtype=torch.int32)
    grid = torch.tensor([[5, 4, 4]])
    theirs, _ = qwen2_vl.get_rope_index(torch.zeros_like(kinds).long(), kinds, video_grid_thw=grid)
    assert torch.equal(theirs[:, 0, :-2], ids[:, :-2]) and theirs[:, 0, -2:].tolist() == [[4, 5]] * 3
