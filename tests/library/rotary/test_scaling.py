"""Each scaling rule against its published numbers, its limits and its identities."""

import math

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from written import EXAMPLES

from posenc_lib import SCALINGS, inv_freq
from posenc_lib.rotary.scaling.rules import dynamic, llama3, ntk, scale
from posenc_lib.rotary.scaling.yarn import yarn, yarn_mscale

# Float64 arithmetic on numbers in (0, 1]: a few roundings, each 1.1e-16 relative.
EXACT = {"rtol": 1e-14, "atol": 0.0}


def test_every_rule_has_an_example():
    assert set(EXAMPLES) == set(SCALINGS)


BASES = {2: 20221.26, 4: 40889.94, 8: 82684.62, 16: 167198.74}


@pytest.mark.parametrize(("factor", "base"), BASES.items(), ids=str)
def test_ntk_is_a_change_of_base(factor, base):
    """b·s^(d/(d−2)) for d = 128, b = 10⁴; the published bases have seven digits."""
    exact = 1e4 * factor ** (128 / 126)
    assert exact == pytest.approx(base, rel=5e-7)
    torch.testing.assert_close(ntk(inv_freq(128), factor=float(factor))[0], inv_freq(128, exact), **EXACT)


def test_dynamic_is_ntk_beyond_the_original_length_only():
    theta = inv_freq(64)
    rule = {"factor": 2.0, "original_max_position_embeddings": 100}
    for length in (None, 0, 99, 100):
        assert torch.equal(dynamic(theta, length, **rule)[0], theta)
    torch.testing.assert_close(dynamic(theta, 200, **rule)[0], ntk(theta, factor=3.0)[0], **EXACT)
    step = (dynamic(theta, 101, **rule)[0] / theta - 1).abs().max()
    assert 0 < step < 0.03  # no jump at the original length: the last plane changes by 1/1.02


def test_yarn_published_attention_factors():
    for s, value in ((8, 1.207944), (16, 1.277259), (32, 1.346574)):
        assert yarn_mscale(float(s)) == pytest.approx(value, abs=5e-7)
    assert yarn_mscale(0.5) == yarn_mscale(1.0) == 1.0
    assert yarn_mscale(1.5) == pytest.approx(0.1 * math.log(1.5) + 1, rel=1e-15)


@pytest.mark.parametrize(("original", "ends"), [(4096, (20, 46)), (2048, (16, 41))])
def test_yarn_published_ramp_ends(original, ends):
    """Llama 2 and LLaMA 1: planes up to the first index are kept, planes from the second interpolated."""
    theta = inv_freq(128)
    scaled = yarn(theta, factor=4.0, original_max_position_embeddings=original)[0]
    ratio = theta / scaled
    kept, slow = ratio == 1, torch.isclose(ratio, torch.tensor(4.0, dtype=torch.float64), **EXACT)
    assert int(kept.sum()) - 1 == ends[0]
    assert 64 - int(slow.sum()) == ends[1]


def _gamma(theta, **options):
    rule = {"factor": 2.0, "original_max_position_embeddings": 4096, "truncate": False} | options
    return 2 * (1 - yarn(theta, **rule)[0] / theta)  # θ(1−γ) + θγ/2 = θ(1 − γ/2)


def test_yarn_paper_ramp_ends_at_its_betas():
    theta = inv_freq(128)
    turns, gamma = 4096 * theta / (2 * math.pi), _gamma(theta, ramp="paper")
    torch.testing.assert_close(gamma, ((32 - turns) / 31).clamp(0, 1), rtol=0, atol=1e-14)


def test_llama3_published_frequencies():
    """Llama 3.1 (b = 5·10⁵, d = 128, 8192 → ×8): planes 0–28 kept, 29–34 between, 35–63 divided by 8."""
    theta = inv_freq(128, 5e5)
    rule = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
    scaled = llama3(theta, factor=8.0, **rule)[0]
    assert torch.equal(scaled[:29], theta[:29])
    torch.testing.assert_close(scaled[35:], theta[35:] / 8, **EXACT)
    between = [2.16657076e-3, 1.37189357e-3, 8.56751413e-4, 5.24846161e-4, 3.12693750e-4, 1.78507813e-4]
    torch.testing.assert_close(scaled[29:35], torch.tensor(between, dtype=torch.float64), rtol=5e-9, atol=0)


@pytest.mark.parametrize("kind", sorted(SCALINGS))
@pytest.mark.parametrize("length", [None, 64, 1000])
def test_rules_are_pure_and_keep_dtype_and_device(kind, length, device):
    for dtype in (torch.float64, torch.float32):
        theta = inv_freq(16).to(device, dtype)
        before = theta.clone()
        first, second = (scale(kind, theta, length, EXAMPLES[kind])[0] for _ in range(2))
        assert torch.equal(first, second)
        assert torch.equal(theta, before)
        assert first.dtype == dtype and first.device == theta.device
        assert bool((first >= 0).all()) and bool((first <= theta * (1 + 1e-6)).all())
    scaled = scale(kind, inv_freq(16).to("meta"), length, EXAMPLES[kind])[0]  # no tensor of another device
    assert scaled.is_meta and scaled.shape == (8,) and scaled.dtype == torch.float64


