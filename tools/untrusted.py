"""What a reader sees of a stored output before running anything: notebooks drop unsafe HTML.

JupyterLab (so Binder) and GitHub take away the tags of what may not stay and leave the text: of an inline SVG
the axis labels remain, a line of rubbish. Scripts and styles go with their text. The list of what stays is
JupyterLab's (``sanitizer.ts`` in ``@jupyterlab/apputils`` 4.7.6).
"""

from bs4 import BeautifulSoup, NavigableString

_WORDS = """
a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center
cite code col colgroup colspan command data datalist dd del details dfn dir div dl dt em fieldset
figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend
li map mark menu meter nav nobr ol optgroup option output p pre progress q rowspan s samp section select
small source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt
u ul var video wbr
"""
STAYS = frozenset(_WORDS.split())


def left_behind(html: str) -> list[str]:
    """The texts of ``html`` that an untrusted notebook shows without the element that gave them a meaning."""
    page = BeautifulSoup(html, "html.parser")
    for gone in page.find_all(["script", "style", "xmp"]):  # with their text
        gone.decompose()
    texts = [text for text in page.find_all(string=str.strip) if type(text) is NavigableString]  # no comments
    return [text.strip() for text in texts if not STAYS.issuperset(e.name for e in text.parents if e.parent)]
