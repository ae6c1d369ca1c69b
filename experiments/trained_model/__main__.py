"""Measure, and write the numbers with their date and origin beside the page that shows them."""

from experiments.stored import store

from . import SENTENCES, measure
from .encoder import PACKAGE, SHA256, VERSION

if __name__ == "__main__":
    weights = {"package": f"{PACKAGE}=={VERSION}", "sha256 of the weights": SHA256}
    store("1-order/13-trained-model", "trained_model", {**weights, "sentences": list(SENTENCES), **measure()})
