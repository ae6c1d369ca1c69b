"""The stored runs can be repeated and are complete, and the tasks are what they claim to be."""

import cmath
import itertools
import math

import pytest
import torch
from leaves import leaves
from torch import Generator
from whole_runs import WHOLE_RUNS, whole_runs

from experiments.length_generalisation import (
    SEEDS,
    bases,
    cancelled,
    dropped,
    fast,
    interventions,
    model,
    planes,
    relativity,
    settings,
    tasks,
    training,
    turns,
)
from experiments.length_generalisation.model import ENCODINGS, HYBRIDS, TRAINED, Decoder
from experiments.length_generalisation.tasks import TASKS
from experiments.stored import rounded
from posenc_book.stored import stored

STORED = stored("54-length-generalisation")
ROWS = {(row["task"], row["encoding"], row["seed"]): row for row in STORED["rows"]}
TRIED = STORED["interventions"]
JOBS = {(r["task"], r["encoding"], r["steps"], r["seed"]): r for r in TRIED["rows"]}
LAST_DIGIT = 1e-3  # one unit in the last of four significant digits, at most
RULES = ("PI", "NTK", "YaRN")


def test_the_stored_runs_are_complete_and_made_with_these_settings():
    assert {name: STORED[name] for name in settings()} == settings()
    assert list(ROWS) == [(t, e, s) for s, t, e in itertools.product(SEEDS, TASKS, ENCODINGS)]
    bins = TRAINED // training.BIN
    for (task, encoding, _), row in ROWS.items():
        assert len(row["losses"]) == training.STEPS // training.LOGGED
        curves = [row["by position"]] + ([row["window"]] if encoding == "RoPE" else [])
        for curve in curves:
            assert len(curve) == bins * (1 if encoding == "learned" else training.TIMES[-1])
            assert [v is None for v in curve] == [task == "look-up" and k == 0 for k in range(len(curve))]
        if (task, encoding) == ("steps back", "T5"):
            assert [len(heads) for heads in row["advantages"]] == [model.HEADS] * model.LAYERS
        for rule in RULES if encoding == "RoPE" else ():
            assert len(row[rule]) == len(training.TIMES)
            assert row[rule][0] == row["by position"][bins - 1]  # factor 1 changes nothing


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """As in the stored runs; with more, workers of the tests wait for each other, thirty times longer."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def trained(one_thread):
    return training.train(TASKS["chain"], "RoPE", 0)


#: A turn and a bias; once a week one of each kind, and one repeated as a whole.
BEGUN = [("chain", "RoPE"), ("look-up", "T5")]
if WHOLE_RUNS:
    BEGUN += [("steps back", name) for name in (*HYBRIDS, "Shaw", "RoPE, base 100")]
    BEGUN += [("look-up", name) for name in ENCODINGS if name not in ("RoPE", "Shaw")]


@pytest.mark.parametrize(("task", "encoding"), dict.fromkeys(BEGUN))
def test_the_first_steps_of_a_stored_run_repeat(task, encoding):
    _, losses = training.train(TASKS[task], encoding, SEEDS[-1], stop=training.LOGGED)
    whole = ROWS.get((task, encoding, SEEDS[-1])) or JOBS[task, encoding, training.STEPS, SEEDS[-1]]
    assert losses == pytest.approx(whole["losses"][:1], rel=LAST_DIGIT)


@whole_runs
def test_a_whole_stored_run_repeats(trained, monkeypatch):
    """And the changes after it, by the same model."""
    monkeypatch.setattr(training, "train", lambda *_: trained)
    changed = interventions.run("chain", "RoPE", training.STEPS, 0)
    for fresh, kept in (
        (rounded(training.run("chain", "RoPE", 0)), ROWS["chain", "RoPE", 0]),
        (rounded(changed), JOBS["chain", "RoPE", training.STEPS, 0]),
    ):
        assert leaves(fresh) == pytest.approx(leaves(kept), rel=LAST_DIGIT)  # elsewhere: last bits


def drawn(name, length=48):
    return TASKS[name].draw(16, length, Generator().manual_seed(5))


def test_steps_back_asks_for_the_token_so_far_back():
    tokens, answer = drawn("steps back")
    far = tasks.STEPS
    assert torch.equal(answer[:, far:].argmax(-1), tokens[:, :-far])
    assert answer[:, far:].sum(-1).eq(1).all() and not answer[:, :far].any()


def test_look_up_is_a_dictionary():
    tokens, answer = drawn("look-up")
    start = 2 * tasks.KEYS
    for row, right in zip(tokens.tolist(), answer, strict=True):
        table = dict(zip(row[0:start:2], row[1:start:2], strict=True))
        assert len(table) == tasks.KEYS
        assert [table[key] for key in row[start:]] == right[start:].argmax(-1).tolist()
    assert answer[:, start:].sum(-1).eq(1).all() and not answer[:, :start].any()


def test_the_chain_follows_its_transitions_and_its_levels_are_those_of_the_long_run():
    chance, levels = tasks.transitions(), tasks.chain_levels()
    ones = torch.ones(tasks.STATES, tasks.STATES, dtype=torch.float64)
    torch.testing.assert_close(chance.sum(-1), ones, rtol=0, atol=1e-14)
    tokens, answer = TASKS["chain"].draw(400, 300, Generator().manual_seed(5))
    assert torch.equal(answer[:, 1:], chance[tokens[:, :-1], tokens[:, 1:]]) and not answer[:, 0].any()
    came = answer[:, 1:-1].gather(-1, tokens[:, 2:, None]).log().neg()[:, 50:]
    means = came.mean((1, 2))  # one a sequence, independent of each other
    assert abs(float(means.mean()) - levels["entropy"]) < 4 * float(means.std()) / math.sqrt(len(means))
    ordered = [levels[n] for n in ("knows the last state alone", "knows how frequent states are")]
    assert 0 < ordered[0] < ordered[1] < levels["guesses evenly"] == math.log(8) - levels["entropy"]


def test_excess_is_zero_for_the_right_distribution_and_cross_entropy_for_a_certain_answer():
    _, answer = drawn("chain")
    assert training.excess(answer.log().clamp(min=-50), answer)[:, 1:].abs().max() < 1e-14
    _, certain = drawn("look-up")
    logits = torch.randn(certain.shape, generator=Generator().manual_seed(1), dtype=torch.float64)
    expected = -(logits.log_softmax(-1) * certain).sum(-1)
    torch.testing.assert_close(training.excess(logits, certain), expected, rtol=0, atol=1e-13)


def untrained(encoding, tokens=16):
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(1)
        return Decoder(encoding, tokens, 16)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_answer_does_not_depend_on_what_follows(encoding):
    """So one run over the longest text measures every shorter one, too."""
    tokens = torch.randint(16, (2, TRAINED), generator=Generator().manual_seed(2))
    decoder = untrained(encoding)
    with torch.no_grad():
        torch.testing.assert_close(decoder(tokens)[:, :20], decoder(tokens[:, :20]), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "near_only"), [("RoPE, then none", False), ("RoPE in a window, then none", True)]
)
def test_a_hybrid_has_its_window_and_its_encoding_in_the_first_layer_alone(name, near_only):
    decoder = untrained(name)
    first, second = (layer.attention.encoding for layer in decoder.layers)
    assert (
        first is not None and second is None and decoder.windows == [model.CLIP if near_only else None, None]
    )
    x = torch.randn(1, 2 * TRAINED, model.WIDTH, generator=Generator().manual_seed(2), dtype=torch.float64)
    for back in (model.CLIP - 1, model.CLIP):
        other = x.clone()
        other[0, -1 - back, 0] += 1
        masks = [model.near(2 * TRAINED, window) for window in decoder.windows]
        with torch.no_grad():
            seen = [
                bool((layer(x, mask, None) - layer(other, mask, None))[0, -1].abs().max() > 1e-9)
                for layer, mask in zip(decoder.layers, masks, strict=True)
            ]
        assert seen == [back < model.CLIP or not near_only, True]


def test_planes_that_made_a_full_turn_are_slowed_alone_or_all_the_others():
    plain = model.rope()().spec.inv_freq()
    slow, fast = (model.slowed(4.0, fast=f)().spec.inv_freq() / plain for f in (False, True))
    full = plain * TRAINED >= 2 * math.pi
    assert full.sum() == 2
    torch.testing.assert_close(slow, torch.where(full, 1.0, 0.25).to(slow), rtol=0, atol=1e-14)
    torch.testing.assert_close(fast, torch.where(full, 0.25, 1.0).to(fast), rtol=0, atol=1e-14)


def test_the_stored_interventions_are_complete_and_begin_where_the_stored_runs_end():
    assert {name: TRIED[name] for name in interventions.settings()} == interventions.settings()
    assert all(TRIED[name] for name in ("date", "command", "python", "torch", "hardware"))
    assert list(JOBS) == interventions.wanted()
    last = [times * TRAINED // training.BIN - 1 for times in training.TIMES]
    for (task, encoding, steps, seed), row in JOBS.items():
        assert len(row["losses"]) == steps // training.LOGGED
        if encoding in ENCODINGS:
            whole = ROWS[task, encoding, seed]
            assert row["losses"][0] == whole["losses"][0]  # warming up, however many come
            if steps == training.STEPS:
                assert row["losses"] == whole["losses"]
                assert row["as trained"] == [whole["by position"][k] for k in last]
        changes = [name for name in row if name in interventions.frequencies(1) or "temperature" in name]
        assert len(changes) == (4 if encoding == "RoPE" else 0)
        for name in changes:
            assert row[name][0] == row["as trained"][0]  # factor 1 changes nothing


def test_the_stored_planes_are_complete_and_begin_where_the_stored_runs_end():
    part = STORED["planes"]
    assert {name: part[name] for name in planes.settings()} == planes.settings()
    assert [(row["task"], row["seed"]) for row in part["rows"]] == planes.wanted()
    for row in part["rows"]:
        whole = ROWS[row["task"], "RoPE", row["seed"]]
        assert (row["losses"], row["as trained"]) == (whole["losses"], whole["by position"][-1])
        assert len(row["one plane divided"]) == model.HEAD // 2
        assert len(row.get("dosed", planes.EIGHTHS)) == len(planes.EIGHTHS)


def test_the_stored_turns_are_complete():
    part = STORED["relativity"]
    assert {name: part[name] for name in relativity.settings()} == relativity.settings()
    names = ("task", "turn", "last start", "seed")
    assert [tuple(row[name] for name in names) for row in part["rows"]] == relativity.wanted()
    for row in part["rows"]:
        assert len(row["losses"]) == training.STEPS // training.LOGGED
        assert len(row["by position"]) == training.TIMES[-1] * TRAINED // training.BIN
        assert len(row["counted from"]) == len(relativity.STARTS)
        if row["turn"] == "rotation":
            assert len(set(row["counted from"])) == 1  # it sees no start


def test_the_first_steps_with_a_turn_repeat():
    """Of a list repeated, where batches begin elsewhere."""
    turn, last = "list repeated", relativity.STARTS[-1]
    wanted = ("steps back", turn, last, SEEDS[-1])
    row = STORED["relativity"]["rows"][relativity.wanted().index(wanted)]
    _, losses = training.train(TASKS["steps back"], turn, SEEDS[-1], stop=training.LOGGED, last_start=last)
    assert losses == pytest.approx(row["losses"][:1], rel=LAST_DIGIT)


@pytest.mark.parametrize("turn", turns.TURNS)
def test_the_rotation_alone_is_relative_and_all_turns_are_bounded(turn):
    matrices = turns.Turned(turn, model.HEAD, 8 * TRAINED).matrices
    moved = [matrices[m].mT @ matrices[m + 3] for m in (0, 200)]
    assert ((moved[0] - moved[1]).abs().max() < 1e-12) == (turn == "rotation")
    assert torch.linalg.matrix_norm(matrices, 2).max() < 1.7  # of a shear by 1: the golden ratio


def test_what_the_repeated_list_cancels_is_complete_and_measured_on_the_models_of_the_turns():
    part = STORED["cancelled"]
    assert {name: part[name] for name in cancelled.settings()} == cancelled.settings()
    assert [(row["task"], row["seed"]) for row in part["rows"]] == cancelled.wanted()
    for row in part["rows"]:
        wanted = (row["task"], cancelled.TURN, 0, row["seed"])
        whole = STORED["relativity"]["rows"][relativity.wanted().index(wanted)]
        assert row["losses"] == pytest.approx(whole["losses"], rel=LAST_DIGIT)  # elsewhere: bits
    fresh, _ = training.train(TASKS["chain"], cancelled.TURN, 0, stop=0)
    kept = next(row for row in part["rows"] if (row["task"], row["seed"]) == ("chain", 0))
    found, before = leaves(rounded(cancelled.waves(fresh))), leaves(kept["untrained"])
    assert found == pytest.approx(before, rel=LAST_DIGIT)  # elsewhere: last bits


def test_scores_of_the_repeated_list_are_waves_of_the_two_kinds():
    """In n − m and m + n, of the complex numbers whose sizes ``waves`` stores."""
    q, k = torch.randn(2, model.HEAD, generator=Generator().manual_seed(4), dtype=torch.float64)
    m, n = 5, 11
    matrices = turns.Turned(cancelled.TURN, model.HEAD, 12).matrices
    frequencies = model.rope()().spec.inv_freq().double()
    q_, k_ = (torch.view_as_complex(x.unflatten(0, (2, -1, 2))) for x in (q, k))
    distance, place = (q_.conj() * k_).sum(0), (q_ * k_).sum(0)
    turn = [
        torch.polar(torch.ones_like(frequencies), frequencies * t).unflatten(0, (-1, 2))
        for t in (n - m, m + n)
    ]
    expected = (distance[:, None] * turn[0]).sum() + (place * (turn[1][:, 0] - turn[1][:, 1])).sum()
    assert float((matrices[m] @ q) @ (matrices[n] @ k)) == pytest.approx(float(expected.real) / 2, abs=1e-12)


def test_one_plane_is_divided_and_makes_the_eighths_that_its_dose_says():
    plain = model.rope()().spec.inv_freq()
    for eighths in planes.EIGHTHS:
        changed = model.divided(planes.alone(planes.DOSED, planes.dose(eighths)))().spec.inv_freq()
        turned = changed[planes.DOSED] * planes.FAR / (2 * math.pi)
        assert float(turned) == pytest.approx(eighths / 8, abs=1e-11)
        others = torch.arange(len(plain)) != planes.DOSED
        assert torch.equal(changed[others], plain[others])


def test_every_change_of_the_planes_runs(monkeypatch):
    """On an untrained model and few texts: what it finds is as long as what is stored."""
    monkeypatch.setattr(training, "TESTED", 2)
    for task in planes.ASKED:
        row = next(row for row in STORED["planes"]["rows"] if row["task"] == task)
        found = planes.changed(TASKS[task], untrained("RoPE", TASKS[task].tokens))
        assert found.keys() == row.keys() - {"task", "seed", "losses"}
        assert leaves(found).keys() == leaves({name: row[name] for name in found}).keys()


COMPARED = {(row["task"], row["encoding"], row["seed"]): row for row in STORED["bases"]["rows"]}


def test_the_stored_bases_are_complete_and_begin_where_the_stored_interventions_end():
    """The same models, trained elsewhere: the same losses and measures, to the last digit stored."""
    part = STORED["bases"]
    assert {name: part[name] for name in bases.settings()} == bases.settings()
    assert list(COMPARED) == bases.wanted()
    for (task, encoding, seed), row in COMPARED.items():
        whole = JOBS[task, encoding, training.STEPS, seed]
        assert row["losses"] == pytest.approx(whole["losses"], rel=LAST_DIGIT)  # elsewhere: last bits
        assert row["as trained"] == pytest.approx(whole["as trained"][-1], rel=LAST_DIGIT)  # elsewhere: bits
        for change in bases.DIVISORS:
            listed = {change: row[change]} | row[f"{change}, predicted"]
            assert list(listed) == [change, "share", "advantage", "weight"]
            assert [len(values) for values in listed.values()] == [model.HEAD // 2] * 4
    for alone in STORED["planes"]["rows"]:
        row = COMPARED[alone["task"], "RoPE", alone["seed"]]
        assert row["divided"] == pytest.approx(alone["one plane divided"], rel=LAST_DIGIT)  # elsewhere: bits


@whole_runs
def test_every_change_of_the_bases_repeats(trained, monkeypatch):
    """By the model of the whole run that is repeated: each plane's gain, and what was foretold of it."""
    monkeypatch.setattr(training, "train", lambda *_: trained)
    kept = COMPARED["chain", "RoPE", 0]
    fresh = leaves(rounded(bases.run("chain", "RoPE", 0)))
    assert fresh == pytest.approx(leaves(kept), rel=LAST_DIGIT)  # elsewhere: last bits


