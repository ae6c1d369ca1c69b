"""What the search page searches, ``search_data.js``: the text of each section of a page.

It takes the place of Sphinx's index, which knows on which pages a word occurs, not where nor how often. It is
a script, not a file that is fetched, because a page opened from disk can load nothing else.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from tools.contents import page_names
from tools.whole_files import write_whole

SECTION = r'<section[^>]* id="([^"]+)"[^>]*>\s*(?:<span[^>]*></span>)*<h[1-6]>(.*?)</h[1-6]>'  # labels
THING = r'<dt class="sig[^>]* id="([^"]+)">(.*?)</dt>'
START = re.compile(f"{SECTION}|{THING}", re.DOTALL)
#: Checked steps, what is drawn beside the MathML that is read, code, what can be pressed, and the works cited
#: in the margin, which stand among the references.
UNREAD = re.compile(
    r'<div class="calc .*?</details></div>|<var class="katex-html".*?</var>|<a class="headerlink.*?</a>'
    r'|\[source\]|<(svg|pre|nav|summary|aside)\b.*?</\1>|<em class="sig-param">.*</em>', re.DOTALL,
)  # fmt: skip
WORDS = re.compile(r"</?(?:p|div|li|d[ltd]|t[rdh]|table|figcaption|h\d|br|text)\b[^>]*>")  # stand apart
NUMBERED = re.compile(r'<a class="eqno" href="#([^"]+)"[^>]*>\(([\d.]+[a-z]*)\)')
REPEATS = "book/reference/ledger"  # what stands on other pages


def without_sphinx_s_index(app: Any) -> None:
    """Let Sphinx make none."""
    app.builder.search = False


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", WORDS.sub(" ", UNREAD.sub(" ", html)))).split())


def sections(page: str) -> Iterator[dict[str, Any]]:
    """Of a page's HTML each section, and each thing that the library's reference describes.

    Example:
        >>> page = '<article><section id="a">\\n<span id="b"></span><h1>One</h1><p>It <b>is</b>.</article>'
        >>> list(sections(page))
        [{'id': 'a', 'heading': 'One', 'text': 'It is.', 'numbers': {}}]
    """
    _, *pieces = START.split(page.partition("<article")[2].partition("</article>")[0])
    for section, heading, thing, signature, inner in zip(*(pieces[k::5] for k in range(5)), strict=True):
        yield {
            "id": section or thing,
            "heading": _plain(heading or signature),
            "text": _plain(inner).partition(" Parameters: ")[0],
            "numbers": {number: anchor for anchor, number in NUMBERED.findall(inner)},
        }


def write(app: Any) -> None:
    """Write the words of every page, section by section, for the reader's own browser to search."""
    found = []
    for name in page_names():
        address = app.builder.get_target_uri(name)
        of_page = sections(Path(app.outdir, address).read_text(encoding="utf-8"))
        found.append([address, [part | {"text": ""} if name == REPEATS else part for part in of_page]])
    data = json.dumps(found, ensure_ascii=False)
    write_whole(Path(app.outdir, "search_data.js"), f"const PAGES = {data};\n")
