"""A setting whose name nobody has seen before is refused by its words, if they bear on positions."""

import itertools

import pytest

from posenc_lib import RotarySpec
from posenc_lib.hf import specs
from posenc_lib.rotary.hf_models import names
from posenc_lib.rotary.hf_words import BEARS, HARMLESS, bears, is_switch

KNOWN = {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 2}
CONFIGS = [(KNOWN, {}), (KNOWN | {"model_type": "novel"}, {"layout": "half"})]
IDS = ["known type", "unknown type"]
both = pytest.mark.parametrize(("config", "choice"), CONFIGS, ids=IDS)

SWITCHES = [
    "_".join(filter(None, words))
    for words in itertools.product(
        ("", "use", "apply", "enable", "with", "is"),
        ("rope", "rotary", "qk_rope"),
        ("", "emb", "embedding", "position_embeddings", "enabled"),
    )
]


@both
@pytest.mark.parametrize("name", [*SWITCHES, "useRope", "applyRotaryEmb", "add_rope_to_attention"])
def test_a_switch_must_be_on(config, choice, name):
    plain = RotarySpec.from_hf_config(config, **choice)
    assert RotarySpec.from_hf_config(config | {name: True}, **choice) == plain
    for off in (False, None, 0, [], {}):
        for read in (RotarySpec.from_hf_config, specs):
            with pytest.raises(ValueError, match=rf"config has {name} = .*turn for True only"):
                read(config | {name: off}, **choice)
    for other in ([True, False], {"theta": 5e5}, "every third layer"):
        with pytest.raises(ValueError, match=rf"config has {name} = .* is not read"):
            RotarySpec.from_hf_config(config | {name: other}, **choice)
    assert RotarySpec.from_hf_config(config | {name: False}, **choice, handled=(name,)) == plain


def test_a_switch_beside_the_text_config_or_in_one_of_its_layers_counts():
    for name in ("use_rope", "rotary"):
        with pytest.raises(ValueError, match=f"config has {name} = False"):
            specs({"model_type": "aria", "text_config": KNOWN, name: False})
        with pytest.raises(ValueError, match=f"config has {name} = False"):
            specs(KNOWN | {"per_layer_config": {"1": {name: False}}})
    with pytest.raises(ValueError, match=r"config has rope_theta = 20000\.0"):
        specs(KNOWN | {"per_layer_config": {"1": {"rope_theta": 2e4}}})
    assert [one.dim for one in specs(KNOWN | {"per_layer_config": {"1": {"head_dim": 4}}})] == [8, 4]


def test_beside_the_text_config_and_in_a_layer_what_is_off_counts_only_where_it_means_a_layout():
    """A layout that is not said within is another one if it is said to be off without."""
    for name, off in itertools.product(("use_xpos", "is_neox_style"), (False, None, [], {})):
        outside = {"model_type": "aria", "text_config": KNOWN, name: off}
        in_a_layer = KNOWN | {"per_layer_config": {"1": {name: off}}}
        for config in (outside, in_a_layer):
            if name == "is_neox_style" and off is False:
                with pytest.raises(ValueError, match=f"config has {name} = False"):
                    specs(config)
            else:
                assert [one.dim for one in specs(config)] == [8, 8]


def test_a_value_is_shown_whole_where_it_takes_no_more_than_its_shortened_form():
    for length, end in ((57, "'"), (58, "'"), (59, "x ...")):
        with pytest.raises(ValueError) as refused:
            RotarySpec.from_hf_config(KNOWN | {"pe_type": "x" * length})
        shown = str(refused.value).removeprefix("config has pe_type = ").split(",")[0]
        assert shown.endswith(end) and len(shown) == min(length + 2, 60)


@pytest.mark.parametrize("theta", [0, -1e4, float("nan"), float("inf"), 10**400])
def test_a_base_that_is_not_positive_and_finite_is_refused_by_its_key(theta):
    with pytest.raises(ValueError, match=r"^rope_theta must be "):
        RotarySpec.from_hf_config(
            {"model_type": "llama", "head_dim": 8, "rope_parameters": {"rope_theta": theta}}
        )


