"""What a reader sees of a stored output before running anything: notebooks drop unsafe HTML.

JupyterLab (so Binder) and GitHub take away the tags of what may not stay and leave the text: of an inline SVG
the axis labels remain, a line of rubbish. Scripts and styles go with their text. The list of what stays is
JupyterLab's (``sanitizer.ts`` in ``@jupyterlab/apputils`` 4.7.6): ``untrusted.txt`` beside this file.
"""

from pathlib import Path

from bs4 import BeautifulSoup, NavigableString

STAYS = frozenset(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split())


def left_behind(html: str) -> list[str]:
    """The texts of ``html`` that an untrusted notebook shows without the element that gave them a meaning."""
    page = BeautifulSoup(html, "html.parser")
    for gone in page.find_all(["script", "style", "xmp"]):  # with their text
        gone.decompose()
    texts = [text for text in page.find_all(string=str.strip) if type(text) is NavigableString]  # no comments
    return [text.strip() for text in texts if not STAYS.issuperset(e.name for e in text.parents if e.parent)]
