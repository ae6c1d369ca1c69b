"""Softmax attention tile by tile for terms that are added to the scores: no matrix of all scores is kept."""
