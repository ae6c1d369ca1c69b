"""The rotation of a vision tower whose config says "axial", as its own code computes it, beside ours."""

import importlib
import inspect

import torch

from posenc_lib import apply_rotary, cos_sin_axes
from posenc_lib.hf import axial

GRID = torch.tensor([[0, 0], [0, 1], [1, 0], [3, 7], [12, 5], [31, 40]])


def is_axial(config):
    rope = getattr(config, "rope_parameters", None)
    return isinstance(rope, dict) and rope.get("rope_type") == "axial"


def own(config):
    """The tower's rotary module and the function that applies its tables."""
    code = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    classes = [c for c in vars(code).values() if hasattr(c, "compute_axial_rope_parameters")]
    (module,) = {c for c in classes if c.__module__ == code.__name__}
    functions = {
        n: f for n, f in vars(code).items() if inspect.isfunction(f) and n.startswith("apply_rotary")
    }
    chosen = [f for n, f in functions.items() if "vision" in n or "2d" in n] or list(functions.values())
    assert len(chosen) == 1, list(functions)
    return module(config), chosen[0]


def theirs(config, q, k, at):
    """q, k ``[heads, patches, width]``, turned as the tower does; functions differ in where heads stand."""
    module, function = own(config)
    try:
        cos, sin = module(q, at)
    except IndexError:
        cos, sin = module(q, at[None])
    if "unsqueeze_dim" in inspect.signature(function).parameters:  # Pixtral
        return tuple(x[0] for x in function(q[None], k[None], cos, sin, unsqueeze_dim=0))
    if function.__name__.endswith("_2d"):  # SAM
        return tuple(x[0] for x in function(q[None], k[None], cos, sin))
    return tuple(x.transpose(0, 1) for x in function(q.transpose(0, 1), k.transpose(0, 1), cos, sin))


def ours(found, q, k, at):
    cos, sin = cos_sin_axes(found.frequencies.float(), at.T, angle_dtype=torch.float32)
    return tuple(apply_rotary(x, cos, sin, layout=found.layout) for x in (q, k))


def head_of(config):
    sizes = config.to_dict()
    width = sizes.get("embed_dim") or sizes["hidden_size"]
    return sizes.get("head_dim") or width // (sizes.get("num_heads") or sizes["num_attention_heads"])


def differences(config):
    """Of turned vectors, largest: by our matrix, and by one with two axes exchanged, which must be wrong."""
    found = axial(config)
    q, k = torch.randn(2, 2, len(GRID), head_of(config), generator=torch.Generator().manual_seed(0))
    at = GRID if len(found.frequencies) == 2 else torch.cat((GRID[:, :1] // 2, GRID), 1)
    want = theirs(config, q, k, at)
    exchanged = found._replace(frequencies=found.frequencies.flip(0))
    return [
        max(float((a - b).abs().max()) for a, b in zip(ours(one, q, k, at), want, strict=True))
        for one in (found, exchanged)
    ]
