"""FlexAttention where it is compiled, and what it keeps from call to call; its numbers: test_attention."""

import pytest
import torch
from pairs import ENCODINGS, HEADS, close
from torch.nn.attention.flex_attention import flex_attention
from torch.utils._pytree import tree_map_only
from whole_runs import WHOLE_RUNS

from posenc_lib import FIRE, LogCPB, RelativeAttention, RotaryEmbedding, T5Bias, attention
from posenc_lib.encoding import Positions

DIM, LENGTH = 16, 19
MADE = {
    **ENCODINGS,
    "rotary": lambda: RotaryEmbedding(DIM),
    "fire": lambda: FIRE(HEADS, width=2),  # sums are unrolled by compilers
    "shaw keys": lambda: RelativeAttention(DIM, 3, values=False),
    "a window's": lambda: LogCPB(HEADS, (1, LENGTH), width=2),
}
# Compilers of C++ take ten seconds a call, so that they make one, and that once a week: a table of the
# queries, made in the graph. Of the others only the graph is asked for, of all together.
GRAPHS = {"aot_eager": ["shaw keys", "learned bias", "a window's"]}
GRAPHS |= {"inductor": ["shaw keys"]} if WHOLE_RUNS else {}
# float32 sums in another order
ATOL = 5e-6


def made(name, device):
    torch.manual_seed(0)
    encoding = MADE[name]()
    return encoding and encoding.to(device).requires_grad_(False)


def inputs(device):
    torch.manual_seed(1)
    return torch.randn(3, 2, HEADS, LENGTH, DIM, device=device).unbind()


ONE, OTHER = torch.arange(LENGTH), torch.arange(LENGTH) + 1
SEEN = {"mask": torch.ones(LENGTH, LENGTH).tril().bool()}
CAUSAL = ("none", "qkv", {"causal": True})
SEQUENCES = {
    "one tensor, after a causal call": (CAUSAL, ("none", "qqq", {})),
    "keys as values, after a causal call": (CAUSAL, ("none", "qkk", {})),
    "another encoding, after a mask": (("rotary", "qkv", SEEN), ("alibi", "qqq", {})),
    "one tensor of positions, after two": (
        ("alibi", "qkv", {**SEEN, "position_ids": (ONE, OTHER)}), ("alibi", "qkv", {"position_ids": ONE})
    )
}  # fmt: skip


@pytest.mark.usefixtures("fresh_compiler")
@pytest.mark.parametrize("name", SEQUENCES)
@torch.no_grad()
def test_a_tensor_may_be_given_twice_whatever_was_called_before(name, device):
    given = dict(zip("qkv", inputs(device), strict=True))
    for encoding, letters, named in SEQUENCES[name]:
        qkv, named = [given[x] for x in letters], tree_map_only(torch.Tensor, lambda x: x.to(device), named)
        fast, dense = (attention(*qkv, made(encoding, device), backend=b, **named) for b in ("flex", "dense"))
        close(fast, dense, ATOL)


@torch.no_grad()
def test_causality_is_asked_of_positions_and_needs_no_matrix(device, monkeypatch):
    qkv, at = inputs(device), torch.arange(LENGTH, device=device)
    given = {"position_ids": torch.stack((at, 3 * at.flip(0))), "causal": True}
    expected = attention(*qkv, backend="dense", **given)
    monkeypatch.delattr(Positions, "seen")
    close(attention(*qkv, backend="flex", **given), expected, ATOL)


@pytest.mark.usefixtures("fresh_compiler")
@torch.no_grad()
def test_a_score_mod_serves_torchs_own_function(device):
    """Made outside of what is compiled."""
    qkv, bias = inputs(device), made("t5", device)
    fast = torch.compile(flex_attention, backend="aot_eager")(*qkv, score_mod=bias.score_mod())
    close(fast, attention(*qkv, bias, backend="dense"), ATOL)


@pytest.mark.usefixtures("fresh_compiler")
@pytest.mark.parametrize(("compiler", "names"), GRAPHS.items(), ids=GRAPHS)
@torch.no_grad()
def test_attention_with_flex_compiles_into_one_graph(compiler, names, device):
    """Code is generated, for which on the CPU every captured table has to be in memory."""
    qkv, encodings = inputs(device), [made(name, device) for name in names]
    given = {"causal": True, "mask": torch.rand(2, 1, LENGTH, LENGTH, device=device) > 0.4}

    def attended(*qkv, backend="flex"):
        return [attention(*qkv, encoding, backend=backend, **given) for encoding in encodings]

    compiled = torch.compile(attended, fullgraph=True, backend=compiler)
    close(compiled(*qkv), attended(*qkv, backend="dense"), ATOL)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64], ids=str)
def test_the_operator_that_stores_tables_is_a_proper_one(dtype, device):
    from posenc_lib._torch_state import captured

    table = torch.arange(6, device=device).to(dtype)
    assert torch.equal(captured(table), table)
    torch.library.opcheck(torch.ops.posenc.stored.default, (table,))


def test_flex_refuses_a_table_of_values(device):
    with torch.no_grad(), pytest.raises(ValueError, match="value table"):
        attention(*inputs(device), RelativeAttention(DIM, 3).to(device), backend="flex")


def test_flex_backward_where_torch_has_one(device):
    if device.type == "cpu":
        pytest.skip("FlexAttention has no backward pass on the CPU")
    bias, qkv = T5Bias(HEADS).to(device), [x.requires_grad_() for x in inputs(device)]
    compiled = torch.compile(lambda *x: attention(*x, bias, causal=True, backend="flex"))
    outs = compiled(*qkv), attention(*qkv, bias, causal=True, backend="dense")
    grads = [torch.autograd.grad(x.square().sum(), [*qkv, bias.weight]) for x in outs]
    torch.testing.assert_close(*grads, rtol=1e-3, atol=1e-3)
