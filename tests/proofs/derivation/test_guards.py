"""What stands behind "proved": a certificate that the kernel rebuilt, and a second opinion in balls."""

import json
import random

import pytest

from posenc_proofs.derivation.answers import answers
from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.kernel import Refused, replay
from posenc_proofs.kernel.ring import canon
from posenc_proofs.kernel.terms import ONE, Term, add, fun, mul, neg, num, var
from posenc_proofs.refutation import failing
from posenc_proofs.search import equations
from posenc_proofs.search.proof import NotFound, Proof

SAID = "for all a, b ∈ ℝ\n"
SQUARE = SAID + "eq-x: (a + b)^2 = a^2 + 2ab + b^2"


def test_what_the_search_does_not_find_is_not_proved(monkeypatch):
    def lost(*_, **__):
        raise NotFound("lost")

    D = Derivation("lost")
    monkeypatch.setattr(equations, "identity", lost)
    with pytest.raises(NotFound, match="lost"):
        D.write(SQUARE)
    monkeypatch.undo()
    assert not D.results and D.write(SQUARE.removeprefix(SAID))[0].certificates


def test_what_the_search_finds_and_the_kernel_refuses_is_not_proved(monkeypatch):
    monkeypatch.setattr(Proof, "certificate", lambda *_: '{"version": 1, "claim": 1}')
    with pytest.raises(Refused, match="these keys are expected: claim, model, steps, version"):
        Derivation("refused").write(SQUARE)


def test_another_theorem_than_the_row_is_not_proved(monkeypatch):
    monkeypatch.setattr(equations, "identity", lambda P, left, _: P.ring(left, left))
    with pytest.raises(NotFound, match="the search found something else"):
        Derivation("other").write(SQUARE)


def test_a_row_that_balls_refute_is_not_proved_whatever_the_kernel_says(monkeypatch):
    wrong = failing.Failure([["a", "1"]], [], "1", "2")
    monkeypatch.setattr(failing, "_looked_at", lambda *_: iter([wrong]))
    with pytest.raises(AssertionError, match="a row is proved, and fails"):
        Derivation("balls").write(SQUARE)


def test_a_wrong_version_that_is_not_refuted_is_an_error(monkeypatch):
    monkeypatch.setattr("posenc_proofs.refutation.slips.failure", lambda *_: None)
    with pytest.raises(NotFound, match=r"the wrong version .* was not refuted"):
        Derivation("slips").write(SQUARE)


def test_a_later_row_names_the_claims_that_it_rests_on():
    D = Derivation("later")
    D.write("for all i ∈ ℕ, N ∈ ℕ₊\neq-sum: \\sum_{i=0}^N i = \\frac{N(N + 1)}2  -- [induction N]")
    (used,) = D.write("eq-used: 2 \\sum_{i=0}^N i = N(N + 1)  -- twice  [follows eq-sum]")
    (text,) = used.certificates.values()
    assert '"eq-sum"' in text and "induct" not in text
    with pytest.raises(Refused):
        replay(text)


def test_a_condition_is_in_the_certificate_and_in_the_scope():
    (result,) = Derivation("pole").write("for all x ∈ ℝ\neq-x: \\frac{x^2}x = x")
    (text,) = result.certificates.values()
    assert [h[2] for h in json.loads(text)["claim"]["hypotheses"]] == ["!="]
    assert result.scope.endswith("where no denominator vanishes")


TRAP = "__import__('pathlib').Path('EVALUATED').touch()"


@pytest.mark.parametrize(
    "text",
    [TRAP, f"eq-a: {TRAP} = 1", f"eq-a: a = {TRAP}", f"eq-a: a = a  -- [{TRAP}]",
     f"refute eq-a: a = b\n  at: {TRAP}", f"eq-a: \\operatorname{{{TRAP}}}(a) = 1", f"a := {TRAP}",
     f"words thm-a (T): w\n  steps: {TRAP}"],
)  # fmt: skip
def test_what_is_read_as_text_is_not_run(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [answer.kind for answer in answers(SAID + text)][-1] == "unread"
    assert list(tmp_path.iterdir()) == []


LETTERS = [var("a", "R"), var("b", "R"), var("m", "Z"), var("z", "C")]


def drawn(rng, depth):
    """A term of sines, exponentials, conjugates, sums and products."""
    if not depth:
        return rng.choice([*LETTERS, num("1/2"), num(rng.randint(-2, 2))])
    left, kind = drawn(rng, depth - 1), rng.randrange(6)
    if kind < 3:
        return fun(("sin", "cos", "conj")[kind], left)
    if kind == 3:
        return fun("exp", mul(num(0, 1), left))
    return (mul, add)[kind - 4](left, drawn(rng, depth - 1))


def rewritten(t):
    """The same number, written otherwise at each place."""
    args = tuple(map(rewritten, t.args))
    if t.head == "sin":
        return neg(fun("sin", neg(args[0])))
    if t.head == "cos":
        half = mul(num("1/2"), args[0])
        return add(ONE, mul(num(-2), fun("sin", half), fun("sin", half)))
    if t.head == "exp":
        return mul(*[fun("exp", mul(num("1/2"), args[0]))] * 2)
    if t.head in ("+", "*"):
        return Term(t.head, t.data, args[::-1], t.hint)
    return Term(t.head, t.data, args, t.hint)


@pytest.mark.parametrize("seed", range(30))
def test_a_rewriting_is_proved_and_a_perturbation_is_not(seed):
    rng = random.Random(seed)
    t = drawn(rng, 3)
    proof = Proof()
    for other in (rewritten(t), canon(t)):
        th = equations.identity(proof, t, other)
        assert replay(proof.certificate(th)).theorem.right == other
    gap = rng.choice(
        [ONE, num("1/7"), add(LETTERS[0], neg(LETTERS[1]), ONE), add(fun("cos", LETTERS[0]), num(2))]
    )
    with pytest.raises(NotFound):
        equations.identity(Proof(), t, add(rewritten(t), gap))


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (r"eq-x: x^2 \ne x", "refuted"),
        (r"eq-x: x^2 + 1 \ne 0", "undecided"),
        (r"refute eq-x: x + 1 \ne x", "undecided"),
    ],
)
def test_sides_that_are_to_differ_fail_where_they_are_equal_and_nowhere_else(row, kind):
    (answer,) = answers(f"for all x ∈ ℝ\n{row}")
    assert answer.kind == kind
