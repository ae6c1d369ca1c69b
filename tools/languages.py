"""What a browser should know of a text: Chinese words on a page in English say so; a number is one word."""

import re
from typing import Any

from docutils import nodes

CHINESE = re.compile(r"([㐀-鿿](?:[\w，。、；：？！“”‘’（）]*[㐀-鿿。？！）])?)")
THOUSANDS = re.compile(r"(?<![\w.,])(\d{1,3}) (?=\d{3}(?!\w))")
AS_IT_IS = (nodes.raw, nodes.math, nodes.literal, nodes.FixedTextElement)


def name_chinese(app: Any, doctree: nodes.document, page: str) -> None:
    """Put each run of Chinese words into a span of their language, unless it is the page's own."""
    english = "lang" not in app.env.metadata[page]
    for text in list(doctree.findall(nodes.Text)) if english else ():
        said = [nodes.Text(part) for part in CHINESE.split(text)]
        said[1::2] = [nodes.inline("", "", part, classes=["language-zh-Hans"]) for part in said[1::2]]
        if len(said) > 1 and not isinstance(text.parent, AS_IT_IS):
            text.parent.replace(text, said)


def keep_numbers(app: Any, doctree: nodes.document, page: str) -> None:
    """End no line inside 263 037."""
    for text in list(doctree.findall(nodes.Text)):
        if THOUSANDS.search(text) and not isinstance(text.parent, AS_IT_IS):
            text.parent.replace(text, nodes.Text(THOUSANDS.sub("\\1\u00a0", text)))
