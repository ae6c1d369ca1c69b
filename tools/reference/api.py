"""The API pages: every public name of the library and of the checker, from its signature and docstring."""

from __future__ import annotations

import enum
import importlib
import inspect
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

LIBRARY = (
    ("Frequencies and their scaling", ("frequencies", "scaling", "yarn", "context_limit")),
    ("Describing a rotary encoding", ("spec", "hf_config")),
    ("Positions", ("positions",)),
    ("Tables and rotations", ("tables", "rotary", "modules", "layout")),
    ("Several axes, and xPos", ("axes", "xpos")),
    ("Encodings that are added", ("additive", "additive_modules")),
    ("Biases on scores", ("bias", "bias.base", "bias.t5", "bias.alibi", "bias.kerple", "bias.fire",
                          "bias.sandwich")),
    ("Relative terms that read the content", ("relative", "content_terms")),
    ("Attention", ("attention", "multihead", "linear_attention")),
    ("Measuring what holds approximately", ("analysis", "defects")),
)  # fmt: skip
PROOFS = (
    ("Letters and their domains", ("symbols", "definitions", "blocks", "extrema")),
    ("Deciding one statement", ("identity", "evaluate", "verdict", "printer")),
    ("Derivations", ("derivation", "claims", "results")),
    ("Rules: how a row follows", ("rules",)),
)
PACKAGES = {"posenc_lib": LIBRARY, "posenc_lib.proofs": PROOFS}
# Registries, which have no docstring of their own: where they live, and what they hold.
REGISTRIES = {
    "posenc_lib.SCALINGS": ("scaling", "The scaling rules by name, for ``RotarySpec(scaling=…)``."),
    "posenc_lib.BIASES": ("bias", "The classes of score biases by name."),
}
# Public where they are, though not at the top of the package.
MORE = {"posenc_lib.hf_config.spec_from_hf_config", "posenc_lib.scaling.scale"}

_SECTION = re.compile(r"^(Args|Returns|Raises|Examples?|Source|Parameters|Args, Returns, Raises):?(?: +(.*))?$")
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) ?: +(.*)$")
_ROLE = re.compile(r":(func|class|meth|data|attr):`([^`]+)`")
_MATH = re.compile(r":math:`([^`]+)`")


@dataclass(frozen=True)
class Entry:
    """One documented object: the name people import it by, and what it is."""

    package: str
    name: str
    value: Any
    module: str

    @property
    def full_name(self) -> str:
        return f"{self.package}.{self.name}"


def entries(package: str) -> list[Entry]:
    """Everything in ``__all__``, the rules behind a registry, and the few public names beside it.

    Raises
    ------
    ValueError
        if a name lives in a module that has no place in the reading order.
    """
    library = importlib.import_module(package)
    found = [Entry(package, name, getattr(library, name), "") for name in library.__all__]
    if package == "posenc_lib":
        found += [Entry(f"{package}.scaling", n, f, "scaling") for n, f in library.SCALINGS.items()]
        found += [_more(path) for path in sorted(MORE)]
    placed = [Entry(e.package, e.name, e.value, e.module or _module(e, package)) for e in found]
    known = {module for _, modules in PACKAGES[package] for module in modules}
    lost = [e.full_name for e in placed if e.module not in known]
    if lost:
        raise ValueError(f"tools/reference/api.py: no place in the reading order for {', '.join(lost)}")
    return placed


def _more(path: str) -> Entry:
    package, _, name = path.rpartition(".")
    return Entry(package, name, getattr(importlib.import_module(package), name), package.split(".", 1)[1])


def _module(entry: Entry, package: str) -> str:
    if entry.full_name in REGISTRIES:
        return REGISTRIES[entry.full_name][0]
    owner = entry.value if hasattr(entry.value, "__module__") else type(entry.value)
    return str(owner.__module__).removeprefix(package + ".")


def as_markdown(package: str) -> str:
    """The generated part of the page of one package."""
    found = entries(package)
    parts = []
    for title, modules in PACKAGES[package]:
        own = [e for module in modules for e in found if e.module == module]
        parts += [f"## {title}", *(_block(e) for e in own)]
    return "\n\n".join(parts) + "\n"


