"""What search engines and browser tabs need.

- Each page has a description, its first sentences, and the front page's title is said once.
- A content security policy lets pages run the site's own scripts, load its own files, and nothing else.
"""

import base64
import hashlib
import re
from html import escape
from typing import Any

from docutils import nodes

from tools.said import MARKED

LONGEST = 160  # characters of a description; search engines cut longer ones

#: Runs before anything is drawn, so no page flashes. Where storage is refused: the system's scheme, and code.
#: A first visit has the book's letters, and those of formulas, if they are asked for here; a page from disk
#: may not ask like this.
SHOWN = (
    "if (location.protocol !== 'file:') for (const face of ['fonts/serif-normal', 'fonts/serif-italic',"
    " ...('drawn' in document.currentScript.dataset"
    " ? ['katex/fonts/KaTeX_Main-Regular', 'katex/fonts/KaTeX_Math-Italic'] : [])])"
    " document.head.append(Object.assign(document.createElement('link'),"
    " { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '',"
    " href: `${document.documentElement.dataset.content_root}_static/${face}.woff2` }));"
    "try { Object.assign(document.documentElement.dataset,"
    " { theme: localStorage.theme || 'auto', code: localStorage.code || 'shown' }) } catch {}"
)


def policy(*scripts: str) -> str:
    """The policy of a page with these inline scripts. Formulas and figures have inline styles."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in digests)])
    shown = "style-src 'self' 'unsafe-inline'; img-src 'self' data:"
    rest = "object-src 'none'; base-uri 'none'; form-action 'self'"
    return f"default-src 'self'; script-src {allowed}; {shown}; {rest}"


def complete_head(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give a page its description, language and policy."""
    # without a text of its own: the index, the search, and a module's source code
    told = f"{context.get('title', page.capitalize())}: {app.config.html_title}"
    told = description(doctree) if doctree is not None else told
    # the viewport's is in the layout
    context["metatags"] = f'<meta name="description" content="{escape(told)}">'
    language = app.env.metadata.get(page, {}).get("lang", app.config.language)  # a page may name its own
    context["drawn"] = " data-drawn" * ('class="katex-html"' in context.get("body", ""))
    context |= {"shown_script": SHOWN, "policy": policy(SHOWN), "language": language}
    if page == app.config.root_doc:
        context["docstitle"] = ""  # it is this page's own title


def description(document: nodes.document) -> str:
    """The first sentences that need no TeX, at most ``LONGEST`` characters; else the title."""
    paragraphs = (p for p in document.findall(nodes.paragraph) if isinstance(p.parent, nodes.section))
    text = MARKED.sub(r"\2", " ".join(next(paragraphs, document).astext().split()))
    said = ""
    for sentence in re.split(r"(?<=[.?!:])(?<!al\.) ", text):
        longer = f"{said} {sentence}".strip()
        if re.search(r"[\\{]|:$", sentence) or len(longer) > LONGEST:
            break
        said = longer
    return said or f"{document.next_node(nodes.title).astext()}, a page of the book"


def address(config: Any) -> str:
    """Where the site is published: ``html_baseurl``, else GitHub Pages of the repository."""
    repository = config.html_theme_options["repository_url"]
    owner, name = repository.rstrip("/").split("/")[-2:]
    return config.html_baseurl or f"https://{owner}.github.io/{name}/"
