"""Every model type of the installed transformers: read as its code rotates, or refused by name."""

import contextlib
import dataclasses
import functools
import importlib
import inspect
import json
import random
import re

import pytest
import torch
from whole_runs import WHOLE_RUNS, sample

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import axial_towers  # noqa: E402
import foreign_keys  # noqa: E402
import hf_rotations as hf  # noqa: E402
import model_types  # noqa: E402
import observed_layers  # noqa: E402
import used_types  # noqa: E402
from config_cases import cases  # noqa: E402
from small_models import WRITTEN  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

from posenc_lib.hf import axial, layers, specs  # noqa: E402
from posenc_lib.hf.config.models import MODELS  # noqa: E402

CASES = cases("sweep")
VERDICTS = {"equal", "refused", "no rotation", "as its text part", "no default config"}
BRIEF = {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "num_hidden_layers": 7}


@functools.cache
def everything():
    return {name: dict(hf.outcomes(name)) for name in CONFIG_MAPPING if hf.default(name) is not None}


def test_every_type_is_right_or_refused():
    verdicts = {(name, *one) for name, found in everything().items() for one in found.items()}
    assert {one for one in verdicts if one[2] != "right" and not one[2].startswith("refused: ")} == set()
    assert [one for one in verdicts if "is not known: pass layout" in one[2]] == []


def test_the_sweep_reaches_what_it_should():
    """Numbers of transformers 5.23.0; a newer one may only add types."""
    right = [name for name, found in everything().items() if "right" in found.values()]
    assert len(right) >= 272 and len(everything()) >= 800 and {*hf.INSIDE} <= {*right}


@pytest.mark.parametrize(("model_type", "change"), CASES["changes"], ids=str)
def test_the_comparison_can_fail(model_type, change):
    """The same comparison with one thing changed; the unchanged one is right."""

    def turning():
        for _, config in hf.configs(model_type):
            with contextlib.suppress(ValueError):
                yield from ((config, *one) for one in hf.turning(config, hf.read(config)))

    right = (one for one in turning() if (one[1].sections is not None) == ("sections" in str(change)))
    config, spec, kind = next(right)
    assert hf.difference(config, spec, kind) < hf.RIGHT
    assert hf.difference(config, dataclasses.replace(spec, **change), kind) > 100 * hf.RIGHT


# Their channels turn in two halves of the head, or in a memory beside the tower.
OTHER_TOWERS = {"gemma4_vision", "edgetam_video", "sam2_video", "sam3_tracker_video"}


def test_every_axial_tower_turns_as_ours_or_is_refused():
    towers = {name: hf.default(name) for name in everything()}
    towers = {name: config for name, config in towers.items() if axial_towers.is_axial(config)}
    assert len(towers) >= 34 and towers.keys() >= OTHER_TOWERS
    for name, config in towers.items():
        if name in OTHER_TOWERS:
            with pytest.raises(ValueError, match=f"model type '{name}' gives planes to axes is not known"):
                axial(config)
            continue
        right, exchanged = axial_towers.differences(config)
        assert right < 1e-4 and exchanged > 0.1, name  # float32 angles up to 40 on both sides


def test_each_key_in_each_form_is_read_as_the_class_of_a_type_reads_it_or_refused():
    """A few types that a seed chooses; once a week all, and those that wrap them."""
    types = CONFIG_MAPPING if WHOLE_RUNS else random.Random(7).sample(foreign_keys.KNOWN, 1)
    counts, wrong = foreign_keys.summary(types)
    assert wrong == {} and counts["nested", "right"] > 50 < counts["object", "refused"]


def test_the_sweep_of_keys_sees_one_that_is_obeyed_in_vain(monkeypatch):
    monkeypatch.setitem(MODELS, "llama", MODELS["llama"]._replace(reads=("partial_rotary_factor",)))
    _, wrong = foreign_keys.summary(["llama"])
    assert {form for _, form, what in wrong if "partial_rotary_factor=0.375" in what} >= {"nested", "flat 0"}


@pytest.mark.parametrize("model_type", ["axk2", "deepseek_v32", "glm_moe_dsa", "hy_v4"])
def test_a_sparse_indexer_turns_as_its_layer_says(model_type):
    """The first two have two functions that turn: their indexer takes the one that the attention does not."""
    config = foreign_keys.default(model_type)
    code = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    (indexer,) = (one for name, one in vars(code).items() if name.endswith("Indexer"))
    (function,) = set(re.findall(r"apply_rotary\w+", inspect.getsource(indexer.forward)))
    (module,), _ = hf.own_code(config)
    spec, _, other = layers(config)[0]
    q, k = torch.randn(2, 1, 2, len(hf.POSITIONS), spec.dim).unbind()
    at = hf.POSITIONS[None]
    theirs = hf.their_scores(config, module, getattr(code, function), None, q, k, at)
    assert float((theirs - hf.our_scores(other or spec, q, k, at)).abs().max()) < hf.RIGHT
    assert (other is not None) == (function != hf.own_code(config)[1][0].__name__)


def test_kimi_k2_is_read_as_its_class_reads_it():
    """transformers has the type only as a part of another, and makes DeepSeek-V3 of it."""
    yarn = {"type": "yarn", "factor": 32.0, "beta_fast": 1.0, "beta_slow": 1.0}
    yarn |= {"mscale": 1.0, "mscale_all_dim": 1.0}
    given = {"model_type": "kimi_k2", "num_hidden_layers": 2, "qk_rope_head_dim": 64, "rope_theta": 50000.0}
    given |= {"rope_scaling": yarn | {"original_max_position_embeddings": 4096}}
    whole = CONFIG_MAPPING["kimi_k25"](text_config=dict(given))
    assert whole.text_config.model_type == "deepseek_v3" and layers(given) == layers(whole)


@pytest.fixture(scope="module")
def fresh():
    """One of forty; once a week all."""
    return model_types.every_type(sample(sorted(CONFIG_MAPPING), 40))


def test_every_type_is_equal_or_refused(fresh):
    assert {one["verdict"] for one in fresh["types"].values()} <= VERDICTS


def test_the_stored_record_is_a_fresh_one(fresh):
    """After a change of the reader: python tests/library/hf/model_types.py, and look at what it changes."""
    stored = _stored(fresh["transformers"])
    changed = {
        name: (stored["types"].get(name), one)
        for name, one in fresh["types"].items()
        if _as_read(stored["types"].get(name, {})) != one
    }
    assert changed == {} and list(stored["types"]) == sorted(CONFIG_MAPPING)


def test_the_stored_record_was_made_with_the_rows_of_today():
    types = _stored(transformers.__version__)["types"]
    changed = [name for name, one in types.items() if one.get("row") != model_types.ROWS.get(name)]
    assert not changed, f"python tests/library/hf/model_types.py {' '.join(changed)}"


def test_models_are_used_or_refused_as_stored(fresh):
    """All that are not used, and a few that are; once a week every one."""
    stored = _stored(fresh["transformers"])["types"]
    asked = {name: one["use_in"] for name, one in stored.items() if "use_in" in one}
    assert asked.keys() & fresh["types"] == {n for n, one in fresh["types"].items() if used_types.asked(one)}
    used = [name for name, answer in asked.items() if answer == "yes"]
    few = asked.keys() - set(used) | set(used[::40])
    chosen = asked if WHOLE_RUNS else {name: asked[name] for name in few}
    assert {name: used_types.in_use(name, stored[name]["config"]) for name in chosen} == chosen
    assert len(used) > 150 and len(asked) - len(used) > 10


def _as_read(record):
    return {key: value for key, value in record.items() if key not in ("use_in", "row")}


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
