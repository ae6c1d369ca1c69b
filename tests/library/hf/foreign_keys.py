"""Each key of any family, set in or taken from a config of every type, in each form: right, refused or wrong.

What is right is what the type's own class makes of the same JSON, and its rotary code of that.

`python tests/library/hf/foreign_keys.py [TYPE ...]` prints how many of each there are, and what is wrong.
"""

import collections
import copy
import functools
import json
import re
import sys
import warnings

import hf_rotations as hf
import observed_layers
import torch
import transformers
from config_cases import cases
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lib.hf import specs
from posenc_lib.hf.config.keys import READ, SWITCHES, WIDTHS, bears
from posenc_lib.hf.config.models import MODELS, TEMPERATURES

KNOWN = sorted({name for name, model in MODELS.items() if model.layout} & set(CONFIG_MAPPING))
KEYS, FLAT = cases("sweep")["keys"], cases("sweep")["flat"]
# Keys that may say which layers turn: whether they do is seen on a run of the model.
LAYERED = re.compile(
    r"layer_types|layers?_block|block_types|sliding_window$|window_pattern|attention_layers|attn_\w*(layer|idx|indices)"
    r"|nope|rope_layer|layer_rope|attention_interval|_period|_offset|position_embedding_type|use_mem_rope|group_size"
)


@functools.cache
def default(model_type):
    """The text part of a config of the type, with few layers; None where the class has no default."""
    try:
        return observed_layers.fewer_layers(hf.text_part(hf.default(model_type)), 6)
    except Exception:
        return None


def plain(config):
    skip = ("model_type", "transformers_version", "text_config")
    return json.loads(json.dumps({k: v for k, v in config.to_dict().items() if k not in skip}, default=str))


def rope_dicts(given):
    """The name of its rope parameters, and each dict of them: one, or one for each type of layer."""
    for name in ("rope_parameters", "rope_scaling"):
        rope = given.get(name) or {}
        yield from ((name, kind, inner) for kind, inner in rope.items() if isinstance(inner, dict))
        if rope and not any(isinstance(inner, dict) for inner in rope.values()):
            yield name, None, rope


def sort(value):
    """Of one sort one value is enough: dicts by kind and keys, lists by what they hold, numbers by type."""
    if isinstance(value, dict):
        return str((value.get("rope_type"), sorted(value)))
    if isinstance(value, list):
        return str(sorted({*map(str, value)}))
    return value if isinstance(value, (bool, str)) else type(value)


@functools.cache
def vocabulary():
    """Each key that bears on rotation in a config of some type, with a value of each sort."""
    found = collections.defaultdict(dict)
    for given in map(plain, filter(None, map(default, KNOWN))):
        inner = [item for _, _, rope in rope_dicts(given) for item in rope.items()]
        for key, value in [*given.items(), *inner]:
            if bears(key) or key in {*READ, *SWITCHES, *WIDTHS} or LAYERED.search(key):
                found[key].setdefault(sort(value), value)
    for key, value in KEYS.items():
        found[key]["more"] = value
    return {key: list(values.values()) for key, values in found.items()}


def bases(model_type):
    """A config of the type as JSON, by form: as version 5 writes it, and flat as version 4 did."""
    if (config := default(model_type)) is None:
        return
    text = plain(config)
    drop = ("rope_parameters", "partial_rotary_factor", "rope_theta")
    less = {k: v for k, v in text.items() if k not in drop} if "rope_parameters" in text else None
    flats = {f"flat {i}": less | flat for i, flat in enumerate(FLAT) if less}
    if config.model_type in (model_type, hf.default(model_type).model_type):  # no part of another
        yield from ({"nested": text} | flats).items()
        return
    outer, own = plain(hf.default(model_type)), {"model_type": config.model_type}
    yield "whole", outer | {"text_config": text | own}
    yield "untyped text", outer | {"text_config": text}
    for name, flat in ({"text": text} | flats).items():
        yield f"whole, {name} beside", outer | flat
        yield f"whole, {name}", outer | {"text_config": flat | own}


