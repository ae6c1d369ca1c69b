"""Score biases: what all of them promise (one case class, inherited), then what each promises alone."""

import copy
import math
import pickle

import pytest
import torch

import posenc_lib as lib
from posenc_lib.bias import DistanceBias
from posenc_lib.bias.t5 import t5_boundaries

HEADS, F64 = 4, torch.float64
CUTS = [(0, 1), (1, 3), (3, 4)]


class BiasCase:
    """Give `create` and `evaluate` (one entry of the bias, in double) and inherit the rest."""

    queries, keys, far = range(3, 10), range(40), 2048
    integers_alone = False

    def create(self):
        raise NotImplementedError

    def evaluate(self, bias, head, m, n):
        raise NotImplementedError

    def made(self, device, dtype=torch.float32):
        torch.manual_seed(0)
        bias = self.create()
        with torch.no_grad():
            for parameter in bias.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
        return bias.to(device=device, dtype=dtype)

    def at(self, device):
        return (torch.tensor(list(x), device=device) for x in (self.queries, self.keys))

    def test_bias_is_its_formula_entry_by_entry(self, device):
        """In double throughout: a few roundings of numbers of this size."""
        bias = self.made(device, F64)
        dense = bias.bias(*self.at(device), dtype=F64)
        for h in range(HEADS):
            for i, m in enumerate(self.queries):
                for j, n in enumerate(self.keys):
                    expected = self.evaluate(bias, h, m, n)
                    assert abs(dense[h, i, j].item() - expected) <= 1e-12 * max(1, abs(expected))

    def test_score_mod_adds_the_dense_bias_at_any_positions(self, device):
        """One run or one a row, of queries, keys or both; else indices, where the parameters are."""
        bias, (m, n) = self.made(device), self.at(device)
        several, rows = torch.stack((m, m.flip(0))), torch.stack((n, n.roll(1)))
        indices = [torch.arange(len(x), device=device) for x in (m, n)]
        there = {} if list(bias.parameters()) else {"device": device}  # no parameters: say where
        places = [(m, n, {}), (several, rows, {}), (several, None, {}), (None, None, there)]
        for q_pos, k_pos, where in places:
            mod = bias.score_mod(q_pos, k_pos, **where)
            at = zip((q_pos, k_pos), indices, strict=True)
            dense = bias.bias(*(index if given is None else given for given, index in at))
            for b, h, i, j in ((0, 0, 0, 0), (1, 1, 2, 9), (0, 3, 1, len(n) - 1), (1, 2, 2, 3)):
                score = torch.full((), 0.5, device=device)
                got = mod(score, *(torch.tensor(x, device=device) for x in (b, h, i, j)))
                expected = dense[(b, h, i, j) if dense.ndim == 4 else (h, i, j)]
                torch.testing.assert_close(got, expected + 0.5, rtol=2e-6, atol=2e-6)

    def test_positions_with_a_batch_axis_give_each_row_its_own_bias(self, device):
        bias, (m, n) = self.made(device), self.at(device)
        m, n = torch.stack((m, m.flip(0))), torch.stack((n, n.roll(2)))
        both = bias.bias(m, n)
        assert both.shape == (2, HEADS, m.shape[1], n.shape[1])
        assert torch.equal(both, torch.stack([bias.bias(*row) for row in zip(m, n, strict=True)]))

    def test_half_precision_parameters_still_give_a_float32_bias(self, device):
        bias, (m, _) = self.made(device).bfloat16(), self.at(device)
        n = torch.arange(self.far, device=device)
        dense, mod = bias.bias(m[:3], n), bias.score_mod(m, device=device)
        last = (torch.tensor(x, device=device) for x in (0, 1, 2, self.far - 1))
        # float32 arithmetic on bias up to a few hundred
        got = mod(torch.zeros((), device=device), *last)
        torch.testing.assert_close(got, dense[1, 2, -1], rtol=2e-5, atol=2e-5)
        exact = bias.double().bias(m[:3], n)
        assert dense.dtype == torch.float32
        assert exact.dtype == (F64 if list(bias.parameters()) else torch.float32)
        torch.testing.assert_close(dense.double(), exact.double(), rtol=2e-5, atol=2e-5)

    def test_everything_lies_on_the_device_of_the_positions(self):
        bias, p = self.create().to("meta"), torch.arange(5, device="meta")
        assert bias.bias(p, p).is_meta
        if isinstance(bias, DistanceBias):
            assert bias.of_distance(p).is_meta and bias.of_distance(p, dtype=F64).dtype == F64
        zero, index = torch.zeros((), device="meta"), p[:1]
        mods = [self.create().score_mod(device="meta"), self.create().score_mod(p, p)]
        for mod in mods + ([bias.score_mod()] if list(bias.parameters()) else []):
            assert mod(zero, index, index, index, index).is_meta

    def test_the_dtype_asked_for_is_the_dtype_of_all_arithmetic(self, device):
        bias, at = self.made(device), tuple(self.at(device))
        if self.far > 10**3:
            at = at[0] + 10**4, at[1] + 3 * 10**3
        kinds = [torch.int64] if self.integers_alone else [torch.int64, F64, torch.float32]
        for dtype in (torch.float32, F64):
            assert all(bias.bias(*(x.to(kind) for x in at), dtype=dtype).dtype == dtype for kind in kinds)
        wide = copy.deepcopy(bias).double().bias(*at, dtype=F64).detach()
        torch.testing.assert_close(bias.bias(*at, dtype=F64).detach(), wide, rtol=1e-14, atol=1e-14)

    @pytest.mark.parametrize("narrow", [torch.uint8, torch.int8, torch.int16, torch.int32], ids=str)
    def test_differences_of_narrow_integers_do_not_wrap(self, narrow, device):
        bias, sign = self.made(device), 1 if narrow == torch.uint8 or self.far < 10**3 else -1
        m, n = (torch.tensor(x, device=device) for x in ((0, 5, 120), (127, 3, 0, 5)))
        m, n = (m % self.far, sign * (n % self.far))
        expected, b = bias.bias(m, n), torch.zeros((), dtype=torch.long, device=device)
        assert torch.equal(bias.bias(m.to(narrow), n.to(narrow)), expected)
        ends = torch.tensor([torch.iinfo(narrow).min, 3, torch.iinfo(narrow).max], device=device)
        if isinstance(bias, DistanceBias):  # −128 is an int8, and 128 is not
            assert torch.equal(bias.of_distance(ends.to(narrow)), bias.of_distance(ends))
        mod = bias.score_mod(m.to(narrow), n.to(narrow))
        score = mod(torch.zeros((), device=device, dtype=expected.dtype), b, b, b + 1, b)
        torch.testing.assert_close(score, expected[0, 1, 0], rtol=0, atol=1e-6)
        with pytest.raises(TypeError, match=r"k_pos must be .*int64.*uint16"):
            bias.score_mod(None, n.abs().to(torch.uint16))

    def test_slices_of_the_heads_side_by_side_are_the_whole(self, device):
        """In values, in gradients, and in what FlexAttention is given."""
        bias, (m, n) = self.made(device, F64), self.at(device)
        whole, parameters = bias.bias(m, n, dtype=F64), list(bias.parameters())
        weights, parts, sums = torch.randn_like(whole), [], [torch.zeros_like(p) for p in parameters]
        for start, stop in CUTS:
            part = bias.head_slice(start, stop)
            parts.append(part.bias(m, n, dtype=F64))
            place = [torch.tensor(x, device=device) for x in (0, 0, 2, 9)]
            score = part.score_mod(m, n)(torch.zeros((), dtype=F64, device=device), *place)
            # without parameters float32
            torch.testing.assert_close(score, whole[start, 2, 9], rtol=2e-6, atol=2e-7)
            if isinstance(bias, DistanceBias):
                assert torch.equal(part.of_distance(n - 20), bias.of_distance(n - 20)[start:stop])
            given = (parts[-1] * weights[start:stop]).sum()
            got = torch.autograd.grad(given, parameters, allow_unused=True) if parameters else []
            sums = [total if g is None else total + g for total, g in zip(sums, got, strict=True)]
        torch.testing.assert_close(torch.cat(parts, -3), whole, rtol=0, atol=1e-15)
        expected = torch.autograd.grad((whole * weights).sum(), parameters) if parameters else ()
        assert all(g.abs().max() > 0 for g in expected)
        # double; FIRE multiplies by other matrices, and adds over heads in another order
        torch.testing.assert_close(tuple(sums), tuple(expected), rtol=1e-13, atol=1e-13)

    def test_a_slice_shares_its_parameters_and_a_copy_of_it_is_still_a_slice(self):
        bias, at = self.made("cpu"), torch.arange(5)
        part = bias.head_slice(1, 3)
        assert type(part) is type(bias) and (bias.first_head, bias.heads) == (0, HEADS)
        assert part.state_dict().keys() == bias.state_dict().keys()
        assert all(a is b for a, b in zip(part.parameters(), bias.parameters(), strict=True))
        again = part.head_slice(0, 4).head_slice(1, 3)
        for twin in (copy.deepcopy(part), pickle.loads(pickle.dumps(part)), again):
            assert torch.equal(twin.bias(at, at), bias.bias(at, at)[1:3])
        assert "heads 1 to 2 of 4" in repr(part) and "heads" not in repr(bias).replace("num_heads", "")


