"""Position encodings for transformers: exact, small, each formula derived and checked in the book beside.

Names are imported when first used, so that ``posenc_proofs`` works without torch. Which module holds
which name is written once, in ``__init__.pyi``; a star there stands for the ``__all__`` of a folder.
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def _listed(folder: str) -> list[str]:
    """The ``__all__`` of a folder that is not imported."""
    code = Path(__file__).with_name(folder).joinpath("__init__.py").read_text(encoding="utf-8")
    return re.findall(r'"(\w+)"', code.partition("__all__ = [")[2].partition("]")[0])


_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOMES = {
    name: f"{__name__}.{home}"
    for home, listed in re.findall(rf"^from {__name__}\.(\S+) import (\w+|\*)", _STUB, re.MULTILINE)
    for name in (_listed(home) if listed == "*" else [listed])
}
__all__ = sorted(_HOMES)


#: What other libraries call the things of this one.
_ELSEWHERE = {
    "RoPE": "RotaryEmbedding",
    "RotaryPositionalEmbeddings": "RotaryEmbedding",
    "LlamaRotaryEmbedding": "RotaryEmbedding",
    "RopeConfig": "RotarySpec",
    "apply_rotary_emb": "apply_rotary",
    "rotate_queries_or_keys": "apply_rotary",
    "rotate_queries_and_keys": "apply_rotary_qk",
    "precompute_freqs_cis": "cos_sin",
    "AlibiPositionalBias": "ALiBi",
    "T5RelativePositionBias": "T5Bias",
    "get_alibi_slopes": "alibi_slopes",
    "PositionalEncoding": "SinusoidalEncoding",
    "scaled_dot_product_attention": "attention",
    "ROPE_INIT_FUNCTIONS": "SCALINGS",
    "DualChunkRotaryEmbedding": "dual_chunk_attention",
    "YarnRotaryEmbedding": "RotarySpec",
    "VisionRotaryEmbedding": "axial_frequencies",
    "get_slopes": "alibi_slopes",
    "FoX": "forgetting_bias",
}
#: Folders with public names of their own, which are imported from there.
_APART = ("analysis", "hf", "kernels")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        said = f"module {__name__!r} has no attribute {name!r}"
        hint = _hint(name)
        # `from posenc_lib import RoPE` asks here first, and would forget an AttributeError and what it says
        if hint and sys._getframe(1).f_code.co_name == "_handle_fromlist" and not _is_module(name):
            raise ImportError(said + hint, name=__name__)
        raise AttributeError(said + hint)
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def _version() -> str:
    """As installed: pyproject.toml is the one place where it is written."""
    from importlib import metadata

    try:
        return metadata.version("posenc_lib")
    except metadata.PackageNotFoundError:
        raise AttributeError("posenc_lib is not installed, so its version is not known") from None


def _is_module(name: str) -> bool:
    return any(Path(__file__).parent.joinpath(name + end).exists() for end in ("", ".py"))


def _hint(name: str) -> str:
    if name.startswith("_"):  # what Python and its tools ask every module for
        return ""
    if name == "proofs":
        return "; the checker is a package of its own: in a copy, pip install ./distributions/proofs"
    if _is_module(name):
        return f"; write `import {__name__}.{name}`"
    for folder in _APART:
        if name in _listed(folder):
            return f"; write `from {__name__}.{folder} import {name}`"
    from difflib import get_close_matches

    lower = {known.lower(): known for known in [*__all__, *_ELSEWHERE]}
    close = get_close_matches(name.lower(), lower, n=1, cutoff=0.75)
    if not close:
        return ""
    known = lower[close[0]]
    return f"; did you mean {_ELSEWHERE.get(known, known)!r}?"


def __dir__() -> list[str]:
    return [*globals(), *__all__]
