"""The trusted kernel: rebuilds theorems from axioms. It searches nothing, and imports python-flint only.

``replay(text)`` takes a certificate, plain JSON, and returns what it proves. A theorem is worth its name only
as the result of a replay: what runs in one process with the kernel could reach into it.
"""

from .replay import Result, replay
from .terms import Refused
from .theorem import Theorem

__all__ = ["Refused", "Result", "Theorem", "replay"]
