"""Certify, and write the rows with where they come from beside the page that shows them."""

from importlib.metadata import version

import torch

from experiments.stored import origin, store

from . import PLANES, STEP, rows

if __name__ == "__main__":
    torch.set_num_threads(1)
    setting = {"python-flint": version("python-flint"), "width": 2 * PLANES, "step": STEP}
    made = origin("python -m experiments.base_bounds", packages=["python-flint"])
    store("49-base-bounds", made, {**setting, "rows": rows()})
