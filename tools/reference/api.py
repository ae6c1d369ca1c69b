"""The API pages: every public name under the folder that it lives in. What is said of it, autodoc writes."""

import ast
import inspect
from importlib import import_module
from importlib.util import resolve_name
from itertools import groupby
from pathlib import Path
from types import ModuleType

from sphinx.pycode import ModuleAnalyzer

from posenc_lib import SCALINGS, analysis
from tools.walls import walls

PACKAGES = ("posenc_lib", "posenc_lib.hf", "posenc_lib.kernels", "posenc_proofs")
#: Public where they are, though not at the top of the package.
FURTHER = {
    "posenc_lib.analysis": analysis.__all__,
    "posenc_lib.encoding": ["Encoding", "AddedEncoding", "Positions", "Term", "Tile"],
    "posenc_lib.rotary.scaling.rules": ["scale", *SCALINGS],
}


def public(package: str) -> dict[str, ModuleType]:
    """The name by which people import each object → the module that writes it, as the package itself says."""
    library = import_module(package)
    file = Path(str(library.__file__))
    stub = file.with_suffix(".pyi")
    found = {}
    for node in ast.parse((stub if stub.exists() else file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            home = import_module(resolve_name("." * node.level + str(node.module), package))
            names = home.__all__ if node.names[0].name == "*" else [name.name for name in node.names]
            found |= {f"{package}.{name}": home for name in names if name in library.__all__}
    more = FURTHER if package == "posenc_lib" else {}
    return found | {f"{home}.{name}": import_module(home) for home, names in more.items() for name in names}


def as_markdown(package: str) -> str:
    """The generated part of a page: an overview, then folder by folder, in each as its modules write."""
    rooms = list(walls())  # in reading order

    def wing(item: tuple[str, ModuleType]) -> str:
        return str(item[1].__package__).removeprefix(f"{package}.").removeprefix("posenc_lib.")

    def place(item: tuple[str, ModuleType]) -> tuple[int, str, bool, str, int]:
        name, home = item
        room = rooms.index("/".join(str(home.__package__).split(".")[:2]))
        later = not name.endswith((".specs", ".use_in"))  # which most people look for
        return room, wing(item), later, home.__name__, list(vars(home)).index(name.rpartition(".")[2])

    overview, sections = [], []
    for folder, group in groupby(sorted(public(package).items(), key=place), wing):
        own, title = list(group), folder.replace(".", ": ").capitalize()
        overview.append(f"{title}\n: " + ", ".join(f"{{py:obj}}`~{name}`" for name, _ in own))
        text = inspect.getdoc(import_module(str(own[0][1].__package__))) or ""
        blocks = [f".. py:currentmodule:: {package}", text, *(_directive(*one) for one in own)]
        sections.append(f"## {title}\n\n```{{eval-rst}}\n" + "\n\n".join(blocks) + "\n```")
    return "\n\n".join((overview if len(overview) > 1 else []) + sections) + "\n"


def _directive(full_name: str, home: ModuleType) -> str:
    package, _, name = full_name.rpartition(".")
    value = getattr(home, name)
    if inspect.isfunction(value):
        return f".. autofunction:: {full_name}"
    if inspect.isclass(value):  # of a named tuple's fields Python would say "Alias for field number 0"
        fields = "\n   :exclude-members: " + ", ".join(value._fields) if hasattr(value, "_fields") else ""
        return f".. autoclass:: {full_name}{fields}"
    # autodoc would look for the docstring of a value in the module of its name, not in the one that writes it
    written = ModuleAnalyzer.for_module(home.__name__).find_attr_docs().get(("", name))
    lines = written or str(inspect.getdoc(value)).splitlines()
    names = ["Names: " + ", ".join(f"``{key}``" for key in value) + "."] if isinstance(value, dict) else []
    head = [f".. py:data:: {name}", f"   :module: {package}", ""]
    return "\n".join([*head, *(f"   {x}" for x in lines + names)])
