"""Records of a derivation that was written in LaTeX, in the dialect that is compared with theorems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .text import Block, blocks
from .typed import Hand
from .variants import plain as scope_of


def plain(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records, each formula, definition and scope read as the author's text was.

    Raises:
        Unread, Misread: for what is no such text.
    """
    hand = Hand()
    every = [record for record in records if record["kind"] not in ("refuted", "words")]
    scopes = [scope_of(record["scope"], hand) for record in every]  # what they declare, first
    return [
        {
            **record,
            "scope": said,
            "latex": formula(record["latex"], hand),
            "meant": [formula(meant, hand) for meant in record["meant"]],
        }
        for record, said in zip(every, scopes, strict=True)
    ]


def formula(latex: str, hand: Hand) -> str:
    """A row, or a chain of them, on one line."""
    (block,) = blocks(f"eq-x: {_on_one_line(latex)}")
    assert isinstance(block, Block)
    return " ".join([hand.plain(block.left), *(f"{r.relation} {hand.plain(r.right)}" for r in block.rows)])


def _on_one_line(latex: str) -> str:
    inner = latex.removeprefix("\\begin{aligned}\n").removesuffix("\n\\end{aligned}")
    return latex if inner == latex else inner.replace(" \\\\\n&", " ").replace(" &", " ")