class TestT5(BiasCase):
    integers_alone = True

    def create(self):
        return lib.T5Bias(HEADS)

    def evaluate(self, bias, head, m, n):
        return bias.weight[lib.t5_buckets(torch.tensor(n - m)), head].item()


class TestT5Causal(TestT5):
    def create(self):
        return lib.T5Bias(HEADS, bidirectional=False, num_buckets=8, max_distance=20)

    def evaluate(self, bias, head, m, n):
        return bias.weight[lib.t5_buckets(torch.tensor(n - m), False, 8, 20), head].item()


class TestALiBi(BiasCase):
    def create(self):
        return lib.ALiBi(HEADS)

    def evaluate(self, bias, head, m, n):
        return -(2.0 ** (-8 * (head + 1) / HEADS)) * abs(m - n)


class TestALiBiOnPartOfTheHeads(BiasCase):
    def create(self):
        return lib.ALiBi(HEADS, alibi_num_heads=3)

    def evaluate(self, bias, head, m, n):
        # of three heads: two, then a second of four
        return -[2.0**-4, 2.0**-8, 2.0**-2, 0.0][head] * abs(m - n)


class TestKerpleLog(BiasCase):
    def create(self):
        return lib.KerpleLog(HEADS)

    def evaluate(self, bias, head, m, n):
        r1, r2 = (math.log1p(math.exp(p[head].item())) for p in (bias.raw_1, bias.raw_2))
        return -r1 * math.log1p(r2 * abs(m - n))


