"""A model that turns otherwise than its config says is refused, whatever plane it is and however little."""

import pytest
import torch

from posenc_lib.hf import use_in

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import observed_layers  # noqa: E402
from small_models import made  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402

OTHER = r"another than that of its config: it differs from RotarySpec.* by \d\S* at position \d"


def rotary_of(model):
    return next(m for name, m in model.named_modules() if name.endswith("rotary_emb"))


def frequencies(rotary):
    """All tensors that the module may take its frequencies from."""
    tensors = dict(rotary.named_buffers()) | {k: v for k, v in vars(rotary).items() if torch.is_tensor(v)}
    return {id(t): t for name, t in tensors.items() if name.endswith("inv_freq")}.values()


def llama(base, longest):
    rope = {"rope_type": "default", "rope_theta": base}
    one = {"num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": 128}
    return made("llama", torch.float32, rope_parameters=rope, max_position_embeddings=longest, **one)


def zeroed(count):
    def change(rotary):
        rotary.inv_freq[-count:] = 0

    return change


def scaled(rotary):
    rotary.attention_scaling = 1.0015


def slower(rotary):
    rotary.inv_freq[-3:] *= 0.85


def another_base(rotary):
    rotary.inv_freq.copy_(1.00003e6 ** -(torch.arange(0, 128, 2) / 128))


@pytest.mark.parametrize(
    ("base", "longest", "change"),
    [
        (1e7, 1_010_000, zeroed(8)),
        (1e7, 131_072, zeroed(1)),
        (1e4, 4096, zeroed(1)),
        (5e5, 131_072, scaled),
        (5e5, 131_072, slower),
        (1e6, 131_072, another_base),
        (1e6, 2**25, zeroed(1)),
    ],
    ids=["last 8 zeroed", "last zeroed", "last zeroed, 1e4", "factor", "last 3 slower", "base", "2**25"],
)
def test_another_rotation_is_refused_and_the_models_own_is_not(base, longest, change):
    model = llama(base, longest)
    use_in(model).restore()
    own = model.model.rotary_emb
    change(own)
    with pytest.raises(ValueError, match=OTHER):
        use_in(model)
    assert model.model.rotary_emb is own


DYNAMIC = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 300.0}
OWN = ("inv_freq",)
KINDS = {
    "llama3": ("llama", {}, None, OWN),
    "dynamic": ("mistral", {"rope_parameters": DYNAMIC, "max_position_embeddings": 64}, None, OWN),
    "longrope, short": ("phi3", {}, 64, ("original_inv_freq",)),
    "longrope, long": ("phi3", {}, 200, ("long_inv_freq",)),
    "pairs": ("cohere", {}, None, OWN),
    "once": ("gpt_oss", {"head_dim": 16, "max_position_embeddings": 131072}, None, OWN),
    "partial": ("glm", {}, None, OWN),
    "local and global": ("gemma3_text", {}, None, ("sliding_attention_inv_freq", "full_attention_inv_freq")),
    "one tensor": ("gemma4_text", {}, None, ("sliding_attention_inv_freq", "full_attention_inv_freq")),
    "complex": ("llama4_text", {}, None, OWN),
    "gathered": ("deepseek_v3", {}, None, OWN),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_plane_and_the_factor_are_seen(kind):
    """A thousandth more of one frequency, 1.0015 of the factor: refused; as it was: taken."""
    model_type, config, length, names = KINDS[kind]
    model = made(model_type, torch.float32, **config)
    rotary = rotary_of(model)
    typed = {"layer_type": names[0].removesuffix("_inv_freq")} if len(names) == 2 else {}
    rotary(torch.zeros(1), torch.arange(length or 8)[None], **typed)  # phi3 makes the long ones when asked
    use_in(model, length=length).restore()
    for frequency in (getattr(rotary, name) for name in names):
        turning = frequency.nonzero().flatten().tolist()
        assert len(turning) >= 2
        for plane in turning:
            kept = frequency[plane].clone()
            frequency[plane] *= 1.001
            with pytest.raises(ValueError, match=rf"{OTHER}.* in plane {plane} of "):
                use_in(model, length=length)
            frequency[plane] = kept
    factors = [name for name in vars(rotary) if name.endswith("attention_scaling")]
    assert factors
    for name in factors:
        kept = getattr(rotary, name)
        setattr(rotary, name, kept * 1.0015)
        with pytest.raises(ValueError, match=OTHER):
            use_in(model, length=length)
        setattr(rotary, name, kept)
    use_in(model, length=length).restore()


@pytest.mark.parametrize("sign", [-1.0, 0.0])
def test_a_function_that_turns_otherwise_is_refused(sign, monkeypatch):
    """The tables are right, and the turn is not."""
    own = modeling_llama.apply_rotary_pos_emb

    def other(q, k, cos, sin, unsqueeze_dim=1):
        return own(q, k, cos, sign * sin, unsqueeze_dim)

    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", other)
    model = made("llama", torch.float32)
    with pytest.raises(ValueError, match=r"apply_rotary_pos_emb turns by no layout\. Nothing was changed"):
        use_in(model)
    assert modeling_llama.apply_rotary_pos_emb is other


AS_RELEASED = ["gpt_oss", "openai_privacy_filter", "llama", "qwen3", "gemma3_text", "gemma4_text", "glm4"]
AS_RELEASED += [
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "llama4_text",
    "cohere2",
    "ernie4_5",
    "modernbert",
]


@pytest.mark.parametrize("model_type", AS_RELEASED)
def test_default_sizes_and_contexts_are_taken(model_type):
    """Widths, bases, scalings and contexts as the config class has them; weights have no numbers here."""
    config = observed_layers.fewer_layers(CONFIG_MAPPING[model_type]())
    with torch.device("meta"):
        model = transformers.AutoModel.from_config(config)
    for name, module in list(model.named_modules()):
        if name.rpartition(".")[2].startswith("rotary_emb"):
            model.set_submodule(name, type(module)(module.config))
    with use_in(model) as used:
        assert any(used.specs)