def test_what_is_foretold_by_hand(monkeypatch):
    """One head, two planes, four keys: the text of eight repeats the last two, and the first two stay."""
    monkeypatch.setattr(bases, "BIN", 2)
    monkeypatch.setattr(bases, "TRAINED", 4)
    monkeypatch.setattr(bases, "LONGEST", 8)
    h = torch.tensor([[1 + 2j, 2], [4, 1 - 1j], [0.5, 0.25j], [-1j, 1]], dtype=torch.complex128)
    theta, divisor = (0.7, 0.05), 8.0

    def score(key, distance, speeds):
        turned = (h[key, i].item() * cmath.exp(1j * distance * speed) for i, speed in enumerate(speeds))
        return sum(turned).real / math.sqrt(model.HEAD)

    short = [score(key, 3 - key, theta) for key in range(4)]
    assert short.index(max(short)) == 1
    weight = math.exp(short[1]) / sum(map(math.exp, short))
    long = list(enumerate((0, 1, 2, 3, 2, 3, 2, 3)))
    found = bases.foretold(h[None, None], torch.tensor(theta, dtype=torch.float64), divisor)
    assert found["weight"].tolist() == pytest.approx([weight * 4, weight * math.sqrt(2)], rel=1e-12)
    for plane in range(2):
        slowed = [speed / divisor if i == plane else speed for i, speed in enumerate(theta)]
        now, then = ([score(key, 7 - at, speeds) for at, key in long] for speeds in (theta, slowed))
        share = [math.log(math.exp(s[1]) / sum(map(math.exp, s))) for s in (now, then)]
        lead = [s[1] - (sum(s) - s[1]) / 7 for s in (now, then)]
        assert float(found["share"][plane]) == pytest.approx(weight * (share[1] - share[0]), rel=1e-12)
        assert float(found["advantage"][plane]) == pytest.approx(weight * (lead[1] - lead[0]), rel=1e-12)


