"""Tables of derivations in LaTeX, each with what is expected of it.

A case stands between blank lines: its name behind #, its text, as a cell has it, and then at the margin

    slip: x + 1          this right side of its last row is false: it is refused, with a point
    open: x + 1          and this one, of which no point is known, is not proved
    says: for all x      the badge of its last result has these words
    refused: the name x  the whole is refused, in these words
    print: x + 1 = 1     shown so, its last result is not what was proved
    scope: for all x     nor said for these values
    meant: f := 1        nor with its last name defined so
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.latex.statements import Derived
from posenc_proofs.text.blocks import blocks

EXPECTED = re.compile(r"^(slip|open|says|refused|print|scope|meant): (.*)$", re.MULTILINE)


class Case(NamedTuple):
    """A derivation, and what is expected of it: kinds and words."""

    name: str
    text: str
    expected: list[tuple[str, str]]

    def of(self, kind):
        """What is expected, of one kind."""
        return [words for k, words in self.expected if k == kind]

    def with_right(self, right):
        """The text with another right side in its last row."""
        *_, last = blocks(self.text)
        relation = last.rows[-1].relation
        before, row, after = self.text.rpartition(f"{relation} {last.rows[-1].right}")
        assert row, f"{self.name}: the last right side stands on one line, behind its sign"
        return f"{before}{relation} {right}{after}"


def cases(path):
    """Those of a file."""
    for part in re.split(r"\n{2,}", path.read_text(encoding="utf-8").strip("\n")):
        heading, text = re.match(r"(?:# (.*)\n?)?((?:.|\n)*)", part).groups()
        if text:  # a heading may stand alone
            name = heading or re.findall(r"^eq-x: (.*)", text, re.MULTILINE)[-1]
            yield Case(f"{path.stem}: {name}", EXPECTED.sub("", text).rstrip("\n"), EXPECTED.findall(text))


def all_cases():
    """Those of all tables, by name."""
    found = [case for path in sorted(Path(__file__).parent.glob("tables/*.txt")) for case in cases(path)]
    named = {case.name: case for case in found}
    assert len(named) == len(found), "two cases of one name"
    return named


def written(text):
    """The derivation of a text; what is proved in it is read again from what is shown, and is the theorem."""
    D = Derivation("case")
    D.write(text)
    confirm(D)
    return D


def confirm(D, **instead):
    """Read the results of a derivation again, with some of the last one's record replaced."""
    records = [json.loads(json.dumps(result.record())) for result in D.results.values()]
    records[-1] |= instead
    derived = Derived(records, D.claimed, D.proof.elsewhere)
    for record in records:
        if record["certificates"]:
            derived.confirm(record["label"])
