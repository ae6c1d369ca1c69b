"""An encoding says what it does to attention, and each back end does that, for classes of our own, too."""

from dataclasses import dataclass

import pytest
import torch

from posenc_lib import MultiHeadAttention, attention
from posenc_lib.encoding import AddedEncoding, Encoding, Positions, Term

BACKENDS = ["dense", "sdpa", "flex"]
AT = torch.arange(6)


class Temperature(Encoding):
    """Queries grow with the logarithm of their position."""

    def turn(self, q, k, positions, length):
        return q * (1 + 0.1 * positions.q.log1p())[..., None], k


@dataclass(frozen=True)
class SinkTerm(Term):
    encoding: Encoding
    positions: Positions

    def whole(self, dtype):
        return (self.positions.k == 0).to(dtype).expand(1, 2, self.positions.q.shape[-1], -1)

    def score_mod(self, device):
        return lambda score, batch, head, q_idx, kv_idx: score + (self.positions.k[kv_idx] == 0)


class Sink(Encoding):
    """The key at position 0 is preferred by 1."""

    def term(self, q, positions, scale):
        return SinkTerm(self, positions)


class Doubling(AddedEncoding):
    dim = 8

    def forward(self, x, position_ids=None):
        return 2 * x


def inputs(device):
    torch.manual_seed(0)
    return torch.randn(3, 1, 2, 6, 4, device=device).unbind()


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_an_encoding_turns_is_turned(backend, device):
    q, k, v = inputs(device)
    by_hand = attention(q * (1 + 0.1 * AT.to(device).log1p())[:, None], k, v, causal=True, backend="dense")
    torch.testing.assert_close(attention(q, k, v, Temperature(), causal=True, backend=backend), by_hand)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("causal", [False, True])
def test_what_an_encoding_adds_to_scores_is_added(backend, causal, device):
    q, k, v = inputs(device)
    at = AT.to(device)
    scores = q @ k.transpose(-1, -2) / 2 + (at == 0)
    if causal:
        scores = scores.masked_fill(at > at[:, None], float("-inf"))
    got = attention(q, k, v, Sink(), causal=causal, backend=backend)
    torch.testing.assert_close(got, scores.softmax(-1) @ v)


def test_an_encoding_that_does_nothing_changes_nothing(device):
    q, k, v = inputs(device)
    assert torch.equal(attention(q, k, v, Encoding(), causal=True), attention(q, k, v, causal=True))


def test_a_layer_adds_to_embeddings_and_then_attends_without(device):
    layer = MultiHeadAttention(8, 2).to(device)
    doubled = MultiHeadAttention(8, 2, Doubling()).to(device)
    doubled.load_state_dict(layer.state_dict())
    x = torch.randn(1, 5, 8, device=device)
    torch.testing.assert_close(doubled(x), layer(2 * x))
