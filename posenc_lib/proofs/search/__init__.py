"""Untrusted: SymPy into the kernel's terms, certificates found. It may fail; it cannot prove a falsehood."""
