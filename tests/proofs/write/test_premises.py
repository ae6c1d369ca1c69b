"""What a later step may use: instances in their domain, and nothing refuted, sampled or false."""

import pytest
from attempts import refused
from sympy import Integer, Rational, oo, sin

from posenc_lib.proofs import *

m = integers("m")
N, i = naturals("N i")
a, x = reals("a x")
p = positives("p")
w, z = complexes("w z")
q = real_sequence("q")
h = complex_sequence("h")
f, g, phi = real_function("f"), real_function("g"), real_function("phi")
F = complex_function("F")


def test_an_instance_must_stay_in_the_domain():
    D = Derivation("domains")
    D.assume("eq-n", phi(N), 0, "for natural N")
    with pytest.raises(ValueError, match="domain of N"):
        D.at("eq-n", N=m)
    with pytest.raises(ValueError, match="no symbol"):
        D.at("eq-n", q=1)


def test_nothing_follows_from_a_refuted_statement():
    D = Derivation("attack")
    D.refute("eq-false", f(x), 0, "not every function is zero")
    D.model(f(x), 0 * x)
    assert refused(lambda: D.prove("eq-x", f(x) ** 2, eq(0, "", follows("eq-false"))).verdict)


def test_a_false_citation_is_refused():
    D = Derivation("attack")
    with pytest.raises(ProofError, match="what is cited fails at p = "):
        D.cite("eq-h", Modulus(sin(p)), "<=", 1 / (9 * p), "nowhere")
    assert D.cite("eq-i", Modulus(sin(p)), "<=", p, "anywhere").verdict.status == "cited"
    D.define(a, f(0))
    for row, (left, right) in enumerate([(f(x), g(x)), (a, x), (x, q[0]), (x, f(x)), (q[0], x)]):
        assert D.cite(f"eq-{row}", left, "<=", right, "of unknown values").verdict.status == "cited"


def test_a_hypothesis_on_one_sequence_is_none_on_another():
    D = Derivation("attack")
    D.assume("eq-h", h[i + 1] - h[i], z, "")
    with pytest.raises(ValueError, match="no symbol"):
        D.at("eq-h", h=w)
    with pytest.raises(ValueError, match="no free letter"):
        D.at("eq-h", {complexes("h"): w})


@pytest.mark.parametrize(
    ("letter", "value"),
    [(m, Rational(1, 2)), (m, x), (x, z), (N, Integer(-1)), (z, oo), (z, -oo), (p, Integer(0))],
)
def test_an_instance_stays_in_the_domain_of_its_letter(letter, value):
    D = Derivation("attack")
    D.assume("eq-h", F(letter), 0, "")
    with pytest.raises(ValueError, match="domain of"):
        D.at("eq-h", {letter: value})


def test_nothing_rests_on_a_sample():
    D = Derivation("hole")
    D.sample("eq-s", a**2, ">=", Integer(0), "looks so")
    with pytest.raises(ValueError, match="eq-s was sampled: nothing follows from it"):
        D.prove("eq-r", -(a**2), le(0, "from evidence", by=adding({"eq-s": 1})))


def test_what_is_recalled_is_not_refuted_by_a_point():
    with pytest.raises(Refuted, match="eq-any: what is cited fails"):
        Derivation("hole").recall("eq-any", 0, "=", 1)
