"""What the Chinese page shows from others: how many items have which verdict, an equation, a picture."""

import json
import re
from collections import Counter
from typing import Any

from tools.notebooks import ROOT
from tools.preview import FIGURE

from .records import Page, own_results

EXPANSION = "eq-002-4-short"
VERDICTS = {"confirmed": "成立", "corrected": "更正", "overstated": "说得太满"}
PICTURED = "book/2-sinusoid/21-definition-and-shift"
CAPTION = "走三步，每个平面各转一个角，从哪里出发都一样"
SEEN = "三个圆，各属一个平面，画着位置 0 和 3、8 和 11 的指针。每个圆里，两对指针所夹的角相等。"


def verdicts(data: dict[str, list[dict[str, Any]]]) -> str:
    """How many of the items have each verdict."""
    counts = Counter(item["verdict"] for item in data["items"])
    return "**" + "，".join(f"{counts[verdict]} 条{said}" for verdict, said in VERDICTS.items()) + "。**\n"


def expansion(pages: list[Page]) -> str:
    """The Taylor argument, its terms of one position gathered, as it stands on its page."""
    return f"$$\n{own_results(pages)[EXPANSION][1]['latex']}\n$$\n"


def picture() -> str:
    """The first figure of the page on the sinusoid."""
    cells = json.loads((ROOT / f"{PICTURED}.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = (output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    found = (FIGURE.search("".join(data.get("text/markdown", ""))) for data in outputs)
    svg = next(drawn[0] for drawn in found if drawn).replace(">plane ", ">平面 ")
    svg = re.sub(r'aria-label="[^"]*"', f'aria-label="{SEEN}"', svg, count=1)
    return f'<figure class="plot"><figcaption>{CAPTION}</figcaption>{svg}</figure>\n'