@pytest.mark.parametrize("kind", sorted(SCALINGS))
@pytest.mark.parametrize("length", [None, 1000])
def test_a_stack_of_ladders_is_scaled_row_by_row(kind, length):
    ladders = torch.stack([inv_freq(16), inv_freq(16, 500.0)])
    together, factor = scale(kind, ladders, length, EXAMPLES[kind])
    for row, ladder in zip(together, ladders, strict=True):
        alone, its_factor = scale(kind, ladder, length, EXAMPLES[kind])
        torch.testing.assert_close(row, alone, **EXACT)
        assert factor == its_factor


FLOATS = {
    kind: [name for name in example if not name.startswith(("original", "short", "partial"))]
    for kind, example in EXAMPLES.items()
}


@pytest.mark.parametrize(("kind", "names"), FLOATS.items(), ids=FLOATS)
@pytest.mark.parametrize("length", [None, 200])
def test_gradients_in_the_base_and_in_every_float_parameter(kind, names, length, device):
    exponent = torch.arange(0, 16, 2, dtype=torch.float64, device=device) / 16
    rule = EXAMPLES[kind] | ({"truncate": False} if kind == "yarn" else {})

    def scaled(base, *values):
        theta = base**-exponent
        frequencies, attention = scale(kind, theta, length, rule | dict(zip(names, values, strict=True)))
        return frequencies, torch.as_tensor(attention, dtype=torch.float64)

    options = {"dtype": torch.float64, "device": device, "requires_grad": True}
    values = [torch.tensor(x, **options) for x in (300.0, *(rule[n] for n in names))]
    outputs = scaled(*values)
    assert gradcheck(lambda *v: tuple(o for o in scaled(*v) if o.requires_grad), values)
    assert gradgradcheck(lambda base: scaled(base, *values[1:])[0], values[:1])
    grads = torch.autograd.grad(outputs[0].sum(), values, allow_unused=True)
    assert all(g is None or bool(torch.isfinite(g).all()) for g in grads)
    moved = [g is not None and bool((g != 0).any()) for g in grads[1:]]
    assert any(moved) or not names or length is None


@pytest.mark.parametrize("kind", sorted(SCALINGS))
def test_rules_never_look_at_values(kind):
    """One graph without a break, and a batch of ladders by vmap: both fail if a rule reads values."""
    torch._dynamo.reset()  # each rule is a graph of one function, and the compiler stops at eight
    theta = inv_freq(16)

    def scaled(ladder):
        return scale(kind, ladder, 200, EXAMPLES[kind])[0]

    assert torch.equal(torch.compile(scaled, backend="eager", fullgraph=True)(theta), scaled(theta))
    ladders = torch.stack([theta, inv_freq(16, 500.0)])
    for row, ladder in zip(torch.func.vmap(scaled)(ladders), ladders, strict=True):
        torch.testing.assert_close(row, scaled(ladder), **EXACT)


DIVIDED = [kind for kind, example in EXAMPLES.items() if "factor" in example and kind != "longrope"]


@pytest.mark.parametrize("kind", DIVIDED)
def test_factors_that_divide_frequencies_are_at_least_one(kind):
    """LongRoPE's divides none: its lists do, and below 1 it multiplies the tables by 1, as the code does."""
    theta, original = inv_freq(16), EXAMPLES[kind]
    with pytest.raises(ValueError, match=r"^factor must be at least 1 .*, got 0\.25$"):
        scale(kind, theta, 128, original | {"factor": 0.25})
    assert (scale(kind, theta, 64, original | {"factor": 1.0})[0] <= theta * (1 + 1e-15)).all()


LENGTH = "original_max_position_embeddings"
NUMBERS = [(kind, name) for kind, example in EXAMPLES.items() for name in example if name != LENGTH]


@pytest.mark.parametrize(("kind", "name"), NUMBERS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, 0.0, -1.0])
def test_a_parameter_that_is_a_tensor_is_refused_as_its_number_is(kind, name, bad):
    value = EXAMPLES[kind][name]
    spoilt = torch.tensor([bad, *value[1:]] if isinstance(value, list) else bad, requires_grad=True)
    with pytest.raises(ValueError, match=rf"^{name} must be positive and finite, got {bad}"):
        SCALINGS[kind](inv_freq(16), 128, **EXAMPLES[kind] | {name: spoilt})
    for other in (torch.tensor(True), torch.tensor(2j)):
        with pytest.raises(TypeError, match=f"^{name} must be a number, got a tensor of {other.dtype}"):
            SCALINGS[kind](inv_freq(16), 128, **EXAMPLES[kind] | {name: other})


@pytest.mark.parametrize("kind", sorted(SCALINGS))
def test_a_rule_that_is_called_by_itself_refuses_what_is_no_ladder_or_length(kind):
    rule, example, theta = SCALINGS[kind], EXAMPLES[kind], inv_freq(16)
    for argument, bad, error, words in (
        ("inv_freq", [1.0, 0.1], TypeError, "must be a torch.Tensor, got list"),
        ("inv_freq", torch.arange(1, 9), TypeError, "must have a floating dtype, got torch.int64"),
        ("inv_freq", torch.full((8,), math.nan), ValueError, "must be finite"),
        ("inv_freq", torch.tensor(1.0), ValueError, r"must have shape \[n\], got \[\]"),
        ("length", -5, ValueError, "must be at least 0, got -5"),
        ("length", "x", TypeError, "must be an int, got 'x'"),
        ("length", True, TypeError, "must be an int, got True"),
    ):
        with pytest.raises(error, match=f"^{argument} {words}"):
            rule(**{"inv_freq": theta, "length": None, **example, argument: bad})
