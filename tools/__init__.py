"""Scripts of the book's build and its tests. Run them from the top folder: ``python -m tools.execute``."""
