"""Shaw's relative attention, Transformer-XL and DeBERTa terms."""

import pytest
import torch

import posenc_lib as lib
from posenc_lib.relative.band import gather, spread

DISTANCES = [[0, 1, 2, 3, 4], [-1, 0, 1, 2, 3], [-2, -1, 0, 1, 2], [-3, -2, -1, 0, 1], [-4, -3, -2, -1, 0]]
CLIPPED = [[0, 1, 2, 2, 2], [-1, 0, 1, 2, 2], [-2, -1, 0, 1, 2], [-2, -2, -1, 0, 1], [-2, -2, -2, -1, 0]]
ROWS = [[2, 3, 4, 4, 4], [1, 2, 3, 4, 4], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2]]


def double(*shape, device="cpu"):
    return torch.randn(*shape, dtype=torch.float64, device=device, requires_grad=True)


def listing(q, k, table, clip):
    """Scores as source 001 computes them, with a vector for every pair."""
    rows = lib.relative_positions(q.shape[-2], k.shape[-2], clip, device=q.device) + clip
    return q @ k.transpose(-1, -2) + torch.einsum("bhmd,mnd->bhmn", q, table[rows])


def shaw_by_pairs(q, k, v, keys, values, clip, causal=False):
    """The paper's equations (3) and (4), with a vector for every pair."""
    scores = listing(q, k, keys, clip) / q.shape[-1] ** 0.5
    if causal:
        hidden = lib.relative_positions(q.shape[-2], k.shape[-2], device=q.device) > 0
        scores = scores.masked_fill(hidden, -torch.inf)
    rows = lib.relative_positions(q.shape[-2], k.shape[-2], clip, device=q.device) + clip
    return torch.einsum("bhmn,bhmnd->bhmd", scores.softmax(-1), v.unsqueeze(2) + values[rows])


def test_the_printed_matrices_of_source_001():
    assert lib.relative_positions(5, 5).tolist() == DISTANCES
    assert lib.relative_positions(5, 5, clip=2).tolist() == CLIPPED
    assert (lib.relative_positions(5, 5, clip=2) + 2).tolist() == ROWS


def test_clipping_makes_far_distances_share_a_row_and_hides_none():
    """2·clip + 1 rows serve all 2L − 1 distances, each of which keeps one."""
    rows = lib.relative_positions(50, 50, clip=3) + 3
    assert rows.unique().tolist() == list(range(7))
    assert (rows == 0).sum() == sum(range(1, 48))  # all keys 3 or more before the query


def test_decode_rows_of_the_distance_matrix():
    whole = lib.relative_positions(9, 9, clip=4)
    for m in range(9):
        assert torch.equal(lib.relative_positions(1, 9, clip=4, offset=m)[0], whole[m])


@pytest.mark.parametrize(("length", "clip"), [(1, 1), (5, 2), (7, 20), (300, 3), (513, 64)])
def test_shaw_scores_equal_the_listing_with_a_vector_for_each_pair(length, clip, device):
    """Lengths on both sides of the block height 256."""
    torch.manual_seed(0)
    q, k = double(2, 1, length, 4, device=device), double(2, 1, length, 4, device=device)
    table = double(2 * clip + 1, 4, device=device)
    torch.testing.assert_close(
        lib.shaw_scores(q, k, table, clip), listing(q, k, table, clip), rtol=0, atol=1e-13
    )


def test_shaw_scores_never_hold_a_vector_for_each_pair():
    """The largest tensor that autograd or the forward pass makes has L² numbers, not L²·d."""
    length, dim, sizes = 64, 48, []
    q, k, table = double(1, 1, length, dim), double(1, 1, length, dim), double(9, dim)

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            tensors = [x for x in torch.utils._pytree.tree_leaves(out) if isinstance(x, torch.Tensor)]
            sizes.extend(x.untyped_storage().nbytes() // x.itemsize for x in tensors)
            return out

    with Watch():
        lib.shaw_scores(q, k, table, 4).sum().backward()
    assert length**2 <= max(sizes) <= 4 * length**2  # the band is laid out with a margin on either side


def test_shaw_scores_at_given_positions(device):
    torch.manual_seed(0)
    q, k, table = (double(*shape, device=device) for shape in ((1, 2, 3, 4), (1, 2, 9, 4), (5, 4)))
    whole = torch.cat([double(1, 2, 6, 4, device=device), q], 2)
    at = lib.shaw_scores(q, k, table, 2, torch.arange(6, 9, device=device), torch.arange(9, device=device))
    torch.testing.assert_close(at, listing(whole, k, table, 2)[:, :, 6:], rtol=0, atol=1e-14)


def test_spread_and_gather_are_adjoint(device):
    """⟨spread(t), w⟩ = ⟨t, gather(w)⟩, in blocks and by index alike."""
    torch.manual_seed(0)
    table, weights = double(2, 3, 300, 7, device=device), double(2, 3, 300, 300, device=device)
    index = lib.relative_positions(300, 300, 3, device=device) + 3
    for at in (None, index):
        left = (spread(table, at, 300, 300) * weights).sum()
        right = (table * gather(weights, at, 7)).sum()
        assert abs(left - right).item() < 1e-9  # a sum of 540 000 products of size 1
    torch.testing.assert_close(spread(table, None, 300, 300), spread(table, index, 300, 300), rtol=0, atol=0)


@pytest.mark.parametrize("causal", [False, True])
def test_relative_attention_adds_to_keys_and_to_values(causal, device):
    """Beyond the block height 256; shorter texts, masks, positions and decoding: attend/test_attention.py."""
    torch.manual_seed(0)
    q, k, v = (double(1, 2, 300, 4, device=device) for _ in range(3))
    layer = lib.RelativeAttention(4, clip=3).to(device).double()
    inputs = (q, k, v, layer.key_table, layer.value_table)
    ours, theirs = layer(q, k, v, causal=causal), shaw_by_pairs(*inputs, 3, causal)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-13)
    cotangent = torch.randn_like(ours)
    grads = (torch.autograd.grad(x, inputs, cotangent) for x in (ours, theirs))
    torch.testing.assert_close(*grads, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (1, 6), (4, 4), (3, 8)])
