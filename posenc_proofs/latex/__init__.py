"""What a page prints, read again from its LaTeX, and compared with the kernel's theorems; without SymPy."""
