"""Every model type of the installed transformers: read as its code rotates, or refused by name."""

import copy
import functools

import pytest

transformers = pytest.importorskip("transformers", minversion="5.23")  # whose code it was written for
import hf_rotations as hf  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

from posenc_lib import RotarySpec  # noqa: E402
from posenc_lib.rotary import hf_models  # noqa: E402
from posenc_lib.rotary.hf_keys import READ, READ_FOR, SWITCHES  # noqa: E402


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


@pytest.mark.parametrize(
    ("model_type", "change"),
    [
        ("llama", {"base": 10100.0}),
        ("llama", {"layout": "interleaved"}),
        ("phi", {"rotary_dim": 30}),
        ("qwen2_vl_text", {"sections": (16, 16, 32)}),
        ("qwen3_vl_text", {"sections_interleaved": False}),
        ("gpt_oss", {"scaling": "default", "params": {}}),
        ("deepseek_v3", {"layout": "half"}),
        ("llama4_text", {"layout": "half"}),
        ("gemma3n_text", {"layout": "interleaved"}),
    ],
)
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
    known = hf_models.HALF | hf_models.INTERLEAVED | hf_models.SAID_BY_KEY
    found = {m: keys for m in sorted(known & set(CONFIG_MAPPING)) if (keys := set(_misread(m)))}
    assert found == {}
