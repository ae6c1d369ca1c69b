"""What a reader sees of a stored output before running anything: notebooks drop unsafe HTML.

JupyterLab (so Binder) and GitHub take away the tags of what may not stay and leave the text: of an inline SVG
the axis labels remain, a line of rubbish. Scripts and styles go with their text. The list of what stays is
JupyterLab's (``sanitizer.ts`` in ``@jupyterlab/apputils`` 4.7.6).
"""

from __future__ import annotations

from html.parser import HTMLParser

_WORDS = """
a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center
cite code col colgroup colspan command data datalist dd del details dfn dir div dl dt em fieldset
figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend
li map mark menu meter nav nobr ol optgroup option output p pre progress q rowspan s samp section select
small source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt
u ul var video wbr
"""
STAYS = frozenset(_WORDS.split())
GOES_WITH_ITS_TEXT = frozenset({"script", "style", "xmp"})
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def left_behind(html: str) -> list[str]:
    """The texts of ``html`` that an untrusted notebook shows without the element that gave them a meaning."""
    parser = _Sanitiser()
    parser.feed(html)
    parser.close()
    return parser.found


class _Sanitiser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        inside = set(self._open)
        if data.strip() and not inside & GOES_WITH_ITS_TEXT and not inside <= STAYS:
            self.found.append(data.strip())
