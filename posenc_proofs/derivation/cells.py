"""Cells that begin with ``%%derive NAME``: what they derive is shown below them."""

from functools import partial
from typing import Any

from ..text.blocks import blocks
from ..text.plainly import latex
from .derivation import Derivation
from .records import Result


class Cells:
    """The derivations of a notebook. A cell that is run again begins anew where it first stood.

    What came behind it in its derivation is forgotten, as in any notebook: those cells are run again, too.
    """

    def __init__(self) -> None:
        self.page: dict[str, Result] = {}
        self.derivations: dict[str, Derivation] = {}
        self.texts: dict[str, list[str]] = {}

    def write(self, name: str, text: str) -> list[Result]:
        """What a cell derives."""
        text = latex(text, self.derivations[name].reading if name in self.derivations else None)
        before, mine = self.texts.setdefault(name, []), labels(text)
        first = next((k for k, other in enumerate(before) if other == text or mine & labels(other)), None)
        if name not in self.derivations or first is not None:
            self._begin(name, before[:first])
        try:
            made = self.derivations[name].write(text)
        except BaseException:  # the next cell finds what stood before this one
            self._begin(name, self.texts[name])
            raise
        self.texts[name].append(text)
        return made

    def _begin(self, name: str, texts: list[str]) -> None:
        for label in [label for label, result in self.page.items() if result.derivation == name]:
            del self.page[label]
        self.derivations[name] = D = Derivation(name, self.page)
        for text in texts:
            D.write(text)
        self.texts[name] = list(texts)


def labels(text: str) -> set[str]:
    """The labels that a text gives."""
    return {block.label for block in blocks(text) if not isinstance(block, str)} - {""}


def derived(names: dict[str, Any], line: str, cell: str) -> None:
    """Show what a cell derives; ``names`` keeps it, as ``derivations["abel-bound"].results["eq-004-36"]``."""
    from IPython.display import display

    cells = names.setdefault("_derive_cells", Cells())
    made = cells.write(line.strip(), cell)
    names["derivations"] = cells.derivations
    for result in made:
        display(result)


def load_ipython_extension(shell: Any) -> None:
    """After ``%load_ext posenc_proofs`` a cell ``%%derive NAME`` is read, checked and shown."""
    shell.register_magic_function(partial(derived, shell.user_ns), "cell", "derive")
