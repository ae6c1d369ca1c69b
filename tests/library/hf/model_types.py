"""What becomes of every model type of the installed transformers, as data.

`python tests/library/hf/model_types.py` writes tools/reference/model_types.json, from which the book's page
is made; test_hf_sweep.py compares it with a fresh run. With `TYPE ...` behind it only these are renewed, if
foreign_keys.py finds nothing wrong with them; each entry holds the row of models.json that it was made with.
"""

import collections
import json
import math
import sys
import warnings
from pathlib import Path

import axial_towers
import foreign_keys
import hf_rotations as rotations
import observed_layers
import transformers
import used_types
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lib import RotarySpec
from posenc_lib.hf import axial, specs, temperatures
from posenc_lib.hf.config import models
from posenc_lib.hf.swap import TEMPERATURES

ROOT = Path(__file__).parents[3]
STORED = ROOT / "tools" / "reference" / "model_types.json"
ROWS = json.loads(Path(models.__file__).with_suffix(".json").read_text(encoding="utf-8"))


def every_type(names=CONFIG_MAPPING):
    """Default configs of all types; those that wrap a text model point to it."""
    found = {}
    for name in sorted(names):
        if (config := rotations.default(name)) is None:
            found[name] = {"verdict": "no default config"}
            continue
        part = rotations.text_part(config)
        if part is not config and part.model_type != name:
            found[name] = {"verdict": "as its text part", "text": part.model_type}
        else:
            found[name] = record(name)
    return {"transformers": transformers.__version__, "types": found}


def with_use(every):
    """The record, each type's row, and for each type that is read what becomes of a model of it."""
    types = {
        name: one
        | ({"use_in": used_types.in_use(name, one["config"])} if used_types.asked(one) else {})
        | ({"row": ROWS[name]} if name in ROWS else {})
        for name, one in every["types"].items()
    }
    return every | {"types": types}


def record(name):
    """Verdict and layers of one type that stands for itself."""
    config = rotations.default(name)
    if not rotates(config):
        return {"verdict": "no rotation"}
    if axial_towers.is_axial(config):
        return tower(config)
    first = None
    for variant, config in rotations.configs(name):
        config = observed_layers.fewer_layers(rotations.text_part(config))
        try:
            listed = specs(config, handled=TEMPERATURES)
        except (TypeError, ValueError) as error:
            first = first or refused(config, error)
            continue
        return {"config": variant} | equal(config, listed)
    return first


def tower(config):
    """A vision tower, whose frequencies are a matrix."""
    try:
        frequencies, layout = axial(config)
    except ValueError as error:
        return {"verdict": "refused", "why": str(error)}
    right, exchanged = axial_towers.differences(config)
    if right > rotations.RIGHT or exchanged < rotations.RIGHT:
        return {"verdict": f"wrong: off by {right:.2g}"}
    axes, planes = frequencies.shape
    said = f"{2 * planes}, {layout}, axial with {axes} axes, base {config.rope_parameters['rope_theta']:g}"
    layers = [{"count": 1, "kind": "tower", "spec": said, "temperature": None}]
    return {"config": "default", "verdict": "equal", "layers": layers, "layers seen": "not run: a tower"}


def refused(config, error):
    """Why, for one layer where the config does not count its layers."""
    if "num_hidden_layers" in str(error):
        try:
            RotarySpec.from_hf_config(config)
        except (TypeError, ValueError) as other:
            error = other
    why = str(error).split("; a model without rotary encoding")[0]
    return {"verdict": "refused", "why": why}


def rotates(config):
    """Whether code that takes this config has a rotary module or a function that turns."""
    try:
        return any(rotations.own_code(rotations.text_part(config)))
    except Exception:
        return False


def equal(config, listed):
    """The layers of a config that is read, and whether the model's own code agrees."""
    kinds = getattr(config, "layer_types", None) or [None] * len(listed)
    if (verdict := rotations.judged(config, listed)) != "right":
        return {"verdict": verdict}
    seen = layers_seen(config)
    if isinstance(seen, list) and seen != [spec is not None for spec in listed]:
        return {"verdict": f"wrong: layers turn in another order, {seen}"}
    try:
        hot = temperatures(config)
    except ValueError:  # by a formula of its own
        hot = ["another"] * len(listed)
    counts = collections.Counter(zip(listed, kinds, hot, strict=True))
    layers = [
        {"count": count, "kind": kind, "spec": in_words(spec), "temperature": one and str(one)}
        for (spec, kind, one), count in counts.items()
    ]
    return {"verdict": "equal", "layers": layers, "layers seen": seen if isinstance(seen, str) else "all"}


def layers_seen(config):
    """For each layer whether the model's own code turns there, or why its code does not run."""
    try:
        seen = observed_layers.turning(config)
    except Exception as error:
        return f"not run: {type(error).__name__}"
    return [layer in seen for layer in range(config.num_hidden_layers)]


def in_words(spec):
    """One line for a reader."""
    if spec is None:
        return None
    said = [f"{spec.rotated} of {spec.dim}" if spec.rotated < spec.dim else f"{spec.dim}", spec.layout]
    exponent = math.log10(spec.base)
    said += [f"base 1e{exponent:.0f}" if exponent == round(exponent) else f"base {spec.base:g}"]
    if spec.scaling != "default":
        factor = spec.params.get("factor")
        said += [spec.scaling + (f" ×{factor:g}" if factor is not None else "")]
    if spec.sections is not None:
        dealt = ", in turn" if spec.sections_interleaved else ""
        said += [f"axes {'+'.join(map(str, spec.sections))}{dealt}"]
    return ", ".join(said)


if __name__ == "__main__":
    from tools.whole_files import write_whole  # the tests of the library run where there are no tools

    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    asked = sys.argv[1:]
    record = with_use(every_type(asked or CONFIG_MAPPING))
    if asked:
        if wrong := foreign_keys.summary(asked)[1]:
            lines = (f"{name}, {form} {what}: {said}" for (name, form, what), said in wrong.items())
            told = "nothing is written: keys that the code reads belong to `needs` and `reads`"
            sys.exit("\n".join([*lines, told]))
        old = json.loads(STORED.read_text(encoding="utf-8"))
        record = old | {"types": dict(sorted((old["types"] | record["types"]).items()))}
    write_whole(STORED, json.dumps(record, ensure_ascii=False, indent=1) + "\n")
