"""What the kernel refuses; and that none of its conditions could be missing."""

import json

import pytest
from cases import CASES, ONE, ZERO, certificate, claimed, x
from kernels import lenient, load, without_each_condition

from posenc_lib.proofs.kernel import Refused, replay

LENIENT = lenient()


def text(case):
    steps, model = case if isinstance(case, tuple) else (case, ())
    return claimed(LENIENT, steps, model)


TEXTS = {name: text(case) for name, case in CASES.items()}
RING = {"left": x, "relation": "=", "right": x}
OTHERS = {
    "another claim": certificate([["ring", x, x]], hypotheses=[], left=x, relation="=", right=ONE),
    "a hypothesis left out": certificate(
        [["assume", [], x, "=", ZERO]], hypotheses=[], left=x, relation="=", right=ZERO
    ),
    "more than a certificate": {**certificate([["ring", x, x]], hypotheses=[], **RING), "axioms": []},
}
TEXTS |= {name: json.dumps(row) for name, row in OTHERS.items()}


@pytest.mark.parametrize("name", TEXTS)
def test_refused(name):
    with pytest.raises(Refused):
        replay(TEXTS[name])


def noticed(modules):
    """The first case that a copy of the kernel no longer refuses."""
    for name, row in TEXTS.items():
        try:
            modules["replay"].replay(row)
        except modules["terms"].Refused:
            continue
        except AssertionError:
            return name  # an invariant of the kernel is broken
        return name
    return None


def test_every_condition_is_noticed():
    assert noticed(load({})) is None
    missing = [label for label, name, tree in without_each_condition() if noticed(load({name: tree})) is None]
    assert not missing, "\n".join(missing)