def overview(package: str) -> str:
    """A list of every name with the first sentence of its docstring, in reading order."""
    found = entries(package)
    rows = []
    for title, modules in PACKAGES[package]:
        own = [e for module in modules for e in found if e.module == module]
        names = ", ".join(f"{{py:obj}}`{e.name} <{e.full_name}>`" for e in own)
        rows.append(f"{title}\n: {names}")
    return "\n\n".join(rows) + "\n"


def without_example(package: str) -> list[str]:
    """Functions and classes that have no doctest."""
    return [
        e.full_name
        for e in entries(package)
        if (inspect.isfunction(e.value) or inspect.isclass(e.value)) and ">>>" not in _documentation(e)
    ]


def _documentation(entry: Entry) -> str:
    if entry.full_name in REGISTRIES:
        return REGISTRIES[entry.full_name][1]
    return inspect.getdoc(entry.value) or ""


def _block(entry: Entry) -> str:
    """The ``py:`` directive of one object, with its methods inside."""
    text = _documentation(entry)
    scope = entry.full_name if inspect.isclass(entry.value) else ""
    body = [_render(text, entry.value, scope)]
    if inspect.isclass(entry.value):
        kind, signature = "class", _signature(entry.value)
        if issubclass(entry.value, Exception):
            kind, signature = "exception", ""
        body += [_method(entry, name) for name in _methods(entry.value)]
    elif callable(entry.value) and inspect.isfunction(entry.value):
        kind, signature = "function", _signature(entry.value)
    else:
        kind, signature = "data", ""
        if isinstance(entry.value, dict):
            body.append("Names: " + ", ".join(f"`{key}`" for key in entry.value) + ".")
    return _directive(kind, entry.name + signature, entry.package, "\n\n".join(body), ticks=5)


def _method(entry: Entry, name: str) -> str:
    raw = inspect.getattr_static(entry.value, name)
    member = raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw
    text = _render(inspect.getdoc(getattr(entry.value, name)) or "", member, entry.full_name)
    if isinstance(raw, property):
        return _directive("property", f"{entry.name}.{name}", entry.package, text, ticks=4)
    signature = _signature(member, method=not isinstance(raw, staticmethod))
    flags = (":classmethod:",) if isinstance(raw, classmethod) else ()
    return _directive("method", f"{entry.name}.{name}{signature}", entry.package, text, 4, flags)


def _methods(cls: type) -> list[str]:
    """Public methods that the class itself writes and documents, in its own order."""
    return [
        name
        for name, member in vars(cls).items()
        if not name.startswith("_")
        and isinstance(member, (property, classmethod, staticmethod)) | inspect.isfunction(member)
        and getattr(getattr(member, "__func__", member), "__doc__", None)
    ]


def _directive(kind: str, head: str, package: str, body: str, ticks: int, flags: tuple[str, ...] = ()) -> str:
    fence = "`" * ticks
    return "\n".join([f"{fence}{{py:{kind}}} {head}", f":module: {package}", *flags, "", body, fence])


def _signature(value: Any, method: bool = False) -> str:
    """Names and defaults; the types stand beside the arguments."""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except ValueError:
        return ""
    plain = [p.replace(annotation=p.empty, default=_default(p.default)) for p in parameters[method:]]
    return str(inspect.Signature(plain))


