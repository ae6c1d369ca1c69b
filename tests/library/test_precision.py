"""How exact tables and rotated vectors are, against 50-digit arithmetic."""

import mpmath
import pytest
import torch

import posenc_lib as lib
from posenc_lib import apply_rotary, cos_sin, inv_freq, rotation_matrix, sinusoidal
from posenc_lib.kernels import cos_sin_from_turns, turns

POSITIONS = [0, 4096, 131072, 1_000_000, 2**24]
LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def exact_tables(dim, position, base=10000.0):
    """cos and sin of position · base^(−2i/dim), each [dim/2], rounded once to float64."""
    with mpmath.workdps(50):
        angles = [position * mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / dim) for i in range(dim // 2)]
        cos = torch.tensor([float(mpmath.cos(a)) for a in angles], dtype=F64)
        sin = torch.tensor([float(mpmath.sin(a)) for a in angles], dtype=F64)
    return cos, sin


def worst(pair, exact):
    return max((a.double() - b).abs().max().item() for a, b in zip(pair, exact, strict=True))


@pytest.mark.parametrize("base", [10000.0, 500000.0])
@pytest.mark.parametrize("position", POSITIONS)
def test_float32_tables_are_exact_to_half_an_ulp(position, base, device):
    """And float64 ones to one rounding of the angle."""
    at = torch.tensor(position, device=device)
    for dim in (64, 80, 128):
        exact, theta = exact_tables(dim, position, base), inv_freq(dim, base)
        wide, narrow = ([t.cpu() for t in cos_sin(theta, at, dtype=d)] for d in (F64, torch.float32))
        assert worst(wide, exact) <= 2e-16 * position + 1e-15
        # half an ulp of float32 in [1/2, 1) is 2^-25 = 3.0e-8; the float64 angle adds 2e-16 · 2^24 = 3.4e-9
        assert worst(narrow, exact) <= 2**-25 + 2e-16 * position


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("shape", [(2, 3, 40, 64), (1, 4, 1, 64), (1, 8, 1500, 64)])
def test_half_precision_is_the_exact_value_rounded_once(layout, dtype, shape, device):
    torch.manual_seed(0)
    x = torch.randn(shape, device=device).to(dtype)
    cos, sin = cos_sin(inv_freq(64), 100_000 + torch.arange(shape[-2], device=device))
    ours = apply_rotary(x, cos, sin, layout=layout)
    exact = apply_rotary(x.double(), cos.double(), sin.double(), layout=layout)
    once = exact.to(dtype)
    # The exact sum of two float32 products is wider than float32. Computing it in float32 and rounding that
    # differs from rounding the exact value only where this lies so near the middle between two half-precision
    # numbers that float32 arithmetic (three roundings of |x| < 8, 5e-7 each) crosses it.
    differ = ours != once
    middle = (ours.double() + once.double()) / 2
    from_middle = (exact - middle).abs()[differ]
    assert bool((from_middle <= 1.5e-6).all())
    assert differ.double().mean() < 2e-3


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, F64])
def test_scores_depend_on_distance_to_the_rounding_of_the_dtype(dtype):
    q, k = torch.randn(2, 128, dtype=F64).to(dtype)
    starts = torch.tensor([0, 4096, 131072, 1_000_000, 2**24 - 64])
    theta, table = inv_freq(128), torch.promote_types(dtype, torch.float32)
    turned = [
        [apply_rotary(x, *cos_sin(theta, at, dtype=table)).double() for x, at in ((q, m + 8), (k, m))]
        for m in starts
    ]
    scores = [one @ other for one, other in turned]
    spread = (torch.stack(scores) - scores[0]).abs().max() / (q.double().norm() * k.double().norm())
    # float32: tables and products are rounded three times each; float64 adds the rounding of angles near
    # 2^24; bfloat16: both outputs are rounded once, by half an ulp, at either of two starts
    assert spread <= {F64: 4e-9, torch.float32: 4 * 2**-23, torch.bfloat16: 2 * 2**-8}[dtype]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_long_runs_by_angle_addition_are_exact_to_half_an_ulp(layout):
    start = 100_000
    run = sinusoidal(torch.arange(start, start + 4100), 512, layout=layout)  # long enough for angle addition
    exact = sinusoidal(torch.arange(start, start + 4100), 512, layout=layout, dtype=F64)
    error = (run.double() - exact).abs().max().item()
    # half an ulp of float32; both float64 angles add 2e-16 per position
    assert error <= 2**-25 + 2 * 2e-16 * (start + 4100)
    scattered = sinusoidal(torch.tensor([start, start + 4099]), 512, layout=layout)
    torch.testing.assert_close(run[[0, -1]], scattered, rtol=0, atol=2**-24)


def test_rotation_matrix_and_sinusoid_share_the_exact_tables():
    cos, sin = exact_tables(16, 131072)
    matrix = rotation_matrix(inv_freq(16), 131072, "half")
    assert worst((matrix.diagonal()[:8], matrix[8:, :8].diagonal()), (cos, sin)) <= 2e-16 * 131072 + 1e-15
    pe = sinusoidal(torch.tensor(131072), 16, dtype=F64)
    assert worst((pe[1::2], pe[0::2]), (cos, sin)) <= 2e-16 * 131072 + 1e-15


AT = torch.arange(299, 301)
ALIKE = {
    "slopes": lambda: [lib.alibi_slopes(3)],
    "turns": lambda: cos_sin_from_turns(turns(inv_freq(16)), AT, attention_factor=1.2079),
    "places": lambda: lib.positions_mrope([(300, 1, 1)], time_step=2.5)[:1],
    "tables": lambda: cos_sin(inv_freq(16), AT, attention_factor=1.2079),
    "sinusoid": lambda: [sinusoidal(AT, 16)],
}


@pytest.mark.parametrize("default", [torch.bfloat16, F64], ids=str)
@pytest.mark.parametrize("made", ALIKE.values(), ids=ALIKE)
def test_nothing_is_worked_out_in_the_default_dtype(made, default):
    """Models are often built while it is bfloat16, which skips integers above 256."""
    expected, before = made(), torch.get_default_dtype()
    torch.set_default_dtype(default)
    try:
        got = made()
    finally:
        torch.set_default_dtype(before)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype and torch.equal(one, other)
