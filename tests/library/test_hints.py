"""A name that is no argument is answered with those that are; other hints stand in ``refusals``."""

import inspect
import re

import pytest
import torch

import posenc_lib as p
from posenc_lib._aliases import ARGUMENTS, OTHERWISE

# Calls that answer names of arguments before all else: constructors, attention and the drop-in.
WORKING = ("attention", "linear_attention", "dual_chunk_attention", "apply_rotary_pos_emb")
NAMED = {
    name: value
    for name in p.__all__
    if isinstance(value := getattr(p, name), type) and not hasattr(value, "_fields")
}
NAMED |= {name: getattr(p, name) for name in WORKING}
NAMED["MultiHeadAttention.forward"] = p.MultiHeadAttention(8, 2).forward
NAMED["RelativeAttention.forward"] = p.RelativeAttention(8, 2).forward


@pytest.mark.parametrize("name", NAMED)
def test_an_argument_that_is_not_there_is_answered_with_those_that_are(name):
    with pytest.raises(TypeError) as refused:
        NAMED[name](zzz=1)
    answer = f"{name}() has no argument 'zzz'; it has "
    assert str(refused.value).startswith(answer), f"decorate {name.partition('.')[0]} with @knows_names"
    listed = set(str(refused.value).partition("it has ")[2].split(", "))
    assert set(inspect.signature(NAMED[name]).parameters) - {"fields"} <= listed
    assert not listed & {"self", "fields"}


def test_a_rotation_answers_once_it_has_what_it_needs_and_hides_how():
    """It is counted in microseconds, so Python looks at its arguments first."""
    x, table, rope = torch.ones(2, 8), torch.ones(2, 4), p.RotaryEmbedding(8)
    given = {p.apply_rotary: [x], p.apply_rotary_qk: [x, x], rope.forward: [x, x]}
    for call, args in given.items():
        args += [table, table] if call != rope.forward else []
        with pytest.raises(TypeError, match=rf"{call.__name__}\(\) has no argument 'zzz'; it has "):
            call(*args, zzz=1)
        assert not {"unknown", "self"} & inspect.signature(call).parameters.keys()


def test_every_name_that_is_answered_with_is_an_argument_and_none_is_answered_twice_alike():
    known = {argument for call in NAMED.values() for argument in inspect.signature(call).parameters}
    known |= set(inspect.signature(p.RotarySpec).parameters)
    assert {re.match(r"\w+", ours)[0] for ours, _ in ARGUMENTS} <= known
    assert all(len(set(theirs.split())) == len(theirs.split()) for _, theirs in ARGUMENTS)
    assert not set(OTHERWISE) & known


def test_a_constructor_with_a_check_of_names_has_its_own_signature():
    assert str(inspect.signature(p.ALiBi.__init__)).startswith("(self, num_heads: 'int'")
    assert p.RotarySpec.__init__.__qualname__ == "RotarySpec.__init__"
