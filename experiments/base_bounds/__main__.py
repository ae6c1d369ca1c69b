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
    part, packages = sys.argv[1:], ["python-flint"]
    command = " ".join(["python -m experiments.base_bounds", *part])
    if part == ["weightings"]:
        made = origin(command, seed=weightings.SEED, packages=packages)
        store(PAGE, stored(PAGE), {"weightings": {**made, **weightings.table()}})
    else:
        made = origin(command, packages=packages)
        setting = {"python-flint": version("python-flint"), "width": 2 * PLANES, "step": STEP}
        store(PAGE, made, {**setting, "rows": rows(), "weightings": stored(PAGE)["weightings"]})
