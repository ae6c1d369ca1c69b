"""Calls written as data: a tag names who makes a value, beneath it stand the arguments; nothing is evaluated.

``!zeros [2, 3]`` is a tensor, ``!ones:int64 [2, 3]`` one of that dtype, ``!RotarySpec {dim: 8}`` an object of
the library. In words that a message must hold, … stands for anything; ``^`` in front and ``$`` at the end
mean the message's own ends.
"""

import re
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy
import torch
import yaml

import posenc_lib
import posenc_lib.analysis
import posenc_lib.hf

REFUSALS = Path(__file__).parent / "refusals"
FUNCTIONS = ("arange", "cat", "full", "ones", "randn", "tensor", "zeros")
METHODS = ("expand", "to", "transpose", "select", "narrow", "unfold")
MAKERS = {name: getattr(torch, name) for name in FUNCTIONS}
MAKERS |= {name: getattr(torch.Tensor, name) for name in METHODS}
MAKERS |= {
    "device": torch.device,
    "dtype": lambda name: getattr(torch, name),
    "generator": torch.Generator,
    "int64": numpy.int64,
    "float32": numpy.float32,
    "array": numpy.array,
    "object": object,
    "identity": lambda: lambda value: value,
    "class": lambda name: getattr(posenc_lib, name),
    "attribute": getattr,
    "item": lambda values, index: values[index],
    "power": pow,
    "tuple": lambda *values: values,
    "applied": lambda make: make(),
}


def applied(make, arguments):
    """By name from a mapping, whose key ``*`` holds those by position; by position from a list; or one."""
    if isinstance(arguments, dict):
        return make(*arguments.get("*", ()), **{k: v for k, v in arguments.items() if k != "*"})
    return make(*arguments) if isinstance(arguments, list) else make(arguments)


def public(name):
    """What has this name in the library, in its rooms of models and of studies, or in a class of it."""
    module, _, attribute = name.rpartition(".")
    if module.islower():  # of another module: torch.nn.Linear
        return getattr(import_module(module), attribute)
    head, _, method = name.partition(".")
    homes = (posenc_lib, posenc_lib.hf, posenc_lib.analysis)
    value = getattr(next(home for home in homes if hasattr(home, head)), head)
    return getattr(value, method) if method else value


def public_modules():
    """The public classes of modules, by name."""
    public = {name: getattr(posenc_lib, name) for name in posenc_lib.__all__}
    return {n: c for n, c in public.items() if isinstance(c, type) and issubclass(c, torch.nn.Module)}


class _Loader(yaml.CSafeLoader):
    pass


def _value(loader, name, node):
    if isinstance(node, yaml.MappingNode):
        arguments = loader.construct_mapping(node, deep=True)
    elif isinstance(node, yaml.SequenceNode):
        arguments = loader.construct_sequence(node, deep=True)
    else:
        arguments = yaml.safe_load(node.value) if node.value else []
    name, _, dtype = name.partition(":")
    make = MAKERS.get(name) or public(name)
    return applied(partial(make, dtype=getattr(torch, dtype)) if dtype else make, arguments)


_Loader.add_multi_constructor("!", _value)


def read(path):
    torch.manual_seed(0)
    return yaml.load(path.read_text("utf-8"), _Loader)


def holds(message, words):
    start, end = words.startswith("^"), words.endswith("$")
    parts = words[start : len(words) - end].split("…")
    pattern = ".*".join(map(re.escape, parts))
    return re.search(r"\A" * start + pattern + r"\Z" * end, message, re.DOTALL) is not None
