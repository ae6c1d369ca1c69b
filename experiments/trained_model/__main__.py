"""Measure, and write the numbers with where they come from beside the page that shows them."""

from experiments.stored import origin, store

from . import SENTENCES, measure
from .encoder import PACKAGE, SHA256, VERSION

if __name__ == "__main__":
    weights = {"package": f"{PACKAGE}=={VERSION}", "sha256 of the weights": SHA256}
    made = origin(
        "python -m experiments.trained_model",
        seed="0, and a number for each random rotation",
        packages=["safetensors", "tokenizers"],
        inputs={"model.safetensors": SHA256},
    )
    store("1-order/13-trained-model", made, {**weights, "sentences": list(SENTENCES), **measure()})
