"""Kernels, the closed form of their integral, partial sums, bounds and measures of defect."""

import itertools
import math

import mpmath
import pytest
import torch

from posenc_lib import (
    abel_bound,
    apply_rotary,
    base_lower_bound,
    cos_sin,
    decay_integral,
    decay_kernel,
    gram,
    inv_freq,
    mean_partial_sums,
    partial_sums,
    permute_layout,
    plane_products,
    rotary_score,
    table_error,
    toeplitz_defect,
    trivial_bound,
)
from posenc_lib.analysis.integrals import cin, cosine_sine_integrals

F64 = torch.float64
LAYOUTS = ["half", "interleaved"]


def points():
    grid = torch.logspace(-6, 8, 100, dtype=F64)
    return torch.cat((grid, torch.tensor([3.999, 4.0, 4.001, 5.0, 7.0], dtype=F64)))  # around the seam at 4


def test_cosine_and_sine_integrals_against_mpmath():
    ci, si = cosine_sine_integrals(points())
    near_zero = cin(points())
    with mpmath.workdps(30):
        for x, c, s, z in zip(points().tolist(), ci.tolist(), si.tolist(), near_zero.tolist(), strict=True):
            exact = mpmath.ci(x)
            # measured: 2.3e-15, where ln x ≈ −13 has an ulp of 1.8e-15
            assert abs(exact - c) < 1e-14
            assert abs(mpmath.si(x) - s) < 1e-14
            assert abs(mpmath.euler + mpmath.log(x) - exact - z) < 1e-14


@pytest.mark.parametrize("base", [1.5, 10.0, 1e4, 5e5, 1e8])
def test_decay_integral_against_mpmath(base):
    ours = decay_integral(points(), base, complex_value=True)
    with mpmath.workdps(30):
        for x, value in zip(points().tolist(), ours.tolist(), strict=True):
            y = mpmath.mpf(x) / base
            exact = (mpmath.ci(x) - mpmath.ci(y) + 1j * (mpmath.si(x) - mpmath.si(y))) / mpmath.log(base)
            assert abs(exact - value) < 1e-12
    assert torch.equal(decay_integral(points(), base), ours.real)


def test_decay_integral_is_the_integral():
    def simpson(x, base, steps=20000):
        t = torch.linspace(0, 1, steps + 1, dtype=F64)
        f = (x * base**-t).cos()
        return (f[0] + f[-1] + 4 * f[1::2].sum() + 2 * f[2:-1:2].sum()) / (3 * steps)

    for x in (0.5, 10.0, 300.0):
        assert decay_integral(torch.tensor(x)).item() == pytest.approx(simpson(x, 1e4).item(), abs=1e-9)


def test_decay_integral_is_even_starts_at_one_and_follows_the_log_law():
    x = torch.tensor([0.0, 30.0, 100.0, 1000.0], dtype=F64)
    value = decay_integral(x)
    assert value[0] == 1
    assert torch.equal(decay_integral(-x), value)
    both = decay_integral(torch.stack((x, -x)), complex_value=True)
    assert torch.equal(both[0], both[1].conj())
    law = 1 - (0.5772156649015329 + x[1:].log()) / math.log(1e4)
    bound = (1 / x[1:] + x[1:] ** 2 / (4 * 1e8)) / math.log(1e4)
    assert bool(((value[1:] - law).abs() <= bound).all())


def test_kernel_tends_to_the_integral_at_the_proved_rate():
    x = torch.tensor([1.0, 10.0, 40.0], dtype=F64)
    for n in (64, 256, 1024):
        error = (decay_kernel(x, inv_freq(2 * n)) - decay_integral(x)).abs()
        assert bool((error <= x / n).all())  # bounded variation: x (1 − 1/b) / n


def test_kernel_is_the_integral_and_a_boundary_term_within_the_proved_error():
    x = torch.tensor([0.3, 1.0, 10.0, 40.0], dtype=F64)
    for base, n in itertools.product((10.0, 1e4, 5e5), (32, 64, 512)):
        boundary = (x.cos() - (x / base).cos()) / (2 * n)
        error = (decay_kernel(x, inv_freq(2 * n, base)) - decay_integral(x, base) - boundary).abs()
        assert bool((error <= math.log(base) * x * (x + 2) / (24 * n**2)).all())  # eq-decay-euler-maclaurin


