"""Attempts to prove what is false: how each must end."""

from unittest.mock import patch

from posenc_lib.proofs import ProofError, check

REFUSED = (ProofError, ValueError, TypeError)


def refused(attempt):
    """Whether an attempt ends in an error or in anything but ``proved``."""
    try:
        return not attempt()
    except REFUSED:
        return True


def false(left, right):
    """Neither path may accept it, nor may the normal form alone."""
    assert not check(left, right)
    with patch("posenc_lib.proofs.prove.check.second_opinion", return_value=True):
        assert not check(left, right)
