"""Every model type of the installed transformers: read and equal, layer by layer, or refused by name."""

import json
import os

import pytest

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import model_types  # noqa: E402
import observed_layers  # noqa: E402
import used_types  # noqa: E402
from config_cases import some  # noqa: E402
from small_models import WRITTEN  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

from posenc_lib.hf import specs  # noqa: E402

VERDICTS = {"equal", "refused", "no rotation", "as its text part", "no default config"}
BRIEF = {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 7}


@pytest.fixture(scope="module")
def fresh():
    return model_types.every_type(some(CONFIG_MAPPING))


def test_every_type_is_equal_or_refused(fresh):
    wrong = {name: one for name, one in fresh["types"].items() if one["verdict"] not in VERDICTS}
    assert wrong == {}


def test_the_stored_record_is_a_fresh_one(fresh):
    """After a change: python tests/library/hf/model_types.py, and look at what it changes."""
    stored = _stored(fresh["transformers"])
    changed = {
        name: (stored["types"].get(name), one)
        for name, one in fresh["types"].items()
        if _as_read(stored["types"].get(name, {})) != one
    }
    assert changed == {} and list(stored["types"]) == sorted(CONFIG_MAPPING)


def test_models_are_used_or_refused_as_stored(fresh):
    """All that are not used, and a few that are; once a week every one."""
    stored = _stored(fresh["transformers"])["types"]
    asked = {name: one["use_in"] for name, one in stored.items() if "use_in" in one}
    assert asked.keys() & fresh["types"] == {n for n, one in fresh["types"].items() if used_types.asked(one)}
    used = [name for name, answer in asked.items() if answer == "yes"]
    few = asked.keys() - set(used) | set(used[::20])
    chosen = asked if os.environ.get("WHOLE_RUNS") else {name: asked[name] for name in few}
    assert {name: used_types.in_use(name, stored[name]["config"]) for name in chosen} == chosen
    assert len(used) > 150 and len(asked) - len(used) > 10


def _as_read(record):
    return {key: value for key, value in record.items() if key != "use_in"}


def _stored(version):
    if not model_types.STORED.is_file():
        pytest.skip("the record lies in the checkout, and the tests were copied away from it")
    stored = json.loads(model_types.STORED.read_text(encoding="utf-8"))
    if stored["transformers"] != version:
        pytest.skip(f"stored for transformers {stored['transformers']}, this is {version}")
    return stored


PLANS = [(name, *plan) for name, plan in WRITTEN["plans"].items()]


@pytest.mark.parametrize(("name", "change", "turning"), PLANS, ids=[plan[0] for plan in PLANS])
def test_layers_turn_where_the_config_says_and_the_code_does(name, change, turning):
    """Plans that no default config has."""
    config = CONFIG_MAPPING[name](**BRIEF | change)
    listed = specs(config, handled=model_types.TEMPERATURES)
    assert [layer for layer, spec in enumerate(listed) if spec is not None] == turning
    assert observed_layers.turning(config) == set(turning)
