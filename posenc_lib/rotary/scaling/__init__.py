"""Scaling: how a rotary encoding is stretched beyond the length that it was trained on."""
