"""What the Chinese page shows from others: how many items have which verdict, an equation, a picture."""

import json
import re
from typing import Any

from tools.line_breaks import breaking
from tools.notebooks import ROOT
from tools.preview import FIGURE

from .records import Page, own_results

EXPANSION = "eq-002-4-short"
VERDICTS = {"confirmed": "成立", "corrected": "更正", "overstated": "说得太满"}
#: File → the page whose first figure it is, a word of that figure and its Chinese, its caption, what is seen.
PICTURES = {
    "picture-zh.md": (
        "book/2-sinusoid/21-definition-and-shift",
        (">plane ", ">平面 "),
        "走三步，每个平面各转一个角，从哪里出发都一样",
        "三个圆，各属一个平面，画着位置 0 和 3、8 和 11 的指针。每个圆里，两对指针所夹的角相等。",
    ),
    "rope-picture-zh.md": (
        "book/4-rotary/42-rotation-algebra",
        (" at ", " 在 "),
        "查询和键一同前移，四个平面里的夹角都不变",
        "两行圆，每行四个，各属一个平面，画着查询和键的指针。下一行里指针都转过了，每个平面里的夹角不变。",
    ),
}


def verdicts(data: dict[str, list[dict[str, Any]]]) -> str:
    """How many of the items have each verdict; and links to the rows of those that are not confirmed."""
    ids = {said: [i["id"] for i in data["items"] if i["verdict"] == v] for v, said in VERDICTS.items()}
    counts = "，".join(f"{len(of)} 条{said}" for said, of in ids.items())
    rows = [f"{said}：" + "、".join(f"[{k}](#item-{k})" for k in of) for said, of in [*ids.items()][1:]]
    return f"**{counts}。** {'；'.join(rows)}。\n"


def expansion(pages: list[Page]) -> str:
    """The Taylor argument, its terms of one position gathered, in lines that break before a sign."""
    shown = breaking(own_results(pages)[EXPANSION][1]["latex"]).replace(" = ", r" \allowbreak = \nobreak ")
    return f"```{{container}} flow\n${shown}$\n```\n"


def picture(page: str, word: tuple[str, str], caption: str, seen: str) -> str:
    """The first figure of a page, with Chinese words."""
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = (output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    found = (FIGURE.search("".join(data.get("text/markdown", ""))) for data in outputs)
    svg = next(drawn[0] for drawn in found if drawn).replace(*word)
    svg = re.sub(r'aria-label="[^"]*"', f'aria-label="{seen}"', svg, count=1)
    return f'<figure class="plot"><figcaption>{caption}</figcaption>{svg}</figure>\n'
