"""Encodings that are added: the identities of the sinusoid, and the modules."""

import pytest
import torch

import posenc_lib as lib

F64 = torch.float64


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("k", [0, 1, -7, 12345, 0.5])
def test_shift_matrix_moves_every_position_by_k(layout, k):
    theta, at = lib.inv_freq(16), torch.tensor([0.0, 3.0, 100.0, -4.25], dtype=F64)
    moved = lib.sinusoidal_of(theta, at, layout=layout, dtype=F64) @ lib.shift_matrix(k, theta, layout).T
    # angles up to 12445 rad are off by half an ulp of 2^13, 9e-13
    expected = lib.sinusoidal_of(theta, at + k, layout=layout, dtype=F64)
    torch.testing.assert_close(moved, expected, rtol=0, atol=1e-11)
    several = lib.shift_matrix(torch.tensor([k, -k]), theta, layout)
    assert torch.equal(several, torch.stack([lib.shift_matrix(x, theta, layout) for x in (k, -k)]))


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


RUN = torch.arange(7, 4207)  # with 256 frequencies long enough for angle addition
POSITIONS = {
    "a run": RUN,
    "backwards": RUN.flip(0),
    "every second": 2 * RUN,
    "a gap": torch.cat((RUN[:9], RUN[10:], RUN[-1:] + 2)),
    "narrow integers": RUN.int(),
    "numbers": RUN.double(),
    "rows": RUN.view(2, -1),
}


@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("at", POSITIONS.values(), ids=POSITIONS)
def test_long_tables_hold_what_short_ones_hold(at, dtype):
    whole = lib.sinusoidal(at, 512, dtype=dtype)
    parts = torch.cat([lib.sinusoidal(p, 512, dtype=dtype) for p in at.split(100, -1)], -2)
    assert whole.dtype == dtype
    # long runs are added up in float64 and rounded once; double itself must not be rounded twice
    atol = 0 if dtype == F64 or at is not RUN else torch.finfo(dtype).eps / 2
    torch.testing.assert_close(whole, parts, rtol=0, atol=atol)


def test_long_tables_are_differentiated_mapped_and_laid_out():
    theta = lib.inv_freq(512)
    assert lib.sinusoidal_of(theta.clone().requires_grad_(), RUN).requires_grad
    assert lib.sinusoidal_of(theta.to("meta"), RUN.to("meta")).is_meta
    by_rows = torch.func.vmap(lambda at: lib.sinusoidal_of(theta, at))(RUN.expand(2, -1))
    by_ladders = torch.func.vmap(lambda ladder: lib.sinusoidal_of(ladder, RUN))(theta.expand(2, -1))
    for each in (by_rows, by_ladders):
        torch.testing.assert_close(each[1], lib.sinusoidal_of(theta, RUN), rtol=0, atol=1e-7)


def test_linear_positions_fill_the_last_axis_whatever_stands_before():
    grid = torch.arange(6).view(2, 3)
    assert torch.equal(lib.linear_positions(grid, 4), grid[..., None].expand(2, 3, 4).float())
    half = lib.linear_positions(torch.tensor([2**24 + 1]), 1, length=2**25)
    assert half.item() == 0.5  # rounded after division
    last = lib.linear_positions(torch.tensor([10**8 - 1]), 1, length=10**8)
    assert last.item() == 1.0  # below 1, and may round to it
