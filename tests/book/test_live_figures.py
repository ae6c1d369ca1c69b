"""What the live figures compute is what the library computes: each twin in JavaScript beside its namesake."""

import importlib
import json
import math
import re

import pytest
import quickjs
import torch

from posenc_book.figures.style import Plot, figure
from posenc_book.figures.taylor import HEAD, pooled, position_maps, swapped_orders
from posenc_lib import inv_freq
from posenc_lib.analysis import toeplitz_defect
from tools.notebooks import ROOT

FORMULAS = ROOT / "assets" / "figures" / "formulas.js"
TOLERANCE = 1e-12

THETA = inv_freq(32).tolist()
LADDERS = [inv_freq(128).tolist(), inv_freq(64, 150_000.0).tolist(), inv_freq(8, 500.0).tolist()]
DISTANCES = [0, 1, 7, 50, 255, 1707]
Q, K = [0.3, -1.2, 0.8, 0.5], [1.1, 0.4, -0.7, 0.9]
PLANE = [1.0, 0.01]
SCALED = [
    (ladder, factor, length) for ladder in LADDERS for factor, length in ((1, 4096), (8, 2048), (32, 512))
]
MATRICES = ([[1.2, 1.8], [-1.4, 0.9]], [1.0, 0.6])
TOKENS = [
    ([1.0, -0.4], [-0.6, 0.8], [0.36, 0.35], [0.45, -0.21]),
    ([0.2, 0.1], [0.2, 0.1], [0.0, 1.0], [1.0, 0.0]),
    ([-2.0, 0.7], [0.5, 1.5], [0.01, 0.02], [-0.03, 0.04]),
]


def ramp(ladder, factor, length, **rest):
    return [ladder, {"factor": factor, "original_max_position_embeddings": length, **rest}]


#: Name of the twin → its arguments, row by row.
ROWS = {
    "invFreq": [[8], *([dim, base] for dim in (2, 8, 128) for base in (10.0, 10_000.0, 5e5))],
    "cosSin": [[THETA, position] for position in (*DISTANCES, 10**6)],
    "applyRotary": [[Q, [math.cos(a), math.cos(3)], [math.sin(a), math.sin(3)]] for a in (0, 2, -0.1)],
    "rotaryScore": [[Q, K, distance, PLANE] for distance in (*DISTANCES, -3)],
    "sinusoidalOf": [[THETA, position] for position in (*DISTANCES, 10**6)],
    "partialSums": [[distance, THETA] for distance in DISTANCES],
    "meanPartialSums": [[distance, ladder] for distance in DISTANCES for ladder in LADDERS],
    "decayKernel": [[distance, ladder] for distance in DISTANCES for ladder in LADDERS],
    "cin": [[y] for y in (0, 0.3, 3.999, 4, 25.6, 256)],
    "decayIntegral": [[x, base] for x in (0, 1, 7, 128, 256) for base in (10.0, 10_000.0, 1e7)],
    "linear": [[ladder, {"factor": factor}] for ladder, factor, _ in SCALED],
    "ntk": [[ladder, {"factor": factor}] for ladder, factor, _ in SCALED],
    "llama3": [ramp(*row, low_freq_factor=1, high_freq_factor=high) for row in SCALED for high in (1, 4)],
    "yarn": [ramp(*row, **rest) for row in SCALED for rest in ({}, {"truncate": False}, {"ramp": "paper"})]
    + [ramp(LADDERS[0], 4, 4096, beta_fast=16, beta_slow=2), ramp(LADDERS[2], 4, 6)],
    "yarnMscale": [[factor] for factor in (0.5, 1, 2, 40)],
    "clamp": [[v, 0, 1] for v in (-2, 0.25, 3)],
    "kernelSums": [[ladder, length] for ladder in LADDERS for length in (1, 2, 17, 1024)],
    "firstNegative": [[ladder, up_to] for ladder in LADDERS for up_to in (3, 4096)],
    "pooled": [[x, y, *MATRICES] for x, y, _, _ in TOKENS],
    "orders": [[*tokens, *MATRICES] for tokens in TOKENS],
}  # fmt: skip


@pytest.fixture(scope="module")
def twin():
    context = quickjs.Context()
    context.eval(FORMULAS.read_text(encoding="utf-8"))

    def call(name, arguments):
        values = "v => typeof v === 'number' ? v : Array.from(v, w => typeof w === 'number' ? w : [...w])"
        return json.loads(
            context.eval(f"JSON.stringify(({values})(posenc.{name}(...{json.dumps(arguments)})))")
        )

    call.names = json.loads(context.eval("JSON.stringify(Object.keys(posenc))"))
    return call


def told():
    """Name of each twin → the dotted name in the comment above it."""
    return {
        name: dotted for dotted, name in re.findall(r"/\*\* ([\w.]+): .*?\*/\s+(\w+)", FORMULAS.read_text())
    }


def namesake(name):
    module, _, function = told()[name].rpartition(".")
    return getattr(importlib.import_module(module), function)


def as_tensors(value):
    """Lists of numbers and positions become tensors, in float64 as JavaScript has them; all else stays."""
    if isinstance(value, dict):
        return value
    return torch.tensor(value, dtype=torch.float64)


