"""The engine that turns: eagerly, inside compiled graphs, and with its derivatives."""
