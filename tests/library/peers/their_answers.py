"""Run as a program: what installed libraries answer, stored in a file; ``their_answers.py FOLDER FILE``.

In a process of its own, and from a folder of its own, because other libraries look what is installed beside
them. timm is read without its ``__init__``, which would load torchvision.
"""

import sys
import types
from importlib import import_module
from pathlib import Path

import torch
from peer_inputs import BASES, DISTANCES, GRID, HEADS, PLACES, WIDTHS, vectors


def rotary_embedding_torch():
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

    def turned(x, dim, **settings):
        return RotaryEmbedding(dim, **settings).rotate_queries_or_keys(x)

    bare = {"cache_if_possible": False}
    made = {(dim, base): RotaryEmbedding(dim, theta=base, **bare) for dim in WIDTHS for base in BASES}
    pixels = RotaryEmbedding(8, freqs_for="pixel", max_freq=10).get_axial_freqs(*GRID)
    x = vectors(2, 4, 20, 64)
    return {
        "grid": torch.cat([
            apply_rotary_emb(rope(torch.tensor([at]), seq_len=1), vectors(1, dim, seed=at)).flatten()
            for (dim, _), rope in made.items() for at in PLACES
        ]),
        "frequencies": torch.cat([rope.freqs.flatten() for rope in made.values()]),
        "partial": turned(x, 32),
        "heads last": turned(x, 64, seq_before_head_dim=True),
        "interpolated": turned(x, 64, interpolate_factor=4.0),
        "rescaled": turned(x, 64, theta_rescale_factor=4.0),
        "xpos": torch.stack(RotaryEmbedding(64, use_xpos=True).rotate_queries_and_keys(x, x)),
        "cached keys": torch.cat(RotaryEmbedding(64).rotate_queries_with_cached_keys(x[:, :, -1:], x), -2),
        "pixels": apply_rotary_emb(pixels, vectors(2, *GRID, 16))
    }  # fmt: skip


def x_transformers():
    from x_transformers import x_transformers as x

    def turned(**settings):
        freqs, _ = x.RotaryEmbedding(32, **settings).forward_from_seq_len(20)
        return x.apply_rotary_pos_emb(vectors(2, 4, 20, 64), freqs)

    def xpos():
        freqs, scale = x.RotaryEmbedding(32, use_xpos=True).forward_from_seq_len(20)
        one = vectors(2, 4, 20, 64)
        return torch.stack([x.apply_rotary_pos_emb(one, freqs, s) for s in (scale, scale**-1)])

    def t5(causal):
        bias = x.RelativePositionBias(scale=8.0, causal=causal, heads=4)
        with torch.no_grad():
            bias.relative_attention_bias.weight.copy_(vectors(32, 4))
            return bias(150, 150)

    buckets = x.RelativePositionBias._relative_position_bucket
    return {
        "rotary": turned(),
        "interpolated": turned(interpolation_factor=4.0),
        "rescaled": turned(base_rescale_factor=4.0),
        "xpos": xpos(),
        "alibi": torch.cat([x.AlibiPositionalBias(heads)(9, 9) for heads in HEADS]),
        "alibi, decoding": torch.cat([x.AlibiPositionalBias(heads)(1, 9) for heads in HEADS]),
        "buckets": torch.stack([buckets(DISTANCES, causal=causal) for causal in (True, False)]),
        "t5": torch.stack([t5(causal) for causal in (True, False)]),
    }


def timm():
    root = next(Path(folder) for folder in sys.path if Path(folder, "timm", "layers").is_dir())
    for name in ("timm", "timm.layers"):
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")))]
        sys.modules[name] = package
    t = import_module("timm.layers.pos_embed_sincos")
    x = vectors(2, 4, GRID[0] * GRID[1], 64)

    def turned(module, half, width=64):
        return t.apply_rot_embed_cat(x[..., :width], module.get_embed(list(GRID)), half=half)

    def mixed():
        module = t.RotaryEmbeddingMixed(256, depth=2, num_heads=4)
        with torch.no_grad():
            module.freqs.copy_(vectors(2, 2, 4, 32))
        return t.apply_rot_embed_cat(x, module.get_embed(list(GRID))[1]).detach()

    index = {"in_pixels": False}
    return {
        "index": turned(t.RotaryEmbeddingCat(64, **index), False),
        "halves": turned(t.RotaryEmbeddingCat(64, rotate_half=True, **index), True),
        "another size": turned(t.RotaryEmbeddingCat(64, ref_feat_shape=[10, 12], **index), False),
        "pixels": turned(t.RotaryEmbeddingCat(64, linear_bands=True), False),
        "DINOv3": turned(t.RotaryEmbeddingDinoV3(64), True),
        "mixed": mixed(),
        "M-RoPE": turned(t.RotaryEmbeddingMRope(64), True),
        "M-RoPE, even": turned(t.RotaryEmbeddingMRope(48, mrope_section=(8, 8, 8)), True, width=48),
    }


if __name__ == "__main__":
    folder, file = sys.argv[1:]
    sys.path.append(folder)
    libraries = (rotary_embedding_torch, x_transformers, timm)
    torch.save({library.__name__: library() for library in libraries}, file)
