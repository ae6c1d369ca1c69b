"""Kernels, the closed form of their integral, partial sums, bounds and measures of defect."""

import mpmath
import pytest
import torch

import posenc_lib.analysis as lib
from posenc_lib import apply_rotary, cos_sin, inv_freq, permute_layout

F64 = torch.float64


def points():
    grid = torch.logspace(-6, 8, 100, dtype=F64)
    return torch.cat((grid, torch.tensor([3.999, 4.0, 4.001, 5.0, 7.0], dtype=F64)))  # around the seam at 4


@pytest.mark.parametrize("base", [1.5, 10.0, 1e4, 5e5, 1e8])
def test_decay_integral_against_mpmath(base):
    ours = lib.decay_integral(points(), base, complex_value=True)
    with mpmath.workdps(30):
        for x, value in zip(points().tolist(), ours.tolist(), strict=True):
            y = mpmath.mpf(x) / base
            exact = (mpmath.ci(x) - mpmath.ci(y) + 1j * (mpmath.si(x) - mpmath.si(y))) / mpmath.log(base)
            assert abs(exact - value) < 1e-14  # measured: 1.2e-15
    assert torch.equal(lib.decay_integral(points(), base), ours.real)


def test_decay_integral_is_even_and_starts_at_one():
    x = torch.tensor([0.0, 30.0, 100.0, 1000.0], dtype=F64)
    value = lib.decay_integral(x)
    assert value[0] == 1
    assert torch.equal(lib.decay_integral(-x), value)
    both = lib.decay_integral(torch.stack((x, -x)), complex_value=True)
    assert torch.equal(both[0], both[1].conj())


def test_mean_partial_sums_reproduce_figure_2_and_never_fall_below_one_half():
    curve = lib.mean_partial_sums(torch.arange(0, 5000), inv_freq(128))
    assert curve[0] == 32.5
    assert curve[50].item() == pytest.approx(12.6295, abs=5e-5)
    assert curve[100].item() == pytest.approx(10.2273, abs=5e-5)
    assert curve.min() >= 0.5
    assert bool((curve[1:256] > curve[:255]).any())  # it is no monotone decay


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_score_formula_equals_rotated_inner_product(layout):
    q, k = torch.randn(3, 16, dtype=F64), torch.randn(3, 16, dtype=F64)
    x, theta = torch.arange(-20, 50), inv_freq(16)
    turned = apply_rotary(q[:, None].expand(3, 70, 16), *cos_sin(theta, x, dtype=F64), layout=layout)
    direct = (turned * k[:, None]).sum(-1)
    torch.testing.assert_close(lib.rotary_score(q, k, x, theta, layout), direct, rtol=0, atol=1e-13)
    torch.testing.assert_close(lib.rotary_score(q, k, x[3], theta, layout), direct[:, 3], rtol=0, atol=1e-13)


def test_abel_bound_is_attained():
    # h with h_{i+1} − h_i = −conj(S_{i+1})/|S_{i+1}| turns every triangle inequality into an equality
    theta, x = inv_freq(16), torch.tensor([37])
    s = lib.partial_sums(x, theta)[0]
    h = (s.conj() / s.abs()).flip(-1).cumsum(-1).flip(-1)
    q, k = torch.cat((h.real, h.imag)), torch.cat((torch.ones(8), torch.zeros(8))).double()
    torch.testing.assert_close(lib.plane_products(q, k), h, rtol=0, atol=1e-14)
    score, bound = (f(q, k, x, theta) for f in (lib.rotary_score, lib.abel_bound))
    torch.testing.assert_close(score, bound, rtol=1e-13, atol=0)


def test_toeplitz_defect_is_zero_for_relative_scores_and_finds_a_single_fault():
    i, j = torch.arange(6)[:, None], torch.arange(4)
    relative = ((i - j) ** 2).double()
    assert lib.toeplitz_defect(relative) == 0
    relative[3, 1] += 1  # on a diagonal of four: the mean moves by 1/4, the entry is off by 3/4
    assert lib.toeplitz_defect(relative).item() == pytest.approx(0.75, rel=1e-14)
    both = lib.toeplitz_defect(torch.stack((relative, 0 * relative))).tolist()
    assert both == pytest.approx([0.75, 0], rel=1e-14)
    assert lib.toeplitz_defect(torch.randn(3, 1)) == lib.toeplitz_defect(torch.randn(1, 3)) == 0


