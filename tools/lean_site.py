"""A Sphinx extension that leaves out of every page four things it does not need.

- ``sphinx-thebe`` (always loaded by Jupyter Book) declares a constant twice, a script error on every page,
  and names another host. The book has no Thebe button.
- The theme ships its icons twice: as fonts, and as a script of half a megabyte, gzipped, that redraws them.
- MyST-NB names every fold "Toggle hidden content" to screen readers, not as everyone else reads it.
- Docutils gives an entry of the bibliography a role that WAI-ARIA has withdrawn.
"""

from pathlib import Path
from typing import Any

from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput, visit_HideCellInput


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, html=(_visit_fold, depart_HideCellInput))
    app.connect("config-inited", _without_thebe)
    app.connect("html-page-context", _without_old_role)
    app.connect("build-finished", _without_icon_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _without_thebe(app: Any, config: Any) -> None:
    for event in ("env-before-read-docs", "doctree-resolved"):
        for listener in list(app.events.listeners[event]):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)


def _without_icon_script(app: Any, error: Exception | None) -> None:
    script = Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"
    if script.exists():
        script.write_text("")


def _without_old_role(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    context["body"] = context.get("body", "").replace('role="doc-biblioentry"', 'role="listitem"')


def _visit_fold(writer: Any, node: Any) -> None:
    start = len(writer.body)
    visit_HideCellInput(writer, node)
    opened = "".join(writer.body[start:])
    writer.body[start:] = [opened.replace(' aria-label="Toggle hidden content"', "")]
