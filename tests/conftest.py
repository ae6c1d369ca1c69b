"""Fixtures that all tests share."""

import pytest
import torch


@pytest.fixture(params=["cpu", *(["cuda"] if torch.cuda.is_available() else [])])
def device(request):
    """Every device of this machine, one after another."""
    return torch.device(request.param)
