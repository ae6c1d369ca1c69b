"""Queries and keys turned by one call are each as if turned alone."""

from itertools import product

import pytest
import torch

from posenc_lib import (
    apply_rotary,
    apply_rotary_qk,
    cos_sin,
    inv_freq,
)
from posenc_lib.rotary.engine.eager import rotate_own, rotate_small

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


SHAPES = {
    "heads differ": ((2, 4, 5, 8), (2, 1, 5, 8), (5, 4)),
    "batches differ": ((2, 4, 5, 8), (1, 4, 5, 8), (5, 4)),
    "batches of batches differ": ((3, 2, 4, 5, 8), (1, 2, 4, 5, 8), (5, 4)),
    "lengths differ": ((2, 4, 5, 8), (2, 4, 7, 8), (4,)),
    "widths differ": ((2, 4, 5, 8), (2, 4, 5, 12), (5, 4)),
    "axes differ": ((2, 4, 5, 8), (4, 5, 8), (5, 4)),
    "no heads": ((5, 8), (5, 8), (5, 4)),
    "one batch of heads": ((4, 5, 8), (2, 5, 8), (5, 4)),
    "a batch of tables": ((2, 4, 5, 8), (2, 3, 5, 8), (2, 5, 4)),
    "tables for each head": ((2, 4, 5, 8), (2, 4, 5, 8), (1, 4, 5, 4)),
    "one plane, tables for each head": ((2, 4, 5, 2), (2, 4, 5, 2), (1, 4, 5, 1)),
    "one batch, tables for each head": ((4, 5, 8), (4, 5, 8), (4, 5, 4)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("q_shape", "k_shape", "table"), SHAPES.values(), ids=SHAPES)
def test_queries_and_keys_together_are_each_as_alone(q_shape, k_shape, table, layout):
    q, k, angle = torch.randn(q_shape), torch.randn(k_shape), torch.randn(table)
    tables = angle.cos(), angle.sin()
    for got, x in zip(apply_rotary_qk(q, k, *tables, layout=layout), (q, k), strict=True):
        torch.testing.assert_close(got, apply_rotary(x, *tables, layout=layout))


@pytest.mark.parametrize("width", [8, 6])
@pytest.mark.parametrize(
    ("dtype", "table"), [(torch.float32, torch.float32), (F64, F64), (F64, torch.float32)]
)
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_a_tensor_of_ones_own_is_turned_to_the_bit_like_any_and_neighbours_where_they_stand(
    layout, dtype, table, width
):
    cos, sin = cos_sin(inv_freq(width), torch.arange(5), dtype=table)
    x = torch.randn(2, 3, 5, 8, dtype=dtype)
    own = x.clone()
    got = rotate_own(own, cos, sin, layout)
    assert torch.equal(got, rotate_small(x, cos, sin, layout))
    assert (got is own) == (layout == "interleaved")


def test_a_tensor_of_ones_own_that_pairs_up_nowhere_is_left_alone():
    cos, sin = cos_sin(inv_freq(8), torch.arange(5))
    x = torch.randn(5 * 9 + 1)[1:].reshape(5, 9)
    kept = x.clone()
    assert torch.equal(rotate_own(x, cos, sin, "interleaved"), rotate_small(kept, cos, sin, "interleaved"))
    assert torch.equal(x, kept)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_turning_queries_and_keys_together_leaves_both_as_they_were(layout):
    cos, sin = cos_sin(inv_freq(8), torch.arange(5))
    q, k = torch.randn(2, 4, 5, 8), torch.randn(2, 2, 5, 8)
    before = q.clone(), k.clone()
    apply_rotary_qk(q, k, cos, sin, layout=layout)
    assert torch.equal(q, before[0]) and torch.equal(k, before[1])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axes", [3, 4])
def test_whatever_their_shapes_queries_and_keys_together_are_each_as_alone(axes, layout):
    """Every pair of shapes of sizes 2 and 4, at one position."""
    angle, shapes = torch.tensor([0.7]), [(*s, 2) for s in product((2, 4), repeat=axes - 1)]
    shapes += [(*s[:-1], 4) for s in shapes]
    x = {s: torch.randn(s) for s in shapes}
    tables = angle.cos(), angle.sin()
    alone = {s: apply_rotary(x[s], *tables, layout=layout) for s in shapes}
    for q, k in product(shapes, repeat=2):
        together = apply_rotary_qk(x[q], x[k], *tables, layout=layout)
        assert all(torch.allclose(a, alone[s], atol=1e-6) for a, s in zip(together, (q, k), strict=True))


def test_queries_with_more_axes_than_keys_rotate_as_each_alone():
    q, k, angle = torch.randn(2, 3, 4), torch.randn(4), torch.randn(2)
    got = apply_rotary_qk(q, k, angle.cos(), angle.sin())
    for turned, x in zip(got, (q, k), strict=True):
        assert torch.equal(turned, apply_rotary(x, angle.cos(), angle.sin()))
