"""What no reader needs is left out of every page, and of the site.

- Pages load the scripts and style sheets that ``_config.yml`` names. Those of the theme and of extensions are
  left out; ``tools/templates`` and ``assets`` do their work. Their files that no page names are deleted.
- Figures are drawn to a tenth of a pixel (``drawings``), code is marked up where a colour will show.
- MyST-NB names every fold "Toggle hidden content" to screen readers, not as everyone else reads it.
- Docutils gives an entry of the bibliography a role that WAI-ARIA has withdrawn, and a note in the margin the
  part that a column of the page has.
"""

import re
from pathlib import Path
from typing import Any

from tools.drawings import lighter_drawing

#: Classes of docutils that neither ``assets/book.css`` nor a script asks for.
NAMED_FOR_NOBODY = r' class="(?:reference internal|row-odd|row-even)"'
#: Each word of code in a sentence; a second mark of a fold; and what has no effect in MathML Core.
MARKED_FOR_NOBODY = (
    r'<span class="pre">([^<]*)</span>|(?<=<mo) (?:fence|separator)="true"(?=>)'
    r'|<span class="sd-summary-state-marker.*?</svg></span>'
    r'|(?<=<mtd><mstyle) scriptlevel="0"|(?<=<code class=")docutils literal (?=notranslate")'
)
#: Pygments' names of what ``assets/book.css`` colours: comments, words of the language, strings, numbers.
_NAMES = "c c1 go gp k kn kc ow nd nb bp s s1 s2 sa sd si se mi mf mb mh"
COLOURED = frozenset(_NAMES.split())


def without_thebe(app: Any, config: Any) -> None:
    """Without the buttons of a service that the book does not use."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        for listener in list(app.events.listeners[event]):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)


def lighten(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave out of a page what no reader needs."""
    for kind in ("css_files", "script_files"):
        named = {f"_static/{file}" for file, _ in getattr(app.config, f"html_{kind}".replace("script", "js"))}
        context[kind] = [file for file in context[kind] if _wanted(str(file.filename), named)]
    body = context.get("body", "").replace('role="doc-biblioentry"', 'role="listitem"')
    body = body.replace('<aside class="margin', '<aside role="note" class="margin')
    body = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    body = re.sub(r'<svg role="img".*?</svg>', lambda found: lighter_drawing(found[0]), body, flags=re.DOTALL)
    body = re.sub(NAMED_FOR_NOBODY, "", body)
    body = re.sub(MARKED_FOR_NOBODY, r"\1", body)
    context["body"] = re.sub(r"<pre>.*?</pre>", lambda found: lighter_code(found[0]), body, flags=re.DOTALL)


def _wanted(file: str, named: set[str]) -> bool:
    """Named in ``_config.yml``, or of a live figure or the editor, and so added where a page holds it."""
    return file in named or file.startswith(("_static/figures/", "_static/try/"))


def lighter_code(pre: str) -> str:
    """Code in which only what has a colour is marked up."""
    span = r'<span(?: class="(\w*)")?>([^<]*)</span>'
    return re.sub(span, lambda found: found[0] if found[1] in COLOURED else found[2], pre)


def without_unused_files(app: Any) -> None:
    """Delete what no page names."""
    out = Path(app.outdir)
    static = out / "_static"
    ours = {path.name for path in (Path(app.srcdir) / "assets").rglob("*")}
    pages = "".join(page.read_text() for page in out.rglob("*.html") if static not in page.parents)
    for path in static.rglob("*"):
        if path.is_file() and path.name not in ours and path.name not in pages:
            path.unlink()
