"""Runs that make stored results: each writes a file that the book shows, with the command that made it."""