def test_table_error_separates_float64_and_float32_angles():
    at = torch.tensor([0, 4096, 131072, 1_000_000])
    exact = lib.table_error(inv_freq(128), at)
    assert exact.max() <= 2**-25  # half an ulp of numbers in [1/2, 1)
    trained = lib.table_error(inv_freq(128), at, angle_dtype=torch.float32)
    assert trained[0] == 0
    assert bool((trained[1:] > torch.tensor([1e-5, 1e-3, 1e-2])).all())


@pytest.mark.parametrize(("length", "published"), [(1024, 4293.4376), (2048, 11587.244), (4096, 26952.339)])
def test_base_lower_bound_agrees_with_the_certified_values(length, published):
    # certified with ball arithmetic to a relative width of 1e-7
    assert lib.base_lower_bound(length, 128) == pytest.approx(published, rel=2e-7)
    assert lib.base_lower_bound(2, 4) == 1.0  # cos 1 + cos(b^(−1/2)) is positive at every base b ≥ 1


def test_every_row_of_a_batch_is_what_the_row_alone_gives():
    theta, x = inv_freq(8), torch.arange(24).view(2, 3, 4)
    for curve in (lib.decay_kernel, lib.mean_partial_sums):
        assert torch.equal(curve(x, theta)[1, 2], curve(x[1, 2], theta))
        assert torch.equal(curve(x, theta)[1, 2, 3], curve(x[1, 2, 3], theta))
    q, k = torch.randn(2, 5, 8, dtype=F64, generator=torch.Generator().manual_seed(0))
    several = lib.abel_bound(q, k, x[0, 1], theta)
    for row in range(5):
        for at, bound in ((x[0, 1], several[row]), (x[0, 1, 2], several[row, 2])):
            torch.testing.assert_close(bound, lib.abel_bound(q[row], k[row], at, theta), rtol=1e-15, atol=0)
    assert lib.abel_bound(q, k, x[0, 1, 2], theta).shape == (5,)


def test_bounds_of_permuted_channels_are_the_same():
    theta, x = inv_freq(8), torch.arange(20)
    q, k = torch.randn(2, 8, dtype=F64, generator=torch.Generator().manual_seed(0))
    pairs = [permute_layout(v, "half", "interleaved") for v in (q, k)]
    assert torch.equal(lib.abel_bound(*pairs, x, theta, layout="interleaved"), lib.abel_bound(q, k, x, theta))
    assert torch.equal(lib.trivial_bound(*pairs, layout="interleaved"), lib.trivial_bound(q, k))
    assert lib.abel_bound(q, k, x, theta).min() != lib.abel_bound(q, k, x, theta, layout="interleaved").min()


@pytest.mark.parametrize(
    ("shape", "number"), [((3, 3), 0.1), ((49, 49), 0.3), ((2, 5, 9), -0.7), ((7, 4), 1e300)]
)
def test_toeplitz_defect_of_one_number_a_diagonal_is_exactly_zero(shape, number):
    """A mean of n copies of 0.1 may be another number than 0.1; a mean of n zeros is zero."""
    assert not lib.toeplitz_defect(torch.full(shape, number, dtype=F64)).any()
    m, n = (torch.arange(size, dtype=F64) for size in shape[-2:])
    function = (0.1 * (m[:, None] - n)).sin().expand(shape)
    assert not lib.toeplitz_defect(function).any()


def test_table_error_is_that_of_the_dtype_of_the_table():
    theta, x = inv_freq(64), torch.arange(0, 5000, 7)
    assert lib.table_error(theta, x, dtype=F64).max() == 0
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        # half a unit in the last place below one; torch rounds double to half by way of float32
        half = torch.finfo(dtype).eps / 4
        assert 0.9 * half < lib.table_error(theta, x, dtype=dtype).max() <= half + 2**-24
