"""A page that holds a live figure loads its script, and no other page does.

A live figure is an element, say ``<two-hands>``, with a still figure inside; ``assets/figures/two-hands.js``
makes it move. Classic scripts, because modules do not load where a page is opened from disk.
"""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "figures"
SHARED = ("formulas.js", "live.js")  # what every live figure needs, in this order


def figures() -> list[str]:
    """The names of all live figures, which are those of their elements and scripts."""
    return sorted(script.stem for script in FOLDER.glob("*.js") if script.name not in SHARED)


def needed(html: str) -> list[str]:
    """The files in :data:`FOLDER` that a page with this text loads, in order; most need none."""
    held = [f"{name}.js" for name in figures() if f"<{name} " in html]
    return ["figures.css", *SHARED, *held] if held else []


def load_scripts(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Let a page load what its figures need, or the editor of "Try it here"."""
    body = context.get("body", "")
    files = [f"figures/{name}" for name in needed(body)]
    files += ["try/try.css", "try/try.js"] if '<form class="try-it"' in body else []
    for file in files:
        if file.endswith(".css"):
            app.add_css_file(file)
        else:
            app.add_js_file(file, defer="defer")
