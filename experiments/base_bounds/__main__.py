"""Certify, and write the rows with their date and versions beside the page that shows them."""

from importlib.metadata import version

import torch

from experiments.stored import store

from . import PLANES, STEP, rows

if __name__ == "__main__":
    torch.set_num_threads(1)
    setting = {"python-flint": version("python-flint"), "width": 2 * PLANES, "step": STEP}
    store("4-rotary/49-base-bounds", "base_bounds", {**setting, "rows": rows()})
