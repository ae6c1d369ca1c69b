"""A file is written whole or not at all, whenever the writing is interrupted, and when the disk is full."""

import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write ``content`` beside ``path`` and move it there: until then ``path`` is as it was.

    Text is written as UTF-8. The move is one step within a folder, on every system
    (https://docs.python.org/3/library/os.html#os.replace). If the writing fails, nothing stays beside
    ``path``; a process that is killed leaves a file ``<name>.<process>.new`` there, which git does not see.

    Raises
    ------
    OSError
        what the system says, of a full disk say.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "a.txt"), "θ\\n")
    ...     [(path.name, path.read_text(encoding="utf-8")) for path in Path(folder).iterdir()]
    [('a.txt', 'θ\\n')]
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