class _Shown:
    """A default value that prints as people write it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty or isinstance(value, (int, float, str, bool, type(None), tuple)):
        return value
    if isinstance(value, enum.Enum) or inspect.isclass(value):
        return _Shown(value.__name__)
    if type(value).__name__ == "dtype":
        return _Shown(str(value))
    return _Shown("…")


def _render(text: str, value: Any, scope: str) -> str:
    """A docstring as MyST: paragraphs, then its sections as lists."""
    parts = []
    for title, lines in _sections(text.splitlines()):
        content = inspect.cleandoc("\n".join(lines)) if title else "\n".join(lines).strip()
        if title in ("Args", "Parameters", "Raises", "Args, Returns, Raises"):
            heading = {"Parameters": "Args"}.get(title, title)
            items = _items(content, value if heading == "Args" else None, scope)
            parts.append(f"**{heading}**" + ("\n\n" if ":   " in items else ": ") + items)
        elif title in ("Example", "Examples"):
            parts += ["**Example**", _prose(content, scope)]
        elif title:
            parts.append(f"**{title}**: " + _prose(content, scope))
        elif content:
            parts.append(_prose(content, scope))
    return "\n\n".join(parts)


def _sections(lines: list[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        heading = _SECTION.match(line)
        if heading and (line.rstrip().endswith(":") or heading[2] or line.strip() in ("Parameters", "Raises")):
            found.append((heading[1], [heading[2]] if heading[2] else []))
        elif line.strip() == "Examples":
            found.append(("Examples", []))
        elif not re.fullmatch(r"-{3,}", line.strip()):
            found[-1][1].append(line)
    return found


def _items(content: str, value: Any, scope: str) -> str:
    """``name: text`` lines as a definition list, each name with its type; anything else as prose."""
    rows: list[list[str]] = []
    for line in content.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            rows.append([entry[1], entry[2]])
        elif rows and (line.startswith(" ") or not line.strip()):
            rows[-1][1] += " " + line.strip()
        elif rows and value is None:
            rows[-1][1] += " " + line.strip()
        else:
            return _prose(content, scope)
    types = _types(value) if value is not None else {}
    return "\n\n".join(_item(names, text, types, scope) for names, text in rows)


def _item(names: str, text: str, types: dict[str, str], scope: str) -> str:
    shown = list(dict.fromkeys(types[n] for n in names.replace("*", "").split(", ") if n in types))
    term = ", ".join(f"`{name}`" for name in names.split(", "))
    return f"{term}{' : *' + shown[0] + '*' if len(shown) == 1 else ''}\n:   {_prose(text, scope)}"


def _types(value: Any) -> dict[str, str]:
    target = value.__init__ if inspect.isclass(value) and "__init__" in vars(value) else value
    try:
        parameters = inspect.signature(target).parameters.values()
    except (ValueError, TypeError):
        return {}
    return {p.name: _type(p.annotation) for p in parameters if p.annotation is not p.empty}


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return text.replace(" | ", " or ").replace("[", r"\[").replace("*", r"\*")


def _prose(text: str, scope: str) -> str:
    """reStructuredText of the kind our docstrings use, as MyST."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        if block.lstrip().startswith(">>>"):
            blocks.append("```pycon\n" + inspect.cleandoc(block) + "\n```")
        elif block.lstrip().startswith(".. math::"):
            formula = " ".join(line.strip() for line in lines).removeprefix(".. math:: ")
            blocks.append(f"$$\n{formula}\n$$")
        elif len(lines) > 1 and all(_ENTRY.match(line) for line in lines):
            blocks.append(_items(block, None, scope))
        else:
            blocks.append(_inline(" ".join(line.strip() for line in lines), scope))
    return "\n\n".join(blocks)


def _inline(text: str, scope: str) -> str:
    kept: list[str] = []

    def keep(done: str) -> str:
        kept.append(done)
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"``(.+?)``", lambda found: keep(f"`{found[1]}`"), text)
    text = _MATH.sub(lambda found: keep("{math}`" + found[1].replace("\n", " ") + "`"), text)
    text = _ROLE.sub(lambda found: keep(_link(found[2], scope)), text)
    text = re.sub(r"(?<![`\w])`([^`]+)`", lambda found: keep(f"`{found[1]}`"), text)
    text = text.replace("[", r"\[").replace("<", r"\<").replace("|", r"\|").replace("$", r"\$")
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], text)


def _link(target: str, scope: str) -> str:
    """A link to a documented object; code where the docstring names something internal."""
    last = target.split(".")[-1]
    if scope and (attribute := scope + "." + last) and hasattr(_resolve(scope), last):
        return f"{{py:obj}}`{last} <{attribute}>`"
    known = {e.name: e.full_name for package in PACKAGES for e in entries(package)}
    return f"{{py:obj}}`{last} <{known[last]}>`" if last in known else f"`{last}`"


def _resolve(full_name: str) -> Any:
    package, _, name = full_name.rpartition(".")
    module: ModuleType = importlib.import_module(package)
    return getattr(module, name)
