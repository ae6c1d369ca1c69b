"""Precision and speed: the yardstick is right, bounds are bounds, figures say what the stored rows say."""

import math

import pytest
import torch

from posenc_book.figures import practice
from posenc_book.stored import RESULTS, stored
from posenc_lib import cos_sin, inv_freq

BENCHMARKS = sorted(path.stem for path in RESULTS.glob("*.json") if path.stem[0].isalpha())


def test_the_yardstick_agrees_with_float64_tables_near_zero_and_has_unit_modulus_far_out():
    near = torch.arange(8)
    for exact, table in zip(
        practice.exact_tables(16, near), cos_sin(inv_freq(16), near, dtype=torch.float64), strict=True
    ):
        torch.testing.assert_close(exact, table, rtol=0, atol=1e-14)  # angles up to 7, rounded to 2^-51
    cos, sin = practice.exact_tables(16, torch.tensor([10**12]))
    torch.testing.assert_close(cos**2 + sin**2, torch.ones_like(cos), rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("error", "text"),
    [(5.3e-5, "6e-05"), (3.01e-8, "3e-08"), (9.99e-4, "1e-03"), (1.0, "1e+00"), (0.0, "0"), (0.95, "1e+00")],
)
def test_errors_are_rounded_up_to_one_digit(error, text):
    assert practice.at_most(error) == text


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_drawn_spacings_are_those_of_the_format(dtype):
    drawn = practice.spacings().data[str(dtype).removeprefix("torch.")]
    for power, spacing in enumerate(drawn):
        here = torch.tensor(2.0**power, dtype=dtype)
        following = torch.nextafter(here, torch.tensor(math.inf, dtype=dtype))
        assert float(following) - float(here) == spacing


def test_a_row_is_found_only_if_it_is_the_only_one():
    rows = [{"case": "a", "length": 1}, {"case": "a", "length": 2}]
    assert practice.find(rows, case="a", length=2) is rows[1]
    for wanted, count in (({"case": "a"}, 2), ({"case": "b"}, 0)):
        with pytest.raises(ValueError, match=f"found {count}"):
            practice.find(rows, **wanted)


def test_figures_of_stored_ratios_draw_the_stored_numbers():
    rows = [row for row in stored("linear_attention")["rows"] if row["memory"] == "kept"]
    whole = [row["ratio"] for row in rows if row["case"] == "whole"]
    curve = practice.length_curve(rows, ["whole"], title="a claim")
    assert curve.data["whole"].tolist() == whole
    bars = practice.ratio_bars({"here": [r for r in rows if r["case"] == "whole"]}, title="b", floor="c")
    assert bars.data["here"].tolist() == whole
    assert all(f"{ratio:.2f}" in bars.alt for ratio in whole)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_has_stored_results_with_what_repeats_them(name):
    kept = stored(name)
    assert kept["command"].startswith(f"python benchmarks/{name}.py")
    assert all(kept[key] for key in ("hardware", "python", "torch", "commit", "date", "clock"))
    for row in kept["rows"]:
        if "ratio" in row:
            assert 0 < row["low"] <= row["ratio"] <= row["high"]
        else:
            assert row["issue_share"] > 0 and row["stored"] >= 1
