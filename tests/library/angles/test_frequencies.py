"""The ladder of frequencies, its alternatives, and their refusals."""

import mpmath
import pytest
import torch

from posenc_lib import cos_sin, inv_freq, sample_inv_freq


@pytest.mark.parametrize(("dim", "base"), [(2, 10000.0), (20, 10000.0), (64, 5e5), (128, 1e4), (512, 1e6)])
def test_theta_is_base_to_the_minus_two_i_over_d(dim, base):
    with mpmath.workdps(40):
        exact = [float(mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / dim)) for i in range(dim // 2)]
    # the exponent carries half an ulp, times ln(base) < 14: a few ulp in θ
    torch.testing.assert_close(inv_freq(dim, base).tolist(), exact, rtol=2e-15, atol=0)


def test_float32_is_the_table_checkpoints_were_trained_with():
    trained = 1.0 / (10000.0 ** (torch.arange(0, 128, 2, dtype=torch.float32) / 128))
    assert torch.equal(inv_freq(128, dtype=torch.float32), trained)


@pytest.mark.parametrize("base", [1e-300, 1e-38, 4e38, 1e300])
def test_a_base_that_float32_does_not_hold_serves_in_float64(base):
    assert inv_freq(8, base).isfinite().all() and inv_freq(8, base).all()


def test_bad_theta_functions_are_refused():
    with pytest.raises(TypeError, match=r"theta\(t\) must be a torch.Tensor"):
        sample_inv_freq(lambda t: 1.0, 8)
    for theta in (lambda t: t[:2], lambda t: 1 / t):
        with pytest.raises(ValueError, match="4 finite numbers"):
            sample_inv_freq(theta, 8)
    with pytest.raises(TypeError, match=r"theta\(t\) must be real, .* got torch\.complex128"):
        sample_inv_freq(lambda t: t + 1j, 8)


def test_float32_angles_are_products_of_float32_numbers():
    """What a checkpoint trained with float32 angles saw, also where the positions come in float64."""
    theta, at = inv_freq(16), torch.tensor([0.1, 1000.7, 31415.9], dtype=torch.float64)
    cos, sin = cos_sin(theta, at, dtype=torch.float64, angle_dtype=torch.float32)
    angle = at.float()[:, None] * theta.float()
    assert torch.equal(cos, angle.cos().double()) and torch.equal(sin, angle.sin().double())