def changed(base, keys):
    """The base, without each key that bears on rotation, and with each set, in the rope parameters too."""
    yield "", base
    inner = {(name, kind): rope for name, kind, rope in rope_dicts(base)}

    def put(at, rope):
        name, kind = at
        return base | {name: rope if kind is None else base[name] | {kind: rope}}

    for key, values in keys.items():
        if key in base:
            yield f"without {key}", {k: v for k, v in base.items() if k != key}
        for at, rope in inner.items():
            if key in rope:
                yield f"{at} without {key}", put(at, {k: v for k, v in rope.items() if k != key})
        for value in values:
            if base.get(key, "none") != value:
                yield f"{key}={value}", base | {key: value}
            for at, rope in inner.items() if not isinstance(value, dict) else ():
                if rope.get(key) != value:
                    yield f"{at} {key}={value}", put(at, rope | {key: value})


def made(model_type, given):
    """What the class makes of a JSON; None if it refuses it."""
    try:
        whole = CONFIG_MAPPING[model_type].from_dict(copy.deepcopy(given) | {"model_type": model_type})
        whole.to_dict()
    except Exception:
        return None
    return whole


def read(config):
    try:
        return tuple(specs(config, handled=TEMPERATURES))
    except (TypeError, ValueError):
        return None


@functools.cache
def looked_at(model_type):
    """Keys of its config that the code of the model looks at, seen on a run; None if it does not run."""
    seen, plainly = set(READ), transformers.PreTrainedConfig.__getattribute__

    def noting(self, name):
        seen.add(name)
        return plainly(self, name)

    try:
        transformers.PreTrainedConfig.__getattribute__ = noting
        observed_layers.turning(default(model_type))
    except Exception:
        return None
    finally:
        transformers.PreTrainedConfig.__getattribute__ = plainly
    return seen


FOUND = {}


def once(function, config, *more):
    """What a function finds of a config, or why it fails; once for all configs that the code sees as one."""
    seen = looked_at(config.model_type)
    counts = {k: v for k, v in config.to_dict().items() if seen is None or k in seen}
    at = function, config.model_type, json.dumps(counts, default=str, sort_keys=True), *more
    if at not in FOUND:
        try:
            FOUND[at] = function(config, *more)
        except Exception as error:
            FOUND[at] = f"{type(error).__name__}: {error}"
    return FOUND[at]


def verdict(ours, config, what):
    """Of one reading, beside the config object that the class makes."""
    if ours is None:
        return "refused"
    if config is None:
        return "the class refuses it"
    config = hf.text_part(config)
    said = hf.judged(config, ours, functools.partial(once, hf.difference))
    if said != "right":
        return said if said.startswith("wrong") else "the code does not run with it"
    if LAYERED.search(what) or not all(ours):
        turn = once(observed_layers.turning, config)
        if isinstance(turn, set) and None not in turn and turn != {i for i, spec in enumerate(ours) if spec}:
            return f"wrong: layers {sorted(turn)} turn, not {[i for i, spec in enumerate(ours) if spec]}"
    return "right"


def sweep(model_type):
    """(form, what is changed, verdict) of every reading; of a type that nobody knows, its forms alone."""
    for form, base in bases(model_type):
        known = model_type in KNOWN or read(base | {"model_type": model_type}) is not None
        every = known and form in ("nested", "flat 0", "whole")
        for what, given in changed(base, vocabulary()) if every else [("", base)]:
            config = made(model_type, given)
            yield form, what, verdict(read(given | {"model_type": model_type}), config, what)
            if config is not None and form in ("nested", "whole"):
                yield "object", what, verdict(read(config), config, what)


def summary(model_types):
    """How many verdicts of each kind there are in each form, and which are wrong."""
    counts, wrong = collections.Counter(), {}
    for model_type in model_types:
        for form, what, said in sweep(model_type):
            counts[form, "wrong" if said.startswith("wrong") else said] += 1
            if said.startswith("wrong"):
                wrong[model_type, form, what] = said
    return counts, wrong


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    total = collections.Counter()
    for model_type in sys.argv[1:] or sorted(CONFIG_MAPPING):
        counts, wrong = summary([model_type])
        total += counts
        listed = (f"\n    {form} {what}: {said}" for (_, form, what), said in wrong.items())
        print(model_type, *listed, flush=True)
    for (form, said), number in sorted(total.items()):
        print(f"{number:8,d} {form}: {said}")
