"""Attention with any encoding: softmax attention and its back ends, tiles, linear attention, the layer."""
