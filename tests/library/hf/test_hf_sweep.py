"""Every model type of the installed transformers: read as its code rotates, or refused by name."""

import copy
import functools

import pytest
import torch

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import hf_rotations as hf  # noqa: E402
from config_cases import cases, some  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

from posenc_lib import RotarySpec  # noqa: E402
from posenc_lib.hf import specs  # noqa: E402
from posenc_lib.hf.config.keys import READ, SWITCHES  # noqa: E402
from posenc_lib.hf.config.models import MODELS, UNKNOWN  # noqa: E402

CASES = cases("sweep")
KNOWN = sorted({name for name, model in MODELS.items() if model.layout} & set(CONFIG_MAPPING))


@functools.cache
def everything():
    return dict(hf.swept(CONFIG_MAPPING))


def test_every_type_is_right_or_refused():
    wrong = {
        (model_type, asked): verdict
        for model_type, found in everything().items()
        for asked, verdict in found.items()
        if verdict.startswith("wrong")
    }
    assert wrong == {}


def test_the_sweep_reaches_what_it_should():
    """Numbers of transformers 5.23.0; a newer one may only add types."""
    right = [m for m, found in everything().items() if "right" in found.values()]
    assert len(right) >= 272 and len(everything()) >= 800
    assert not [m for m, found in everything().items() if any("with layout" in v for v in found.values())]
    unjudged = {m for m, found in everything().items() if any("unjudged" in v for v in found.values())}
    assert unjudged == set(hf.UNJUDGED)


@pytest.mark.parametrize(("model_type", "change"), CASES["changes"], ids=str)
def test_the_comparison_can_fail(model_type, change):
    """The same comparison with one thing changed; the unchanged one is right."""
    for name, config in hf.configs(model_type):
        for choice in hf.choices(config):
            specs, _ = hf._read(config, choice)
            if not specs or ("sections" in str(change)) != (specs[0].sections is not None):
                continue
            spec, kind = specs[0], choice.get("layer_type")
            assert hf.difference(config, spec, kind) < hf.RIGHT, name
            fields = {f: getattr(spec, f) for f in spec.__dataclass_fields__} | change
            assert hf.difference(config, RotarySpec(**fields), kind) > 100 * hf.RIGHT
            return
    raise AssertionError("nothing was compared")


# Keys whose absence might be filled in by the model's class with something of its own.
READ_FOR = {key for model in (UNKNOWN, *MODELS.values()) for key in (model.width, *model.reads)}
FILLED = {*READ, *READ_FOR, *SWITCHES, "layer_types", "hidden_size", "rope_type", "factor", "mrope_section"}