@pytest.mark.parametrize("base", [2.0, 10.0, 1e4])
def test_decay_integral_stays_below_the_bound_by_parts_and_near_its_leading_term(base):
    x = base * torch.logspace(-1, 4, 200, dtype=F64)
    value = decay_integral(x, base, complex_value=True)
    log_base = math.log(base)
    leading = 1j * (base * torch.exp(1j * x / base) - torch.exp(1j * x)) / (x * log_base)
    assert bool((value.abs() <= 2 * base / (x * log_base)).all())  # eq-decay-far
    assert bool(((value - leading).abs() <= 2 * base**2 / (x**2 * log_base) + 1e-13).all())  # eq-decay-next


def test_decay_integral_is_zero_between_6166_and_6166_and_a_tenth():
    left, right = decay_integral(torch.tensor([6166.0, 6166.1], dtype=F64)).tolist()
    assert right < 0 < left


def test_mean_partial_sums_reproduce_figure_2_and_never_fall_below_one_half():
    curve = mean_partial_sums(torch.arange(0, 5000), inv_freq(128))
    assert curve[0] == 32.5
    assert curve[50].item() == pytest.approx(12.6295, abs=5e-5)
    assert curve[100].item() == pytest.approx(10.2273, abs=5e-5)
    assert curve.min() >= 0.5
    assert bool((curve[1:256] > curve[:255]).any())  # it is no monotone decay


