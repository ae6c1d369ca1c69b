"""Biases of a window of an image, against the modules of transformers and against loops over offsets."""

import math

import pytest
import torch
from test_bias import BiasCase

import posenc_lib as lib

HEADS = 4
WINDOWS = [(3, 5), (4, 4), (1, 6), (1, 1)]


def tokens(window, class_token=False):
    return torch.arange(window[0] * window[1] + class_token)


# --- the modules of transformers


def test_swin(device):
    swin = pytest.importorskip("transformers.models.swin.modeling_swin")
    for window in WINDOWS:
        theirs = swin.SwinRelativePositionBias(HEADS, window).to(device)
        torch.nn.init.normal_(theirs.relative_position_bias_table)
        ours = lib.WindowBias(HEADS, window).to(device)
        ours.load_state_dict(theirs.state_dict())
        at = tokens(window).to(device)
        assert torch.equal(ours.bias(at, at), theirs()[0])


@pytest.mark.parametrize(
    ("window", "seen"), [((4, 4), None), ((6, 6), (4, 4)), ((3, 5), None), ((6, 5), (3, 4))]
)
def test_swin_v2(window, seen, device):
    swin = pytest.importorskip("transformers.models.swinv2.modeling_swinv2")
    config = swin.Swinv2Config(attention_probs_dropout_prob=0.0)
    theirs = swin.Swinv2SelfAttention(config, 32, HEADS, window, seen or [0, 0]).to(device).eval()
    ours = lib.LogCPB(HEADS, window, seen).to(device)
    names = {"hidden.weight": "0.weight", "hidden.bias": "0.bias", "out.weight": "2.weight"}
    saved = theirs.continuous_position_bias_mlp.state_dict()
    ours.load_state_dict({mine: saved[name] for mine, name in names.items()})
    coordinates = lib.relative_log_coordinates(window, seen, device=device)
    their_coordinates = theirs.relative_coords_table[0].flatten(0, 1)
    torch.testing.assert_close(coordinates, their_coordinates, rtol=1e-6, atol=1e-6)
    x = torch.randn(2, window[0] * window[1], 32, device=device)
    projected = (proj(x) for proj in (theirs.query, theirs.key, theirs.value))
    q, k, v = (y.unflatten(-1, (HEADS, -1)).transpose(1, 2) for y in projected)
    q, k = (torch.nn.functional.normalize(x, dim=-1) for x in (q, k))  # cosine attention
    q = q * theirs.logit_scale.clamp(max=math.log(100)).exp()
    ours_out = lib.attention(q, k, v, ours, scale=1.0).transpose(1, 2).flatten(2)
    # scores of size 16, each a few roundings of 1e-6, then a softmax
    torch.testing.assert_close(ours_out, theirs(x)[0], rtol=0, atol=4e-6)


# --- another window


def cubic(t, a=-0.75):
    """Keys' kernel, with torch's a."""
    t = abs(t)
    if t <= 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    return a * (t**3 - 5 * t**2 + 8 * t - 4) if t < 2 else 0.0


def read(values, at):
    """One axis of offsets −(h − 1) … h − 1, the ends repeated, at a fractional offset."""
    far, first = len(values) // 2, math.floor(at) - 1
    nodes = range(first, first + 4)
    return sum(cubic(at - n) * values[min(max(n, -far), far) + far] for n in nodes)


