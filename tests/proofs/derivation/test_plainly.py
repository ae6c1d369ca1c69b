"""A text typed without backslashes: what it is understood as, what is said of it, and what is refused."""

import json
import re
from pathlib import Path

import pytest
import yaml

from posenc_proofs.derivation.answers import answers
from posenc_proofs.latex.tokens import Unread
from posenc_proofs.text.blocks import blocks
from posenc_proofs.text.plainly import latex
from posenc_proofs.text.reading import Reading

BOOK = Path(__file__).parents[3] / "book"
TABLES = yaml.safe_load(Path(__file__).with_name("plainly.yml").read_text(encoding="utf-8"))
SAID = (
    "for all a, b, c, x, theta, phi, mu1 in R, i, j, N in N, n in N+, m in Z, z, w in C "
    "and every real sequence h and every complex sequence omega and every smooth real function f\n"
)


@pytest.mark.parametrize(("typed", "shown", "kind"), TABLES["typed"])
def test_what_is_typed_is_shown_as_it_is_understood(typed, shown, kind):
    *_, answer = answers(SAID + typed)
    asked = re.sub(r"\\overset\{\?\}\{(.*?)\}", r"\1", answer.latex)
    assert (asked, answer.kind) == (shown, kind), answer.said


@pytest.mark.parametrize(("typed", "reason"), TABLES["refused"])
def test_what_cannot_be_read_is_refused_with_its_place(typed, reason):
    with pytest.raises(Unread, match=reason):
        latex(SAID + typed)


def test_what_is_a_word_and_a_product_is_refused():
    with pytest.raises(Unread, match=r"column 3: mu may be m\*u, or μ"):
        latex("for all m, u in R\n2*mu = 2*m*u")


def test_lines_reasons_rules_and_places_stay_where_they_are():
    text = SAID + (
        "eq-a: 2*a\n    + b       -- first\n  <= h(i) + b  -- why  [follows eq-b (theta = 2*a), times exp(x)]"
        "\n  source: from 2 to theta\nrefute eq-c: a = 2*b\n  at: a = theta/2, h(0) = 3*2"
    )
    assert latex(text).split("\n")[1:] == [
        r"eq-a: 2 a + b", "           -- first",
        r"  \le h_i + b  -- why  [follows eq-b (\theta = 2 a), times e^{x}]",
        "  source: from 2 to theta", "refute eq-c: a = 2 b", r"  at: a = \frac{\theta}{2}, h_0 = 3 \cdot 2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", TABLES["exercises"])
def test_exercises_are_proved_as_they_are_typed(name):
    assert {answer.kind for answer in answers(TABLES["exercises"][name])} == {"proved"}


def test_latex_is_never_rewritten():
    seen = 0
    for page in BOOK.glob("*/*.ipynb"):
        readings = {}
        for cell in json.loads(page.read_text())["cells"]:
            head = re.match(r"%%derive (\S+-\S+)\n", source := "".join(cell["source"]))
            if head is None:
                continue
            reading, text = readings.setdefault(head[1], Reading()), source[head.end() :]
            assert latex(text, reading) == text
            seen += 1
            for block in blocks(text):
                if isinstance(block, str):
                    reading.declare(block)
    assert seen
