"""Run as a program: torchtitan's own modules turn by our function, and what changed is printed.

``filled_titan.py FOLDER``, where torchtitan is installed. Its packages are read without their ``__init__``,
which would load what its trainer needs; names that its modules take from there are looked up where they are
made.
"""

import json
import sys
import types
from importlib import import_module
from pathlib import Path

import torch
import yaml

from posenc_lib import RotaryEmbedding, RotarySpec
from posenc_lib.hf import titan_rotary

#: torchtitan's name of a rule, its parameters there, and the spec. It leaves yarn's factor to the softmax.
RULES = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text("utf-8"))
Q, K = (torch.randn(2, 20, n, 16, generator=torch.Generator().manual_seed(n)) for n in (4, 2))
AT = torch.randint(128, (2, 20), generator=torch.Generator().manual_seed(0))


def rope_module(folder):
    """``torchtitan.models.common.rope``."""
    sys.path.append(folder)
    for name in ("torchtitan.models.common", "torchtitan.protocols", "torchtitan.config"):
        package = sys.modules[name] = types.ModuleType(name)
        package.__path__ = [str(Path(folder, *name.split(".")))]
    for part in ("configs", "configurable"):
        made = vars(import_module(f"torchtitan.config.{part}"))
        vars(package).update({name: value for name, value in made.items() if not name.startswith("_")})
    return import_module("torchtitan.models.common.rope")


def apart(pair, others):
    return max(float((a - b).abs().max()) for a, b in zip(pair, others, strict=True))


def table(kind, rule):
    """The table that its module makes, by a spec of ours."""
    rope = RotaryEmbedding(RotarySpec(16, **RULES[rule][1]))
    cos, sin = rope.tables(torch.arange(128))
    return torch.complex(cos, sin) if kind == "ComplexRoPE" else torch.cat((cos, cos, sin, sin), -1)


def main(folder):
    rope, found = rope_module(folder), {}
    for kind, rule in (
        ("ComplexRoPE", "none"), ("ComplexRoPE", "llama"), ("ComplexRoPE", "yarn"),
        ("CosSinRoPE", "none"), ("CosSinRoPE", "yarn"),
    ):  # fmt: skip
        own = getattr(rope, kind)
        ours = type("Ours", (own,), {"apply_rotary_emb": staticmethod(titan_rotary())})
        config = own.Config(dim=16, max_seq_len=128, scaling=rule, **RULES[rule][0])
        theirs, filled = own(config), ours(config)
        found[f"{kind}, {rule}"] = {
            "turned": apart(filled(Q, K), theirs(Q, K)),
            "at positions": apart(filled(Q, K, AT), theirs(Q, K, AT)),
            "table": float((table(kind, rule) - theirs.cache).abs().max()),
            "turn": apart(theirs(Q, K, AT), (Q, K)),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
