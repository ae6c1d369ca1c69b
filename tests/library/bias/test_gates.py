"""Gates that forget and gates that count, against loops over keys."""

import itertools
import math

import pytest
import torch
from torch.nn.functional import logsigmoid

from posenc_lib import cope_logits, forgetting_bias

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


@pytest.mark.parametrize("factor", [1.0, 1e4, math.inf], ids=["between", "nearly whole", "whole"])
@pytest.mark.parametrize("order", ORDERS)
def test_counting_is_the_sum_of_the_gates_up_to_the_query(order, factor, device):
    """With whole gates a key counts or does not: open ones are Shaw's distances."""
    q_pos, k_pos = orders(device)[order]
    q, s, table = counted(device, queries=q_pos.shape[-1])
    s = s * factor
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


def test_a_gate_that_is_not_a_number_spoils_its_query_and_no_other(device):
    q, s, table = counted(device)
    run = torch.arange(KEYS, device=device)
    spoilt = s.clone()
    spoilt[0, 0, 3, 1] = math.nan
    found, expected = (cope_logits(q, x, table, run, run) for x in (spoilt, s))
    assert found[0, 0, 3, :2].isnan().all()
    expected[0, 0, 3, :2] = math.nan
    assert torch.equal(found.nan_to_num(7.0), expected.nan_to_num(7.0))


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
