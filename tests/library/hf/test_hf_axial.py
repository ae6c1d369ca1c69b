"""Vision towers whose config says "axial": our tables turn as their own code does, or are refused."""

import pytest

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


TYPES = sorted(axial_types())


def test_there_are_as_many_as_transformers_has():
    assert len(TYPES) >= 34


@pytest.mark.parametrize("name", TYPES)
def test_every_axial_tower_is_equal_or_refused(name):
    config = CONFIG_MAPPING[name]()
    if name in OTHERS:
        with pytest.raises(ValueError, match=f"model type '{name}' gives planes to axes is not known"):
            axial(config)
        return
    right, exchanged = axial_towers.differences(config)
    assert right < 1e-4 and exchanged > 0.1  # float32 angles up to 40 on both sides
