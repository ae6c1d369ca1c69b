"""The book's figures: each function returns a ``Plot`` that shows itself and the data it was drawn from."""
