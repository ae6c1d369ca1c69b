"""What is kept of a result, and how it shows itself: the author's own LaTeX, the reasons, the badge."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..kernel.terms import Term, subterms
from ..kernel.theorem import Theorem
from ..latex.scopes import POLES, about, require_said
from ..latex.scopes import scope as scope_of
from ..latex.shown import MARKS, badge, bundle
from ..latex.statements import Said, names_in
from ..latex.tokens import Hand, Unread
from ..refutation.slips import Counts
from ..text import scope
from ..text.blocks import Block
from ..text.reading import Known
from ..witness import opinion

MARK = {kind: said.split(" ", 1)[0] for kind, said in MARKS.items() if kind != "words"}
WORD = {kind: MARKS[kind].split(" ", 1)[1] for kind in MARK}

Chain = Sequence[Sequence[Theorem]]  # the rows of a result, and their entries


@dataclass
class Result:
    """A labelled statement with its verdict. In a notebook it shows itself as a numbered equation.

    A theorem that is stated in words has a title, and uses its steps: the checker proved these, and says no
    more than that.
    """

    label: str
    derivation: str
    kind: str
    latex: str = ""
    meant: list[str] = field(default_factory=list)  # what the names in it stand for, as it is printed
    letters: dict[str, str] = field(default_factory=dict)  # and what they range over
    axioms: list[str] = field(default_factory=list)
    certificates: dict[str, str] = field(default_factory=dict)
    methods: list[str] = field(default_factory=list)
    scope: str = ""
    reasons: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    source: str = ""
    library: str = ""
    counterexample: str = ""
    rows: list[list[Theorem]] = field(default_factory=list, repr=False)  # and their entries
    sympy_says: str = ""
    rests_on: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    wrong: list[dict[str, Any]] = field(default_factory=list)
    words: str = ""
    titles: dict[str, str] = field(default_factory=dict)  # its own, and those of its steps

    def record(self) -> dict[str, Any]:
        """What the ledger keeps."""
        in_words = self.kind == "words"
        record = vars(self) | {"status": self.kind, "reach": "", "rows": len(self.reasons)}
        record |= {"mutants": vars(self.counts), "wrong_versions": self.wrong}
        record |= {"title": self.titles[self.label]} if in_words else {"sympy": self.sympy_says}
        kept_otherwise = ("sympy_says", "counts", "wrong", "titles", "" if in_words else "words")
        return {name: what for name, what in record.items() if name not in kept_otherwise}

    def sympy(self) -> list[tuple[Any, Any]]:
        r"""Both sides of each row, and of each entry of it, as SymPy writes them, to go on with.

        Example:
            >>> from posenc_proofs import Derivation
            >>> (square,) = Derivation("d").write("for all a ∈ ℝ\neq-a: (a + 1)^2\n  = a^2 + 2a + 1")
            >>> square.sympy()
            [((a + 1)**2, a**2 + 2*a + 1)]
        """
        return [opinion.sides(th) for row in self.rows for th in row]

    def badge(self) -> str:
        """One line: what was shown, how, for which values, and how many wrong versions were refuted."""
        return badge(self.record())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return bundle(self.record(), self.titles)


def shown(
    D: Known, block: Block, kind: str, said: Sequence[Said] = (), chain: Chain = (), **more: Any
) -> Result:
    """The result of a block, as it is written, with the scope that its theorems ask for."""
    ths = [th for row in chain for th in row]
    latex = as_written(block, kind == "refuted")
    own = _meant(D.reading.meant, latex) if kind != "defined" else []
    behind = [m for used in more.get("uses", ()) for m in D.results[used].meant]
    sides = [side for s in said for side in (*s.left, *s.right)]
    opened = [D.opened(t).right for t in sides]
    known = {
        "letters": scope.domains(D.reading.said, names_in([*sides, *opened])),
        "axioms": sorted({axiom for th in ths for axiom in th.axioms}),
        "scope": _scope(D, sides, opened, ths, kind == "assumed", D.reading.spoken(latex)) if said else "",
        "reasons": [row.reason for row in block.rows],
        **{name: block.beside.get(name, "") for name in ("source", "library")},
        "meant": list(dict.fromkeys(own + behind)),
        "rows": [list(row) for row in chain],
    }
    return Result(block.label, D.name, kind, latex, **{**known, **more})


def _scope(
    D: Known, sides: list[Term], opened: list[Term], ths: list[Theorem], assumed: bool, spoken: set[str]
) -> str:
    """The scope of the letters of a result; what its theorems ask for has to be said."""
    names = {*names_in([*sides, *opened]), *spoken}
    supposed = {h for row in D.supposed.values() for th in row for h in th.hypotheses}
    behind = [h for th in ths for h in th.hypotheses & supposed]
    plain = (h._replace(left=D.opened(h.left).right, right=D.opened(h.right).right) for h in behind)
    given = set[str]().union(*map(about, plain))
    constants = D.reading.said.constants if assumed or behind else set()
    said_here = D.reading.said._replace(given=given, constants=constants)
    conditions = [h for th in ths for h in th.hypotheses if h.relation != "=" and not h.universal]
    limits = {s.hint for t in opened for s in subterms(t) if s.head == "lim"}
    whole = sorted(D.reading.said.whole & limits)
    through = "".join(f", as {scope.shown(n, D.reading.hand)} → ∞ in ℕ₊" for n in whole)
    narrower = [(said, more) for more in ("", POLES) for said in (False, True)] if ths else [(True, "")]
    for said, more in narrower:
        words = scope.said(said_here, names - set(D.meanings), D.reading.hand, said, assumed) + through + more
        try:
            of_words = scope_of(words, Hand())
            require_said(of_words, names_in(opened) if ths else {}, conditions, sides + opened)
            return words
        except Unread as unsaid:
            reason = unsaid
    raise reason


def as_written(block: Block, false: bool = False) -> str:
    """As the author wrote it, a relation a line; ≟ marks what is false."""
    asked = (r"\overset{?}{", "}") if false else ("", "")
    rows = [f"{row.relation.join(asked)} {row.right}" for row in block.rows]
    if len(rows) == 1:
        return f"{block.left} {rows[0]}"
    lines = " \\\\\n".join(f"&{row}" for row in rows)
    return f"\\begin{{aligned}}\n{block.left} {lines}\n\\end{{aligned}}"


def _meant(definitions: Sequence[str], latex: str) -> list[str]:
    """The definitions of names in a formula, and of names in these."""
    found: list[str] = []
    while more := [m for m in definitions if m not in found and any(_uses(m, f) for f in (latex, *found))]:
        found += more
    return [m for m in definitions if m in found]


def _uses(definition: str, latex: str) -> bool:
    """Whether a formula has the name that is defined."""
    head = re.split(r"[_(^]| ?:=", definition)[0].strip().replace(r"\boldsymbol", "").strip("{} ")
    before = r"(?<!\\)" if head.startswith("\\") else r"(?<![a-zA-Z\\])"  # i\theta is i times θ
    return re.search(rf"{before}{re.escape(head)}(?![a-zA-Z])", latex) is not None