def test_partial_sums_are_sums():
    theta = inv_freq(8)
    sums = partial_sums(torch.tensor([3, 11]), theta)
    expected = torch.exp(1j * 11 * theta)
    for j in range(4):
        torch.testing.assert_close(sums[1, j], expected[: j + 1].sum(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_score_formula_equals_rotated_inner_product(layout):
    q, k = torch.randn(3, 16, dtype=F64), torch.randn(3, 16, dtype=F64)
    x, theta = torch.arange(-20, 50), inv_freq(16)
    turned = apply_rotary(q[:, None].expand(3, 70, 16), *cos_sin(theta, x, dtype=F64), layout=layout)
    direct = (turned * k[:, None]).sum(-1)
    torch.testing.assert_close(rotary_score(q, k, x, theta, layout), direct, rtol=0, atol=1e-13)
    torch.testing.assert_close(rotary_score(q, k, x[3], theta, layout), direct[:, 3], rtol=0, atol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_bounds_bound_the_score(layout):
    q, k = torch.randn(50, 32, dtype=F64), torch.randn(50, 32, dtype=F64)
    x, theta = torch.arange(0, 300), inv_freq(32)
    score = rotary_score(q, k, x, theta, layout).abs()
    assert bool((score <= abel_bound(q, k, x, theta, layout=layout) * (1 + 1e-12)).all())
    assert bool((score <= trivial_bound(q, k, layout=layout)[:, None] * (1 + 1e-12)).all())


def test_abel_bound_is_attained():
    # h with h_{i+1} − h_i = −conj(S_{i+1})/|S_{i+1}| turns every triangle inequality into an equality
    theta, x = inv_freq(16), torch.tensor([37])
    s = partial_sums(x, theta)[0]
    h = (s.conj() / s.abs()).flip(-1).cumsum(-1).flip(-1)
    q, k = torch.cat((h.real, h.imag)), torch.cat((torch.ones(8), torch.zeros(8))).double()
    torch.testing.assert_close(plane_products(q, k), h, rtol=0, atol=1e-14)
    torch.testing.assert_close(rotary_score(q, k, x, theta), abel_bound(q, k, x, theta), rtol=1e-13, atol=0)


def test_abel_bound_is_worse_than_the_trivial_one_for_gaussian_vectors():
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1000, 128, dtype=F64, generator=generator)
    assert bool((abel_bound(q, k, torch.arange(1, 100), inv_freq(128)) > trivial_bound(q, k)[:, None]).all())


def test_toeplitz_defect_is_zero_for_relative_scores_and_finds_a_single_fault():
    i, j = torch.arange(6)[:, None], torch.arange(4)
    relative = ((i - j) ** 2).double()
    assert toeplitz_defect(relative) == 0
    relative[3, 1] += 1  # on a diagonal of four: the mean moves by 1/4, the entry is off by 3/4
    assert toeplitz_defect(relative).item() == pytest.approx(0.75, rel=1e-14)
    assert toeplitz_defect(torch.stack((relative, 0 * relative))).tolist() == pytest.approx(
        [0.75, 0], rel=1e-14
    )


def test_gram_is_the_table_of_inner_products():
    pe = torch.randn(3, 5, 4)
    expected = (pe[1, 2].double() * pe[1, 3].double()).sum()
    torch.testing.assert_close(gram(pe)[1, 2, 3], expected, rtol=0, atol=1e-14)


def test_table_error_separates_float64_and_float32_angles():
    at = torch.tensor([0, 4096, 131072, 1_000_000])
    exact = table_error(inv_freq(128), at)
    assert exact.max() <= 2**-25  # half an ulp of numbers in [1/2, 1)
    trained = table_error(inv_freq(128), at, angle_dtype=torch.float32)
    assert trained[0] == 0
    assert bool((trained[1:] > torch.tensor([1e-5, 1e-3, 1e-2])).all())


@pytest.mark.parametrize(("length", "published"), [(1024, 4293.4376), (2048, 11587.244), (4096, 26952.339)])
def test_base_lower_bound_agrees_with_the_certified_values(length, published):
    # certified with ball arithmetic to a relative width of 1e-7
    assert base_lower_bound(length, 128) == pytest.approx(published, rel=2e-7)


def test_base_lower_bound_is_feasible_and_what_lies_just_below_is_not():
    base = base_lower_bound(512, 64)
    distances = torch.arange(512)
    assert decay_kernel(distances, inv_freq(64, base)).min() > -1e-8
    for factor in (0.999, 0.99, 0.9, 0.5):
        assert decay_kernel(distances, inv_freq(64, base * factor)).min() < 0


def test_every_row_of_a_batch_is_what_the_row_alone_gives():
    theta, x = inv_freq(8), torch.arange(24).view(2, 3, 4)
    for curve in (decay_kernel, mean_partial_sums):
        assert torch.equal(curve(x, theta)[1, 2], curve(x[1, 2], theta))
        assert torch.equal(curve(x, theta)[1, 2, 3], curve(x[1, 2, 3], theta))
    q, k = torch.randn(2, 5, 8, dtype=F64, generator=torch.Generator().manual_seed(0))
    several = abel_bound(q, k, x[0, 1], theta)
    for row in range(5):
        torch.testing.assert_close(
            several[row], abel_bound(q[row], k[row], x[0, 1], theta), rtol=1e-15, atol=0
        )
        one = abel_bound(q[row], k[row], x[0, 1, 2], theta)
        torch.testing.assert_close(several[row, 2], one, rtol=1e-15, atol=0)
    assert abel_bound(q, k, x[0, 1, 2], theta).shape == (5,)


def test_bounds_of_permuted_channels_are_the_same():
    theta, x = inv_freq(8), torch.arange(20)
    q, k = torch.randn(2, 8, dtype=F64, generator=torch.Generator().manual_seed(0))
    pairs = [permute_layout(v, "half", "interleaved") for v in (q, k)]
    assert torch.equal(abel_bound(*pairs, x, theta, layout="interleaved"), abel_bound(q, k, x, theta))
    assert torch.equal(trivial_bound(*pairs, layout="interleaved"), trivial_bound(q, k))
    assert abel_bound(q, k, x, theta).min() != abel_bound(q, k, x, theta, layout="interleaved").min()


@pytest.mark.parametrize(
    ("shape", "number"), [((3, 3), 0.1), ((49, 49), 0.3), ((2, 5, 9), -0.7), ((7, 4), 1e300)]
)
def test_toeplitz_defect_of_one_number_a_diagonal_is_exactly_zero(shape, number):
    """A mean of n copies of 0.1 may be another number than 0.1; a mean of n zeros is zero."""
    assert not toeplitz_defect(torch.full(shape, number, dtype=F64)).any()
    m, n = (torch.arange(size, dtype=F64) for size in shape[-2:])
    function = (0.1 * (m[:, None] - n)).sin().expand(shape)
    assert not toeplitz_defect(function).any()


def test_toeplitz_defect_of_thin_and_of_empty_matrices():
    assert toeplitz_defect(torch.randn(3, 1)) == toeplitz_defect(torch.randn(1, 3)) == 0
    for shape in ((3,), (0, 3), (3, 0), (2, 3, 0), (2, 0, 3)):
        with pytest.raises(ValueError, match="M, N"):
            toeplitz_defect(torch.zeros(shape))


def test_table_error_is_that_of_the_dtype_of_the_table():
    theta, x = inv_freq(64), torch.arange(0, 5000, 7)
    assert table_error(theta, x, dtype=F64).max() == 0
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        # half a unit in the last place below one; torch rounds double to half by way of float32
        half = torch.finfo(dtype).eps / 4
        assert 0.9 * half < table_error(theta, x, dtype=dtype).max() <= half + 2**-24


def test_base_lower_bound_of_the_smallest_case():
    """L = 2, d = 4: cos 1 + cos(b^(−1/2)) is positive at every base b ≥ 1. One plane has no base at all."""
    assert base_lower_bound(2, 4) == 1.0
    with pytest.raises(ValueError, match="one plane"):
        base_lower_bound(2, 2)


class TestRefusals:
    def test_distances(self):
        for function in (decay_kernel, mean_partial_sums):
            with pytest.raises(TypeError, match="distances must"):
                function(torch.tensor([True]), inv_freq(4))
        with pytest.raises(ValueError, match="x must be finite"):
            decay_integral(torch.tensor([math.nan]))

    @pytest.mark.parametrize("base", [1.0, 0.5, -2.0, math.inf])
    def test_base(self, base):
        with pytest.raises(ValueError, match="base must"):
            decay_integral(torch.ones(1), base)

    def test_q_and_k(self):
        q, theta, x = torch.ones(4), inv_freq(4), torch.arange(2)
        with pytest.raises(ValueError, match="one width"):
            abel_bound(q, torch.ones(6), x, theta)
        with pytest.raises(ValueError, match="must be even"):
            trivial_bound(torch.ones(3), torch.ones(3))
        with pytest.raises(ValueError, match="2 planes but inv_freq has 3"):
            rotary_score(q, q, x, inv_freq(6))
        with pytest.raises(TypeError, match="q must have a floating dtype"):
            abel_bound(q.long(), q, x, theta)
        with pytest.raises(ValueError, match="layout must be one of"):
            plane_products(q, q, "neox")

    def test_matrices(self):
        with pytest.raises(TypeError, match="pe must have a floating dtype"):
            gram(torch.ones(2, 2, dtype=torch.long))
        with pytest.raises(ValueError, match="pe must have shape"):
            gram(torch.ones(2))
        with pytest.raises(ValueError, match="scores must have shape"):
            toeplitz_defect(torch.ones(0, 3))
        with pytest.raises(TypeError, match="inv_freq must be float64"):
            table_error(inv_freq(4).float(), torch.arange(3))

    def test_context(self):
        with pytest.raises(ValueError, match="context_length must be at least 2"):
            base_lower_bound(1, 64)
        with pytest.raises(ValueError, match=r"context_length asks for .* numbers, .*, got 1000000000000"):
            base_lower_bound(10**12, 128)
        with pytest.raises(ValueError, match=r"dim asks for .* numbers, .*, got 1048576"):
            base_lower_bound(2**36, 2**20)
        for rtol in (0.1, 1.0, 1e308):
            with pytest.raises(
                ValueError, match=f"rtol must be below 0.1, .*, got {rtol}".replace("+", r"\+")
            ):
                base_lower_bound(64, 8, rtol=rtol)
        with pytest.raises(ValueError, match="dim must be at least 4"):
            base_lower_bound(10, 2)


def test_distances_have_one_axis_and_q_one_at_least():
    q, theta, grid = torch.ones(2, 4), inv_freq(4), torch.zeros(2, 3)
    for measure in (rotary_score, abel_bound):
        with pytest.raises(ValueError, match="distances must have shape"):
            measure(q, q, grid, theta)
    with pytest.raises(ValueError, match="q and k must have one width"):
        plane_products(torch.tensor(1.0), torch.tensor(1.0))