BEARING = {
    "xpos": True,
    "use_xpos": True,
    "xpos_scale_base": 512,
    "cope": True,
    "fope": {"terms": 3},
    "pe_type": "alibi",
    "pos_encoding": "learned",
    "use_rel_pos": True,
    "use_abs_pos": True,
    "relative_attention": True,
    "relative_attention_num_buckets": 32,
    "relativeAttention": True,
    "max_distance": 128,
    "attn_scale": 0.1,
    "floor_scale": 8192,
    "log_scaling_alpha": 0.1,
    "rot_dim": 4,
    "rotate_fraction": 0.5,
    "rotation_style": "complex",
    "rel_pos_bins": 32,
    "window_bias": True,
    "seq_len_interpolation_factor": 2.0,
    "scaling_factor": 4.0,
    "interleaved_heads": True,
    "gpt_neox_rotation": True,
    "forget_gate": True,
    "use_kerple": True,
    "max_wavelength": 1e4,
    "no_rope": True,
    "disable_rotary": True,
}


@both
@pytest.mark.parametrize("name", BEARING)
def test_a_name_that_bears_on_positions_is_refused(config, choice, name):
    with pytest.raises(ValueError, match=rf"config has {name} = .* bears on positions and is not read"):
        RotarySpec.from_hf_config(config | {name: BEARING[name]}, **choice)
    plain = RotarySpec.from_hf_config(config, **choice)
    for off in (None, False, [], {}):
        assert RotarySpec.from_hf_config(config | {name: off}, **choice) == plain
    assert RotarySpec.from_hf_config(config | {name: BEARING[name]}, **choice, handled=(name,)) == plain


PAIRS = [
    *(
        (name, "interleaved")
        for name in ("interleaved", "is_interleaved", "rope_interleave", "ropeInterleaved")
    ),
    *((name, "half") for name in ("is_neox_style", "neox", "use_gpt_neox_style", "rotary_neox_layout")),
]


@pytest.mark.parametrize(("name", "layout"), PAIRS)
def test_a_name_that_stands_for_a_layout_must_agree_with_it(name, layout):
    """True for the one, False for the other; of an unknown type it agrees with what the caller says."""
    for model_type, own in (("llama", "half"), ("cohere", "interleaved"), ("novel", "half")):
        config = KNOWN | {"model_type": model_type}
        agrees = layout == own
        assert RotarySpec.from_hf_config(config | {name: agrees}, layout=own).layout == own
        assert RotarySpec.from_hf_config(config | {name: None}, layout=own).layout == own
        for value in (not agrees, "yes"):
            with pytest.raises(ValueError, match=f"the layout is '{own}', but the config has {name} = "):
                RotarySpec.from_hf_config(config | {name: value}, layout=own)
    with pytest.raises(ValueError, match=f"config has {name} = "):
        specs({"model_type": "aria", "text_config": KNOWN, name: layout != "half"})


OTHERS = names(
    """
    hidden_size property rms_norm_eps sliding_window attention_bias attention_dropout precision labels scope
    query_pre_attn_scalar routed_scaling_factor logit_scale scale_attn_weights interleave_moe_layer_step
    relu_slope scale_embedding type_vocab_size bos_token_id pretraining_tp number_of_windows num_neoxxx
    embedding_multiplier attention_multiplier release rotten_tomatoes
    """
)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_other_names_are_let_be(name):
    assert not bears(name) and not is_switch(name)
    assert RotarySpec.from_hf_config(KNOWN | {name: 3}) == RotarySpec.from_hf_config(KNOWN)


def test_the_list_of_harmless_names_holds_only_what_the_words_would_refuse():
    assert [name for name in HARMLESS if BEARS.search(name) is None] == []
