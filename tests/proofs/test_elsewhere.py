"""Derivations from elsewhere: each has certificates, and its slips have none."""

import pytest
from elsewhere import ELSEWHERE, At

from posenc_lib.proofs import (
    Derivation,
    ProofError,
    Undecided,
    adding,
    cauchy_schwarz,
    eq,
    follows,
    identity,
    induction,
    le,
)
from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.kernel.ring import canon
from posenc_lib.proofs.kernel.terms import ONE, ZERO, num, subterms, var
from posenc_lib.proofs.search import equations, inequalities
from posenc_lib.proofs.search.induction import inductions
from posenc_lib.proofs.search.order import turned
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.read import term

NAMES = [case.name for case in ELSEWHERE]


class Searched:
    """A derivation whose rows the search proves."""

    def __init__(self, case):
        self.case, self.proof, self.known = case, Proof(), {}
        for label, left, right, universal in case.hypotheses:
            self.known[label] = self.proof.step(
                "assume", [term(x) for x in universal], term(left), "=", term(right)
            )

    def premise(self, reference):
        if not isinstance(reference, At) or not reference.values:
            return self.known[getattr(reference, "label", reference)]
        values = [(term(x), term(value)) for x, value in reference.values.items()]
        return self.proof.step("instantiate", self.known[reference.label], values, [])

    def row(self, row, right):
        left, right = term(row.left), term(right)
        using = [self.premise(reference) for reference in row.using]
        if row.rule == "induction":
            return inductions(self.proof, [(left, right)], term(row.over), num(row.first), using)[0]
        if row.rule == "follows":
            return equations.follows(self.proof, left, right, using)
        if row.rule == "cauchy_schwarz":
            return inequalities.bound(self.proof, "Cauchy–Schwarz", left, right)
        if row.rule == "adding":
            parts = [(term(weight), self.known[label]) for label, weight in row.weights.items()]
            return inequalities.sum_up(self.proof, *turned(left, row.relation, right), parts, term(row.rest))
        return equations.identity(self.proof, left, right)

    def model(self, th):
        """That the hypotheses of a theorem about functions can hold: each in the model of the case."""
        definitions = [
            self.proof.step("assume", [term(x) for x in f.args[-1:]], term(f), "=", term(body))
            for f, body in self.case.model
        ]
        return [self.holds(h, definitions) for h in th.hypotheses if functions(h)]

    def holds(self, h, definitions):
        values = []
        for definition in definitions:
            (x,) = definition.left.args
            inside = [s for side in (h.left, h.right) for s in subterms(side)]
            at = [s.args[0] for s in inside if s.data == definition.left.data and not s.loose]
            at += [var(s.hint, x.data[1]) for s in inside if s.head == "sum"]
            values += [self.proof.step("instantiate", definition, [(x, a)], []) for a in dict.fromkeys(at)]
        if h.relation == "=":
            return equations.follows(self.proof, h.left, h.right, values)
        one = equations.follows(self.proof, h.left, ONE, values)
        positive = self.proof.adding(ZERO, "<", h.left, [(num(-1), one)], ONE)
        return self.proof.step("different", positive)


def functions(h):
    return [s for side in (h.left, h.right) for s in subterms(side) if s.head == "app"]


@pytest.mark.parametrize("case", ELSEWHERE, ids=NAMES)
def test_each_row_has_a_certificate(case):
    search = Searched(case)
    for row in case.rows:
        th = search.known[row.label] = search.row(row, row.right)
        back = replay(search.proof.certificate(th, search.model(th)))
        assert (back.theorem.left, back.theorem.relation) == (term(row.left), row.relation)
        assert back.theorem.right == term(row.right)
        orders = {(h.left, canon(h.right)) for h in back.conditions if h.relation != "!="}
        assert orders == {(term(c.lhs), canon(term(c.rhs))) for c in row.where}


@pytest.mark.parametrize("case", ELSEWHERE, ids=NAMES)
def test_no_slip_has_one(case):
    search = Searched(case)
    for row in case.rows:
        with pytest.raises((NotFound, Refused)):
            search.row(row, row.slip)
        search.known[row.label] = search.row(row, row.right)


def rule(row, using):
    if row.rule == "induction":
        return induction(row.over, row.first, using)
    if row.rule == "adding":
        return adding(row.weights, row.rest)
    if row.rule == "follows":
        return follows(*using)
    return {"identity": identity, "cauchy_schwarz": cauchy_schwarz}[row.rule]


def derived(case, slip=None):
    """The case as an author writes it; ``slip`` names the row that says what is false."""
    D = Derivation("elsewhere")
    D.constant(*case.constants)
    for label, left, right, _ in case.hypotheses:
        D.assume(label, left, right, "given")
    for head, body in (case.example or case.model) if case.hypotheses else ():
        D.model(head, body)

    def reference(used):
        return (
            D.at(used.label, used.values)
            if isinstance(used, At) and used.values
            else getattr(used, "label", used)
        )

    for row in case.rows:
        using = [reference(used) for used in row.using]
        right = row.slip if row.label == slip else row.right
        D.prove(
            row.label,
            row.left,
            (eq if row.relation == "=" else le)(right, "", by=rule(row, using)),
            where=row.where,
        )
    return D


@pytest.mark.parametrize("case", ELSEWHERE, ids=NAMES)
def test_what_the_derivation_makes_of_it_today(case):
    if case.engine == "both":
        assert all(result.kind in ("proved", "assumed") for result in derived(case).results.values())
    else:
        with pytest.raises(Undecided):
            derived(case)
    for row in case.rows:
        with pytest.raises((ProofError, ValueError, NotImplementedError)):
            derived(case, row.label)