COUNTS = {"invFreq": (0, 1), "yarnMscale": (0,), "clamp": (1, 2)}
COUNTS |= dict.fromkeys(("kernelSums", "firstNegative", "decayIntegral"), (1,))
IN_FLOAT64 = {"cosSin", "sinusoidalOf"}


def in_python(name, arguments):
    """The namesake's answer, as nested lists."""
    given = [
        value if place in COUNTS.get(name, ()) else as_tensors(value) for place, value in enumerate(arguments)
    ]
    options = {"dtype": torch.float64} if name in IN_FLOAT64 else {}
    if isinstance(given[-1], dict):
        options |= given.pop()
    answer = namesake(name)(*given, **options)
    if isinstance(answer, tuple):
        return [as_list(part) for part in answer]
    return as_list(answer)


def as_list(value):
    if not isinstance(value, torch.Tensor):
        return value
    return torch.view_as_real(value).tolist() if value.is_complex() else value.tolist()


def numbers(value):
    return [value] if not isinstance(value, list) else [number for part in value for number in numbers(part)]


def shape(value):
    return [shape(part) for part in value] if isinstance(value, list) else None


@pytest.mark.parametrize("name", ROWS)
def test_a_twin_says_what_its_namesake_says(twin, name):
    for arguments in ROWS[name]:
        found, wanted = twin(name, arguments), in_python(name, arguments)
        assert shape(found) == shape(wanted), arguments
        largest = max(1.0, *map(abs, numbers(wanted)))
        gap = max(abs(a - b) for a, b in zip(numbers(found), numbers(wanted), strict=True))
        assert gap <= TOLERANCE * largest, (gap, arguments)


def test_every_twin_has_a_namesake_and_is_compared(twin):
    assert set(twin.names) == set(told()) == set(ROWS), "each has its Python name above it, and a row here"
    for name, dotted in told().items():
        words = dotted.rpartition(".")[2].split("_")
        assert name == words[0] + "".join(word.capitalize() for word in words[1:]), dotted
        assert callable(namesake(name))


def drawn(**options):
    made, axis = figure()
    axis.plot([0, 1])
    return Plot(made, "A line", "It rises", {"y": torch.tensor([0.0, 1.0]).numpy()}, **options)


def test_a_live_figure_is_alive_on_the_site_and_still_in_a_notebook():
    live = drawn(live="two-hands", state={"m": 3, "name": "it's <b>"})._repr_mimebundle_()
    still = drawn()._repr_mimebundle_()
    assert live["text/html"] == still["text/html"] and live["text/plain"] == still["text/plain"]
    held = re.search(
        r"<two-hands class=\"live-figure\" data-state='([^']*)'>(.*)</two-hands>", live["text/markdown"], re.S
    )
    assert "<svg" in held[2] and "<script" not in live["text/markdown"]
    assert "<" not in held[1]
    assert live["text/markdown"].replace(held[0], held[2]) == still["text/markdown"]


@pytest.mark.parametrize("name", ["hands", "Two-hands", "two hands", "a-b onload=x"])
def test_a_live_figure_has_the_name_of_a_custom_element(name):
    with pytest.raises(ValueError, match=r"live must be words joined by hyphens.*got"):
        drawn(live=name)


def test_what_a_swap_changes_in_the_cross_term_is_a_sine_of_the_distance():
    """And in the other orders, f(x, y) apart, it is not a matter of the distance."""
    pairs = {gap: [swapped_orders(m, m + gap, 0.5) for m in range(6)] for gap in (1, 2, 3)}
    change = {gap: torch.stack([after - before for before, after in found]) for gap, found in pairs.items()}
    for gap, rows in change.items():
        assert rows[:, 0].abs().max() == 0
        assert (rows[:, 3] - rows[0, 3]).abs().max() < 1e-13
        assert min((rows[:, part].max() - rows[:, part].min()).item() for part in (1, 2, 4)) > 1e-3, gap
    sines = torch.tensor([math.sin(gap * HEAD["theta"]) for gap in change], dtype=torch.float64)
    factors = torch.stack([rows[0, 3] for rows in change.values()]) / sines
    assert (factors - factors[0]).abs().max() < 1e-13 and factors[0].abs() > 0.01


def test_only_the_map_with_both_positions_has_one_value_along_each_diagonal():
    defects = [toeplitz_defect(torch.tensor(values)).item() for values in position_maps().data.values()]
    assert min(defects[:2]) > 0.1 and defects[2] < TOLERANCE


def test_the_head_does_not_see_the_order_of_its_tokens_and_the_parts_add_up():
    x, y, bilinear, direction = (
        torch.tensor(HEAD[key], dtype=torch.float64) for key in ("x", "y", "bilinear", "direction")
    )
    assert (pooled(x, y, bilinear, direction) - pooled(y, x, bilinear, direction)).abs() < 1e-15
    still = swapped_orders(3, 7, 0.0)
    assert (still[:, 1:] == 0).all() and (still[:, 0] - pooled(x, y, bilinear, direction)).abs().max() < 1e-15
    small = [swapped_orders(3, 7, size)[0] for size in (0.01, 0.02)]
    for part, order in ((1, 1), (2, 2), (3, 2), (4, 3)):
        assert (small[1][part] / small[0][part]).log2().item() == pytest.approx(order, abs=0.05), part
