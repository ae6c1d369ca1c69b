"""Gates that forget and gates that count, against loops over keys, and what constant gates make of them."""

import itertools
import math

import pytest
import torch
from torch.nn.functional import logsigmoid, scaled_dot_product_attention

from posenc_lib import ALiBi, alibi_slopes, attention, cope_logits, forgetting_bias, shaw_scores

BATCH, HEADS, KEYS, DIM = 2, 3, 7, 5


def gates(device, dtype=torch.float64, keys=KEYS):
    torch.manual_seed(0)
    return logsigmoid(torch.randn(BATCH, HEADS, keys, dtype=dtype, device=device))


def counted(device, rows=4, dtype=torch.float64, queries=KEYS):
    """q, gate logits and a table."""
    torch.manual_seed(0)
    return (
        torch.randn(BATCH, HEADS, queries, DIM, dtype=dtype, device=device),
        torch.randn(BATCH, HEADS, queries, KEYS, dtype=dtype, device=device),
        torch.randn(rows, DIM, dtype=dtype, device=device),
    )


def orders(device):
    """Positions of queries and keys: in order, a decode step, a shuffled row, another run for each row."""
    run, torch_seed = torch.arange(KEYS, device=device), torch.Generator().manual_seed(1)
    mixed = torch.randperm(KEYS, generator=torch_seed).to(device)
    return {
        "in order": (run, run),
        "decode": (run[-1:], run),
        "shuffled": (mixed.flip(0), mixed),
        "with gaps": (3 * run[2:5] - 4, 3 * mixed - 5),
        "a row each": (torch.stack([run, mixed]), torch.stack([mixed, 2 * run])),
        "keys alone": (run[1:3], torch.stack([mixed, run])),
    }


ORDERS = list(orders("cpu"))


def rows_of(positions):
    return positions.expand(BATCH, -1).tolist()


def entries(q_pos, k_pos):
    """Every place of a result: batch, head, query, key, and the positions of the keys and of the query."""
    for b, h, i, j in itertools.product(range(BATCH), range(HEADS), range(q_pos.shape[-1]), range(KEYS)):
        yield (b, h, i, j), rows_of(k_pos)[b], rows_of(q_pos)[b][i]


@pytest.mark.parametrize("order", ORDERS)
def test_forgetting_is_the_sum_of_the_gates_between(order, device):
    f, (q_pos, k_pos) = gates(device), orders(device)[order]
    bias = forgetting_bias(f, q_pos, k_pos)
    assert bias.shape == (BATCH, HEADS, q_pos.shape[-1], KEYS)
    for (b, h, i, j), n, m in entries(q_pos, k_pos):
        between = [f[b, h, l].item() for l in range(KEYS) if n[j] < n[l] <= m]
        expected = math.fsum(between) if n[j] <= m else -math.inf
        # double; sums of at most seven numbers below 5
        assert bias[b, h, i, j].item() == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("order", ORDERS)
def test_counting_is_the_sum_of_the_gates_up_to_the_query(order, device):
    q_pos, k_pos = orders(device)[order]
    q, s, table = counted(device, queries=q_pos.shape[-1])
    logits = cope_logits(q, s, table, q_pos, k_pos)
    for (b, h, i, j), n, m in entries(q_pos, k_pos):
        if n[j] > m:
            assert logits[b, h, i, j] == -math.inf
            continue
        passed = [s[b, h, i, l].sigmoid().item() for l in range(KEYS) if n[j] <= n[l] <= m]
        p = min(math.fsum(passed), len(table) - 1)
        vector = (p - math.floor(p)) * table[math.ceil(p)] + (1 - p + math.floor(p)) * table[math.floor(p)]
        # double; positions below 7, tables of numbers below 4
        assert logits[b, h, i, j].item() == pytest.approx((q[b, h, i] @ vector).item(), abs=1e-13)


# --- constant gates


