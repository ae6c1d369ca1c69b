"""A model that turns otherwise than its config says is refused, whatever plane it is and however little."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch

from posenc_lib import RotarySpec
from posenc_lib.hf import use_in
from posenc_lib.hf.check import COUNTED, UNSAID, _near_and_far

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import observed_layers  # noqa: E402
from small_models import WRITTEN, made  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402

OTHER = r"another than that of its config: it differs from RotarySpec.* by \d\S* at position \d"
UNTOUCHED = rf"{OTHER}.*Nothing was changed$"  # and no cause is named


def rotary_of(model):
    return next(m for name, m in model.named_modules() if name.endswith("rotary_emb"))


def llama(base, longest):
    rope = {"rope_type": "default", "rope_theta": base}
    one = {"num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": 128}
    return made("llama", torch.float32, rope_parameters=rope, max_position_embeddings=longest, **one)


def change(rotary, what, number):
    if what == "factor":
        rotary.attention_scaling = number
    elif what == "base":
        rotary.inv_freq.copy_(number ** -(torch.arange(0, 128, 2) / 128))
    else:
        rotary.inv_freq[-int(what.removeprefix("last ")) :] *= number


OTHERS = WRITTEN["other rotations"]


@pytest.mark.parametrize(("base", "longest", "what", "number"), OTHERS.values(), ids=OTHERS)
def test_another_rotation_is_refused_and_the_models_own_is_not(base, longest, what, number):
    model = llama(base, longest)
    use_in(model).restore()
    own = model.model.rotary_emb
    change(own, what, number)
    with pytest.raises(ValueError, match=UNTOUCHED):
        use_in(model)
    assert model.model.rotary_emb is own


KINDS = WRITTEN["forms of tables"]


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


TURN = modeling_llama.apply_rotary_pos_emb
OTHER_TURNS = {
    "back": lambda q, k, cos, sin, unsqueeze_dim=1: TURN(q, k, cos, -sin, unsqueeze_dim),
    "not at all": lambda q, k, cos, sin, unsqueeze_dim=1: (q, k),
    "by complex numbers": lambda xq, xk, freqs_cis: (xq * freqs_cis.real, xk * freqs_cis.real),
    "by other names": lambda q, k, cosine, sine, unsqueeze_dim=1: TURN(q, k, cosine, sine),
}


@pytest.mark.parametrize("other", OTHER_TURNS.values(), ids=OTHER_TURNS)
def test_a_function_that_turns_otherwise_is_refused(other, monkeypatch):
    """The tables are right, and the turn is not, or is called by names that nobody knows."""
    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", other)
    with pytest.raises(ValueError, match=r"apply_rotary_pos_emb turns by no layout\. Nothing was changed"):
        use_in(made("llama", torch.float32))
    assert modeling_llama.apply_rotary_pos_emb is other


@pytest.mark.parametrize(("longest", "last"), [(80, 79), (10 * COUNTED, COUNTED - 1), (None, UNSAID - 1)])
def test_tables_are_compared_to_the_last_position_in_steps_of_ten_at_most(longest, last):
    config = SimpleNamespace(max_position_embeddings=longest)
    found = _near_and_far(RotarySpec(8), config, None).tolist()
    assert found[:5] == [0, 1, 2, 3, 7] and found[-2:] == [last - 1, last]
    assert all(low < high <= 10 * low for low, high in pairwise(found[1:]))


KNOWN_ALMOST = {
    "one of two": lambda cos, sin: cos,
    "too few": lambda cos, sin: (cos[..., :6], sin[..., :6]),
    "halves differ": lambda cos, sin: (cos, sin + 1e-7 * torch.arange(sin.shape[-1])),
}


@pytest.mark.parametrize("changed", KNOWN_ALMOST.values(), ids=KNOWN_ALMOST)
def test_tables_of_a_kind_that_is_not_known_are_refused(changed, monkeypatch):
    kind = modeling_llama.LlamaRotaryEmbedding
    own = kind.forward
    monkeypatch.setattr(kind, "forward", lambda self, x, position_ids: changed(*own(self, x, position_ids)))
    with pytest.raises(ValueError, match=r"gives tables of shape .* not known for 8 planes"):
        use_in(made("llama", torch.float32))


@pytest.mark.parametrize("model_type", WRITTEN["as released"])
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
