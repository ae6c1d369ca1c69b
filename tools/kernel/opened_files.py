"""An IPython extension that remembers which files its kernel reads: modules imported, data opened.

``tools/notebooks.py`` loads it into each notebook's kernel, from a folder that holds nothing else.
"""

import os
import sys
from importlib.util import source_from_cache
from typing import Any

FILES: set[str] = set()


def load_ipython_extension(shell: Any) -> None:
    """Called by ``--ext``; a hook of the interpreter sees each file that anything here opens."""
    sys.addaudithook(_remember)


def _remember(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str):
        FILES.add(os.path.abspath(arguments[0]))


def listed() -> str:
    """The files so far, one a line, less those of the Python environment; of compiled code the source."""
    ours = (f for f in FILES if not f.startswith((sys.prefix, sys.base_prefix)))
    return "\n".join(sorted({source_from_cache(f) if f.endswith(".pyc") else f for f in ours}))