def test_rel_shift_equals_the_naive_index(q_len, k_len, device):
    x = double(2, 3, q_len, q_len + k_len - 1, device=device)
    shifted = lib.rel_shift(x)
    for m in range(q_len):
        for n in range(k_len):
            assert torch.equal(shifted[..., m, n], x[..., m, n - m + q_len - 1])
    assert torch.autograd.gradcheck(lib.rel_shift, (x,))


def test_transformer_xl_is_its_four_terms(device):
    torch.manual_seed(0)
    heads, q_len, k_len, dim = 2, 3, 7, 4  # four keys of memory before the queries
    q, k = double(1, heads, q_len, dim, device=device), double(1, heads, k_len, dim, device=device)
    r = double(heads, q_len + k_len - 1, dim, device=device)
    u, v = double(heads, dim, device=device), double(heads, dim, device=device)
    ours = lib.transformer_xl_scores(q, k, r, u, v)
    for h in range(heads):
        for m in range(q_len):
            for n in range(k_len):
                distance = n - (m + k_len - q_len)
                far = r[h, distance + k_len - 1]
                query, key = q[0, h, m], k[0, h, n]
                four = query @ key + query @ far + u[h] @ key + v[h] @ far
                torch.testing.assert_close(ours[0, h, m, n], four, rtol=0, atol=1e-13)


def test_disentangled_attention_is_its_three_terms(device):
    torch.manual_seed(0)
    heads, half, dim = 2, 2, 3
    q, k = double(1, heads, 4, dim, device=device), double(1, heads, 6, dim, device=device)
    q_table, k_table = (double(heads, 2 * half, dim, device=device) for _ in range(2))
    q_pos, k_pos = torch.arange(2, 6, device=device), torch.arange(6, device=device)
    ours = lib.disentangled_scores(q, k, q_table, k_table, q_pos, k_pos)

    def delta(a, b):
        return min(max(a - b + half, 0), 2 * half - 1)

    for h in range(heads):
        for i, m in enumerate(q_pos.tolist()):
            for n in range(6):
                query, key = q[0, h, i], k[0, h, n]
                three = query @ key + query @ k_table[h, delta(m, n)] + key @ q_table[h, delta(n, m)]
                torch.testing.assert_close(ours[0, h, i, n], three, rtol=0, atol=1e-13)


def test_queries_and_keys_of_different_number_both_count_from_zero(device):
    torch.manual_seed(0)
    q, k = double(2, 3, 5, 4, device=device), double(2, 3, 9, 4, device=device)
    table = double(7, 4, device=device)
    torch.testing.assert_close(lib.shaw_scores(q, k, table, 3), listing(q, k, table, 3), rtol=0, atol=1e-14)
    weights, index = double(2, 3, 5, 9, device=device), lib.relative_positions(5, 9, 3, device=device) + 3
    # sums that land on one number are added in no fixed order on a GPU
    torch.testing.assert_close(gather(weights, None, 7), gather(weights, index, 7), rtol=0, atol=1e-14)
    alone = torch.func.vmap(lambda x, y: lib.shaw_scores(x[None], y[None], table, 3)[0])(q, k)
    torch.testing.assert_close(alone, listing(q, k, table, 3), rtol=0, atol=1e-14)


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


def test_an_exported_matrix_of_distances_has_any_length():
    class Distances(torch.nn.Module):
        def forward(self, x):
            return lib.relative_positions(x.shape[0], x.shape[0])

    length = torch.export.Dim("length", max=2**40)  # no bound on the memory becomes one of the program
    program = torch.export.export(Distances(), (torch.ones(5),), dynamic_shapes=({0: length},))
    assert torch.equal(program.module()(torch.ones(9)), lib.relative_positions(9, 9))


def test_offsets_reach_as_far_as_double_counts():
    assert lib.relative_positions(1, 1, offset=-(2**53)).item() == 2**53


def test_positions_may_differ_in_a_batch(device):
    torch.manual_seed(0)
    q, k = double(2, 3, 5, 4, device=device), double(2, 3, 6, 4, device=device)
    table = double(7, 4, device=device)
    q_pos = torch.stack((torch.arange(5, device=device), torch.arange(5, device=device) + 2))
    k_pos = torch.stack((torch.arange(6, device=device), torch.arange(6, device=device) * 2))
    both = lib.shaw_scores(q, k, table, 3, q_pos, k_pos)
    for b in range(2):
        alone = lib.shaw_scores(q[b : b + 1], k[b : b + 1], table, 3, q_pos[b], k_pos[b])
        torch.testing.assert_close(both[b : b + 1], alone, rtol=0, atol=1e-14)


def test_narrow_integers_are_positions_like_any_others():
    torch.manual_seed(0)
    q, table, tables = torch.randn(2, 3, 4, 8), torch.randn(7, 8), torch.randn(3, 6, 8)
    at = torch.tensor([255, 0, 3, 128])
    for scores, given in ((lib.shaw_scores, (table, 3)), (lib.disentangled_scores, (tables, tables))):
        wide, narrow = (scores(q, q, *given, x, x) for x in (at, at.to(torch.uint8)))
        assert torch.equal(wide, narrow)