def test_scores_times_a_factor():
    """One layer's attention with all scores tripled, T5's biases in them, worked out by hand."""
    decoder = untrained("T5")
    x = torch.randn(1, 12, model.WIDTH, generator=Generator().manual_seed(3), dtype=torch.float64)
    layer, tripled = (d.layers[0].attention for d in (decoder, decoder.with_scores_times(3.0)))
    q, k, v = (
        f(x).unflatten(-1, (model.HEADS, -1)).transpose(1, 2)
        for f in (layer.q_proj, layer.k_proj, layer.v_proj)
    )
    here = torch.arange(12)
    scores = q @ k.mT / math.sqrt(model.HEAD) + layer.encoding.bias(here, here, dtype=torch.float64)
    hidden = torch.ones(12, 12).triu(1).bool()
    weights = (3 * scores).masked_fill(hidden, -math.inf).softmax(-1)
    by_hand = layer.out_proj((weights @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(tripled(x, causal=True), by_hand, rtol=0, atol=1e-12)


def test_a_text_that_is_moved_gets_the_vectors_of_later_positions():
    decoder = untrained("sinusoidal")
    x = decoder.embed(torch.arange(5)[None] % 16)
    with torch.no_grad():
        at_7 = decoder.add(x, offset=7)
        later = decoder.add(torch.cat((x.new_zeros(1, 7, model.WIDTH), x), 1))[:, 7:]
        torch.testing.assert_close(at_7, later, rtol=0, atol=1e-13)
        moved = decoder(torch.arange(5)[None] % 16, start=7)
        assert not torch.allclose(moved, decoder(torch.arange(5)[None] % 16))


def test_models_that_lose_their_positions_are_those_of_the_tables_and_go_on_as_stored():
    part = STORED["dropped"]
    assert {name: part[name] for name in dropped.settings()} == dropped.settings()
    assert [(row["task"], row["seed"]) for row in part["rows"]] == dropped.wanted()
    for row in part["rows"]:
        assert row["losses"] == ROWS[row["task"], "RoPE", row["seed"]]["losses"]
    model, _ = training.train(TASKS["chain"], "none", 0, stop=0)
    losses = training.teach(model, TASKS["chain"], len(SEEDS), dropped.MORE, training.LOGGED)
    row = next(row for row in part["rows"] if (row["task"], row["seed"]) == ("chain", 0))
    assert losses == pytest.approx(row["anew"]["losses"][:1], rel=LAST_DIGIT)


def test_other_numbers_of_fast_planes_turn_so_many_and_are_trained_as_stored():
    part = STORED["fast"]
    assert {name: part[name] for name in fast.settings()} == fast.settings()
    assert [(row["task"], row["encoding"], row["seed"]) for row in part["rows"]] == fast.wanted()
    turning = [int((model.OTHER[name]().spec.inv_freq() > 0).sum()) for name in model.FAST]
    assert turning == [1, 3, 4, 5, 6, 7]
    _, losses = training.train(TASKS["look-up"], "RoPE, 3 of 8 planes", 0, stop=training.LOGGED)
    wanted = ("look-up", "RoPE, 3 of 8 planes")
    row = next(row for row in part["rows"] if (row["task"], row["encoding"]) == wanted)
    assert losses == pytest.approx(row["losses"][:1], rel=LAST_DIGIT)
