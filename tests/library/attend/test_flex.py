"""FlexAttention: every score_mod gives what the dense back end gives, by torch's reference and compiled."""

import pytest
import torch
from torch.nn.attention.flex_attention import flex_attention
from torch.utils._pytree import tree_map_only

from posenc_lib import (
    BIASES,
    FIRE,
    ALiBi,
    RelativeAttention,
    RotaryEmbedding,
    Sandwich,
    ScoreBias,
    T5Bias,
    attention,
)
from posenc_lib.encoding import Positions

HEADS, DIM, LENGTH = 4, 16, 19


class Learned(ScoreBias):
    """A bias that a reader might write: its table is a formula of what is learned."""

    def __init__(self):
        super().__init__(HEADS)
        self.raw = torch.nn.Parameter(torch.linspace(-2, 1, HEADS))

    def tables(self, dtype, device):
        return (self.raw.to(device=device, dtype=dtype).exp(),)

    def formula(self, tables, m, n, head):
        return -tables[0][head] * (n - m).abs()


MADE = {
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items()},
    "fire": lambda: FIRE(HEADS, width=4),  # the sums are unrolled: short ones compile as long ones do
    "sandwich": lambda: Sandwich(HEADS, dim=6),
    "learned": Learned,
    "shaw": lambda: RelativeAttention(DIM, 3, values=False),
    "none": lambda: None,
}


def made(name, device):
    torch.manual_seed(0)
    encoding = MADE[name]()
    return encoding if encoding is None else encoding.to(device)


def inputs(device):
    torch.manual_seed(1)
    return torch.randn(3, 2, HEADS, LENGTH, DIM, device=device).unbind()


@pytest.mark.parametrize("name", MADE)
def test_flex_agrees_with_dense(name, device):
    q, k, v = inputs(device)
    encoding = made(name, device)
    mask = torch.rand(2, 1, LENGTH, LENGTH, device=device) > 0.4
    mask[1, 0, 5] = False
    with torch.no_grad():
        backwards = torch.arange(LENGTH, device=device).flip(0)
        for given in ({}, {"mask": mask, "position_ids": backwards, "causal": True}):
            fast = attention(q, k, v, encoding, backend="flex", **given)
            reference = attention(q, k, v, encoding, backend="dense", **given)
            # float32 sums in another order
            torch.testing.assert_close(fast, reference, rtol=0, atol=5e-6)


ONE, OTHER = torch.arange(LENGTH), torch.arange(LENGTH) + 1
SEEN = {"mask": torch.ones(LENGTH, LENGTH).tril().bool()}
SEQUENCES = {
    "one tensor, after a causal call": ((None, "qkv", {"causal": True}), (None, "qqq", {})),
    "keys as values, after a causal call": ((None, "qkv", {"causal": True}), (None, "qkk", {})),
    "another encoding, after a mask": (
        (lambda: RotaryEmbedding(DIM), "qkv", SEEN), (lambda: ALiBi(HEADS), "qqq", {}),
    ),
    "one tensor of positions, after two": (
        (lambda: ALiBi(HEADS), "qkv", {**SEEN, "position_ids": (ONE, OTHER)}),
        (lambda: ALiBi(HEADS), "qkv", {"position_ids": ONE}),
    ),
    "Shaw's, one tensor of positions after two": (
        (MADE["shaw"], "qkv", {**SEEN, "position_ids": (ONE, OTHER)}),
        (MADE["shaw"], "qkv", {"position_ids": ONE}),
    ),
}  # fmt: skip


@pytest.mark.usefixtures("fresh_compiler")
@pytest.mark.parametrize("name", SEQUENCES)
def test_a_tensor_may_be_given_twice_whatever_was_called_before(name, device):
    given = dict(zip("qkv", inputs(device), strict=True))
    for encoding, letters, named in SEQUENCES[name]:
        tensors = [given[letter] for letter in letters]
        encoding = None if encoding is None else encoding().to(device)
        named = tree_map_only(torch.Tensor, lambda x: x.to(device), named)
        with torch.no_grad():
            fast = attention(*tensors, encoding, backend="flex", **named)
            reference = attention(*tensors, encoding, backend="dense", **named)
        torch.testing.assert_close(fast, reference, rtol=0, atol=5e-6)


