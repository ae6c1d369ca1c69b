"""The Sphinx extension of the site: what the modules beside it do to pages, and in which order.

MyST-NB chooses among an output's forms at 4, Sphinx resolves references at 10, and what is hidden becomes a
fold at 199.
"""

from typing import Any

from tools import (
    chapter_numbers,
    citations,
    folds,
    fonts,
    formulas,
    languages,
    lean_site,
    live_figures,
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
from tools.answers import Answers
from tools.break_steps import BreakSteps
from tools.equation_links import NumbersForLabels
from tools.margin_notes import SourcesBeside

#: How a page that has been read is changed.
PRIORITY = {
    steps.AsRows: 5,  # what follows finds steps, and no formulas with a check box
    BreakSteps: 6,
    NumbersForLabels: 7,
    folds.Fold: 8,  # counts the steps that it gathers
    Answers: 9,
    SourcesBeside: 12,
    languages.ChineseNamed: 13,  # what a note beside a paragraph says, too
    formulas.KeptTogether: 900,  # inline formulas that references brought, too
}
#: What completes a page that is to be written.
COMPLETE = (
    page_facts.say,
    page_head.complete_head,
    live_figures.load_scripts,
    try_it.load_script,
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
    app.setup_extension("myst_nb")
    chapter_numbers.replace_sphinx_s_own()
    formulas.setup(app)
    app.add_node(folds.fold, html=(folds.visit, folds.depart))
    app.add_node(steps.step, html=(steps.visit, steps.depart))
    for transform, transform.default_priority in PRIORITY.items():
        app.add_post_transform(transform)
    app.connect("config-inited", lean_site.without_thebe)
    app.connect("config-inited", sharing.know_the_address)
    app.connect("builder-inited", citations.letter_years, priority=900)  # once it is read
    app.connect("builder-inited", search_index.without_sphinx_s_index)
    app.connect("doctree-resolved", try_links.add_links)
    app.connect("html-collect-pages", search_index.page)
    app.connect("html-collect-pages", rocq_pages.pages)
    app.connect("html-page-context", _complete, priority=900)  # after the theme
    app.connect("build-finished", _finish, priority=900)
    app.connect("linkcheck-process-uri", outside_links.asked_instead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    for part in COMPLETE:
        part(app, page, context, doctree)


def _finish(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for part in FINISH:
            part(app)
