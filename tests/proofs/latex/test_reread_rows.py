"""What is printed is read again and is the theorem; a slip in print is not."""

import pytest

from posenc_proofs.derivation.derivation import Derivation
from posenc_proofs.latex.statements import Derived
from posenc_proofs.latex.tokens import Unread

SAID = (
    "for all x, y ∈ ℝ, p ∈ ℝ₊, z, w ∈ ℂ, m, n ∈ ℤ, i, j, N ∈ ℕ"
    " and every real sequence a, θ and every real function f\n"
)
TURN = r"R_x := \begin{pmatrix} \cos x & -\sin x \\ \sin x & \cos x \end{pmatrix}"


def derived(text, scope=SAID):
    """The records of a text, and the theorems of its claims."""
    D = Derivation("print")
    return [result.record() for result in D.write(scope + text)], D.claimed


def confirmed(records, theorems, of="eq-it", label="eq-it", **instead):
    """Confirm ``eq-it``, with some of the record ``of`` replaced."""
    changed = [{**r, **instead} if r["label"] == of else r for r in records]
    Derived(changed, theorems).confirm(label)


def test_matrices_entry_by_entry_with_what_they_stand_for():
    records, theorems = derived(f"{TURN}\neq-it: R_x^\\top R_y\n  = R_{{y-x}}  -- turning back")
    confirmed(records, theorems)
    *_, record = records
    with pytest.raises(Unread, match="printed"):
        confirmed(records, theorems, latex=record["latex"].replace(r"^\top", ""))
    other = [record["meant"][0].replace("-", "")]
    with pytest.raises(Unread, match="R is defined twice"):
        confirmed(records, theorems, meant=other)
    with pytest.raises(Unread, match="printed"):
        confirmed([record], theorems, meant=other)
    confirmed(records, theorems, meant=[])  # the definition stands above
    with pytest.raises(Unread, match="the name R_x"):
        confirmed([record], theorems, meant=[])


def test_a_chain_keeps_the_columns_of_its_matrices():
    unit = r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}"
    text = f"{TURN}\neq-it: R_x^\\top R_x\n  = R_0  -- turned back\n  = {unit}  -- not at all"
    records, theorems = derived(text)
    confirmed(records, theorems)
    latex = records[1]["latex"]
    for slip in (latex.replace("0 &", "1 &"), latex.replace(" & ", " "), latex.replace(" &= R", " = R")):
        with pytest.raises(Unread):
            confirmed(records, theorems, latex=slip)


def test_a_name_that_is_declared_and_defined_is_printed_as_it_is_used():
    records, theorems = derived("f(x) := \\cos(p x)\neq-it: f(x) + f(-x)\n  = 2 f(x)  -- the cosine is even")
    confirmed(records, theorems)
    for meant, reason in [
        ([r"f(x) := \cos(2 p x)"], "f is printed as"), ([r"f(y) := \cos(p y)"], "printed with the letters"),
        ([r"f(x) := \cos(p x)", r"f(x) := \sin(p x)"], "f is defined twice"), (["f(x) + 1 := x"], "the head"),
        (["f(x) = x"], "a definition is expected"), (["g := g + 1"], "defined by itself"),
    ]:  # fmt: skip
        with pytest.raises(Unread, match=reason):
            confirmed(records[1:], theorems, meant=meant)


@pytest.mark.parametrize(("old", "new"), [("p ∈ ℝ₊", "p ∈ ℝ"), ("y ∈ ℝ", "y ∈ ℂ"), (", y ∈ ℝ", " ∈ ℝ")])
def test_the_values_for_which_it_holds(old, new):
    records, theorems = derived(r"eq-it: p \cos x + y = y + p \cos(-x)")
    scope = records[0]["scope"]
    assert scope == "for all p ∈ ℝ₊, x, y ∈ ℝ"
    confirmed(records, theorems, scope=f"{scope}, q ∈ ℂ")  # more letters than the equation has do no harm
    with pytest.raises(Unread, match="the scope does not say"):
        confirmed(records, theorems, scope=scope.replace(old, new))


def test_ranges_of_blocks_are_compared():
    row = r"eq-it: \Bigl(\bigoplus_{i=0}^N R_{i x}\Bigr) \bigoplus_{i=0}^N R_{-i x} = \bigoplus_{i=0}^N R_0"
    records, theorems = derived(f"{TURN}\n{row}")
    confirmed(records, theorems)
    head, _, tail = records[1]["latex"].rpartition("=0")
    for first, reason in [(1, "two shapes"), (-1, "leaves the set of i")]:
        with pytest.raises(Unread, match=reason):
            confirmed(records, theorems, latex=f"{head}={first}{tail}")


@pytest.mark.parametrize("name", ["ln", "exp", "det", "max", "sin", "pi"])
def test_a_known_function_is_no_other(name):
    head = rf"\operatorname{{{name}}}(x)"
    with pytest.raises(Unread, match=r"the name of a known function|the upright word"):
        derived(f"{head} := x^2\neq-it: {head} = x^2")


def test_a_free_letter_of_a_meaning_is_not_bound_by_a_sum_around_its_name():
    said = derived(r"eq-it: \sum_{j=0}^N 2j + n = n + 2\sum_{i=0}^N i")
    latex = r"\sum_{n=0}^N k(n) + n = n + 2 \sum_{i=0}^N i"
    with pytest.raises(Unread):
        confirmed(*said, latex=latex, meant=["k(x) := x + n"])


@pytest.mark.parametrize("letter", "zn")
def test_a_derivative_is_by_a_real_letter(letter):
    said = derived(f"eq-it: {letter}^* + 1 = 1 + {letter}^*")
    with pytest.raises(Unread, match="no real letter"):
        confirmed(*said, latex=rf"\frac{{d}}{{d {letter}}} {letter}^* + {letter}^* = 1 + {letter}^*")
