"""Attempts to prove what is false: how each must end."""

from posenc_lib.proofs import Derivation, ProofError, Refuted, Undecided, check
from posenc_lib.proofs.write.claims import Claim

REFUSED = (ProofError, ValueError, TypeError)


def refused(attempt):
    """Whether an attempt ends in an error or in anything but ``proved``."""
    try:
        return not attempt()
    except REFUSED:
        return True


def with_definition(head, body):
    """A page that starts with one definition."""
    D = Derivation("attack")
    D.define(head, body)
    return D


def proved(by, left, relation, right, where=()):
    """The verdict of a row on its own; the error that refuses it is raised."""
    return Derivation("row").prove("eq-row", left, Claim(relation, right, "", by), where=where).verdict


def outcome(by, left, relation, right, where=()):
    """How a row on its own ends: proved, refuted or undecided."""
    try:
        return proved(by, left, relation, right, where).status
    except Refuted:
        return "refuted"
    except Undecided:
        return "undecided"


def false(left, right):
    assert not check(left, right)
