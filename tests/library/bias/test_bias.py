"""Score biases: what all of them promise (one case class, inherited), then what each promises alone."""

import copy
import math
import pickle
import re
import sys
from fractions import Fraction

import pytest
import torch

from posenc_lib import (
    BIASES,
    FIRE,
    ALiBi,
    KerpleLog,
    KerplePower,
    Sandwich,
    T5Bias,
    alibi_slopes,
    attention,
    sinusoidal,
    t5_buckets,
)
from posenc_lib.bias import DistanceBias
from posenc_lib.bias.t5 import t5_boundaries

HEADS = 4


def positions(length, device, start=0):
    return torch.arange(start, start + length, device=device)


class BiasCase:
    """Give `create` and `evaluate` (one entry of the bias, in double) and inherit the rest."""

    def create(self):
        raise NotImplementedError

    def evaluate(self, bias, head, m, n):
        raise NotImplementedError

    def made(self, device, dtype=torch.float32):
        torch.manual_seed(0)
        return self.create().to(device=device, dtype=dtype)

    def test_bias_is_its_formula_entry_by_entry(self, device):
        bias = self.made(device, torch.float64)
        dense = bias.bias(positions(7, device, 3), positions(40, device), dtype=torch.float64)
        for h in range(HEADS):
            for i, m in enumerate(range(3, 10)):
                for n in range(0, 40, 3):
                    expected = self.evaluate(bias, h, m, n)
                    # double throughout: a few roundings of numbers of this size
                    assert abs(dense[h, i, n].item() - expected) <= 1e-12 * max(1, abs(expected))

    def test_score_mod_adds_the_dense_bias(self, device):
        bias = self.made(device)
        q_pos, k_pos = positions(5, device, 7), positions(12, device)
        dense = bias.bias(q_pos, k_pos)
        zero = torch.zeros((), device=device)
        index = [torch.tensor(i, device=device) for i in range(12)]
        with_positions, by_index = bias.score_mod(q_pos, k_pos), bias.score_mod(device=device)
        for h, i, n in [(0, 0, 0), (1, 4, 11), (3, 2, 9), (2, 3, 1)]:
            # FIRE adds its units up in another order: a few units in the last place
            torch.testing.assert_close(
                with_positions(zero + 1, index[0], index[h], index[i], index[n]), dense[h, i, n] + 1
            )
            torch.testing.assert_close(
                by_index(zero, index[0], index[h], index[i + 7], index[n]), dense[h, i, n]
            )

    def test_score_mod_alone_counts_from_zero_where_the_parameters_are(self, device):
        bias = self.made(device)
        there = {} if list(bias.parameters()) else {"device": device}  # no parameters: say where
        index = [torch.tensor(i, device=device) for i in range(6)]
        alone = bias.score_mod(**there)(torch.ones((), device=device), index[0], index[1], index[5], index[2])
        torch.testing.assert_close(alone, bias.bias(index[5][None], index[2][None])[1, 0, 0] + 1)
        if not there:
            zero, far = torch.zeros((), device="meta"), positions(1, "meta")
            assert bias.to("meta").score_mod()(zero, far, far, far, far).is_meta

    def test_positions_with_a_batch_axis_give_each_row_its_own_bias(self, device):
        bias = self.made(device)
        q_pos = torch.stack([positions(4, device), positions(4, device, 5)])
        k_pos = torch.stack([positions(9, device), positions(9, device, 2)])
        both = bias.bias(q_pos, k_pos)
        assert both.shape == (2, HEADS, 4, 9)
        for b in range(2):
            torch.testing.assert_close(both[b], bias.bias(q_pos[b], k_pos[b]), rtol=0, atol=0)

    def test_decode_rows_are_the_rows_of_the_prefill(self, device):
        bias = self.made(device)
        whole = bias.bias(positions(50, device), positions(50, device))
        for m in (0, 1, 17, 49):
            row = bias.bias(positions(1, device, m), positions(m + 1, device))
            torch.testing.assert_close(row[:, 0], whole[:, m, : m + 1], rtol=1e-6, atol=1e-6)

    def test_half_precision_parameters_still_give_a_float32_bias(self, device):
        bias = self.made(device).bfloat16()
        dense = bias.bias(positions(3, device), positions(2048, device))
        assert dense.dtype == torch.float32
        exact = bias.double().bias(positions(3, device), positions(2048, device))
        assert exact.dtype == (torch.float64 if list(bias.parameters()) else torch.float32)
        # float32 arithmetic on bias up to a few hundred
        torch.testing.assert_close(dense.double(), exact.double(), rtol=2e-5, atol=2e-5)

    def test_score_mod_of_half_precision_parameters_computes_in_float32(self, device):
        bias = self.made(device).bfloat16()
        mod, dense = bias.score_mod(device=device), bias.bias(positions(3, device), positions(700, device))
        at = [torch.tensor(i, device=device) for i in (1, 2, 699)]
        got = mod(torch.zeros((), device=device), at[0], at[0], at[1], at[2])
        torch.testing.assert_close(got, dense[1, 2, 699], rtol=2e-5, atol=2e-5)

    def test_gradcheck_and_gradgradcheck_of_every_parameter(self, device):
        bias = self.made(device, torch.float64)
        names, values = zip(*bias.named_parameters(), strict=True) if list(bias.parameters()) else ((), ())
        if not names:
            assert bias.state_dict() == {}  # nothing is learned and nothing is stored
            return
        q_pos, k_pos = positions(3, device, 4), positions(5, device, 2)

        def of(*parameters):
            return torch.func.functional_call(bias, dict(zip(names, parameters, strict=True)), (q_pos, k_pos))

        bias.forward = bias.bias
        values = tuple(v.detach().requires_grad_() for v in values)
        assert torch.autograd.gradcheck(of, values)
        assert torch.autograd.gradgradcheck(of, values)

    def test_copies_pickles_and_meta_tensors_give_the_same_bias(self, device):
        bias = self.made(device)
        q_pos, k_pos = positions(3, device), positions(5, device)
        expected = bias.bias(q_pos, k_pos)
        for twin in (copy.deepcopy(bias), pickle.loads(pickle.dumps(bias))):
            assert torch.equal(twin.bias(q_pos, k_pos), expected)
        with torch.device("meta"):
            hollow = self.create()
        hollow = hollow.to_empty(device=device)
        hollow.load_state_dict(bias.state_dict())
        assert torch.equal(hollow.bias(q_pos, k_pos), expected)

    def test_distance_biases_are_toeplitz(self, device):
        bias = self.made(device)
        dense = bias.bias(positions(30, device), positions(30, device))
        same = torch.equal(dense[:, 1:, 1:], dense[:, :-1, :-1])
        assert same == isinstance(bias, DistanceBias)

    def test_score_mod_takes_any_positions_and_any_device(self, device):
        bias = self.made(device)
        q_pos = torch.stack([positions(5, device, 7), positions(5, device, 20)])
        k_pos = torch.stack([positions(12, device), positions(12, device, 3)])
        dense, mod = bias.bias(q_pos, k_pos), bias.score_mod(q_pos, k_pos)
        keys_by_index, zero = bias.score_mod(q_pos[1]), torch.zeros((), device=device)
        at = [torch.tensor(i, device=device) for i in range(12)]
        for b, h, i, n in [(0, 0, 4, 11), (1, 3, 0, 9), (1, 1, 3, 2)]:
            torch.testing.assert_close(mod(zero, at[b], at[h], at[i], at[n]), dense[b, h, i, n])
        first_keys = bias.bias(q_pos[1], positions(12, device))
        torch.testing.assert_close(keys_by_index(zero, at[0], at[2], at[4], at[6]), first_keys[2, 4, 6])
        with pytest.raises(ValueError, match="q_pos"):
            bias.score_mod(q_pos.view(1, 2, 5), k_pos)

    def test_everything_lies_on_the_device_of_the_positions(self):
        bias, p = self.create().to("meta"), positions(5, "meta")
        assert bias.bias(p, p).is_meta
        if isinstance(bias, DistanceBias):
            assert bias.of_distance(p).is_meta
            assert bias.of_distance(p, dtype=torch.float64).dtype == torch.float64
        zero, index = torch.zeros((), device="meta"), positions(1, "meta")
        for made in (self.create().score_mod(device="meta"), self.create().score_mod(p, p)):
            assert made(zero, index, index, index, index).is_meta

    def test_the_dtype_asked_for_is_the_dtype_of_all_arithmetic(self, device):
        bias = self.made(device)
        at = positions(9, device, 10**4 + 1)
        kinds = [torch.int64] if isinstance(bias, T5Bias) else [torch.int64, torch.float64, torch.float32]
        for kind in kinds:
            for dtype in (torch.float32, torch.float64):
                assert bias.bias(at.to(kind), at.to(kind) // 3, dtype=dtype).dtype == dtype
        wide = copy.deepcopy(bias).double().bias(at, at // 3, dtype=torch.float64)
        with torch.no_grad():
            torch.testing.assert_close(
                bias.bias(at, at // 3, dtype=torch.float64), wide, rtol=1e-14, atol=1e-14
            )

    @pytest.mark.parametrize("narrow", [torch.uint8, torch.int8, torch.int16, torch.int32], ids=str)
    def test_differences_of_narrow_integers_do_not_wrap(self, narrow, device):
        bias = self.made(device)
        m, n = torch.tensor([0, 5, 120], device=device), torch.tensor([127, 3, 0, 5], device=device)
        if narrow != torch.uint8:
            n = -n
        expected, b = bias.bias(m, n), torch.zeros((), dtype=torch.long, device=device)
        assert torch.equal(bias.bias(m.to(narrow), n.to(narrow)), expected)
        mod = bias.score_mod(m.to(narrow), n.to(narrow))
        score = mod(torch.zeros((), device=device, dtype=expected.dtype), b, b, b + 1, b)
        torch.testing.assert_close(score, expected[0, 1, 0], rtol=0, atol=1e-6)
        with pytest.raises(TypeError, match=r"k_pos must be int8 to int64.*uint16"):
            bias.score_mod(None, n.abs().to(torch.uint16))

    def test_positions_of_a_wrong_kind_are_refused(self, device):
        bias = self.made(device)
        with pytest.raises(TypeError, match="q_pos"):
            bias.bias(torch.ones(3, dtype=torch.bool, device=device), positions(3, device))
        with pytest.raises(ValueError, match="k_pos"):
            bias.bias(positions(3, device), positions(8, device).view(2, 2, 2))
        with pytest.raises(TypeError, match="dtype"):
            bias.bias(positions(3, device), positions(3, device), dtype=torch.bfloat16)
        with pytest.raises(ValueError, match="num_heads"):
            type(bias)(0)


class TestT5(BiasCase):
    def create(self):
        return T5Bias(HEADS)

    def evaluate(self, bias, head, m, n):
        return bias.weight[t5_buckets(torch.tensor(n - m)), head].item()

    def test_floating_positions_are_refused(self, device):
        with pytest.raises(TypeError, match="integer positions"):
            T5Bias(HEADS).to(device).bias(positions(3, device).float(), positions(3, device))


class TestT5Causal(TestT5):
    def create(self):
        return T5Bias(HEADS, bidirectional=False)

    def evaluate(self, bias, head, m, n):
        return bias.weight[t5_buckets(torch.tensor(n - m), bidirectional=False), head].item()


class TestALiBi(BiasCase):
    def create(self):
        return ALiBi(HEADS)

    def evaluate(self, bias, head, m, n):
        return -(2.0 ** (-8 * (head + 1) / HEADS)) * abs(m - n)


class TestALiBiOnPartOfTheHeads(BiasCase):
    def create(self):
        return ALiBi(HEADS, alibi_num_heads=3)

    def evaluate(self, bias, head, m, n):
        return -[2.0**-4, 2.0**-8, 2.0**-2, 0.0][head] * abs(
            m - n
        )  # of three heads: two, then a second of four


class TestKerpleLog(BiasCase):
    def create(self):
        return KerpleLog(HEADS)

    def evaluate(self, bias, head, m, n):
        r1, r2 = (math.log1p(math.exp(p[head].item())) for p in (bias.raw_1, bias.raw_2))
        return -r1 * math.log1p(r2 * abs(m - n))


class TestKerplePower(BiasCase):
    def create(self):
        return KerplePower(HEADS)

    def evaluate(self, bias, head, m, n):
        r1 = math.log1p(math.exp(bias.raw_1[head].item()))
        r2 = 2 / (1 + math.exp(-bias.raw_2[head].item()))
        return -r1 * abs(m - n) ** r2


class TestFIRE(BiasCase):
    def create(self):
        return FIRE(HEADS, width=5, threshold=6.5)  # below the largest position, so that both branches act

    def evaluate(self, bias, head, m, n):
        c, threshold = (math.log1p(math.exp(p.item())) for p in (bias.raw_c, bias.raw_threshold))
        ratio = math.log1p(c * abs(m - n)) / math.log1p(c * max(threshold, m))
        hidden = torch.relu(ratio * bias.hidden.weight[:, 0] + bias.hidden.bias)
        return (bias.out.weight[head] @ hidden + bias.out.bias[head]).item()


class TestSandwich(BiasCase):
    def create(self):
        return Sandwich(HEADS, dim=16)

    def evaluate(self, bias, head, m, n):
        total = sum(math.cos((m - n) * 10000.0 ** (-2 * i / 16)) for i in range(8))
        return HEADS / (8 * (head + 1)) * total


def test_every_registered_bias_has_a_case():
    cases = [
        c for c in globals().values() if isinstance(c, type) and issubclass(c, BiasCase) and c is not BiasCase
    ]
    assert {type(case().create()) for case in cases} == set(BIASES.values())


def exact_bucket(n, exact, side, far):
    """floor(ln(n/e)/ln(D/e)·N) as the largest j with (n/e)^N ≥ (D/e)^j, in fractions."""
    if n < exact:
        return n
    rest, j = side - exact, 0
    while j < rest - 1 and Fraction(n, exact) ** rest >= Fraction(far, exact) ** (j + 1):
        j += 1
    return exact + j


@pytest.mark.parametrize(("buckets", "far"), [(32, 128), (32, 100), (8, 20), (64, 1000), (6, 7)])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_t5_buckets_are_exact_at_every_distance(buckets, far, bidirectional, device):
    side = buckets // 2 if bidirectional else buckets
    distance = torch.arange(-far - 9, far + 10, device=device)
    got = t5_buckets(distance, bidirectional, buckets, far).tolist()
    for d, bucket in zip(distance.tolist(), got, strict=True):
        expected = exact_bucket(abs(d) if bidirectional or d < 0 else 0, side // 2, side, far)
        assert bucket == expected + (side if bidirectional and d > 0 else 0), d


@pytest.mark.parametrize(
    ("side", "far"), [(16, 10**8), (16, 2**31), (32, 2**32), (32, 3 * 10**9), (256, 10**6), (3, 2), (2, 2)]
)
def test_each_bucket_of_t5_begins_at_the_smallest_integer_of_its_inequality(side, far):
    """Far ones, too, and where D/e is a power, so that the bound itself is an integer."""
    exact = side // 2
    rest, edges = side - exact, t5_boundaries(side, far)
    assert edges[:exact] == list(range(1, exact + 1)) and len(edges) == side - 1
    for j, n in enumerate(edges[exact:], 1):
        assert (n - 1) ** rest < far**j * exact ** (rest - j) <= n**rest


def lines_run(function, *given, most):
    """How many lines a call runs in its own file; no more than ``most``."""
    count = 0

    def each(frame, event, _):
        nonlocal count
        if frame.f_code.co_filename == function.__code__.co_filename:
            count += 1
            assert count <= most
            return each

    before = sys.gettrace()
    sys.settrace(each)
    try:
        function(*given)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(("side", "far"), [(2**15, 2**32), (16, 10**9), (16, 128), (3, 2**32)])
def test_the_work_for_a_bucket_does_not_grow_with_the_distance(side, far):
    """Counted upwards one by one, the last buckets of the first case alone would take 2**31 steps."""
    assert lines_run(t5_boundaries, side, far, most=20 * side) > side // 2


def test_the_farthest_integers_are_in_the_last_buckets():
    ends = torch.tensor([-(2**63), 2**63 - 1])
    assert t5_buckets(ends).tolist() == [15, 31]
    assert t5_buckets(ends, bidirectional=False).tolist() == [31, 0]


def test_t5_buckets_begin_where_published():
    first = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    n = torch.arange(600)
    causal = t5_buckets(-n, bidirectional=False)
    assert [int((causal == b).nonzero()[0]) for b in range(16, 32)] == first
    assert int(causal.max()) == 31
    both = t5_buckets(n)
    assert [int((both == b).nonzero()[0]) for b in range(24, 32)] == [8, 12, 16, 23, 32, 46, 64, 91]


def test_t5_decoders_part_from_encoders_only_beyond_short_distances():
    """Schemes agree for distances below 8, so a test on short sequences cannot tell them apart."""
    n = torch.arange(40)
    agree = t5_buckets(-n, True) == t5_buckets(-n, False)
    assert agree[:8].all() and not agree[17:].any()


@pytest.mark.parametrize(
    ("arguments", "error", "name"),
    [
        ((torch.ones(2),), TypeError, "relative_position"),
        ((torch.arange(2), True, 31), ValueError, "num_buckets"),
        ((torch.arange(2), True, 2), ValueError, "num_buckets"),
        ((torch.arange(2), False, 32, 16), ValueError, "max_distance"),
        ((torch.arange(2), False, 32.0), TypeError, "num_buckets"),
        ((torch.arange(2), True, 2**16 + 2), ValueError, "num_buckets must be at most 65536"),
        ((torch.arange(2), True, 32, 8), ValueError, "max_distance must be at least 9"),
        ((torch.arange(2), True, 32, 2**32 + 1), ValueError, "max_distance must be at most 4294967296"),
    ],
)
def test_t5_refuses_what_has_no_buckets(arguments, error, name):
    with pytest.raises(error, match=name):
        t5_buckets(*arguments)


def test_the_module_of_t5_holds_a_bucket_for_each_distance_so_they_are_bounded():
    with pytest.raises(ValueError, match=r"max_distance must be at most 16777216, got 1000000000000000000"):
        T5Bias(4, max_distance=10**18)
    with pytest.raises(ValueError, match="max_distance must be at most 16777216, got 100000000"):
        T5Bias(4, max_distance=10**8)


def test_fire_has_at_least_one_hidden_unit():
    assert FIRE(2, width=1).hidden.out_features == 1
    with pytest.raises(ValueError, match="width must be at least 1"):
        FIRE(2, width=0)


@pytest.mark.parametrize("name", ["c", "threshold"])
@pytest.mark.parametrize("value", ["1e-308", "1e-30", "1e+30", "1e+39", "1e+308"])
def test_fire_refuses_numbers_whose_products_float32_does_not_hold(name, value):
    message = f"{name} must lie in [2**-60, 2**60], for float32, got {value}"
    with pytest.raises(ValueError, match=re.escape(message)):
        FIRE(2, **{name: float(value)})


@pytest.mark.parametrize("c", [2.0**-60, 2.0**60])
@pytest.mark.parametrize("threshold", [2.0**-60, 2.0**60])
def test_fire_has_numbers_wherever_its_own_may_lie(c, threshold):
    ends = torch.tensor([0, 1, 2**53])
    assert torch.isfinite(FIRE(2, c=c, threshold=threshold).bias(ends, ends)).all()


@pytest.mark.parametrize("less", [1e-38, 1e-308])
def test_sandwich_refuses_a_base_too_small_for_float32(less):
    with pytest.raises(ValueError, match=f"base must be a number of float32, at least 1.18e-38, got {less}"):
        Sandwich(2, base=less)


@pytest.mark.parametrize("base", [1.2e-38, 1e308])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_sandwich_has_numbers_for_every_base_it_takes(base, dtype):
    far = torch.tensor([0, 1, -(2**53)])
    assert torch.isfinite(Sandwich(2, dim=6, base=base).of_distance(far, dtype=dtype)).all()


def test_alibi_slopes_of_powers_of_two_follow_the_paper():
    assert alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]
    torch.testing.assert_close(alibi_slopes(16).double(), 2.0 ** (-torch.arange(1, 17).double() / 2))


def test_alibi_slopes_of_twelve_heads_follow_the_released_models():
    extra = [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]
    torch.testing.assert_close(alibi_slopes(12).tolist(), [2.0**-h for h in range(1, 9)] + extra)
    literal = torch.tensor([2 ** (-8 * h / 12) for h in range(1, 13)]).sort().values
    gap = (alibi_slopes(12).sort().values - literal).abs().max().item()
    assert gap == pytest.approx(0.10355, abs=1e-5)


def test_adding_slope_times_key_position_is_the_same_attention(device):
    """Rows that differ by a constant have one softmax: −s(m − n) and s·n."""
    q, k, v = torch.randn(3, 2, 12, 9, 4, dtype=torch.float64, device=device).unbind()
    bias = ALiBi(12)
    ours = attention(q, k, v, bias, causal=True)
    slope = torch.tensor([-bias.of_distance(torch.tensor(-1))[h].item() for h in range(12)], device=device)
    scores = q @ k.transpose(-1, -2) / 2 + slope.double()[:, None, None] * torch.arange(9, device=device)
    hidden = torch.ones(9, 9, dtype=torch.bool, device=device).triu(1)
    theirs = scores.masked_fill(hidden, -math.inf).softmax(-1) @ v
    # slopes of 12 heads pass through float32 in this test
    torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=1e-6)


def test_sandwich_is_the_inner_product_of_sinusoidal_encodings(device):
    table = sinusoidal(torch.arange(64, device=device), 32, dtype=torch.float64)
    ours = Sandwich(8, dim=32).bias(*[torch.arange(64, device=device)] * 2, dtype=torch.float64)
    torch.testing.assert_close(ours[0], table @ table.T, rtol=0, atol=1e-12)  # head 1 of 8 is not scaled


def test_sandwich_keeps_float32_accuracy_at_long_distances(device):
    distance = torch.tensor([1, 4096, 131072, 1 << 20], device=device)
    bias = Sandwich(8, dim=128)
    error = bias.of_distance(distance).double() - bias.of_distance(distance, dtype=torch.float64)
    # 64 cosines, each of an angle below 2π rounded to float32, some 4e-7; phases 2⁻⁴¹·2²⁰ turns
    assert error.abs().max() < 64 * 4e-6


@pytest.mark.parametrize("kind", [KerpleLog, KerplePower])
def test_kerple_parameters_stay_in_their_domain_whatever_an_optimiser_does(kind):
    bias = kind(HEADS)
    with torch.no_grad():
        for p in bias.parameters():
            p.copy_(torch.tensor([-30.0, -3.0, 3.0, 30.0]))
    row = bias.of_distance(torch.arange(-20, 1))
    assert torch.isfinite(row).all() and (row <= 0).all()
    assert (row.diff() >= 0).all()  # nearer keys are never penalised more


def test_kerple_power_with_exponent_one_is_alibi():
    bias = KerplePower(HEADS)
    with torch.no_grad():
        bias.raw_2.zero_()  # 2·sigmoid(0) = 1
        bias.raw_1.copy_(torch.log(torch.expm1(alibi_slopes(HEADS))))
    distance = torch.arange(-30, 31)
    torch.testing.assert_close(bias.of_distance(distance), ALiBi(HEADS).of_distance(distance))


def test_fire_argument_stays_in_the_unit_interval_at_every_length():
    bias = FIRE(1, width=1, threshold=4.0).double()
    with torch.no_grad():  # a network that returns its argument
        for p, value in zip([*bias.hidden.parameters(), *bias.out.parameters()], (1, 0, 1, 0), strict=True):
            p.fill_(value)
    for m in (0, 3, 100, 10**6):
        ratio = bias.bias(torch.tensor([m]), torch.arange(0, m + 1, max(m // 50, 1)))
        assert ratio.min() >= 0 and ratio.max() <= 1 + 1e-15


def test_alibi_in_double_has_slopes_in_double():
    """Twelve heads: the ninth slope is 2^(−1/2)."""
    far = ALiBi(12).of_distance(torch.tensor(-1000), dtype=torch.float64)[8].item()
    assert far == pytest.approx(-1000 / math.sqrt(2), rel=1e-15)


def test_alibi_on_part_of_the_heads_leaves_the_others_without_positions(device):
    q, k, v = torch.randn(3, 1, 8, 9, 4, device=device).unbind()
    part = attention(q, k, v, ALiBi(8, alibi_num_heads=4), causal=True)
    torch.testing.assert_close(
        part[:, :4], attention(q[:, :4], k[:, :4], v[:, :4], ALiBi(4), causal=True), rtol=0, atol=1e-6
    )
    torch.testing.assert_close(
        part[:, 4:], attention(q[:, 4:], k[:, 4:], v[:, 4:], causal=True), rtol=0, atol=1e-6
    )
    assert (
        repr(ALiBi(8, 4)) == "ALiBi(num_heads=8, alibi_num_heads=4)"
        and repr(ALiBi(8)) == "ALiBi(num_heads=8)"
    )
    with pytest.raises(ValueError, match="alibi_num_heads must be at most num_heads = 4, got 5"):
        ALiBi(4, alibi_num_heads=5)
    with pytest.raises(ValueError, match="alibi_num_heads must be at least 1, got 0"):
        ALiBi(4, alibi_num_heads=0)


def test_alibi_slopes_do_not_depend_on_the_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        assert alibi_slopes(3).dtype == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)
    with pytest.raises(ValueError, match="num_heads must be at least 1"):
        alibi_slopes(0)


def test_t5_buckets_beyond_the_maximum_distance_are_the_last_ones():
    bias = T5Bias(HEADS, num_buckets=8, max_distance=20)
    for side in (-1, 1):
        beyond = bias.of_distance(side * torch.tensor([20, 21, 1000, 10**9]))
        assert torch.equal(beyond, beyond[:, :1].expand(-1, 4))
        ladder = t5_buckets(side * torch.arange(30), num_buckets=8, max_distance=20)
        assert torch.equal(bias.of_distance(side * torch.arange(30)), bias.weight.T[:, ladder])


def test_defaults_are_those_of_the_papers():
    fire = FIRE(HEADS)
    assert fire.hidden.weight.shape == (32, 1)
    softplus = torch.nn.functional.softplus
    assert softplus(fire.raw_c).item() == pytest.approx(0.1, rel=1e-6)
    assert softplus(fire.raw_threshold).item() == 512.0
    other = Sandwich(HEADS, base=100.0).of_distance(torch.tensor(7), dtype=torch.float64)[0].item()
    assert other == pytest.approx(
        HEADS / 8 * sum(math.cos(7 * 100.0 ** (-i / 64)) for i in range(64)), rel=1e-13
    )
    weight = T5Bias(64, num_buckets=256).weight
    assert weight.std().item() == pytest.approx(
        0.02, rel=0.05
    )  # 16384 numbers: 0.6 % is one standard deviation


@pytest.mark.parametrize("assign", [False, True])
def test_fire_loads_what_was_saved_when_its_two_numbers_were_scalars(assign):
    old, new = FIRE(HEADS, c=0.3, threshold=40.0), FIRE(HEADS)
    assert all(p.ndim for p in new.parameters())  # torch's fully_shard refuses scalars
    saved = old.state_dict()
    assert set(saved) == {
        "raw_c", "raw_threshold", "hidden.weight", "hidden.bias", "out.weight", "out.bias"
    }  # fmt: skip
    for name in ("raw_c", "raw_threshold"):
        saved[name] = saved[name].reshape(())
    holder, at = torch.nn.ModuleDict({"bias": new}), positions(9, "cpu")
    holder.load_state_dict({f"bias.{name}": value for name, value in saved.items()}, assign=assign)
    assert torch.equal(new.bias(at, at), old.bias(at, at))
    with pytest.raises(RuntimeError, match="raw_c"):
        new.load_state_dict(saved | {"raw_c": torch.zeros(2)})


@pytest.mark.parametrize(("bidirectional", "fewest"), [(True, 4), (False, 2)])
def test_t5_smallest_tables(bidirectional, fewest):
    distances = torch.tensor([-3, -2, -1, 0, 1, 2, 3])
    buckets = t5_buckets(distances, bidirectional, fewest, 2)
    behind = [1, 1, 1, 0]  # one bucket for the query itself, one for all before it
    assert buckets.tolist() == behind + 3 * [3 * bidirectional]
    with pytest.raises(ValueError, match=f"num_buckets must be at least {fewest}"):
        t5_buckets(distances, bidirectional, fewest - 1, 2)
    three = 3 * (1 + bidirectional)  # three a side: the first is exact, so max_distance 2 is enough
    assert t5_buckets(distances, bidirectional, three, 2)[:4].tolist() == [2, 2, 1, 0]
    with pytest.raises(ValueError, match="max_distance must be at least 2"):
        t5_buckets(distances, bidirectional, three, 1)
    if bidirectional:
        with pytest.raises(ValueError, match="even"):
            T5Bias(HEADS, num_buckets=9)


def test_t5_buckets_of_narrow_integers_do_not_wrap():
    for narrow, far in ((torch.uint8, [0, 3, 255]), (torch.int8, [-128, -3, 0, 127])):
        far = torch.tensor(far)
        for bidirectional in (True, False):
            assert torch.equal(t5_buckets(far.to(narrow), bidirectional), t5_buckets(far, bidirectional))


def test_a_distance_that_int8_has_and_its_negative_has_not():
    distance = torch.tensor([-128], dtype=torch.int8)
    assert ALiBi(1).of_distance(distance).item() == -0.5
