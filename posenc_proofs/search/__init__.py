"""Untrusted: certificates for the kernel are found. It may fail; it cannot prove a falsehood."""

from . import atoms, ranges  # noqa: F401 (their rules)
