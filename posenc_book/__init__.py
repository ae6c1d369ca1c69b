"""What is of the book alone: its figures. It comes with ``posenc_lib``: a notebook runs anywhere."""
