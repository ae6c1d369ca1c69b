"""Untrusted: SymPy into the kernel's terms, certificates found. It may fail; it cannot prove a falsehood."""

from . import atoms, powers, products, ranges, shifts  # noqa: F401 (their rules)
