"""Encodings that are added: the identities of the sinusoid, and the modules."""

import copy
import math
import pickle

import pytest
import torch

from posenc_lib import (
    LearnedEncoding,
    LinearEncoding,
    SinusoidalEncoding,
    gram,
    inv_freq,
    linear_positions,
    shift_matrix,
    sinusoidal,
    sinusoidal_of,
    toeplitz_defect,
)
from posenc_lib.additive.consecutive import run_start

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def test_elements_are_sin_in_even_and_cos_in_odd_channels(device):
    pe = sinusoidal(torch.arange(50, device=device), 20, dtype=F64)
    for p in (0, 1, 49):
        for i in range(10):
            angle = p / 10000 ** (2 * i / 20)
            assert pe[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-13)
            assert pe[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("k", [0, 1, -7, 12345, 0.5])
def test_shift_matrix_moves_every_position_by_k(layout, k):
    theta, at = inv_freq(16), torch.tensor([0.0, 3.0, 100.0, -4.25], dtype=F64)
    moved = sinusoidal_of(theta, at, layout=layout, dtype=F64) @ shift_matrix(k, theta, layout).T
    # angles up to 12445 rad are off by half an ulp of 2^13, 9e-13
    torch.testing.assert_close(
        moved, sinusoidal_of(theta, at + k, layout=layout, dtype=F64), rtol=0, atol=1e-11
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shift_matrices_form_a_group_and_are_orthogonal(layout):
    theta = inv_freq(8)
    m, n = shift_matrix(3, theta, layout), shift_matrix(-10, theta, layout)
    torch.testing.assert_close(m @ n, shift_matrix(-7, theta, layout), rtol=0, atol=2e-15)
    torch.testing.assert_close(m.T @ m, torch.eye(8, dtype=F64), rtol=0, atol=1e-15)
    assert torch.equal(shift_matrix(torch.tensor([3, -10]), theta, layout), torch.stack((m, n)))


def test_norm_is_constant_and_inner_products_depend_on_distance_only():
    pe = sinusoidal(torch.arange(200), 64, dtype=F64)
    torch.testing.assert_close(pe.square().sum(-1), torch.full((200,), 32.0, dtype=F64), rtol=1e-14, atol=0)
    products = gram(pe)
    assert toeplitz_defect(products) < 1e-12
    expected = (torch.arange(200)[:, None] * inv_freq(64)).cos().sum(-1)
    torch.testing.assert_close(products[0], expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(products, products.T, rtol=0, atol=1e-12)  # symmetric: blind to direction


@pytest.mark.parametrize("learnable", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, F64, torch.bfloat16])
def test_module_adds_the_function_and_decodes_with_an_offset(learnable, dtype, device):
    module = SinusoidalEncoding(8, learnable=learnable).to(device=device, dtype=dtype)
    x = torch.randn(2, 5, 8, device=device).to(dtype)
    wide = F64 if dtype == F64 else torch.float32
    pe = sinusoidal(torch.arange(5, device=device), 8, dtype=wide)
    out = module(x)
    assert torch.equal(out, (x.to(wide) + pe).to(dtype))
    assert torch.equal(module(x[:, 3:], offset=3), out[:, 3:])
    assert torch.equal(module(x, position_ids=torch.arange(5, device=device).expand(2, 5)), out)


def test_trainable_frequencies_get_the_exact_gradient():
    module = SinusoidalEncoding(6, learnable=True).double()
    with torch.no_grad():
        module.frequencies.log_ratio.uniform_(-0.1, 0.1)
    x, cotangent = torch.zeros(1, 4, 6, dtype=F64), torch.randn(1, 4, 6, dtype=F64)

    def loss(delta):
        encoded = sinusoidal_of(inv_freq(6) * delta.exp(), torch.arange(4), dtype=F64)
        return (encoded * cotangent[0]).sum()

    (module(x) * cotangent).sum().backward()
    expected = torch.func.grad(loss)(module.frequencies.log_ratio.detach())
    torch.testing.assert_close(module.frequencies.log_ratio.grad, expected, rtol=0, atol=1e-14)
    assert torch.autograd.gradcheck(loss, module.frequencies.log_ratio.detach().requires_grad_())


def test_trainable_frequencies_survive_a_cast_to_bfloat16():
    x = torch.zeros(1, 100, 64)
    module = SinusoidalEncoding(64, learnable=True).bfloat16().float()
    assert torch.equal(module(x), SinusoidalEncoding(64)(x))


def test_fixed_encoding_has_no_state_and_learned_ones_have_one_tensor():
    assert SinusoidalEncoding(8).state_dict() == {}
    assert LinearEncoding(8).state_dict() == {}
    assert list(LearnedEncoding(4, 8).state_dict()) == ["weight"]
    assert list(SinusoidalEncoding(8, learnable=True).state_dict()) == ["frequencies.log_ratio"]


@pytest.mark.parametrize(
    "make",
    [lambda: SinusoidalEncoding(8, learnable=True), lambda: LearnedEncoding(9, 8), lambda: LinearEncoding(8)],
)
def test_copies_and_pickles_compute_the_same(make):
    module, x = make(), torch.randn(1, 5, 8)
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert torch.equal(twin(x), module(x))


def test_learned_rows_are_looked_up_and_trained():
    module, x = LearnedEncoding(10, 4), torch.zeros(1, 3, 4)
    assert torch.equal(module(x, offset=7)[0], module.weight[7:])
    ids = torch.tensor([[0, 0, 9]])
    module(x, position_ids=ids).sum().backward()
    assert module.weight.grad[:, 0].tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("narrow", [torch.uint8, torch.int8, torch.int16, torch.int32], ids=str)
def test_any_integers_look_up_learned_rows(narrow):
    module, x, ids = LearnedEncoding(10, 4), torch.zeros(1, 3, 4), torch.tensor([[7, 0, 9]])
    assert torch.equal(module(x, ids.to(narrow)), module(x, ids))


def test_learned_rows_under_vmap():
    module, x, ids = LearnedEncoding(10, 4), torch.zeros(2, 3, 4), torch.tensor([[7, 0, 9], [1, 2, 3]])
    assert torch.equal(torch.func.vmap(module)(x, ids), module(x, ids))


def test_a_learned_table_needs_a_deviation_that_is_not_negative():
    assert not LearnedEncoding(2, 4, std=0.0).weight.any()
    with pytest.raises(ValueError, match=r"std must not be negative, got -0\.1"):
        LearnedEncoding(2, 4, std=-0.1)


def test_a_learned_table_that_no_memory_holds_or_that_would_be_infinite_is_refused():
    with pytest.raises(ValueError, match=f"num_positions asks for 4e.12 numbers.*, got {10**12}"):
        LearnedEncoding(10**12, 4)
    with pytest.raises(ValueError, match=r"std must be at most 2\.127e\+37 for finite rows, got 1e\+39"):
        LearnedEncoding(2, 4, std=1e39)
    assert LearnedEncoding(2**10, 2**10, std=2e37).weight.isfinite().all()


def test_learned_table_ends():
    module, x = LearnedEncoding(10, 4), torch.zeros(1, 3, 4)
    with pytest.raises(ValueError, match=r"below num_positions = 10, got 8\.\.10"):
        module(x, offset=8)
    for bad in ([0, 1, 10], [-1, 0, 1]):
        with pytest.raises(ValueError, match="num_positions = 10"):
            module(x, position_ids=torch.tensor(bad))
    with pytest.raises(TypeError, match="must be integers"):
        module(x, position_ids=torch.tensor([0.0, 1.0, 2.0]))


def test_linear_encoding_is_removed_by_a_layer_norm():
    x = torch.randn(2, 50, 8, dtype=F64)
    norm = torch.nn.LayerNorm(8, dtype=F64)
    encoded = LinearEncoding(8).double()(x)
    at = torch.arange(50).double()[:, None].expand(2, 50, 8)
    torch.testing.assert_close(
        encoded - x, at, rtol=0, atol=1e-14
    )  # one ulp of 64: the position in every channel
    torch.testing.assert_close(norm(encoded), norm(x), rtol=0, atol=1e-12)
    assert linear_positions(torch.arange(4), 2, length=4).max() == 0.75


def test_a_run_is_recognised_only_where_angle_addition_may_serve():
    theta, run = inv_freq(512), torch.arange(7, 7 + 4096)  # 2²⁰ numbers: from here on it is worth it
    assert run_start(run, theta) == 7
    assert run_start(torch.arange(1024), inv_freq(2048)) == 0
    assert run_start(run[:-1], theta) is None
    assert run_start(torch.arange(1023), inv_freq(4096)) is None
    for other in (
        run.flip(0),
        2 * run,
        torch.cat((run[:9], run[10:], run[-1:] + 2)),
        run.int(),
        run.double(),
    ):
        assert run_start(other, theta) is None
    assert run_start(run.view(2, -1), theta) is None
    assert run_start(run.to("meta"), theta.to("meta")) is None
    assert run_start(run, theta.clone().requires_grad_()) is None
    seen = []
    torch.func.vmap(lambda positions: seen.append(run_start(positions, theta)) or positions)(
        run.expand(2, -1)
    )
    torch.func.vmap(lambda ladder: seen.append(run_start(run, ladder)) or ladder)(theta.expand(2, -1))
    assert seen == [None, None]


@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_long_tables_hold_what_short_ones_hold(dtype):
    whole = sinusoidal(torch.arange(4200), 512, dtype=dtype)
    parts = torch.cat([sinusoidal(p, 512, dtype=dtype) for p in torch.arange(4200).split(100)])
    assert whole.dtype == dtype
    # long runs are added up in float64 and rounded once; double itself must not be rounded twice
    atol = 0 if dtype == F64 else torch.finfo(dtype).eps / 2
    torch.testing.assert_close(whole, parts, rtol=0, atol=atol)


def test_linear_positions_fill_the_last_axis_whatever_stands_before():
    grid = torch.arange(6).view(2, 3)
    assert torch.equal(linear_positions(grid, 4), grid[..., None].expand(2, 3, 4).float())
    assert linear_positions(grid, 1).shape == (2, 3, 1)
    assert (
        linear_positions(torch.tensor([2**24 + 1]), 1, length=2**25).item() == 0.5
    )  # rounded after division
    with pytest.raises(ValueError, match="dim must be at least 1"):
        linear_positions(grid, 0)


def test_linear_positions_lie_between_0_and_1_and_may_round_to_1():
    length = 10**8
    ends = linear_positions(torch.tensor([0, 2**24, length - 1]), 1, length=length)
    assert ends.squeeze().tolist() == [0.0, torch.tensor(2**24 / length).item(), 1.0]
    with pytest.raises(ValueError, match=rf"position_ids must lie in ±{2**53}, got 1e\+300\.\.1e\+300"):
        linear_positions(torch.tensor([1e300], dtype=F64), 1)


def test_refusals():
    x = torch.zeros(1, 3, 8)
    with pytest.raises(ValueError, match="dim must be even"):
        SinusoidalEncoding(7)
    with pytest.raises(ValueError, match="layout must be one of"):
        sinusoidal(torch.arange(3), 8, layout="split")
    with pytest.raises(ValueError, match="base must be positive"):
        sinusoidal(torch.arange(3), 8, base=-1.0)
    for module in (SinusoidalEncoding(6), LearnedEncoding(5, 6), LinearEncoding(6)):
        with pytest.raises(ValueError, match=r"x must have shape \[..., seq, 6\]"):
            module(x)
    for module in (SinusoidalEncoding(8), LearnedEncoding(5, 8), LinearEncoding(8)):
        with pytest.raises(ValueError, match="position_ids or offset, not both"):
            module(x, position_ids=torch.arange(3), offset=1)
        for offset in (False, 0.0, None, torch.zeros(3)):
            with pytest.raises(TypeError, match="offset must be an int, got"):
                module(x, position_ids=torch.arange(3), offset=offset)
        with pytest.raises(ValueError, match="position_ids must have shape"):
            module(x, position_ids=torch.arange(4))
        with pytest.raises(ValueError, match="offset must be at least 0"):
            module(x, offset=-1)
    with pytest.raises(ValueError, match="length must be at least 1"):
        linear_positions(torch.arange(3), 2, length=0)
    with pytest.raises(ValueError, match="num_positions must be at least 1"):
        LearnedEncoding(0, 4)
    with pytest.raises(ValueError, match=r"inv_freq must have shape \[4\]"):
        SinusoidalEncoding(8, learnable=True).frequencies(torch.ones(3))
