"""Angles: the frequencies of the planes, the tables of cosines and sines, and how planes lie in a vector."""
