"""The text of a derivation: its blocks, its scopes, its statements, read into terms of the kernel."""
