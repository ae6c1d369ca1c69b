"""Untrusted: reads SymPy into the kernel's terms and finds certificates. It may fail; it cannot prove a falsehood."""
