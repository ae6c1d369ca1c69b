"""Measure, and write the numbers with where they come from beside the page that shows them.

With the argument ``table``: write the table of positions that lies there.
"""

import sys

from experiments.stored import origin, store

from . import SENTENCES, measure, shipped
from .encoder import PACKAGE, SHA256, VERSION, load, model_folder

if __name__ == "__main__" and sys.argv[1:] == ["table"]:
    print(f"{shipped.TABLE.name}: sha256 {shipped.write(load(model_folder()))}")
elif __name__ == "__main__":
    weights = {"package": f"{PACKAGE}=={VERSION}", "sha256 of the weights": SHA256}
    made = origin(
        "python -m experiments.trained_model",
        seed="0, and a number for each random rotation",
        packages=["safetensors", "tokenizers"],
        inputs={"model.safetensors": SHA256},
    )
    store("13-trained-model", made, {**weights, "sentences": list(SENTENCES), **measure()})
