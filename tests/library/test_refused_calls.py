"""Calls that are refused, each in words of its own: the tables in ``refused/``, one row a call.

A section holds a call that is taken. A row says what is changed in it, the error, and words of its message,
with `…` where anything may stand. An argument is a number, a word, a list, or what a tag makes of them:

    !ones [2, 3]  !ones:int64 [2, 3]  !tensor [0, 5]  !arange 4  !tuple [1, 2]  !dtype half
    !made {ALiBi: [4]}  !named KVCache
"""

import re
from importlib import import_module
from pathlib import Path

import pytest
import torch
import yaml


class Values(yaml.SafeLoader):
    """Reads values; nothing in a table is run but the calls that it names."""


def named(name):
    """``attention`` of posenc_lib, or ``torch.nn.Identity`` of another module."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module or "posenc_lib"), attribute)


def value(loader, node):
    if isinstance(node, yaml.ScalarNode):
        return yaml.safe_load(node.value)
    sequence = isinstance(node, yaml.SequenceNode)
    return (loader.construct_sequence if sequence else loader.construct_mapping)(node, deep=True)


def tensor_of(make):
    def construct(loader, dtype, node):
        return make(value(loader, node), dtype=getattr(torch, dtype[1:]) if dtype else None)

    return construct


def made(loader, node):
    ((name, arguments),) = value(loader, node).items()
    return named(name)(**arguments) if isinstance(arguments, dict) else named(name)(*arguments)


Values.add_multi_constructor("!ones", tensor_of(torch.ones))
Values.add_multi_constructor("!tensor", tensor_of(torch.tensor))
Values.add_multi_constructor("!arange", tensor_of(torch.arange))
Values.add_constructor("!tuple", lambda loader, node: tuple(value(loader, node)))
Values.add_constructor("!dtype", lambda loader, node: getattr(torch, node.value))
Values.add_constructor("!named", lambda loader, node: named(node.value))
Values.add_constructor("!made", made)

SECTIONS = [
    section
    for path in sorted(Path(__file__).with_name("refused").glob("*.yml"))
    for section in yaml.load(path.read_text(encoding="utf-8"), Values)
]
ROWS = [
    pytest.param(section, *row, id=f"{section['call']} {row[-1]}")
    for section in SECTIONS
    for row in section["refused"]
]


def call(section, arguments):
    function = getattr(section["of"], section["call"]) if "of" in section else named(section["call"])
    return function(*arguments) if isinstance(arguments, list) else function(**arguments)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["call"])
def test_the_call_is_taken_before_anything_is_changed(section):
    call(section, section["given"])


@pytest.mark.parametrize(("section", "change", "error", "words"), ROWS)
def test_what_does_not_fit_is_refused_in_these_words(section, change, error, words):
    arguments = change if isinstance(change, list) else section["given"] | change
    with pytest.raises({"TypeError": TypeError, "ValueError": ValueError}[error]) as refused:
        call(section, arguments)
    pattern = ".*".join(re.escape(part.strip()) for part in words.split("…"))
    assert re.search(pattern, str(refused.value), re.DOTALL), str(refused.value)
