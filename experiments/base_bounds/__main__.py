"""Certify, and write the rows with where they come from beside the page that shows them."""

import sys
from importlib.metadata import version

import torch

from experiments.stored import origin, store
from posenc_book.stored import stored

from . import PLANES, STEP, rows, weightings

PAGE = "49-base-bounds"

if __name__ == "__main__":
    torch.set_num_threads(1)
    part = sys.argv[1:]
    made = origin(" ".join(["python -m experiments.base_bounds", *part]), packages=["python-flint"])
    if part == ["weightings"]:
        store(PAGE, stored(PAGE), {"weightings": {**made, **weightings.table()}})
    else:
        setting = {"python-flint": version("python-flint"), "width": 2 * PLANES, "step": STEP}
        store(PAGE, made, {**setting, "rows": rows(), "weightings": stored(PAGE)["weightings"]})