def test_causality_is_asked_of_positions_and_needs_no_matrix(device, monkeypatch):
    q, k, v = inputs(device)
    places = torch.stack(
        (torch.arange(LENGTH, device=device), 3 * torch.arange(LENGTH, device=device).flip(0))
    )
    with torch.no_grad():
        expected = attention(q, k, v, position_ids=places, causal=True, backend="dense")
        monkeypatch.delattr(Positions, "seen")
        got = attention(q, k, v, position_ids=places, causal=True, backend="flex")
    torch.testing.assert_close(got, expected, rtol=0, atol=5e-6)


@pytest.mark.usefixtures("fresh_compiler")
def test_compiled_flex_agrees_with_dense(device):
    """The score_mod made outside of what is compiled."""
    q, k, v = inputs(device)
    bias = made("t5", device)
    with torch.no_grad():
        fast = torch.compile(flex_attention)(q, k, v, score_mod=bias.score_mod())
        torch.testing.assert_close(fast, attention(q, k, v, bias, backend="dense"), rtol=0, atol=5e-6)


@pytest.mark.usefixtures("fresh_compiler")
@pytest.mark.parametrize("name", MADE)
def test_attention_with_flex_compiles_into_one_graph(name, device):
    """Code is generated, for which on the CPU every captured table has to be in memory."""
    q, k, v = inputs(device)
    encoding = made(name, device)
    given = {"causal": True, "mask": torch.rand(2, 1, LENGTH, LENGTH, device=device) > 0.4}

    def whole(*x):
        return attention(*x, encoding, backend="flex", **given)

    with torch.no_grad():
        compiled = torch.compile(whole, fullgraph=True)
        reference = attention(q, k, v, encoding, backend="dense", **given)
        torch.testing.assert_close(compiled(q, k, v), reference, rtol=0, atol=5e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64], ids=str)
def test_the_operator_that_stores_tables_is_a_proper_one(dtype, device):
    from posenc_lib._torch_state import captured

    table = torch.arange(6, device=device).to(dtype)
    assert torch.equal(captured(table), table)
    torch.library.opcheck(torch.ops.posenc.stored.default, (table,))


def test_flex_refuses_what_it_cannot_do(device):
    q, k, v = inputs(device)
    with torch.no_grad(), pytest.raises(ValueError, match="value table"):
        attention(q, k, v, RelativeAttention(DIM, 3).to(device), backend="flex")
    if device.type == "cpu":
        with pytest.raises(ValueError, match="no backward pass on the CPU"):
            attention(q, k, v, T5Bias(HEADS), backend="flex")


def test_flex_backward_where_torch_has_one(device):
    if device.type == "cpu":
        pytest.skip("FlexAttention has no backward pass on the CPU")
    bias = made("t5", device)
    q, k, v = (x.requires_grad_() for x in inputs(device))
    wanted = [q, k, v, bias.weight]
    compiled = torch.compile(lambda *x: attention(*x, bias, causal=True, backend="flex"))
    got = torch.autograd.grad(compiled(q, k, v).square().sum(), wanted)
    expected = torch.autograd.grad(
        attention(q, k, v, bias, causal=True, backend="dense").square().sum(), wanted
    )
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)


def test_alibi_of_twelve_heads_reaches_flex_with_its_own_slopes(device):
    """A slope table for powers of two alone would be off by up to 0.69 here."""
    mod, zero = ALiBi(12).score_mod(device=device), torch.zeros((), device=device)
    index = torch.arange(13, device=device)
    got = torch.stack([-mod(zero, index[0], index[h], index[1], index[0]) for h in range(12)])
    expected = [2.0**-h for h in range(1, 9)] + [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]
    torch.testing.assert_close(got.tolist(), expected)
