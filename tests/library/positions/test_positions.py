"""Positions by any route equal positions counted one by one."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc_lib as lib


def test_range_counts_from_its_offset(device):
    assert lib.positions_range(4, -2, device=device).tolist() == [-2, -1, 0, 1]
    rows = lib.positions_range(3, torch.tensor([0, 10], dtype=torch.int32, device=device))
    assert rows.tolist() == [[0, 1, 2], [10, 11, 12]]
    assert rows.dtype == torch.int64 and rows.device.type == device.type
    assert lib.positions_range(0).shape == (0,) and lib.positions_range(3).tolist() == [0, 1, 2]
    assert lib.positions_range(2, torch.tensor([0]), device="meta").device.type == "meta"


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=8), st.randoms())
def test_ragged_equals_a_loop(lengths, random):
    ends = torch.tensor([0, *lengths]).cumsum(0)
    offsets = [random.randint(-5, 50) for _ in lengths]
    loop = [p for n, o in zip(lengths, offsets, strict=True) for p in range(o, o + n)]
    ids = lib.positions_from_cu_seqlens(ends.int(), torch.tensor(offsets, dtype=torch.int64))
    assert ids.tolist() == loop
    assert lib.positions_from_cu_seqlens(ends).tolist() == [p for n in lengths for p in range(n)]


def test_packed_positions_lie_where_the_ends_do_whatever_the_default_device():
    with torch.device("meta"):
        ids = lib.positions_from_cu_seqlens(torch.tensor([0, 3, 5], device="cpu"))
    assert ids.tolist() == [0, 1, 2, 0, 1]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=4))
def test_mask_counts_the_real_tokens_before(rows):
    ids = lib.positions_from_mask(torch.tensor(rows))
    for row, mask in zip(ids.tolist(), rows, strict=True):
        assert row == [sum(mask[:j]) if real else 0 for j, real in enumerate(mask)]


def test_grid_is_row_major(device):
    t, h, w = lib.positions_grid(2, 3, 4, device=device)
    cell = torch.arange(24, device=device)
    assert torch.equal(t * 12 + h * 4 + w, cell)
    assert lib.positions_grid(5).tolist() == [[0, 1, 2, 3, 4]]


def test_mrope_of_text_is_the_range():
    ids, delta = lib.positions_mrope([3, 4], offset=5)
    assert torch.equal(ids, lib.positions_range(7, 5).expand(3, -1)) and delta == 5


def test_mrope_of_a_picture_then_text():
    """Two words, a 1×2×3 picture, a word: the picture spans the numbers 2 to 4, so the word stands at 5."""
    ids, delta = lib.positions_mrope([2, (1, 2, 3), 1])
    assert ids[0].tolist() == [0, 1, 2, 2, 2, 2, 2, 2, 5]
    assert ids[1].tolist() == [0, 1, 2, 2, 2, 3, 3, 3, 5]
    assert ids[2].tolist() == [0, 1, 2, 3, 4, 2, 3, 4, 5]
    assert delta == 6 - 9
    more, _ = lib.positions_mrope([2, (1, 2, 3), 3])
    assert more[:, 9:].tolist() == [[9 + delta, 10 + delta]] * 3


def test_mrope_frames_may_be_spaced():
    assert lib.positions_mrope([(12, 1, 1)])[0][0].tolist() == list(range(12))
    ids, _ = lib.positions_mrope([(3, 1, 1), 1], time_step=2.5)
    assert ids[0].tolist() == [0, 2, 5, 6]


@pytest.mark.parametrize("scheme", ["contiguous", "zigzag"])
@pytest.mark.parametrize("world_size", [1, 2, 4])
def test_shards_are_a_partition(scheme, world_size, device):
    given = {"scheme": scheme, "device": device}
    shards = [lib.positions_context_parallel(48, rank, world_size, **given) for rank in range(world_size)]
    assert all(shard.numel() == 48 // world_size for shard in shards)
    assert torch.equal(torch.cat(shards).sort().values, torch.arange(48, device=device))


@pytest.mark.parametrize("world_size", [2, 4])
def test_zigzag_balances_causal_work(world_size):
    """Scores a query at position m needs under a causal mask: m + 1. Every rank has the same number."""
    work = {"contiguous": set(), "zigzag": set()}
    for scheme, rank in itertools.product(work, range(world_size)):
        work[scheme].add(int((lib.positions_context_parallel(48, rank, world_size, scheme=scheme) + 1).sum()))
    assert work["zigzag"] == {48 * 49 // 2 // world_size}
    assert len(work["contiguous"]) == world_size


def test_mrope_of_nothing_and_of_empty_segments():
    ids, following = lib.positions_mrope([])
    assert (ids.shape, ids.dtype, following) == ((3, 0), torch.int64, 0)
    assert torch.equal(lib.positions_mrope([2, 0, 3])[0], lib.positions_mrope([5])[0])
    assert lib.positions_mrope([1], offset=-(2**53))[0][0].item() == -(2**53)


def test_an_exported_program_takes_any_length():
    """The bound on what memory holds is asked of numbers, not of lengths that a program leaves open."""

    class Counted(torch.nn.Module):
        def forward(self, x):
            own = lib.positions_range(x.shape[0], torch.arange(2))
            apart = lib.relative_positions(x.shape[0], x.shape[0])
            return lib.positions_range(x.shape[0]), own, lib.positions_grid(x.shape[0], 2), apart

    length = torch.export.Dim("length", max=2**40)
    program = torch.export.export(Counted(), (torch.ones(5),), dynamic_shapes={"x": {0: length}})
    for seq in (3, 7):
        for made, expected in zip(program.module()(torch.ones(seq)), Counted()(torch.ones(seq)), strict=True):
            assert torch.equal(made, expected)
