"""What the kernel refuses; and that none of its conditions could be missing."""

import ast
import json
import re
import traceback
from pathlib import Path

import pytest
from kernel_copies import SOURCES, lenient, load, without_each_condition
from kernel_terms import *
from refused_axioms import AXIOMS
from refused_rules import STEPS
from refused_terms import TERMS

from posenc_proofs.kernel import Refused, replay
from posenc_proofs.kernel.domains import CONDITIONS, lies
from posenc_proofs.kernel.pages import chain
from posenc_proofs.kernel.terms import fun, num, read, var
from posenc_proofs.kernel.theorem import RULES, concluded, known_by

LENIENT = lenient()


def text(case):
    steps, model = case if isinstance(case, tuple) else (case, ())
    return claimed(LENIENT, steps, model)


TEXTS = {name: text(case) for name, case in {**TERMS, **STEPS, **AXIOMS}.items()}
RING = {"left": x, "relation": "=", "right": x}
OTHERS = {
    "another claim": certificate([["ring", x, x]], hypotheses=[], left=x, relation="=", right=ONE),
    "a hypothesis left out": certificate(
        [["assume", [], x, "=", ZERO]], hypotheses=[], left=x, relation="=", right=ZERO
    ),
    "more than a certificate": {**certificate([["ring", x, x]], hypotheses=[], **RING), "axioms": []},
    "a term counted from behind": {**certificate([["ring", -1, x]], hypotheses=[], **RING), "terms": [x]},
    "a term not yet read": {**certificate([["ring", 0, x]], hypotheses=[], **RING), "terms": [["+", 1], x]},
    "a sum of numbers for one over a range": certificate(
        [axiom("alike", plus(x, y), ONE, ONE)], hypotheses=[], **RING
    ),
    "a claim that nobody made": certificate([["rewrite", "eq-other", [], x]], hypotheses=[], **RING),
}


def strictly(relation):
    """0 <= x^2, with a relation in the claim."""
    steps = [["adding", ZERO, "<=", ["^", x, 2], [], ["^", x, 2], []]]
    return certificate(steps, hypotheses=[], left=ZERO, relation=relation, right=["^", x, 2])


def in_argument(k):
    """The integral of the derivative of G(y, x) in its k-th argument, as if it were the one in x."""
    G = [app("G", "S", y, end) for end in (ONE, ZERO)]
    slope = integral(times(app(f"G'{k}", "S", y, B0), ONE))
    return certificate(
        [fundamental(app("G", "S", y, x))], hypotheses=[], left=slope, relation="=", right=minus(*G)
    )


def roots_up_to(end):
    """The root of x^2 is x for 0 <= x; so their integrals from 0 agree, to a positive end."""
    square = ["^", x, 2]
    steps = [assume(ZERO, "<=", x), axiom("root", square), ["roots", 1, [0]], whole("int", 2, x, ZERO, end)]
    left, right = integral(["sqrt", ["^", B0, 2]], ZERO, end), integral(B0, ZERO, end)
    return certificate(steps, hypotheses=[], left=left, relation="=", right=right)


OTHERS |= {
    "an order that may be an equation, called strict": strictly("<"),
    "a derivative in the other argument": in_argument(1),
    "an integral backwards, of what holds forwards": roots_up_to(n(-1)),
}
RIGHT = {"an order": strictly("<="), "a derivative": in_argument(2), "an integral": roots_up_to(ONE)}
OTHERS["a term that is doubled"] = certificate(
    [["ring", x, x], *(instance(plus(*[x] * 8), of=k) for k in range(6)), ["ring", x, x]],
    hypotheses=[],
    **RING,
)
GREAT = ["^", n("1" + "0" * 20), 3300]
OTHERS["a number too long to compute"] = certificate(
    [["ring", GREAT, GREAT]], hypotheses=[], left=GREAT, relation="=", right=GREAT
)
TEXTS["a certificate with two claims"] = json.dumps(RIGHT["an order"])[:-1] + ', "model": []}'
OTHERS |= {f"version {version}": RIGHT["an order"] | {"version": version} for version in (2, True)}
TEXTS |= {name: json.dumps(row) for name, row in OTHERS.items()}


def test_rows_that_do_not_meet_and_differences_are_no_chain():
    rows = [RULES["ring"][0](read(t), read(t)) for t in (x, y)]
    with pytest.raises(Refused, match="the next begins with"):
        chain(rows)
    apart = [RULES["assume"][0]([], read(a), "!=", read(b)) for a, b in ((x, ZERO), (ZERO, x))]
    with pytest.raises(Refused, match="no link of a chain"):
        chain(apart)


@pytest.mark.parametrize("name", TEXTS)
def test_refused(name):
    with pytest.raises(Refused):
        replay(TEXTS[name])


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_said_rightly_is_accepted(name):
    assert replay(json.dumps(RIGHT[name])).theorem.relation == RIGHT[name]["claim"]["relation"]


def noticed(modules, texts):
    """The first case that a copy of the kernel no longer refuses."""
    for name, row in texts.items():
        try:
            modules["replay"].replay(row)
        except modules["terms"].Refused:
            continue
        except AssertionError:
            return name  # an invariant of the kernel is broken
        return name
    return None


def refused_at(modules, row):
    """The module and the line that refuse a case."""
    try:
        modules["replay"].replay(row)
    except modules["terms"].Refused as error:
        places = [(Path(f.filename).stem, f.lineno) for f in traceback.extract_tb(error.__traceback__)]
        return [place for place in places if place[0] in modules][-2:]


def test_every_condition_is_noticed():
    # a rule's conditions are noticed by what it concludes, before the look at the claim's ranges
    source = re.sub(r"    for t in .*\n        meant\(t\)\n", "", SOURCES["replay"])
    assert source != SOURCES["replay"]
    early = {"replay": ast.parse(source)}
    whole, before = load({}), load(early)
    assert noticed(whole, TEXTS) is None
    rules = {name: row for name, row in TEXTS.items() if noticed(before, {name: row}) is None}
    assert 0 < len(TEXTS) - len(rules) < 9
    missing = []
    places = {
        name: [*refused_at(whole, row), *(refused_at(before, row) or ())] for name, row in TEXTS.items()
    }
    for label, name, line, tree in without_each_condition():
        changed, texts = ({name: tree}, TEXTS) if name == "replay" else ({**early, name: tree}, rules)
        near = sorted(texts, key=lambda case: (name, line) not in places[case])
        if noticed(load(changed), {case: texts[case] for case in near}) is None:
            missing.append(label)
    assert not missing, "\n".join(missing)


#: What a theorem says of t: as its relation and other side, and where t lies then, of these conditions.
SIGNS = {
    "0 < t": {"R", ">=0", ">0", "R+", "!=0"},
    "0 <= t": {"R", ">=0"},
    "t != 0": {"!=0"},
    "t = 1": {"Z", "N", "N+", "R", "R+", "C", ">=0", ">0", "!=0"},
}


@pytest.mark.parametrize("said", SIGNS)
def test_a_sign_is_known_as_far_as_a_theorem_says_it(said):
    t = fun("re", var("z", "C"))
    left, relation, right = ({"t": t, "0": num(0), "1": num(1)}.get(word, word) for word in said.split())
    known = known_by([concluded((left, relation, right))])
    for condition in CONDITIONS:
        assert known(t, condition) == (lies(t, condition) or condition in SIGNS[said]), condition
    assert not known(fun("im", var("z", "C")), ">=0")
