"""Scripts of the book's build and its tests. Run them from the top folder: ``python -m tools.execute``."""

import sys

if sys.argv[:1] == ["-m"]:  # as a command, whose module is still to be found
    from tools.interrupts import end_in_a_line

    end_in_a_line()
