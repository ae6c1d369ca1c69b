"""What those ask of a page who find, share and cite it.

- Each page says where it is published (``page_head.address``), of which book it is a part, how to cite it.
- What is generated, the index, the search and source code, is not for search engines.
- Beside a link stands the page's first figure (``preview``), else the front page's.
- At the root lie ``sitemap.xml``, the changelog as ``feed.xml``, ``404.html``, and what leads on.
"""

import json
import re
from html import escape, unescape
from pathlib import Path
from string import Template
from typing import Any

from tools.chapter_numbers import dotted, number
from tools.contents import page_names
from tools.page_head import address, policy
from tools.preview import FIGURE, picture
from tools.search_index import sections
from tools.whole_files import write_whole

ROOT_PAGES = Path(__file__).resolve().parent / "root_pages"
CHANGELOG = "book/reference/changelog"
LICENSE = "https://creativecommons.org/licenses/by/4.0/"


def know_the_address(app: Any, config: Any) -> None:
    """Say where the site is published."""
    config.html_baseurl = address(config)  # Sphinx makes the canonical link of it


def bibtex(page: str, title: str, config: Any, url: str) -> str:
    """How the page is cited: a chapter as a part of the book, any other as the book itself.

    Example:
        >>> from types import SimpleNamespace
        >>> config = SimpleNamespace(html_title="Book", author="Us", copyright="2026")
        >>> print(bibtex("book/4-rotary/43-abel", "4.3. Abel", config, "https://a/b.html"))
        @incollection{posenc-43-abel,
          author = {{Us}},
          title = {Abel},
          booktitle = {Book},
          chapter = {4.3},
          year = {2026},
          url = {https://a/b.html}
        }
    """
    chapter = dotted(page)
    own = {"title": title.removeprefix(f"{chapter}. "), "booktitle": config.html_title, "chapter": chapter}
    fields = own if chapter else {"title": config.html_title}
    told = {"author": f"{{{config.author}}}"} | fields | {"year": config.copyright, "url": url}
    kind, key = ("incollection", "-" + page.rpartition("/")[2]) if chapter else ("book", "")
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in told.items())
    return f"@{kind}{{posenc{key},\n{lines}\n}}"


def tell(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put into a page's head what others ask of it."""
    if doctree is None:
        context["metatags"] += '<meta name="robots" content="noindex">'
        return
    config, site, url = app.config, app.config.html_baseurl, context["pageurl"]
    title = unescape(re.sub(r"<[^>]*>", "", context["title"]))
    told = unescape(re.findall('name="description" content="(.*?)"', context["metatags"])[-1])
    image = f"{config.root_doc}.png"
    if figure := FIGURE.search(context["body"]):
        image = f"{page}.png"
        drawn = Path(app.outdir, image)
        drawn.parent.mkdir(parents=True, exist_ok=True)
        write_whole(drawn, picture(title, config.html_title, figure[0]))
    said = {
        "og:title": title, "og:type": "article", "og:url": url, "og:site_name": config.html_title,
        "og:description": told, "og:image": f"{site}{image}",
        "twitter:card": "summary_large_image", "citation_title": title, "citation_author": config.author,
        "citation_publication_date": config.copyright, "citation_inbook_title": config.html_title,
        "citation_public_url": url,
    }  # fmt: skip
    graph = {
        "@context": "https://schema.org", "@type": "Chapter" if number(page) else "WebPage", "name": title,
        "description": told, "url": url, "inLanguage": context["language"], "license": LICENSE,
        "author": {"@type": "Organization", "name": config.author},
        "isPartOf": {"@type": "Book", "name": config.html_title, "url": f"{site}{config.root_doc}.html"},
    }  # fmt: skip
    kinds = {name: "property" if name[:3] == "og:" else "name" for name in said}
    lines = [f'<meta {kinds[name]}="{name}" content="{escape(value)}">' for name, value in said.items()]
    data = json.dumps(graph, ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c")
    context["metatags"] += "".join(lines) + f'<script type="application/ld+json">{data}</script>'
    context["bibtex"] = bibtex(page, title, config, url)


def write_root_pages(app: Any) -> None:
    """Write what lies at the root."""
    uri, site, out = app.builder.get_target_uri, app.config.html_baseurl, Path(app.outdir)
    news = uri(CHANGELOG)
    items = (
        f"<item><title>{escape(part['heading'])}</title><link>{site}{news}#{part['id']}</link>"
        f"<description>{escape(part['text'])}</description></item>"
        for part in list(sections((out / news).read_text()))[1:]
    )
    values = {
        "title": escape(app.config.html_title), "front": uri(app.config.root_doc), "site": escape(site),
        "policy": policy(), "items": "\n".join(items),
        "pages": "\n".join(f"<url><loc>{escape(site + uri(name))}</loc></url>" for name in page_names()),
    }  # fmt: skip
    for page in ROOT_PAGES.iterdir():
        (out / page.name).write_text(Template(page.read_text()).substitute(values))
