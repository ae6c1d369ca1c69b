"""Encodings that are added: the identities of the sinusoid, and the modules."""

import math

import pytest
import torch

import posenc_lib as lib
from posenc_lib.additive.consecutive import run_start

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def test_elements_are_sin_in_even_and_cos_in_odd_channels(device):
    pe = lib.sinusoidal(torch.arange(50, device=device), 20, dtype=F64)
    for p in (0, 1, 49):
        for i in range(10):
            angle = p / 10000 ** (2 * i / 20)
            assert pe[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-13)
            assert pe[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("k", [0, 1, -7, 12345, 0.5])
def test_shift_matrix_moves_every_position_by_k(layout, k):
    theta, at = lib.inv_freq(16), torch.tensor([0.0, 3.0, 100.0, -4.25], dtype=F64)
    moved = lib.sinusoidal_of(theta, at, layout=layout, dtype=F64) @ lib.shift_matrix(k, theta, layout).T
    # angles up to 12445 rad are off by half an ulp of 2^13, 9e-13
    expected = lib.sinusoidal_of(theta, at + k, layout=layout, dtype=F64)
    torch.testing.assert_close(moved, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shift_matrices_form_a_group_and_are_orthogonal(layout):
    theta = lib.inv_freq(8)
    m, n = lib.shift_matrix(3, theta, layout), lib.shift_matrix(-10, theta, layout)
    torch.testing.assert_close(m @ n, lib.shift_matrix(-7, theta, layout), rtol=0, atol=2e-15)
    torch.testing.assert_close(m.T @ m, torch.eye(8, dtype=F64), rtol=0, atol=1e-15)
    assert torch.equal(lib.shift_matrix(torch.tensor([3, -10]), theta, layout), torch.stack((m, n)))


def test_norm_is_constant_and_inner_products_depend_on_distance_only():
    pe = lib.sinusoidal(torch.arange(200), 64, dtype=F64)
    torch.testing.assert_close(pe.square().sum(-1), torch.full((200,), 32.0, dtype=F64), rtol=1e-14, atol=0)
    products = lib.gram(pe)
    assert lib.toeplitz_defect(products) < 1e-12
    expected = (torch.arange(200)[:, None] * lib.inv_freq(64)).cos().sum(-1)
    torch.testing.assert_close(products[0], expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(products, products.T, rtol=0, atol=1e-12)  # symmetric: blind to direction


@pytest.mark.parametrize("learnable", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, F64, torch.bfloat16])
def test_module_adds_the_function_and_decodes_with_an_offset(learnable, dtype, device):
    module = lib.SinusoidalEncoding(8, learnable=learnable).to(device=device, dtype=dtype)
    x = torch.randn(2, 5, 8, device=device).to(dtype)
    wide = F64 if dtype == F64 else torch.float32
    pe = lib.sinusoidal(torch.arange(5, device=device), 8, dtype=wide)
    out = module(x)
    assert torch.equal(out, (x.to(wide) + pe).to(dtype))
    assert torch.equal(module(x[:, 3:], offset=3), out[:, 3:])
    assert torch.equal(module(x, position_ids=torch.arange(5, device=device).expand(2, 5)), out)


def test_trainable_frequencies_survive_a_cast_to_bfloat16():
    x = torch.zeros(1, 100, 64)
    module = lib.SinusoidalEncoding(64, learnable=True).bfloat16().float()
    assert torch.equal(module(x), lib.SinusoidalEncoding(64)(x))


def test_learned_rows_are_looked_up_and_trained():
    module, x = lib.LearnedEncoding(10, 4), torch.zeros(1, 3, 4)
    assert torch.equal(module(x, offset=7)[0], module.weight[7:])
    ids = torch.tensor([[0, 0, 9]])
    module(x, position_ids=ids).sum().backward()
    assert module.weight.grad[:, 0].tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("narrow", [torch.uint8, torch.int8, torch.int16, torch.int32], ids=str)
def test_any_integers_look_up_learned_rows(narrow):
    module, x, ids = lib.LearnedEncoding(10, 4), torch.zeros(1, 3, 4), torch.tensor([[7, 0, 9]])
    assert torch.equal(module(x, ids.to(narrow)), module(x, ids))


def test_a_learned_table_starts_as_wide_as_it_is_told():
    assert not lib.LearnedEncoding(2, 4, std=0.0).weight.any()
    assert lib.LearnedEncoding(2**10, 2**10, std=2e37).weight.isfinite().all()


def test_linear_encoding_is_removed_by_a_layer_norm():
    x = torch.randn(2, 50, 8, dtype=F64)
    norm = torch.nn.LayerNorm(8, dtype=F64)
    encoded = lib.LinearEncoding(8).double()(x)
    at = torch.arange(50).double()[:, None].expand(2, 50, 8)
    torch.testing.assert_close(encoded - x, at, rtol=0, atol=1e-14)  # one ulp of 64: in every channel
    torch.testing.assert_close(norm(encoded), norm(x), rtol=0, atol=1e-12)
    assert lib.linear_positions(torch.arange(4), 2, length=4).max() == 0.75


def test_a_run_is_recognised_only_where_angle_addition_may_serve():
    theta, run = lib.inv_freq(512), torch.arange(7, 7 + 4096)  # 2²⁰ numbers: from here on it is worth it
    assert run_start(run, theta) == 7
    assert run_start(torch.arange(1024), lib.inv_freq(2048)) == 0
    assert run_start(run[:-1], theta) is None
    assert run_start(torch.arange(1023), lib.inv_freq(4096)) is None
    with_a_gap = torch.cat((run[:9], run[10:], run[-1:] + 2))
    for other in (run.flip(0), 2 * run, with_a_gap, run.int(), run.double(), run.view(2, -1)):
        assert run_start(other, theta) is None
    assert run_start(run.to("meta"), theta.to("meta")) is None
    assert run_start(run, theta.clone().requires_grad_()) is None
    seen = []
    for over_run in (True, False):

        def look(rows, over_run=over_run):
            seen.append(run_start(rows, theta) if over_run else run_start(run, rows))
            return rows

        torch.func.vmap(look)((run if over_run else theta).expand(2, -1))
    assert seen == [None, None]


@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_long_tables_hold_what_short_ones_hold(dtype):
    whole = lib.sinusoidal(torch.arange(4200), 512, dtype=dtype)
    parts = torch.cat([lib.sinusoidal(p, 512, dtype=dtype) for p in torch.arange(4200).split(100)])
    assert whole.dtype == dtype
    # long runs are added up in float64 and rounded once; double itself must not be rounded twice
    atol = 0 if dtype == F64 else torch.finfo(dtype).eps / 2
    torch.testing.assert_close(whole, parts, rtol=0, atol=atol)


def test_linear_positions_fill_the_last_axis_whatever_stands_before():
    grid = torch.arange(6).view(2, 3)
    assert torch.equal(lib.linear_positions(grid, 4), grid[..., None].expand(2, 3, 4).float())
    assert lib.linear_positions(grid, 1).shape == (2, 3, 1)
    half = lib.linear_positions(torch.tensor([2**24 + 1]), 1, length=2**25)
    assert half.item() == 0.5  # rounded after division


def test_linear_positions_lie_between_0_and_1_and_may_round_to_1():
    length = 10**8
    ends = lib.linear_positions(torch.tensor([0, 2**24, length - 1]), 1, length=length)
    assert ends.squeeze().tolist() == [0.0, torch.tensor(2**24 / length).item(), 1.0]
