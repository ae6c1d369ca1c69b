"""A Sphinx extension: the order in which the site's own transforms change a page that has been read.

MyST-NB chooses among an output's forms at 4, Sphinx resolves references at 10, and what is hidden becomes a
fold at 199.
"""

from __future__ import annotations

from typing import Any

from tools.answers import Answers
from tools.break_steps import BreakSteps
from tools.equation_links import NumbersForLabels
from tools.folds import Fold
from tools.formulas import KeptTogether
from tools.margin_notes import SourcesBeside
from tools.steps import AsRows

PRIORITY = {
    AsRows: 5,  # what follows finds steps, and no formulas with a check box
    BreakSteps: 6,
    NumbersForLabels: 7,
    Fold: 8,  # counts the steps that it gathers
    Answers: 9,
    SourcesBeside: 12,
    KeptTogether: 900,  # inline formulas that references brought, too
}


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    for transform, transform.default_priority in PRIORITY.items():
        app.add_post_transform(transform)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
