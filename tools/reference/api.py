"""The API pages: every public name of the library and of the checker, from its signature and docstring."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from functools import cache
from typing import Any

from .docstrings import render, type_text

LIBRARY = (
    ("Frequencies and their scaling", ("frequencies", "scaling", "yarn", "context_limit")),
    ("Describing a rotary encoding", ("spec", "hf_config")),
    ("Positions", ("positions", "positions_axes")),
    ("Tables and rotations", ("tables", "rotary", "modules", "layout")),
    ("Several axes, and xPos", ("axes", "xpos")),
    ("Encodings that are added", ("additive", "additive_modules")),
    ("Biases on scores", ("bias", "bias.base", "bias.t5", "bias.alibi", "bias.kerple", "bias.fire",
                          "bias.sandwich")),
    ("Relative terms that read the content", ("relative", "content_terms")),
    ("Attention", ("attention_softmax", "multihead", "attention_linear")),
    ("Measuring what holds approximately", ("decay", "analysis", "defects")),
)  # fmt: skip
PROOFS = (
    ("Letters and their domains", ("terms.symbols", "write.definitions", "terms.matrices", "terms.blocks",
                                   "terms.extrema", "terms.modulus")),
    ("Deciding one statement", ("prove.check", "values.evaluate", "values.point", "terms.statement",
                                "terms.verdict", "show.printer")),
    ("Derivations", ("write.derivation", "write.claims", "show.results")),
    ("Rules: how a row follows", ("rules.identity", "rules.follows", "rules.induction", "rules.finite",
                                  "rules.bounds", "rules.termwise", "rules.adding", "rules.certified",
                                  "rules.antiderivative", "rules.limits", "rules.jets")),
)  # fmt: skip
KERNELS = (("Fused kernels, in `posenc_lib.kernels`", ("fused", "phase")),)
PACKAGES = {"posenc_lib": LIBRARY, "posenc_lib.kernels": KERNELS, "posenc_lib.proofs": PROOFS}
# Registries, which have no docstring of their own: where they live, and what they hold.
REGISTRIES = {
    "posenc_lib.SCALINGS": ("scaling", "The scaling rules by name, for ``RotarySpec(scaling=…)``."),
    "posenc_lib.BIASES": ("bias", "The classes of score biases by name."),
}
# Public where they are, though not at the top of the package.
MORE = {"posenc_lib.rotary.scaling.rules.scale"}


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
    """Everything in ``__all__``, the rules behind a registry, and the few public names beside it."""
    library = importlib.import_module(package)
    found = [Entry(package, name, getattr(library, name), "") for name in library.__all__]
    if package == "posenc_lib":
        found += [Entry(f"{package}.scaling", n, f, "scaling") for n, f in library.SCALINGS.items()]
        found += [_more(path) for path in sorted(MORE)]
    return [Entry(e.package, e.name, e.value, e.module or _module(e, package)) for e in found]


def unplaced(package: str) -> list[str]:
    """Names whose module has no place in the reading order; they come last, under "Further names"."""
    known = {module for _, modules in PACKAGES[package] for module in modules}
    return [e.full_name for e in entries(package) if e.module not in known]


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
    overview, parts = [], []
    known = [module for _, modules in PACKAGES[package] for module in modules]
    further = tuple(dict.fromkeys(e.module for e in found if e.module not in known))
    groups = [*PACKAGES[package], *([("Further names", further)] if further else [])]
    for title, modules in groups:
        own = [e for module in modules for e in _in_order(found, module)]
        names = ", ".join(f"{{py:obj}}`{e.name} <{e.full_name}>`" for e in own)
        overview.append(f"{title}\n: {names}")
        parts += [f"## {title}", *(_block(e) for e in own)]
    return "\n\n".join((overview if len(groups) > 1 else []) + parts) + "\n"


def _in_order(found: list[Entry], module: str) -> list[Entry]:
    """The entries of one module as it writes them, values after functions and classes."""

    def line(entry: Entry) -> float:
        written = inspect.isfunction(entry.value) or inspect.isclass(entry.value)
        return inspect.getsourcelines(entry.value)[1] if written else float("inf")

    return sorted((e for e in found if e.module == module), key=line)


def without_example(package: str) -> list[str]:
    """Functions and classes that have no doctest."""
    return [
        e.full_name
        for e in entries(package)
        if (inspect.isfunction(e.value) or inspect.isclass(e.value)) and ">>>" not in _documentation(e)
    ]


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
    elif inspect.isfunction(entry.value):
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
    if type(value).__name__ == "dtype":
        return _Shown(str(value))
    return _Shown("…")


def _documentation(entry: Entry) -> str:
    if entry.full_name in REGISTRIES:
        return REGISTRIES[entry.full_name][1]
    return inspect.getdoc(entry.value) or ""


def _render(text: str, value: Any, scope: str) -> str:
    return render(text, _types(value), lambda target: _link(target, scope))


def _types(value: Any) -> dict[str, str]:
    """Argument → its type, where the signature says one."""
    target = value.__init__ if inspect.isclass(value) and "__init__" in vars(value) else value
    try:
        parameters = inspect.signature(target).parameters.values()
    except (ValueError, TypeError):  # no function, or one without a Python signature
        return {}
    return {p.name: type_text(p.annotation) for p in parameters if p.annotation is not p.empty}


def _link(target: str, scope: str) -> str:
    """A link to a documented object, a method of ``scope`` first; code for what is internal."""
    last = target.split(".")[-1]
    known = _full_names()
    if scope and (member := known[scope]) and hasattr(member, last):
        return f"{{py:obj}}`{last} <{scope}.{last}>`"
    found = next((name for name in known if name.split(".")[-1] == last), None)
    return f"{{py:obj}}`{last} <{found}>`" if found else f"`{last}`"


@cache
def _full_names() -> dict[str, Any]:
    return {e.full_name: e.value for package in PACKAGES for e in entries(package)}
