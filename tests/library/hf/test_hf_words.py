"""A setting whose name nobody has seen before is refused by its words, if they bear on positions."""

import itertools
import json
from pathlib import Path

import pytest
from config_cases import cases

from posenc_lib import RotarySpec
from posenc_lib.hf import specs
from posenc_lib.hf.config import models
from posenc_lib.hf.config.keys import bears, is_switch

WORDS = cases("words")
BEARING = WORDS["set"] | WORDS["bearing"]
KNOWN = {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 2}
TYPES = {"known type": (KNOWN, {}), "unknown type": (KNOWN | {"model_type": "novel"}, {"layout": "half"})}
both = pytest.mark.parametrize(("config", "choice"), TYPES.values(), ids=TYPES)
SWITCHES = itertools.product(
    ("", "use", "apply", "enable", "with", "is"),
    ("rope", "rotary", "qk_rope"),
    ("", "emb", "embedding", "position_embeddings", "enabled"),
)
SWITCHES = ["_".join(filter(None, words)) for words in SWITCHES]
OFF = (None, False, [], {})
read = RotarySpec.from_hf_config


@both
@pytest.mark.parametrize("name", [*SWITCHES, "useRope", "applyRotaryEmb", "add_rope_to_attention"])
def test_a_switch_must_be_on(config, choice, name):
    plain = read(config, **choice)
    assert read(config | {name: True}, **choice) == plain
    for off in (*OFF, 0):
        for reader in (read, specs):
            with pytest.raises(ValueError, match=rf"config has {name} = .*turn for True only"):
                reader(config | {name: off}, **choice)
    for other in ([True, False], {"theta": 5e5}, "every third layer"):
        with pytest.raises(ValueError, match=rf"config has {name} = .* is not read"):
            read(config | {name: other}, **choice)
    assert read(config | {name: False}, **choice, handled=(name,)) == plain


@both
@pytest.mark.parametrize("name", BEARING)
def test_a_name_that_bears_on_positions_is_refused(config, choice, name):
    """By construction: a name that no list knows is refused as well; a setting that is off is not."""
    on, plain = config | {name: BEARING[name]}, read(config, **choice)
    said = rf"config has {name} = .*" + "not read" * (name not in WORDS["set"])
    with pytest.raises(ValueError, match=said):
        read(on, **choice)
    assert all(read(config | {name: off}, **choice) == plain for off in OFF)
    assert read(on, **choice, handled=(name,)) == plain


@both
def test_a_temperature_of_1_which_version_4_writes_into_every_config_changes_nothing(config, choice):
    with_it = config | {"temperature": 1.0, "top_k": 50, "top_p": 1.0}
    assert specs(with_it, **choice) == specs(config, **choice)
    assert specs({"model_type": "aria", "text_config": config, "temperature": 1.0}, **choice)


@pytest.mark.parametrize("key", [{"rotary_pct": 0.25}, {"rotary_emb_base": 1e3}], ids=str)
def test_another_familys_key_is_gone_where_you_say_that_your_code_handles_it(key):
    with pytest.raises(ValueError, match=f"config has {next(iter(key))} = "):
        read(KNOWN | key)
    assert read(KNOWN | key, handled=tuple(key)) == read(KNOWN)


@pytest.mark.parametrize(("layout", "name"), [(k, name) for k, v in WORDS["layouts"].items() for name in v])
def test_a_name_that_stands_for_a_layout_must_agree_with_it(name, layout):
    """True for the one, False for the other; of an unknown type it agrees with what the caller says."""
    for model_type, own in (("llama", "half"), ("cohere", "interleaved"), ("novel", "half")):
        config, agrees = KNOWN | {"model_type": model_type}, layout == own
        for value in (agrees, None):
            assert read(config | {name: value}, layout=own).layout == own
        for value in (not agrees, "yes"):
            with pytest.raises(ValueError, match=f"the layout is '{own}', but the config has {name} = "):
                read(config | {name: value}, layout=own)
    with pytest.raises(ValueError, match=f"config has {name} = "):
        specs({"model_type": "aria", "text_config": KNOWN, name: layout != "half"})


@pytest.mark.parametrize("name", ["use_xpos", "is_neox_style"])
@pytest.mark.parametrize("off", OFF, ids=str)
def test_beside_the_text_config_and_in_a_layer_what_is_off_is_let_be(name, off):
    """Only a layout that is not said within is another one if it is off without: that is refused."""
    if (name, off) != ("is_neox_style", False):
        beside = {"model_type": "aria", "text_config": KNOWN, name: off}
        for config in (beside, KNOWN | {"per_layer_config": {"1": {name: off}}}):
            assert [one.dim for one in specs(config)] == [8, 8]


def test_a_layer_may_have_a_width_of_its_own():
    assert [one.dim for one in specs(KNOWN | {"per_layer_config": {"1": {"head_dim": 4}}})] == [8, 4]


def test_a_value_is_shown_whole_where_it_takes_no_more_than_its_shortened_form():
    for length, end in ((57, "'"), (58, "'"), (59, "x ...")):
        with pytest.raises(ValueError) as refused:
            read(KNOWN | {"pe_type": "x" * length})
        shown = str(refused.value).removeprefix("config has pe_type = ").split(",")[0]
        assert shown.endswith(end) and len(shown) == min(length + 2, 60)


@pytest.mark.parametrize("name", WORDS["let be"])
def test_other_names_are_let_be(name):
    assert not bears(name) and not is_switch(name)
    assert read(KNOWN | {name: 3}) == read(KNOWN)


def test_rows_of_models_stand_in_order_and_each_once():
    written = Path(models.__file__).with_suffix(".json").read_text("utf-8")
    names = [name for name, _ in json.loads(written, object_pairs_hook=list)]
    assert names == sorted(set(names))
