"""Rotary position encoding: how q and k turn, the spec that says it all, and its layer."""
