"""Cases whose expected values an installed library answers, ``their_answers.py``: our side of each."""

import math

import torch
from peer_inputs import BASES, DISTANCES, GRID, HEADS, PLACES, WIDTHS, vectors

import posenc_lib as lib

#: float32 angles, rounded by 6e-8 of an angle, in components of up to 4: at position 69, at 20, and, in
#: timm's pixels, at angles of 351.
SINGLE, PIXELS = 2e-5, 1e-4


def pairs(x, theta, positions, **form):
    cos, sin = lib.cos_sin(theta, positions)
    return lib.apply_rotary(x, cos, sin, layout="interleaved", **form)


def head():
    return vectors(2, 4, 20, 64)


def turned(dim=64, seq_dim=-2, **settings):
    spec = lib.RotarySpec(64, rotary_dim=dim, layout="interleaved", **settings)
    x = head()
    return lib.RotaryEmbedding(spec)(x, x, seq_dim=seq_dim)[0]


def scaled(kind, dim=64):
    return turned(dim, scaling=kind, params={"factor": 4.0})


def xpos(dim=64):
    """Its centre is the middle of the text, 10 of 20 tokens."""
    tables = lib.cos_sin_xpos(lib.inv_freq(dim), torch.arange(20), center=10)
    return torch.stack([lib.apply_rotary(head(), *one, layout="interleaved") for one in tables])


def grid():
    return torch.cat([
        pairs(vectors(1, dim, seed=at), lib.inv_freq(dim, base), torch.tensor([at])).flatten()
        for dim in WIDTHS for base in BASES for at in PLACES
    ])  # fmt: skip


def ladders():
    return torch.cat([lib.inv_freq(dim, base) for dim in WIDTHS for base in BASES])


def cached_keys():
    x, rope = head(), lib.RotaryEmbedding(lib.RotarySpec(64, layout="interleaved"))
    last, keys = (rope(one, one, offset=at)[0] for one, at in ((x[:, :, -1:], 19), (x, 0)))
    return torch.cat((last, keys), -2)


def cells(low=-1.0, high=1.0):
    """Places of a grid's cells from low to high on each axis."""
    axes = [torch.linspace(low, high, n) for n in GRID]
    return torch.stack([axis.flatten() for axis in torch.meshgrid(*axes, indexing="ij")])


def two_axes(ladder):
    ladder = ladder.double()[None]
    return torch.block_diag(ladder, ladder)


def pixels():
    """Angles from π to 5π at the border of the picture; each axis has planes of its own."""
    tables = lib.cos_sin_axes(two_axes(torch.linspace(1.0, 5.0, 4) * math.pi), cells())
    vector = lib.apply_rotary(vectors(2, *GRID, 16).flatten(1, 2), *tables, layout="interleaved")
    return vector.unflatten(1, GRID)


def alibi(i):
    q, k = torch.arange(9 - i, 9), torch.arange(9)
    return torch.cat([lib.ALiBi(heads).bias(q, k).reshape(heads, i, 9) for heads in HEADS])


def t5(causal):
    bias, at = lib.T5Bias(4, bidirectional=not causal), torch.arange(150)
    with torch.no_grad():
        bias.weight.copy_(vectors(32, 4))
        return 8.0 * bias.bias(at, at).reshape(4, 150, 150)


def patches(frequencies, places, layout="interleaved", width=64):
    tables = lib.cos_sin_axes(frequencies, places)
    return lib.apply_rotary(vectors(2, 4, GRID[0] * GRID[1], 64)[..., :width], *tables, layout=layout)


def indices():
    return lib.positions_grid(*GRID)


def resized():
    """Cells of this picture at their places in one of 10 by 12."""
    return indices().double() * (torch.tensor([10.0, 12.0]) / torch.tensor(GRID)).double()[:, None]


def centred():
    """Middles of cells, from -1 to 1."""
    return (2 * indices().double() + 1) / torch.tensor(GRID)[:, None] - 1


def mixed():
    """Columns first; a frequency for each head, block, axis and plane, of which block 1."""
    frequencies = vectors(2, 2, 4, 32)[:, 1, :, None]
    return patches(frequencies, indices().flip(0)[:, None, None])


def m_rope(dim=64, **planes):
    """Time stands still; half layout."""
    rope = lib.RotaryEmbedding(lib.RotarySpec(dim, **planes))
    places = torch.cat((torch.zeros(1, 45, dtype=torch.long), indices()))
    x = vectors(2, 4, 45, 64)[..., :dim]
    return rope(x, x, places[:, None])[0]


#: library, case, our answer, how far it may be from theirs
INSTALLED = [
    ("rotary_embedding_torch", "grid", grid, SINGLE),
    ("rotary_embedding_torch", "frequencies", ladders, 1e-6),
    ("rotary_embedding_torch", "partial", lambda: turned(32), SINGLE),
    ("rotary_embedding_torch", "heads last", lambda: turned(seq_dim=-3), SINGLE),
    ("rotary_embedding_torch", "interpolated", lambda: scaled("linear"), SINGLE),
    ("rotary_embedding_torch", "rescaled", lambda: scaled("ntk"), SINGLE),
    ("rotary_embedding_torch", "xpos", xpos, SINGLE),
    ("rotary_embedding_torch", "cached keys", cached_keys, SINGLE),
    ("rotary_embedding_torch", "pixels", pixels, SINGLE),
    ("x_transformers", "rotary", lambda: turned(32), SINGLE),
    ("x_transformers", "interpolated", lambda: scaled("linear", 32), SINGLE),
    ("x_transformers", "rescaled", lambda: scaled("ntk", 32), SINGLE),
    ("x_transformers", "xpos", lambda: xpos(32), SINGLE),
    ("x_transformers", "alibi", lambda: alibi(9), 1e-6),
    ("x_transformers", "alibi, decoding", lambda: alibi(1), 1e-6),
    (
        "x_transformers", "buckets",
        lambda: torch.stack([lib.t5_buckets(DISTANCES, bidirectional=both) for both in (False, True)]), 0
    ),
    ("x_transformers", "t5", lambda: torch.stack([t5(causal) for causal in (True, False)]), 1e-5),
    ("timm", "index", lambda: patches(lib.axial_frequencies(64, 2), indices()), SINGLE),
    ("timm", "halves", lambda: patches(lib.axial_frequencies(64, 2), indices(), "half"), SINGLE),
    ("timm", "another size", lambda: patches(lib.axial_frequencies(64, 2), resized()), SINGLE),
    ("timm", "pixels", lambda: patches(two_axes(torch.linspace(1, 112, 16) * math.pi), cells()), PIXELS),
    (
        "timm", "DINOv3",
        lambda: patches(2 * math.pi * lib.axial_frequencies(64, 2, 100.0), centred(), "half"), SINGLE
    ),
    ("timm", "mixed", mixed, SINGLE),
    ("timm", "M-RoPE", lambda: m_rope(axis_of_plane=[i % 3 for i in range(32)]), SINGLE),
    ("timm", "M-RoPE, even", lambda: m_rope(48, sections=[8, 8, 8], sections_interleaved=True), SINGLE)
]  # fmt: skip

#: library, case, the call as that library writes its numbers, how it is refused
REFUSED = [
    (
        "timm", "M-RoPE, its own default sections",  # (8, 12, 12) there stand for 11, 11 and 10 planes
        lambda: lib.RotarySpec(64, sections=[8, 12, 12], sections_interleaved=True), "sections .*interleaved"
    )
]  # fmt: skip
