"""Derivations written in the LaTeX that their readers see."""
