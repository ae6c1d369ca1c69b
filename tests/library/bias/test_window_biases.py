"""Biases of a window of an image, against the modules of transformers and against loops over offsets."""

import math

import pytest
import torch

from posenc_lib import (
    LogCPB,
    WindowBias,
    attention,
    relative_log_coordinates,
    relative_position_index,
    resize_window_table,
)

HEADS = 4
WINDOWS = [(3, 5), (4, 4), (1, 6), (1, 1)]


def tokens(window, class_token=False):
    return torch.arange(window[0] * window[1] + class_token)


def whole(bias):
    at = tokens(bias.window, bias.class_token)
    return bias.bias(at, at)


# --- the index


@pytest.mark.parametrize("window", WINDOWS)
def test_the_index_of_a_pair_is_that_of_its_offset(window, device):
    height, width = window
    index = relative_position_index(window, device=device)
    assert index.device.type == device.type and index.dtype == torch.int64
    for m in range(height * width):
        for n in range(height * width):
            y, x = m // width - n // width, m % width - n % width
            assert index[m, n] == (y + height - 1) * (2 * width - 1) + x + width - 1
    used = torch.unique(index)
    assert used.tolist() == list(range((2 * height - 1) * (2 * width - 1)))  # every row, and no other


def test_the_class_token_has_three_rows_of_its_own():
    index = relative_position_index((2, 3), class_token=True)
    assert torch.equal(index[1:, 1:], relative_position_index((2, 3)))
    assert (index[0, 1:] == 15).all() and (index[1:, 0] == 16).all() and index[0, 0] == 17


# --- the modules of transformers


def test_swin(device):
    swin = pytest.importorskip("transformers.models.swin.modeling_swin")
    for window in WINDOWS:
        theirs = swin.SwinRelativePositionBias(HEADS, window).to(device)
        torch.nn.init.normal_(theirs.relative_position_bias_table)
        ours = WindowBias(HEADS, window).to(device)
        ours.load_state_dict(theirs.state_dict())
        at = tokens(window).to(device)
        assert torch.equal(ours.bias(at, at), theirs()[0])


