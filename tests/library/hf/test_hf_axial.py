"""Vision towers whose config says "axial": our tables turn as their own code does, or are refused."""

import pytest

from posenc_lib import RotarySpec
from posenc_lib.hf import axial

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import axial_towers  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

# Their channels turn in two halves of the head, or in a memory beside the tower.
OTHERS = {"gemma4_vision", "edgetam_video", "sam2_video", "sam3_tracker_video"}


def axial_types():
    for name in CONFIG_MAPPING:
        try:
            config = CONFIG_MAPPING[name]()
        except Exception:
            continue
        if axial_towers.is_axial(config):
            yield name


@pytest.mark.parametrize("name", sorted(axial_types()))
def test_every_axial_tower_is_equal_or_refused(name):
    config = CONFIG_MAPPING[name]()
    if name in OTHERS:
        with pytest.raises(ValueError, match=f"model type '{name}' gives planes to axes is not known"):
            axial(config)
        return
    right, exchanged = axial_towers.differences(config)
    assert right < 1e-4 and exchanged > 0.1  # float32 angles up to 40 on both sides


def test_there_are_as_many_as_transformers_has():
    assert len(list(axial_types())) >= 34


TOWER = {"model_type": "qwen2_5_vl_vision", "hidden_size": 64, "num_heads": 4}
AXIAL = {"rope_type": "axial", "rope_theta": 1e4}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"model_type": "novel"}, ValueError, "'novel' gives planes to axes is not known"),
        ({"rope_parameters": None}, ValueError, "must be rope_type 'axial' .* got None; a json may omit"),
        ({"rope_parameters": AXIAL | {"factor": 2}}, ValueError, "rope_type 'axial' and rope_theta, got"),
        ({"rope_parameters": AXIAL | {"rope_theta": -1.0}}, ValueError, "base must be"),
        ({"num_heads": None}, ValueError, "config needs num_heads"),
        ({"hidden_size": "64"}, TypeError, "hidden_size must be an int"),
        ({"hidden_size": 24}, ValueError, "multiple of 4 wide, got 6"),
    ],
)
def test_what_is_not_understood_is_refused(change, error, message):
    with pytest.raises(error, match=message):
        axial(TOWER | {"rope_parameters": AXIAL} | change)


def test_a_spec_sends_to_the_reader_of_towers():
    with pytest.raises(ValueError, match=r"'qwen2_5_vl_vision' .* places of patches: posenc_lib\.hf\.axial"):
        RotarySpec.from_hf_config(TOWER | {"rope_parameters": AXIAL})