def test_forgetting_with_constant_gates_is_alibi(device):
    heads, run = 12, torch.arange(40, device=device)
    slopes = alibi_slopes(heads).double().to(device)
    bias = forgetting_bias(-slopes[None, :, None].expand(1, -1, 40), run, run)[0]
    seen = (run <= run[:, None]).expand(heads, -1, -1)
    expected = ALiBi(heads).bias(run, run, dtype=torch.float64)
    # alibi_slopes are rounded to float32, the bias's own are not: 39 times 6e-8 of a slope below 1
    torch.testing.assert_close(bias[seen], expected[seen], rtol=0, atol=3e-6)
    assert (bias[~seen] == -math.inf).all()
    q, k, v = torch.randn(3, 1, heads, 40, 8, dtype=torch.float64, device=device).unbind()
    torch.testing.assert_close(
        scaled_dot_product_attention(q, k, v, attn_mask=bias[None]),
        attention(q, k, v, ALiBi(heads), causal=True),
        rtol=0,
        atol=3e-6,
    )


def test_open_gates_count_positions_as_shaw_does(device):
    """Row p of the table is for the distance p − 1: the query's own key is counted."""
    q, s, table = counted(device, rows=4)
    run = torch.arange(KEYS, device=device)
    found = cope_logits(q, torch.full_like(s, 50.0), table, run, run)
    seen = (run <= run[:, None]).expand_as(found)
    shaw = torch.cat([table.flip(0)[:3], table[1:2].expand(2, -1)])  # clip 2: distances −2, −1, 0, and after
    expected = shaw_scores(q, torch.zeros(BATCH, HEADS, KEYS, DIM).to(q), shaw, 2, run, run)
    # 1 − σ(50) = 2e-22
    torch.testing.assert_close(found[seen], expected[seen], rtol=0, atol=1e-13)


def test_closed_gates_leave_every_key_at_position_zero(device):
    q, s, table = counted(device)
    run = torch.arange(KEYS, device=device)
    found = cope_logits(q, torch.full_like(s, -math.inf), table, run, run)
    own = (q @ table[0])[..., None].expand_as(found)
    seen = (run <= run[:, None]).expand_as(found)
    torch.testing.assert_close(found[seen], own[seen], rtol=0, atol=1e-14)


def test_a_gate_that_is_not_a_number_spoils_its_query_and_no_other(device):
    q, s, table = counted(device)
    run = torch.arange(KEYS, device=device)
    spoilt = s.clone()
    spoilt[0, 0, 3, 1] = math.nan
    found, expected = (cope_logits(q, x, table, run, run) for x in (spoilt, s))
    assert found[0, 0, 3, :2].isnan().all()
    expected[0, 0, 3, :2] = math.nan
    assert torch.equal(found.nan_to_num(7.0), expected.nan_to_num(7.0))


# --- numbers and gradients


def test_long_sums_keep_the_bias_of_near_keys(device):
    """In float32 the sums reach 4e4, where neighbours lie 4e-3 apart."""
    length, run = 8192, torch.arange(8192, device=device)
    f = torch.full((1, 1, length), -5.1, device=device)
    last = forgetting_bias(f, run[-1:], run)[0, 0, 0].double()
    exact = f.double()[0, 0, 0] * (length - 1 - run)
    assert ((last - exact).abs() <= 6e-8 * exact.abs()).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_half_precision_gives_float32(dtype, device):
    run = torch.arange(KEYS, device=device)
    f, inputs = gates(device).to(dtype), [x.to(dtype) for x in counted(device)]
    for found, exact in (
        (forgetting_bias(f, run, run), forgetting_bias(f.double(), run, run)),
        (cope_logits(*inputs, run, run), cope_logits(*[x.double() for x in inputs], run, run)),
    ):
        assert found.dtype == torch.float32 and exact.dtype == torch.float64
        torch.testing.assert_close(found.double(), exact, rtol=2e-6, atol=2e-6)


def test_compiled_into_one_graph_they_are_the_same():
    run = torch.arange(KEYS)
    for call, inputs in ((forgetting_bias, (gates("cpu"),)), (cope_logits, counted("cpu"))):
        torch.compiler.reset()
        fast = torch.compile(call, fullgraph=True, backend="aot_eager")(*inputs, run, run)
        torch.testing.assert_close(fast, call(*inputs, run, run), rtol=0, atol=1e-14)
