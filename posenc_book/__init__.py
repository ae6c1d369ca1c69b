"""What is of the book alone: its figures. Installed as ``posenc-book``, with what the pages import."""
