"""Style sheets as the site serves them: no comments, and of KaTeX's what pages need."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.whole_files import write_whole

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASS = re.compile(r"\.([a-z][\w-]*)")
NAMED = re.compile(r'class="([^"]*)"')
FAMILY = re.compile(r"KaTeX_\w+")
OLD_FORMATS = re.compile(r",url\([^)]*\) format\(\"(?:woff|truetype)\"\)")  # no such file is there


def lighter_style(css: str) -> str:
    """``css`` without comments, line breaks and blanks at its signs.

    >>> lighter_style("/* a box */ .a, .b { margin: 0 auto; }")
    '.a,.b{margin: 0 auto}'
    """
    plain = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL))
    return re.sub(r'("[^"]*")| ?([{};,]) ?', r"\1\2", plain).replace(";}", "}").strip()


def needed(css: str, classes: Iterable[str]) -> str:
    """Of KaTeX's ``css`` the rules for ``classes``, and the fonts that these name.

    >>> needed(".katex .base{top:0}.katex .angl,.katex .sout{top:1px}", ["katex", "base", "sout"])
    '.katex .base{top:0}.katex .sout{top:1px}'
    """
    there, rules, faces = set(classes), [], []
    for selectors, body in RULE.findall(css):
        met = [each for each in selectors.split(",") if set(CLASS.findall(each.split(":not")[0])) <= there]
        (faces if selectors == "@font-face" else rules).append(f"{','.join(met)}{{{body}}}" if met else "")
    named = set(FAMILY.findall("".join(rules)))
    return "".join([OLD_FORMATS.sub("", face) for face in faces if named & set(FAMILY.findall(face))] + rules)


def lighten_all(app: Any) -> None:
    """Rewrite the site's style sheets."""
    out = Path(app.outdir)
    pages = (page.read_text() for page in out.rglob("*.html"))
    classes = {name for page in pages for names in NAMED.findall(page) for name in names.split()}
    for path in (out / "_static").rglob("*.css"):
        css = lighter_style(path.read_text())
        write_whole(path, needed(css, classes) if path.name == "katex.min.css" else css)
