"""A command that is interrupted, or may not write, ends with one line, whenever that is.

What it was writing is as it was, for files are replaced whole (``tools/whole_files.py``).
"""

import errno
import signal
import sys
from types import TracebackType

NO_PLACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
SAID = "interrupted: what was not finished is as it was"


def end_in_a_line() -> None:
    """Let ctrl-C and a polite request to end (SIGTERM) end this process alike, without a traceback.

    A full disk, and a folder where nothing may be written, is said in a line, too.
    The process ends by SIGINT, as Python's own do (https://docs.python.org/3/library/signal.html), so a shell
    and ``make`` stop, too. In a script's background, where SIGINT is ignored, SIGTERM stays plain.
    """
    sys.excepthook = _say
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and not ignored:
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(SAID, file=sys.stderr)
    elif isinstance(error, OSError) and error.errno in NO_PLACE:
        print(f"{error}: what was not finished is as it was", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)