def test_beit(device):
    beit = pytest.importorskip("transformers.models.beit.modeling_beit")
    config = beit.BeitConfig(image_size=(64, 64), patch_size=16, num_attention_heads=HEADS)
    theirs = beit.BeitRelativePositionBias(config).to(device)
    torch.nn.init.normal_(theirs.relative_position_bias_table)
    ours = WindowBias(HEADS, (4, 4), class_token=True).to(device)
    ours.load_state_dict(theirs.state_dict())
    at = tokens((4, 4), True).to(device)
    # theirs interpolates the table even where it keeps its size
    torch.testing.assert_close(ours.bias(at, at), theirs((4, 4))[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("window", "seen"), [((4, 4), None), ((6, 6), (4, 4)), ((3, 5), None), ((6, 5), (3, 4))]
)
def test_swin_v2(window, seen, device):
    swin = pytest.importorskip("transformers.models.swinv2.modeling_swinv2")
    theirs = swin.Swinv2SelfAttention(
        swin.Swinv2Config(attention_probs_dropout_prob=0.0), 32, HEADS, window, seen or [0, 0]
    )
    theirs = theirs.to(device).eval()
    ours = LogCPB(HEADS, window, seen).to(device)
    names = {"hidden.weight": "0.weight", "hidden.bias": "0.bias", "out.weight": "2.weight"}
    saved = theirs.continuous_position_bias_mlp.state_dict()
    ours.load_state_dict({mine: saved[name] for mine, name in names.items()})
    coordinates = relative_log_coordinates(window, seen, device=device)
    torch.testing.assert_close(
        coordinates, theirs.relative_coords_table[0].flatten(0, 1), rtol=1e-6, atol=1e-6
    )
    x = torch.randn(2, window[0] * window[1], 32, device=device)
    q, k, v = (
        proj(x).unflatten(-1, (HEADS, -1)).transpose(1, 2)
        for proj in (theirs.query, theirs.key, theirs.value)
    )
    q, k = (torch.nn.functional.normalize(x, dim=-1) for x in (q, k))  # cosine attention
    q = q * theirs.logit_scale.clamp(max=math.log(100)).exp()
    ours_out = attention(q, k, v, ours, scale=1.0).transpose(1, 2).flatten(2)
    # scores of size 16, each a few roundings of 1e-6, then a softmax
    torch.testing.assert_close(ours_out, theirs(x)[0], rtol=0, atol=4e-6)
    expected = 16 * torch.sigmoid(theirs.continuous_position_bias_mlp(theirs.relative_coords_table))
    expected = expected.view(-1, HEADS)[theirs.relative_position_index].permute(2, 0, 1)
    at = tokens(window).to(device)
    torch.testing.assert_close(ours.bias(at, at), expected, rtol=1e-6, atol=1e-6)


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
    resized = resize_window_table(table, old, new)
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
    assert torch.equal(resize_window_table(table, (4, 5), (4, 5)), table)
    wide = resize_window_table(table, (4, 5), (8, 3))
    torch.testing.assert_close(wide[: 15 * 5][15 * 5 // 2], table[: 7 * 9][7 * 9 // 2], rtol=0, atol=1e-6)
    half = resize_window_table(table.bfloat16(), (4, 5), (8, 3))
    assert half.dtype == torch.bfloat16  # interpolated in float32, rounded once
    assert torch.equal(half, resize_window_table(table.bfloat16().float(), (4, 5), (8, 3)).bfloat16())


def test_log_coordinates_put_the_edge_of_the_window_of_pretraining_at_one_and_a_bit():
    edge = relative_log_coordinates((8, 8), dtype=torch.float64)[-1]
    torch.testing.assert_close(edge.tolist(), [math.log(9) / math.log(8)] * 2, rtol=1e-15, atol=0)
    wider = relative_log_coordinates((16, 16), (8, 8), dtype=torch.float64).view(31, 31, 2)
    small = relative_log_coordinates((8, 8), dtype=torch.float64)
    torch.testing.assert_close(wider[8:23, 8:23].flatten(0, 1), small, rtol=0, atol=1e-14)
    assert wider.abs().max() == pytest.approx(math.log1p(8 * 15 / 7) / math.log(8), rel=1e-15)
    assert torch.equal(relative_log_coordinates((1, 1)), torch.zeros(1, 2))


# --- what every score bias promises

MADE = {
    "table": lambda: WindowBias(HEADS, (3, 4)),
    "class token": lambda: WindowBias(HEADS, (3, 4), class_token=True),
    "log-CPB": lambda: LogCPB(HEADS, (3, 4), (2, 3), width=7),
}


@pytest.fixture(params=MADE)
def bias(request, device):
    torch.manual_seed(0)
    return MADE[request.param]().double().to(device)


def test_score_mod_adds_the_dense_bias_in_any_order_of_tokens(bias, device):
    q_pos = torch.stack([torch.randperm(12, device=device)[:5] for _ in range(2)])
    k_pos, zero = torch.randperm(12, device=device), torch.zeros((), device=device)
    dense, mod = bias.bias(q_pos, k_pos), bias.score_mod(q_pos, k_pos)
    at = torch.arange(12, device=device)
    for b, h, i, n in [(0, 0, 0, 0), (1, 3, 4, 11), (0, 2, 3, 7)]:
        assert mod(zero, at[b], at[h], at[i], at[n]) == dense[b, h, i, n]
    by_index = bias.score_mod(device=device)
    assert by_index(zero, at[0], at[1], at[4], at[6]) == bias.bias(at[4:5], at[6:7])[1, 0, 0]


@pytest.mark.parametrize("backend", ["sdpa", "flex"])
def test_back_ends_agree(bias, backend, device):
    q, k, v = torch.randn(3, 2, HEADS, 12, 8, dtype=torch.float64, device=device).unbind()
    hidden = torch.rand(2, 1, 12, 12, device=device) > 0.3  # as between parts of a shifted window
    with torch.no_grad():
        for mask in (None, hidden):
            found = attention(q, k, v, bias, mask=mask, backend=backend)
            expected = attention(q, k, v, bias, mask=mask, backend="dense")
            torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_compiled_flex_agrees_with_dense():
    q, k, v = torch.randn(3, 1, HEADS, 16, 16).unbind()
    for bias in (WindowBias(HEADS, (4, 4)), LogCPB(HEADS, (4, 4), width=8)):
        torch.compiler.reset()
        with torch.no_grad():
            fast = torch.compile(attention, fullgraph=True)(q, k, v, bias, backend="flex")
            # float32 sums in another order, of scores up to 16
            torch.testing.assert_close(fast, attention(q, k, v, bias, backend="dense"), rtol=0, atol=5e-6)


def test_gradients_of_every_parameter(bias, device):
    names, values = zip(*bias.named_parameters(), strict=True)
    q_pos, k_pos = torch.tensor([0, 7], device=device), torch.tensor([3, 0, 11], device=device)
    bias.forward = bias.bias

    def of(*parameters):
        return torch.func.functional_call(bias, dict(zip(names, parameters, strict=True)), (q_pos, k_pos))

    assert torch.autograd.gradcheck(of, tuple(v.detach().requires_grad_() for v in values))


def test_half_precision_parameters_give_a_float32_bias(bias, device):
    at, half = torch.arange(12, device=device), bias.bfloat16()
    assert half.bias(at, at).dtype == torch.float32
    # float32 arithmetic on a bias up to 16
    torch.testing.assert_close(half.bias(at, at).double(), half.double().bias(at, at), rtol=1e-6, atol=1e-6)


def test_made_on_meta_and_loaded_it_is_the_same(bias, device):
    name = next(n for n, make in MADE.items() if repr(make()) == repr(bias))
    with torch.device("meta"):
        hollow = MADE[name]().double()
    hollow = hollow.to_empty(device=device)
    hollow.load_state_dict(bias.state_dict())
    at = torch.arange(12, device=device)
    assert torch.equal(hollow.bias(at, at), bias.bias(at, at))
    far = torch.arange(12, device="meta")
    assert bias.to("meta").bias(far, far).is_meta


def test_tables_start_small_and_networks_within_their_range():
    torch.manual_seed(0)
    table = WindowBias(64, (16, 16), class_token=True).relative_position_bias_table
    assert table.shape == (31 * 31 + 3, 64)
    assert table.std().item() == pytest.approx(
        0.02, rel=0.02
    )  # 61696 numbers: 0.3 % is one standard deviation
    dense = whole(LogCPB(HEADS, (5, 5)))
    assert dense.min() > 0 and dense.max() < 16
    network = LogCPB(HEADS, (5, 5))
    before = network.hidden.weight.clone()
    network.reset_parameters()
    assert network.hidden.weight.shape == (512, 2) and not torch.equal(network.hidden.weight, before)


# --- refusals


def test_tokens_outside_the_window_and_between_tokens_are_refused():
    q = torch.randn(1, HEADS, 13, 8)
    for kind in (WindowBias(HEADS, (3, 4)), LogCPB(HEADS, (3, 4))):
        with pytest.raises(
            ValueError, match=r"q_pos must lie in \[0, 12\), the tokens of window = \(3, 4\), got 0..12"
        ):
            attention(q, q, q, kind)
        with pytest.raises(ValueError, match=r"k_pos must lie in \[0, 12\)"):
            kind.score_mod(None, torch.tensor([-1]))
        with pytest.raises(TypeError, match="position_ids of the queries must be an integer tensor"):
            attention(q, q, q, kind, position_ids=torch.arange(13) / 2)
    assert whole(WindowBias(HEADS, (3, 4), class_token=True)).shape == (HEADS, 13, 13)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: WindowBias(2, 7), TypeError, "window must be a tuple or list, got 7"),
        (lambda: WindowBias(2, (7,)), ValueError, r"window must be a pair \(height, width\), got \(7,\)"),
        (lambda: WindowBias(2, (7, 0)), ValueError, "a side of window must be at least 1, got 0"),
        (lambda: WindowBias(2, (7, 2.0)), TypeError, "a side of window must be an int, got 2.0"),
        (lambda: WindowBias(2, (7, 7), 1), TypeError, "class_token must be True or False, got 1"),
        (lambda: relative_position_index((2, 2), "yes"), TypeError, "class_token"),
        (
            lambda: relative_position_index((10**4, 10**4)),
            ValueError,
            r"the index of window asks for 1e\+16 numbers, more than any .* got \(10000, 10000\)",
        ),
        (lambda: relative_position_index((10**12, 10**12)), ValueError, "the index of window asks for"),
        (lambda: WindowBias(4, (10**6, 10**6)), ValueError, r"window asks for 1.6e\+13 numbers"),
        (lambda: WindowBias(4, (10**12, 10**12)), ValueError, r"window asks for 1.6e\+25 numbers"),
        (lambda: LogCPB(4, (10**6, 10**6)), ValueError, r"window asks for 1.6e\+13 numbers"),
        (lambda: relative_log_coordinates((10**6, 10**6)), ValueError, r"window asks for 8e\+12 numbers"),
        (
            lambda: resize_window_table(torch.zeros(9, 2), (2, 2), (10**6, 10**6)),
            ValueError,
            r"new_window asks for 8e\+12 numbers",
        ),
        (lambda: relative_position_index((2, 2), device="nowhere"), ValueError, "device must be one of"),
        (lambda: relative_log_coordinates((2, 2), device=3.0), TypeError, "device must be a torch.device"),
        (lambda: WindowBias(2, (2, 2)).score_mod(device="nowhere"), ValueError, "device must be one of"),
        (lambda: LogCPB(2, (7, 7), (0, 0)), ValueError, "a side of pretrained_window must be at least 1"),
        (lambda: LogCPB(2, (7, 2), (1, 7)), ValueError, r"pretrained_window must have two patches or more"),
        (lambda: LogCPB(2, (7, 7), width=0), ValueError, "width must be at least 1"),
        (lambda: relative_log_coordinates((2, 2), dtype=torch.half), TypeError, "dtype must be one of"),
        (
            lambda: resize_window_table(torch.zeros(10, 2), (2, 2), (3, 3)),
            ValueError,
            r"table must have shape \[9, heads\], or \[12, heads\] with a class token, .*got \[10, 2\]",
        ),
        (lambda: resize_window_table(torch.zeros(9), (2, 2), (3, 3)), ValueError, "table must have shape"),
        (lambda: resize_window_table(torch.zeros(9, 2).long(), (2, 2), (3, 3)), TypeError, "table must have"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