class TestKerplePower(BiasCase):
    def create(self):
        return lib.KerplePower(HEADS)

    def evaluate(self, bias, head, m, n):
        r1 = math.log1p(math.exp(bias.raw_1[head].item()))
        r2 = 2 / (1 + math.exp(-bias.raw_2[head].item()))
        return -r1 * abs(m - n) ** r2


class TestFIRE(BiasCase):
    def create(self):
        return lib.FIRE(HEADS, width=5, threshold=6.5)  # some positions lie beyond it

    def evaluate(self, bias, head, m, n):
        c, threshold = (math.log1p(math.exp(p.item())) for p in (bias.raw_c, bias.raw_threshold))
        ratio = math.log1p(c * abs(m - n)) / math.log1p(c * max(threshold, m))
        hidden = torch.relu(ratio * bias.hidden.weight[:, 0] + bias.hidden.bias)
        return (bias.out.weight[head] @ hidden + bias.out.bias[head]).item()


class TestSandwich(BiasCase):
    def create(self):
        return lib.Sandwich(HEADS, dim=16)

    def evaluate(self, bias, head, m, n):
        total = sum(math.cos((m - n) * 10000.0 ** (-2 * i / 16)) for i in range(8))
        return HEADS / (8 * (head + 1)) * total


def test_another_number_of_heads_than_the_slice_has_is_refused():
    q = torch.randn(1, 2, 3, 8)
    with pytest.raises(ValueError, match=r"for heads 1 to 3 of 4, but there are 2 heads$"):
        lib.attention(q, q, q, lib.ALiBi(4).head_slice(1, 4))


def test_every_registered_bias_has_a_case():
    cases = [case for name, case in globals().items() if name.startswith("Test")]
    assert {type(case().create()) for case in cases} == set(lib.BIASES.values())


def exact_bucket(n, exact, side, far):
    """floor(ln(n/e)/ln(D/e)·N) as the largest j with (n/e)^N ≥ (D/e)^j, in integers."""
    rest = side - exact
    reached = [j for j in range(rest) if n**rest >= far**j * exact ** (rest - j)]
    return n if n < exact else exact + reached[-1]


#: The last ones are the smallest that can be.
TABLES = [(32, 128), (32, 100), (8, 20), (64, 1000), (6, 7)]
TABLES = [(both, *sizes) for both in (True, False) for sizes in TABLES]
TABLES += [(True, 4, 2), (False, 2, 2), (True, 6, 2), (False, 3, 2)]


