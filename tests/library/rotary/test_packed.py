"""Planes as 32-bit words: the same bits as the plain formula, infinities, NaN and ties included."""

import pytest
import torch

from posenc_lib import apply_rotary, cos_sin, inv_freq
from posenc_lib.rotary.engine.eager import rotate_by_formula
from posenc_lib.rotary.engine.traced import packs, rotate_packed


def tables(length, dim):
    return cos_sin(inv_freq(dim), torch.arange(length))


def test_the_same_bits_as_the_formula():
    x = torch.randn(2, 3, 500, 64, generator=torch.Generator().manual_seed(0)).bfloat16()
    cos, sin = tables(500, 64)
    assert torch.equal(rotate_packed(x, cos, sin), rotate_by_formula(x, cos, sin, "interleaved"))


def test_ties_infinities_and_nan_round_as_torch_rounds_them():
    one, none = torch.ones(1, 1), torch.zeros(1, 1)
    values = torch.tensor([1.0, -1.0, 3.0e38, -3.0e38, torch.inf, -torch.inf, torch.nan, 0.0, -0.0, 1e-40])
    for scale in (1.0, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20):  # products on and beside ties
        x = values.bfloat16()[:, None].expand(-1, 2).contiguous()
        got, true = (
            rotate_packed(x, one * scale, none),
            rotate_by_formula(x, one * scale, none, "interleaved"),
        )
        assert torch.equal(got.isnan(), true.isnan())
        assert torch.equal(got.nan_to_num(7.0).view(torch.int16), true.nan_to_num(7.0).view(torch.int16))


@pytest.mark.parametrize("case", ["float16", "float64 tables", "odd stride", "transposed"])
def test_what_cannot_be_read_as_words_is_left_alone(case):
    x, (cos, _) = torch.zeros(4, 6, 8, dtype=torch.bfloat16), tables(6, 8)
    assert packs(x, cos)
    given = {
        "float16": (x.half(), cos),
        "float64 tables": (x, cos.double()),
        "odd stride": (torch.zeros(4, 6, 9, dtype=torch.bfloat16)[..., :8], cos),
        "transposed": (torch.zeros(4, 8, 6, dtype=torch.bfloat16).mT, cos),
    }
    assert not packs(*given[case])


@pytest.mark.parametrize("width", [32, 16])
def test_compiled_and_eager_agree_with_gradients(width):
    x = torch.randn(2, 20, 32, generator=torch.Generator().manual_seed(1)).bfloat16().requires_grad_()
    cos, sin = tables(20, width)
    turn = lambda x: apply_rotary(x, cos, sin, layout="interleaved")  # noqa: E731
    compiled = torch.compile(turn, fullgraph=True)
    seed = torch.randn(2, 20, 32, generator=torch.Generator().manual_seed(2)).bfloat16()
    got, true = compiled(x), turn(x)
    torch.testing.assert_close(
        got, true, rtol=2**-8, atol=0
    )  # a compiler may fuse a multiplication and a sum
    gradients = [torch.autograd.grad(y, x, seed)[0] for y in (got, true)]
    torch.testing.assert_close(*gradients, rtol=2**-8, atol=1e-30)


def test_a_tensor_that_starts_at_an_odd_element_is_refused_under_a_compiler_with_a_reason():
    odd = torch.zeros(6 * 8 + 1, dtype=torch.bfloat16)[1:].view(6, 8)
    turn = lambda x: apply_rotary(x, *tables(6, 8), layout="interleaved")  # noqa: E731
    assert turn(odd).shape == odd.shape
    with pytest.raises(RuntimeError, match="storage_offset"):
        torch.compile(turn)(odd)
