"""Our docstrings as MyST: paragraphs, formulas, argument lists with types, examples, sources."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

Link = Callable[[str], str]  # what a docstring refers to → a link to it, or code

_NUMPY_HEADING = re.compile(r"^(\w+)\n-{3,}$", flags=re.M)
_NUMPY_ENTRY = re.compile(r"^(\w+(?:, \w+)*)\n +", flags=re.M)
_SECTION = re.compile(
    r"^(Args|Returns|Raises|Examples?|Source|Parameters|Args, Returns, Raises):(?: +(.*))?$"
)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) ?: +(.*)$")
_ROLE = re.compile(r":(?:func|class|meth|data|attr):`([^`]+)`")
_MATH = re.compile(r":math:`([^`]+)`")
_VALUE = re.compile(r'"[\w+]+"')  # a string to pass, not a quotation


def render(text: str, types: dict[str, str], link: Link) -> str:
    """A docstring as MyST; ``types`` are shown beside the arguments."""
    parts = []
    for title, lines in _sections(_NUMPY_HEADING.sub(r"\1:", text).splitlines()):
        content = inspect.cleandoc("\n".join(lines))
        if title in ("Args", "Parameters", "Raises"):
            entries = _entries(_NUMPY_ENTRY.sub(r"\1: ", content))
            parts += [f"**{title.replace('Parameters', 'Args')}**", _list(entries, types, link)]
        elif title.startswith("Example"):
            parts += ["**Example**", _prose(content, link)]
        elif title:
            parts.append(f"**{title}**: {_prose(content, link)}")
        elif content:
            parts.append(_prose(content, link))
    return "\n\n".join(parts)


def type_text(annotation: object) -> str:
    """An annotation for people: ``int | None`` → ``int or None``."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return text.replace(" | ", " or ").replace("[", r"\[").replace("*", r"\*")


def _sections(lines: list[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        heading = _SECTION.match(line)
        if heading:
            found.append((heading[1], ["", heading[2]] if heading[2] else []))
        elif line[:1].strip() and found[-1][1][:1] and found[-1][1][0].startswith(" "):
            found.append(("", [line]))  # an indented section ends where a line starts at the margin
        else:
            found[-1][1].append(line)
    return found


def _entries(content: str) -> list[tuple[str, str]]:
    """``name: text`` with its continuation lines; text before the first name has no name."""
    found: list[tuple[str, str]] = []
    for line in content.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            found.append((entry[1], entry[2]))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".rstrip())
        else:
            found.append(("", line))
    return found


def _list(entries: list[tuple[str, str]], types: dict[str, str], link: Link) -> str:
    return "\n".join(_item(names, text, types, link) for names, text in entries)


def _item(names: str, text: str, types: dict[str, str], link: Link) -> str:
    if not names:
        return f"- {_inline(text, link)}"
    kinds = {types[name] for name in names.replace("*", "").split(", ") if name in types}
    kind = f" *{kinds.pop()}*" if len(kinds) == 1 else ""
    return f"- {', '.join(f'`{name}`' for name in names.split(', '))}{kind}: {_inline(text, link)}"


def _prose(text: str, link: Link) -> str:
    """Paragraphs, displayed formulas and doctests."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [line.strip() for line in block.splitlines()]
        if lines[0].startswith(">>>"):
            blocks.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        elif lines[0].startswith(".. math::"):
            blocks.append("$$\n" + " ".join(lines).removeprefix(".. math:: ") + "\n$$")
        elif len(lines) > 1 and all(map(_ENTRY.match, lines)):
            blocks.append(_list(_entries(block), {}, link))
        else:
            blocks.append(_inline(" ".join(lines), link))
    return "\n\n".join(blocks)


def _inline(text: str, link: Link) -> str:
    kept: list[str] = []

    def keep(done: str) -> str:
        kept.append(done)
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"``(.+?)``", lambda found: keep(f"`{found[1]}`"), text)
    text = _MATH.sub(lambda found: keep(f"{{math}}`{found[1]}`"), text)
    text = _ROLE.sub(lambda found: keep(link(found[1])), text)
    text = re.sub(r"`([^`]+)`", lambda found: keep(f"`{found[1]}`"), text)
    text = _VALUE.sub(lambda found: keep(f"`{found[0]}`"), text)
    text = re.sub(r"([\[<|$])", r"\\\1", text)
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], text)
