"""The Sphinx extension of the site: what the modules beside it do to pages, and in which order.

MyST-NB chooses among an output's forms at 4, Sphinx resolves references at 10, and what is hidden becomes a
fold at 199.
"""

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from tools import (
    answers,
    break_steps,
    chapter_numbers,
    citations,
    equation_links,
    folds,
    fonts,
    formulas,
    languages,
    lean_site,
    live_figures,
    margin_notes,
    outside_links,
    page_facts,
    page_head,
    rocq_pages,
    search_index,
    sharing,
    steps,
    styles,
    try_it,
    try_links,
)

_Changes = Callable[[Any, nodes.document, str], None]
#: How a page that has been read is changed.
PRIORITY = {
    steps.as_rows: 5,  # what follows finds steps, and no formulas with a check box
    break_steps.add_controls: 6,
    equation_links.numbers_for_labels: 7,
    folds.gather: 8,  # counts the steps that it gathers
    answers.into_solutions: 9,
    margin_notes.sources_beside: 12,
    languages.name_chinese: 13,  # what a note beside a paragraph says, too
    languages.keep_numbers: 14,
    formulas.keep_together: 900,  # inline formulas that references brought, too
}
#: What completes a page that is to be written.
COMPLETE = (
    page_facts.say,
    page_head.complete_head,
    live_figures.load_scripts,
    sharing.tell,  # asks for the description
    lean_site.lighten,  # after all who add scripts
)
#: What is done when all pages are there.
FINISH = (
    lean_site.without_unused_files,
    fonts.cut_all,
    sharing.write_root_pages,
    search_index.write,
    try_it.write_files,  # which no page names
    styles.lighten_all,
)


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    chapter_numbers.replace_sphinx_s_own()
    formulas.setup(app)
    app.add_node(folds.fold, html=(folds.visit, folds.depart))
    app.add_node(steps.step, html=(steps.visit, steps.depart))
    for change, priority in PRIORITY.items():
        app.add_post_transform(_transform(change, priority))
    app.connect("config-inited", lean_site.without_thebe)
    app.connect("config-inited", sharing.know_the_address)
    app.connect("builder-inited", citations.letter_years, priority=900)  # once it is read
    app.connect("builder-inited", search_index.without_sphinx_s_index)
    app.connect("doctree-resolved", try_links.add_links)
    app.connect("html-collect-pages", rocq_pages.pages)
    for part in COMPLETE:
        app.connect("html-page-context", part, priority=900)  # after the theme
    app.connect("build-finished", _finish, priority=900)
    app.connect("linkcheck-process-uri", outside_links.asked_instead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _transform(change: _Changes, priority: int) -> type[SphinxPostTransform]:
    class Change(SphinxPostTransform):
        default_priority = priority
        formats = ("html",)

        def run(self, **kwargs: Any) -> None:
            change(self.app, self.document, self.env.docname)

    return Change


def _finish(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for part in FINISH:
            part(app)
