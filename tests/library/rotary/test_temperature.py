"""The factor on queries is the formula, worked out in doubles, and keeps the order of the keys."""

import math

import pytest
import torch

from posenc_lib import attention_temperature
from posenc_lib.angles import double

AT = torch.cat((torch.arange(50), torch.tensor([8190, 8191, 8192, 16383, 262_143, 2**20])))


def test_it_is_worked_out_in_doubles():
    exact = [1 + 0.3 * math.log(1 + (m + 2) // 7) for m in AT.tolist()]
    found = attention_temperature(AT, slope=0.3, length=7, first=2, dtype=torch.float64)
    assert torch.allclose(found, torch.tensor(exact, dtype=torch.float64), rtol=0, atol=1e-15)


def test_the_first_position_may_have_another_number():
    moved = attention_temperature(AT, slope=0.1, length=8192, first=1)
    assert torch.equal(moved, attention_temperature(AT + 1, slope=0.1, length=8192))
    assert moved[AT < 8191].eq(1).all() and moved[AT == 8191] > 1.069


def test_a_device_without_doubles_gives_float32_alone(monkeypatch):
    expected = attention_temperature(AT, slope=0.3, length=7)
    monkeypatch.setattr(double, "has_float64", lambda device: False)
    with pytest.raises(ValueError, match=r"^dtype must not be torch\.float64 on cpu, which has no float64"):
        attention_temperature(AT, slope=0.3, length=7, dtype=torch.float64)
    assert torch.equal(attention_temperature(AT, slope=0.3, length=7), expected)
