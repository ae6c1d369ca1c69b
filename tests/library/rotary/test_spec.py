"""A spec is a value; decoding with it equals prefill; a cache can follow a change of scaling."""

import copy
import dataclasses
import inspect
import math
import pickle
import random
import sys
import typing
from dataclasses import FrozenInstanceError

import pytest
import torch
from written import EXAMPLES

from posenc_lib import SCALINGS, RotaryEmbedding, RotarySpec
from posenc_lib.rotary.params import Params

SPECS = {kind: RotarySpec(16, 300.0, scaling=kind, params=params) for kind, params in EXAMPLES.items()}


def test_a_spec_is_a_value():
    spec = SPECS["longrope"]
    shuffled = list(spec.params.items())
    random.Random(0).shuffle(shuffled)
    twin = RotarySpec(16, 300.0, scaling="longrope", params=dict(shuffled))
    assert spec == twin and hash(spec) == hash(twin) and {spec: 1}[twin] == 1
    assert spec != RotarySpec(16, 301.0, scaling="longrope", params=spec.params)
    for clone in (copy.deepcopy(spec), pickle.loads(pickle.dumps(spec))):
        assert clone == spec and torch.equal(clone.inv_freq(65), spec.inv_freq(65))
    assert eval(repr(spec), {"RotarySpec": RotarySpec}) == spec


def test_a_spec_cannot_change():
    params = {"factor": 2.0}
    spec = RotarySpec(8, scaling="linear", params=params)
    params["factor"] = 3.0
    assert spec.params["factor"] == 2.0
    with pytest.raises(FrozenInstanceError):
        spec.base = 2.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        spec.params["factor"] = 3.0
    factors = [1.0, 2.0]
    assert Params({"short_factor": factors})["short_factor"] == (1.0, 2.0)


@pytest.mark.parametrize("kind", SPECS)
def test_a_layer_takes_a_spec_or_a_width_and_the_fields_of_a_spec(kind):
    spec = SPECS[kind]
    fields = {field.name: getattr(spec, field.name) for field in dataclasses.fields(spec)}
    by_width = RotaryEmbedding(fields.pop("dim"), angle_dtype=torch.float32, **fields)
    assert by_width.spec == spec and by_width.angle_dtype == torch.float32


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python keeps overloads since 3.11")
def test_the_signature_for_a_width_has_the_fields_and_defaults_of_a_spec():
    of_spec, of_width = (inspect.signature(form) for form in typing.get_overloads(RotaryEmbedding.__init__))
    own = set(of_spec.parameters)
    named = {name: value for name, value in of_width.parameters.items() if name not in own}
    fields = {f.name: f for f in dataclasses.fields(RotarySpec) if f.name != "dim"}
    assert {name: value.annotation for name, value in named.items()} == {n: f.type for n, f in fields.items()}
    given = {name: value.default for name, value in named.items() if value.default is not ...}
    assert given == {name: fields[name].default for name in fields if name != "params"}


def test_the_description_lists_the_parameters_of_every_rule():
    """In the order of the signatures, those with a default in brackets."""
    said = " ".join(RotarySpec.__doc__.split())
    for kind, rule in SCALINGS.items():
        known = [p for p in inspect.signature(rule).parameters.values() if p.kind is p.KEYWORD_ONLY]
        listed = ", ".join(p.name if p.default is p.empty else f"[{p.name}]" for p in known) or "none"
        assert f"``{kind}``: {listed}." in said, "write this in the docstring of RotarySpec"


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_trained_frequencies_pass_through_every_scaling(kind, device):
    rope = RotaryEmbedding(SPECS[kind], learnable=True).to(device)
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 1, 8, 16, generator=generator).to(device)
    fixed = RotaryEmbedding(SPECS[kind])(q, k, length=200)
    trained = rope(q, k, length=200)
    for one, other in zip(trained, fixed, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-6)
    (trained[0] * torch.randn(trained[0].shape, generator=generator).to(device)).sum().backward()
    (gradient,) = (p.grad for p in rope.parameters())
    still = SPECS[kind].inv_freq(200) == 0
    assert bool(torch.isfinite(gradient).all())
    assert torch.equal((gradient == 0).cpu(), still)


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
@pytest.mark.parametrize("length", [16, 640])
def test_wavelengths(kind, length):
    expected = 2 * math.pi / SPECS[kind].inv_freq(length)  # infinite where nothing turns
    torch.testing.assert_close(SPECS[kind].wavelengths(length), expected, rtol=1e-15, atol=0)


def test_the_widest_head_is_taken():
    assert RotarySpec(2**16).inv_freq().shape == (2**15,)


def test_sections_given_as_a_list_make_the_same_value():
    listed, spec = RotarySpec(16, sections=[2, 6]), RotarySpec(16, sections=(2, 6))
    assert listed == spec and hash(listed) == hash(spec) and listed.sections == (2, 6)


def test_planes_in_any_order_are_those_of_sections_where_both_can_say_it():
    blocks = RotarySpec(16, sections=(2, 3, 3))
    listed = RotarySpec(16, axis_of_plane=[0, 0, 1, 1, 1, 2, 2, 2])
    assert listed.axes == blocks.axes and listed.num_axes == blocks.num_axes == 3 and hash(listed)
    assert (RotarySpec(16).axes, RotarySpec(16).num_axes) == (None, 1)
    at = torch.stack([torch.arange(5), torch.arange(5) ** 2, -torch.arange(5)])[:, None]
    same = (torch.stack(RotaryEmbedding(spec).tables(at)) for spec in (listed, blocks))
    assert torch.equal(*same)
    other = RotaryEmbedding(RotarySpec(16, axis_of_plane=[1, 2, 1, 2, 1, 2, 0, 0])).tables(at)
    angle = at[[1, 2, 1, 2, 1, 2, 0, 0], 0].T.double() * RotarySpec(16).inv_freq()
    assert torch.equal(other[0][0], angle.cos().float()) and torch.equal(other[1][0], angle.sin().float())