@pytest.mark.parametrize(("bidirectional", "buckets", "far"), TABLES)
def test_t5_buckets_are_exact_at_every_distance(bidirectional, buckets, far, device):
    side = buckets // 2 if bidirectional else buckets
    distance = torch.arange(-far - 9, far + 10, device=device)
    got = lib.t5_buckets(distance, bidirectional, buckets, far).tolist()
    for d, bucket in zip(distance.tolist(), got, strict=True):
        expected = exact_bucket(abs(d) if bidirectional or d < 0 else 0, side // 2, side, far)
        assert bucket == expected + (side if bidirectional and d > 0 else 0), d


SIDES = [(16, 10**8), (16, 2**31), (32, 2**32), (32, 3 * 10**9), (256, 10**6), (3, 2), (2, 2)]


@pytest.mark.parametrize(("side", "far"), SIDES)
def test_each_bucket_of_t5_begins_at_the_smallest_integer_of_its_inequality(side, far):
    """Far ones, too, and where D/e is a power, so that the bound itself is an integer."""
    exact = side // 2
    rest, edges = side - exact, t5_boundaries(side, far)
    assert edges[:exact] == list(range(1, exact + 1)) and len(edges) == side - 1
    for j, n in enumerate(edges[exact:], 1):
        assert (n - 1) ** rest < far**j * exact ** (rest - j) <= n**rest


def test_the_farthest_integers_are_in_the_last_buckets_even_of_the_largest_table():
    """Whose edges, counted upwards one by one, would take 2**31 steps."""
    ends = torch.tensor([-(2**63), 2**63 - 1])
    assert lib.t5_buckets(ends, num_buckets=2**16, max_distance=2**32).tolist() == [2**15 - 1, 2**16 - 1]
    assert lib.t5_buckets(ends).tolist() == [15, 31]
    assert lib.t5_buckets(ends, bidirectional=False).tolist() == [31, 0]


def test_sandwich_keeps_float32_accuracy_at_long_distances(device):
    distance = torch.tensor([1, 4096, 131072, 1 << 20], device=device)
    bias = lib.Sandwich(8, dim=128)
    error = bias.of_distance(distance).double() - bias.of_distance(distance, dtype=torch.float64)
    # 64 cosines, each of an angle below 2π rounded to float32, some 4e-7; phases 2⁻⁴¹·2²⁰ turns
    assert error.abs().max() < 64 * 4e-6


@pytest.mark.parametrize("kind", [lib.KerpleLog, lib.KerplePower])
def test_kerple_parameters_stay_in_their_domain_whatever_an_optimiser_does(kind):
    bias = kind(HEADS)
    with torch.no_grad():
        for p in bias.parameters():
            p.copy_(torch.tensor([-30.0, -3.0, 3.0, 30.0]))
    row = bias.of_distance(torch.arange(-20, 1))
    assert torch.isfinite(row).all() and (row <= 0).all()
    assert (row.diff() >= 0).all()  # nearer keys are never penalised more


def test_alibi_slopes_of_twelve_heads_follow_the_released_models():
    """In double, too: eight of eight, then each second of sixteen."""
    far = lib.ALiBi(12).of_distance(torch.tensor(-1000), dtype=F64)
    slopes = [2.0**-h for h in range(1, 9)] + [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]
    assert (far / -1000).tolist() == pytest.approx(slopes, rel=1e-15)
    assert lib.alibi_slopes(12).tolist() == pytest.approx(slopes, rel=1e-7)
    assert repr(lib.ALiBi(8, 4)) == "ALiBi(num_heads=8, alibi_num_heads=4)"


def test_defaults_are_those_of_the_papers():
    fire = lib.FIRE(HEADS)
    assert fire.hidden.weight.shape == (32, 1)
    softplus = torch.nn.functional.softplus
    assert softplus(fire.raw_c).item() == pytest.approx(0.1, rel=1e-6)
    assert softplus(fire.raw_threshold).item() == 512.0
    other = lib.Sandwich(HEADS, base=100.0).of_distance(torch.tensor(7), dtype=F64)[0].item()
    expected = HEADS / 8 * sum(math.cos(7 * 100.0 ** (-i / 64)) for i in range(64))
    assert other == pytest.approx(expected, rel=1e-13)
    deviation = lib.T5Bias(64, num_buckets=256).weight.std().item()
    assert deviation == pytest.approx(0.02, rel=0.05)  # 16384 numbers: 0.6 % is one standard deviation


@pytest.mark.parametrize("assign", [False, True])
def test_fire_loads_what_was_saved_when_its_two_numbers_were_scalars(assign):
    old, new = lib.FIRE(HEADS, c=0.3, threshold=40.0), lib.FIRE(HEADS)
    assert all(p.ndim for p in new.parameters())  # torch's fully_shard refuses scalars
    saved = old.state_dict()
    names = "raw_c raw_threshold hidden.weight hidden.bias out.weight out.bias"
    assert set(saved) == set(names.split())
    for name in ("raw_c", "raw_threshold"):
        saved[name] = saved[name].reshape(())
    holder, at = torch.nn.ModuleDict({"bias": new}), torch.arange(9)
    holder.load_state_dict({f"bias.{name}": value for name, value in saved.items()}, assign=assign)
    assert torch.equal(new.bias(at, at), old.bias(at, at))
    with pytest.raises(RuntimeError, match="raw_c"):
        new.load_state_dict(saved | {"raw_c": torch.zeros(2)})