def _omissions(config):
    """Dicts of *config* that lack one key, or both widths, where the width is not what the sizes give."""
    whole = config.to_dict()
    rope = whole.get("rope_parameters") or {}
    for key in FILLED & set(whole):
        yield key, {k: v for k, v in whole.items() if k != key}
    for key in FILLED & set(rope):
        yield key, whole | {"rope_parameters": {k: v for k, v in rope.items() if k != key}}
    for kind, inner in rope.items():
        for key in FILLED & set(inner if isinstance(inner, dict) else ()):
            less = {k: v for k, v in inner.items() if k != key}
            yield key, whole | {"rope_parameters": rope | {kind: less}}
    heads = whole.get("num_attention_heads")
    if isinstance(heads, int) and heads % 2 == 0:
        other = {k: v for k, v in whole.items() if k not in ("head_dim", "qk_rope_head_dim")}
        yield "head_dim", other | {"num_attention_heads": heads // 2}


def _read(config, choice):
    try:
        return RotarySpec.from_hf_config(config, **choice)
    except (TypeError, ValueError):
        return None


def _misread(model_type):
    """Keys without which our reading differs from that of the class that fills them in."""
    for name, config in hf.configs(model_type):
        part = hf.text_part(config)
        choices = list(hf.choices(part))
        for key, less in _omissions(part):
            ours = [_read(less, choice) for choice in choices]
            if not any(ours):
                continue
            try:
                skip = ("model_type", "transformers_version")
                full = type(part)(**{k: copy.deepcopy(v) for k, v in less.items() if k not in skip})
            except Exception:
                continue  # the class refuses it, too
            theirs = [_read(full, choice) for choice in choices]
            if any(a is not None and a != b for a, b in zip(ours, theirs, strict=True)):
                yield name, key


def test_a_json_that_omits_a_key_is_read_as_its_class_completes_it_or_refused():
    found = {m: keys for m in some(KNOWN) if (keys := set(_misread(m)))}
    assert found == {}


def _changed(part):
    """The config with each key set, given to its class, or put among the rope parameters."""
    whole = {k: v for k, v in part.to_dict().items() if k not in ("model_type", "transformers_version")}
    for key, value in CASES["keys"].items():
        for make in (
            lambda c, k, v: setattr(c, k, v),
            lambda c, k, v: c.__init__(**copy.deepcopy(whole) | {k: v}),
            lambda c, k, v: [one.update({k: v}) for one in _flat(c.rope_parameters, k)],
        ):
            config = copy.deepcopy(part)
            try:
                make(config, key, copy.deepcopy(value))
            except Exception:
                continue  # the class refuses it
            yield key, config


def _flat(rope, key):
    if key == "rope_parameters":
        return []
    return [one for one in rope.values() if isinstance(one, dict)] or [rope]


def _own_frequencies(config, kind):
    """Those that the rotary modules of the model's code hold, for a kind of layer."""
    for module in hf.own_code(config)[0]:
        try:
            buffers = dict(module(copy.deepcopy(config)).named_buffers())
        except Exception:
            continue  # the code cannot run with this
        yield buffers.get(f"{kind}_inv_freq", buffers.get("inv_freq"))


def _followed_wrongly(model_type):
    for _, default in list(hf.configs(model_type))[:1]:
        for key, config in _changed(hf.text_part(default)):
            for choice in hf.choices(config):
                spec = _read(config, choice)
                kind = choice.get("layer_type")
                if "layer" in choice:
                    kind = config.layer_types[choice["layer"]]
                for own in _own_frequencies(config, kind) if spec is not None else ():
                    if own is None:
                        continue
                    ours = spec.inv_freq(1)
                    if ours.shape != own.shape or not torch.allclose(ours, own.double(), rtol=1e-4, atol=0):
                        yield key


def test_a_key_that_the_code_of_a_type_does_not_read_is_not_obeyed():
    """Read as the model's own frequencies say, or refused; before, 73 types obeyed another family's keys."""
    found = {m: k for m in some(KNOWN) if (k := set(_followed_wrongly(m)))}
    assert found == {}


def test_a_flat_json_as_version_4_released_it_is_read_as_its_class_reads_it_or_refused():
    wrong = set()
    for model_type in some(CONFIG_MAPPING):
        default = _config(model_type, {})
        whole = default.to_dict() if default else {}
        if "rope_parameters" not in whole or "num_hidden_layers" not in whole:
            continue
        beside = (*CASES["flat"][1], "rope_parameters", "partial_rotary_factor", "transformers_version")
        less = {key: value for key, value in whole.items() if key not in beside}
        for flat in CASES["flat"]:
            ours = _listed(copy.deepcopy(less | flat))
            given = {key: value for key, value in (less | flat).items() if key != "model_type"}
            full = _config(model_type, given)
            if full and ours is not None and ours != _listed(full):
                wrong.add(model_type)
    assert wrong == set()


def _config(model_type, given):
    """What the class makes of some keys; None if it refuses them."""
    try:
        return CONFIG_MAPPING[model_type](**copy.deepcopy(given))
    except Exception:
        return None


def _listed(config):
    try:
        return specs(config)
    except (TypeError, ValueError):
        return None