@pytest.mark.parametrize("extra", [0, 3])
@pytest.mark.parametrize(("old", "new"), [((3, 4), (5, 7)), ((4, 3), (2, 3)), ((1, 2), (2, 6))])
def test_a_resized_table_is_read_at_scaled_offsets(old, new, extra, device):
    rows, columns = 2 * old[0] - 1, 2 * old[1] - 1
    table = torch.randn(rows * columns + extra, HEADS, dtype=torch.float64, device=device)
    resized = lib.resize_window_table(table, old, new)
    assert torch.equal(resized[len(resized) - extra :], table[rows * columns :])
    grid = resized[: len(resized) - extra].view(2 * new[0] - 1, 2 * new[1] - 1, HEADS)
    for y in range(-new[0] + 1, new[0]):
        for x in range(-new[1] + 1, new[1]):
            values = table[: rows * columns].view(rows, columns, HEADS)
            at_y, at_x = y * rows / (2 * new[0] - 1), x * columns / (2 * new[1] - 1)
            along_x = [read(list(row), at_x) for row in values]
            expected = read(along_x, at_y)
            torch.testing.assert_close(grid[y + new[0] - 1, x + new[1] - 1], expected, rtol=0, atol=1e-13)


def test_resizing_keeps_offset_zero_a_window_of_the_same_size_and_the_dtype():
    table = torch.randn(7 * 9 + 3, HEADS)
    assert torch.equal(lib.resize_window_table(table, (4, 5), (4, 5)), table)
    wide = lib.resize_window_table(table, (4, 5), (8, 3))
    torch.testing.assert_close(wide[: 15 * 5][15 * 5 // 2], table[: 7 * 9][7 * 9 // 2], rtol=0, atol=1e-6)
    half = lib.resize_window_table(table.bfloat16(), (4, 5), (8, 3))
    assert half.dtype == torch.bfloat16  # interpolated in float32, rounded once
    assert torch.equal(half, lib.resize_window_table(table.bfloat16().float(), (4, 5), (8, 3)).bfloat16())


# --- what every score bias promises


class WindowCase(BiasCase):
    """Positions are tokens of the window, in any order."""

    queries, keys, far, integers_alone = (7, 0, 11, 4), (3, 5, 0, 11, 2, 8, 1, 10, 9, 4, 7, 6), 12, True

    def offset(self, m, n):
        return m // 4 - n // 4, m % 4 - n % 4


class TestWindow(WindowCase):
    def create(self):
        return lib.WindowBias(HEADS, (3, 4))

    def evaluate(self, bias, head, m, n):
        y, x = self.offset(m, n)
        return bias.relative_position_bias_table[(y + 2) * 7 + x + 3, head].item()


class TestWindowWithAClassToken(TestWindow):
    def create(self):
        return lib.WindowBias(HEADS, (3, 4), class_token=True)

    def evaluate(self, bias, head, m, n):
        if 0 in (m, n):  # to patches, from patches, to itself
            return bias.relative_position_bias_table[35 + (2 if m == n else m > 0), head].item()
        return super().evaluate(bias, head, m - 1, n - 1)


class TestLogCPB(WindowCase):
    def create(self):
        return lib.LogCPB(HEADS, (3, 4), (2, 3), width=7)

    def evaluate(self, bias, head, m, n):
        scaled = [8 * d / (side - 1) for d, side in zip(self.offset(m, n), (2, 3), strict=True)]
        logs = bias.hidden.weight.new_tensor([math.copysign(math.log2(1 + abs(c)) / 3, c) for c in scaled])
        hidden = torch.relu(bias.hidden.weight @ logs + bias.hidden.bias)
        return (16 * (bias.out.weight[head] @ hidden).sigmoid()).item()


def test_tables_start_small_and_networks_within_their_range():
    torch.manual_seed(0)
    table = lib.WindowBias(64, (16, 16), class_token=True).relative_position_bias_table
    assert table.shape == (31 * 31 + 3, 64)
    assert table.std().item() == pytest.approx(0.02, rel=0.02)  # 61696 numbers: 0.3 % is one deviation
    network, at = lib.LogCPB(HEADS, (5, 5)), torch.arange(25)
    assert network.bias(at, at).min() > 0 and network.bias(at, at).max() < 16
    assert torch.equal(lib.relative_log_coordinates((1, 1)), torch.zeros(1, 2))
    before = network.hidden.weight.clone()
    network.reset_parameters()
    assert network.hidden.weight.shape == (512, 2) and not torch.equal(network.hidden.weight, before)
