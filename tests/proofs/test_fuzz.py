"""Random expressions: a rewriting never counts as false, a perturbation never as proved."""

import random

import pytest
from sympy import I as i
from sympy import Integer, Rational, conjugate, cos, exp, expand, expand_trig, factor, sin

from posenc_lib.proofs import check, complexes, integers, reals

LETTERS = (*reals("a b"), *integers("m n"))
PLANES = complexes("z w")


def random_expression(rng: random.Random, depth: int):
    if depth == 0:
        return rng.choice([*LETTERS, Rational(rng.randint(1, 3), 2), Integer(rng.randint(-2, 2))])
    left = random_expression(rng, depth - 1)
    kind = rng.randrange(7)
    if kind == 0:
        return sin(left)
    if kind == 1:
        return cos(left)
    if kind == 2:
        return exp(i * left)
    if kind == 3:
        return left * conjugate(rng.choice(PLANES))
    right = random_expression(rng, depth - 1)
    return left * right if kind in (4, 5) else left + right


REWRITINGS = {
    "expand": expand,
    "expand_trig": expand_trig,
    "factor": factor,
    "exponentials": lambda e: e.rewrite(exp),
    "cosines": lambda e: e.rewrite(cos),
    "conjugate twice": lambda e: conjugate(expand(conjugate(e))),
}
SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rewriting", REWRITINGS)
def test_a_rewriting_is_never_refuted(seed, rewriting):
    e = random_expression(random.Random(seed), 3)
    verdict = check(e, REWRITINGS[rewriting](e))
    assert verdict.status != "refuted", (e, verdict)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_perturbation_is_never_proved(seed):
    rng = random.Random(1000 + seed)
    e = random_expression(rng, 3)
    delta = rng.choice([Integer(1), Rational(1, 7), LETTERS[0] - LETTERS[1] + 1, cos(LETTERS[0]) + 2])
    assert check(e, e + delta).status in ("refuted", "undecided"), (e, delta)
