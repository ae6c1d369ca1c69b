"""Every certificate of the book, checked again by Rocq: see ``FORMAT.md``."""
