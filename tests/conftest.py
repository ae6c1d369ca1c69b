"""Fixtures that all tests share."""

import pytest
import torch


@pytest.fixture(params=["cpu", *(["cuda"] if torch.cuda.is_available() else [])])
def device(request):
    """Every device of this machine, one after another."""
    return torch.device(request.param)


@pytest.fixture
def fresh_compiler():
    """What torch compiled before is forgotten, and what the test compiles is."""
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()
