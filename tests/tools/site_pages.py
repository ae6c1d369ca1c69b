"""The built pages that tests look at in a browser, each a case of its own, and the scripts that ask them."""

from pathlib import Path

import pytest

from tools.browser import SITE, pages, why_not

built = pytest.mark.skipif(not pages(), reason=why_not())
looked_at = pytest.mark.skipif(bool(why_not()), reason=why_not())
#: Of the pages with the source code of the library two stand for all, their list and one of them.
SOURCES = [SITE / "_modules" / name for name in ("index.html", "posenc_lib/attend/softmax.html") if pages()]
SOURCES += [SITE / "rocq" / "45-all-relative.html"] * bool(SOURCES)  # and one for those with all statements
every_page = pytest.mark.parametrize(
    "page", [*pages(), *SOURCES], ids=lambda page: page.relative_to(SITE).as_posix()
)


def script(name):
    """A JavaScript function that a page is asked with."""
    return (Path(__file__).parent / "scripts" / f"{name}.js").read_text(encoding="utf-8")
