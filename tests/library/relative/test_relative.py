"""Shaw's relative attention, Transformer-XL and DeBERTa terms."""

from itertools import product

import pytest
import torch

import posenc_lib as lib
from posenc_lib.relative.band import gather, spread

DISTANCES = [[0, 1, 2, 3, 4], [-1, 0, 1, 2, 3], [-2, -1, 0, 1, 2], [-3, -2, -1, 0, 1], [-4, -3, -2, -1, 0]]
CLIPPED = [[0, 1, 2, 2, 2], [-1, 0, 1, 2, 2], [-2, -1, 0, 1, 2], [-2, -2, -1, 0, 1], [-2, -2, -2, -1, 0]]


def double(*shape, device="cpu"):
    return torch.randn(*shape, dtype=torch.float64, device=device, requires_grad=True)


def listing(q, k, table, clip, q_pos=None, k_pos=None):
    """Scores as source 001 computes them, with a vector for every pair."""
    m, n = (torch.arange(x.shape[2]) if at is None else at for x, at in ((q, q_pos), (k, k_pos)))
    rows = (n.to(q.device)[..., None, :] - m.to(q.device)[..., :, None]).clamp(-clip, clip) + clip
    return q @ k.mT + torch.einsum("bhmd,bmnd->bhmn", q, table[rows].expand(len(q), -1, -1, -1))


def test_the_printed_matrices_of_source_001():
    assert lib.relative_positions(5, 5).tolist() == DISTANCES
    assert lib.relative_positions(5, 5, clip=2).tolist() == CLIPPED


def test_decode_rows_of_the_distance_matrix():
    whole = lib.relative_positions(9, 9, clip=4)
    for m in range(9):
        assert torch.equal(lib.relative_positions(1, 9, clip=4, offset=m)[0], whole[m])


SIZES = [(1, 1, 1), (5, 5, 2), (7, 7, 20), (300, 300, 3), (513, 513, 64), (5, 9, 3)]
RUN = torch.arange(9)
ROWS_APART = RUN[:5] + torch.tensor([[0], [2]]), RUN + torch.tensor([[1], [4]])
PLACED = [*((*sizes, ()) for sizes in SIZES), (3, 9, 2, (RUN[6:], RUN)), (5, 9, 3, ROWS_APART)]


@pytest.mark.parametrize(("queries", "keys", "clip", "places"), PLACED, ids=str)
def test_shaw_scores_equal_the_listing_with_a_vector_for_each_pair(queries, keys, clip, places, device):
    """Lengths on both sides of the block height 256; other lengths and positions; and under vmap."""
    torch.manual_seed(0)
    q, k = double(2, 1, queries, 4, device=device), double(2, 1, keys, 4, device=device)
    table, places = double(2 * clip + 1, 4, device=device), [x.to(device) for x in places]
    expected = listing(q, k, table, clip, *places)
    torch.testing.assert_close(lib.shaw_scores(q, k, table, clip, *places), expected, rtol=0, atol=1e-13)
    if not places:
        alone = torch.func.vmap(lambda x, y: lib.shaw_scores(x[None], y[None], table, clip)[0])(q, k)
        torch.testing.assert_close(alone, expected, rtol=0, atol=1e-13)


def test_spread_and_gather_are_adjoint(device):
    """⟨spread(t), w⟩ = ⟨t, gather(w)⟩, in blocks and by index alike: sums of values, and all gradients."""
    torch.manual_seed(0)
    table, weights = double(2, 3, 300, 7, device=device), double(2, 3, 300, 300, device=device)
    index = lib.relative_positions(300, 300, 3, device=device) + 3
    for at in (None, index):
        left = (spread(table, at, 300, 300) * weights).sum()
        right = (table * gather(weights, at, 7)).sum()
        assert abs(left - right).item() < 1e-9  # a sum of 540 000 products of size 1
    torch.testing.assert_close(spread(table, None, 300, 300), spread(table, index, 300, 300), rtol=0, atol=0)


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (1, 6), (4, 4), (3, 8)])
def test_rel_shift_equals_the_naive_index(q_len, k_len, device):
    x = double(2, 3, q_len, q_len + k_len - 1, device=device)
    shifted = lib.rel_shift(x)
    for m, n in product(range(q_len), range(k_len)):
        assert torch.equal(shifted[..., m, n], x[..., m, n - m + q_len - 1])
    assert torch.autograd.gradcheck(lib.rel_shift, (x,))


def test_relative_attention_without_values_has_one_table():
    layer = lib.RelativeAttention(4, clip=1, values=False)
    assert [name for name, _ in layer.named_parameters()] == ["key_table"]
    assert "values=False" in repr(layer) and "values=True" in repr(lib.RelativeAttention(1, clip=1))


def test_relative_tables_are_small_and_used_in_the_dtype_of_the_arithmetic():
    table = lib.RelativeAttention(64, clip=128).key_table
    assert table.std().item() == pytest.approx(0.02, rel=0.05)  # 16448 numbers: 0.6 % is one deviation
    layer, q = lib.RelativeAttention(4, clip=2).bfloat16(), torch.randn(1, 1, 3, 4).bfloat16()
    numbers = layer.query_numbers(q, torch.float32)
    # the table is 0 at first, so that nothing is rounded
    assert torch.equal(numbers.double(), q.double() @ layer.key_table.double().T)
    weights = torch.rand(1, 1, 3, 3)
    assert layer.value_term(weights, None).dtype == torch.float32


def test_narrow_integers_are_positions_like_any_others():
    torch.manual_seed(0)
    q, table, tables = torch.randn(2, 3, 4, 8), torch.randn(7, 8), torch.randn(3, 6, 8)
    at = torch.tensor([255, 0, 3, 128])
    for scores, given in ((lib.shaw_scores, (table, 3)), (lib.disentangled_scores, (tables, tables))):
        wide, narrow = (scores(q, q, *given, x, x) for x in (at, at.to(torch.uint8)))
        assert torch.equal(wide, narrow)
