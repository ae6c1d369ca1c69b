"""Half precision on a GPU takes the way that the stored run found fastest; it is told without a GPU.

Tensors without numbers are led through attention as if they lay on one, and who is asked in the end is noted.
"""

import json
from itertools import product

import pytest
import torch
from pairs import HEADS, made
from torch._subclasses.fake_tensor import FakeTensorMode

from posenc_book.stored import RESULTS
from posenc_lib import BIASES, ALiBi, T5Bias, attention
from posenc_lib.attend import backends, groups
from posenc_lib.attend.arguments import positions_of

STORED = RESULTS / "attention_gpu.json"
WAYS = {  # that hold nothing between calls, and the cases that were measured for them; the first one counts
    "dense": ["ours, dense"],
    "matrix": ["matrix built each call", "row held"],
    "flex": ["ours, flex, compiled"],
}


class Asked(Exception):
    """Raised by whoever is asked."""


def asked(monkeypatch, compiled, encoding, queries, keys, shared=HEADS, **given):
    """The way that is taken, and what torch's attention is told if it is that."""

    def noting(way):
        def note(*_, **told):
            raise Asked(way, told)

        return note

    monkeypatch.setattr(backends, "compiling", lambda: compiled)
    for way in ("dense", "flex"):
        monkeypatch.setattr(backends, way, noting(way))
    monkeypatch.setattr(groups, "scaled_dot_product_attention", noting("matrix"))
    for module in (backends, groups):
        monkeypatch.setattr(module, "half_on_gpu", lambda x: x.element_size() == 2)
    with torch.device("meta"):
        q = torch.empty(2, HEADS, queries, 128, dtype=torch.bfloat16)
        k = torch.empty(2, shared, keys, 128, dtype=torch.bfloat16)
        at = torch.arange(keys - queries, keys), torch.arange(keys)
    given |= {"position_ids": at} if queries < keys else {}
    with pytest.raises(Asked) as told:
        attention(q, k, k, encoding and encoding.to("meta"), **given)
    return told.value.args


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", ["ALiBi", "T5"])
def test_the_way_is_the_fastest_of_the_stored_run(name, compiled, monkeypatch):
    rows = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    ratios = {}
    for row in rows:
        case = row["case"].removeprefix(f"{name}, ")
        for way in (way for way, cases in WAYS.items() if case in cases and case != row["case"]):
            if compiled or way != "flex":
                place = (row["setting"], row["length"], row["pass"].removesuffix(", in a graph"))
                ratios.setdefault(place, {})[way] = row["ratio"]
    assert len(ratios) == 5
    for (setting, length, _), found in ratios.items():
        encoding = ALiBi(HEADS) if name == "ALiBi" else T5Bias(HEADS, bidirectional=False)
        queries = 1 if setting == "one token" else length
        way, _ = asked(monkeypatch, compiled, encoding, queries, length, causal=queries > 1)
        assert way == min(found, key=found.get), (setting, length, found)


def test_a_gpu_is_told_from_other_devices():
    with FakeTensorMode():
        kinds = product(("cuda", "cpu"), (torch.half, torch.float32))
        made = [torch.empty(1, dtype=dtype, device=device) for device, dtype in kinds]
    assert [groups.half_on_gpu(x) for x in made] == [True, False, False, False]


@pytest.mark.parametrize(("queries", "causal"), [(1, False), (64, False), (64, True)])
def test_without_an_encoding_torch_is_asked_with_keys_as_they_are(queries, causal, monkeypatch):
    way, told = asked(monkeypatch, False, None, queries, 64, shared=HEADS // 2, causal=causal)
    assert way == "matrix" and told["enable_gqa"]
    assert told["attn_mask"] is None and told["is_causal"] == causal


@pytest.mark.parametrize(("name", "given"), [("alibi", {"dropout": 0.1}), ("fire", {})])
def test_what_was_not_measured_is_no_flex(name, given, monkeypatch):
    way, _ = asked(monkeypatch, True, made(name, dtype=torch.float32), 64, 64, **given)
    assert way == "matrix"


RUN = torch.arange(9)
PLACES = {"in order": None, "keys first": (RUN + 3, RUN), "rows apart": torch.tensor([[0], [5]]) + RUN}
PLACES["a query before all keys"] = (RUN, RUN + 2)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["shaw keys", "learned bias", *BIASES])
def test_a_matrix_in_half_precision_is_the_bias_rounded_once(name, dtype):
    """Its numbers, made on the CPU: those of float64 with that bias."""
    encoding = made(name, dtype=torch.float32)
    torch.manual_seed(1)
    q, k, v = torch.randn(3, 2, HEADS, 9, 8, dtype=dtype).unbind()
    for places, causal, masked in product(PLACES.values(), (False, True), (False, True)):
        positions = positions_of(places, q, k, encoding)
        term = encoding.term(q, positions, 1.0)
        mask = torch.rand(2, 1, 9, 9) < 0.7 if masked else None
        call = backends.Call(term, positions if causal else None, mask, 0.3)
        exact = (0.3 * q.double() @ k.double().transpose(-1, -2)) + term.whole(torch.float32).to(dtype)
        allowed = call.allowed()
        hidden = torch.zeros(()) if allowed is None else torch.where(allowed, 0.0, float("-inf"))
        expected = (exact + hidden).softmax(-1).nan_to_num(0.0) @ v.double()
        with torch.no_grad():
            got = backends._rounded(q, k, v, term, call)
        torch.testing.assert_close(got.double(), expected, rtol=0, atol=torch.finfo(dtype).eps * 8)


def test_the_gradient_of_a_matrix_adds_up_diagonals():
    table = torch.randn(2, 9, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: backends._Windows.apply(t, 4), table)
