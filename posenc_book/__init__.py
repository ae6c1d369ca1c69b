"""What is of the book alone: its figures, and what page 13 does with a table.

Installed as ``posenc-book``, with what the pages import.
"""
