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
GIVEN = (
    "model f(x) := 1\nassume eq-shift: f(x + 1) = f(x)  -- periodic\n"
    "eq-it: f(x + 2)\n  = f(x)  -- twice  [follows eq-shift, eq-shift (x = x + 1)]"
)


def derived(text, scope=SAID):
    """The records of a text, and the theorems of its claims."""
    D = Derivation("print")
    return [result.record() for result in D.write(scope + text)], D.claimed


def confirmed(records, theorems, of="eq-it", label="eq-it", **instead):
    """Confirm ``eq-it``, with some of the record ``of`` replaced."""
    changed = [{**r, **instead} if r["label"] == of else r for r in records]
    Derived(changed, theorems).confirm(label)


SIDES = {
    "sum and sign": (r"x - y + 2", r"-y + x + 2", "+", "-"),
    "fraction": (r"\frac x{2p} + \frac13", r"\frac{3x + 2p}{6p}", "3", "5"),
    "power": ("(x + y)^3", "x^3 + 3x^2 y + 3x y^2 + y^3", "^3", "^2"),
    "root": (r"\sqrt{p + 1}\, x", r"x \sqrt{1 + p}", r"\sqrt", r"\log"),
    "sequence": (r"\sum_{i=0}^N (a_i + 1)", r"\sum_{j=0}^N a_j + N + 1  [induction N]", "i=0", "i=1"),
    "letter of a sum": (r"\sum_{i=0}^N a_i \theta_i", r"\sum_{j=0}^N \theta_j a_j", "a_i", "a_N"),
    "exponential": (r"e^{\mathrm i x} e^{-\mathrm i y}", r"e^{\mathrm i(x - y)}", r"\mathrm i", "2"),
    "cosine": (r"\cos x \cos y - \sin x \sin y", r"\cos(x + y)", r"\cos", r"\sin"),
    "square of a function": (r"\cos^2 x", r"1 - \sin^2 x", "^2", "^3"),
    "conjugate": (r"\overline{z w}", r"\overline z\, w^*", "w^*", "w"),
    "letter under a bar": (r"\bar z + z", r"2\operatorname{Re}(z)", r"\bar z", "z"),
    "real part": (r"\operatorname{Re}(z w^*)", r"\operatorname{Re}[w \overline z]", "w^*", "w"),
    "modulus": (r"|z| \lvert w\rvert", r"\Bigl|z w\Bigr|", "w", "z"),
    "value of a function": ("f(x) + f(y)", "f(y) + f(x)", "f(x)", "f(y)"),
    "sign by parity": ("(-1)^n x", "x (-1)^{n + 2}", "(-1)^n", "(-2)^n"),
    "integral": (r"\int_0^p 2\sin(y)\, dy", r"2 \int_0^p \sin(x)\, dx", r"\sin(y)", r"\sin(p)"),
    "derivative": (r"\frac{\partial}{\partial x} \sin(x y)", r"y \cos(x y)", r"y \cos", r"x \cos"),
    "second derivative": (
        r"\frac{\partial^2 \sin(x y)}{\partial x\,\partial y}", r"\cos(xy) - xy\sin(xy)", "-", "+"),
    "product": (r"\prod_{i=0}^N a_i", r"\prod_{j=0}^N a_j", "j=0", "j=1"),
    "ranges below each other": (
        r"\sum_{\substack{0 \le i \le N \\ 0 \le j \le N}} a_i \theta_j",
        r"\sum_{i=0}^N \sum_{j=0}^N a_i \theta_j", r"0 \le i", r"1 \le i"),
    "larger": (r"\max(x, y) + \min(x, y)", "x + y", r"\max", r"\min"),
    "logarithm": (r"\ln(p^2)", r"2\log p", "2", "3"),
    "a quotient by a slash": (r"\sin(x/2 + x/2)", r"\sin x", "x/2", "x/3"),
    "columns": (r"\langle \begin{pmatrix} x \\ y \end{pmatrix}, \begin{pmatrix} y \\ x \end{pmatrix} \rangle",
                "2xy", r"y \\ x", r"x \\ y"),
    "a determinant": (r"\begin{vmatrix} x & y \\ y & x \end{vmatrix}", "x^2 - y^2", "- y", "+ y"),
    "dots": (r"1 + 2 + \cdots + N", r"\frac{N(N + 1)}2  [induction N]", "1 + 2", "1 + 3"),
    "a power of a shear": (r"\begin{pmatrix} 1 & p \\ 0 & 1 \end{pmatrix}^N",
                           r"\begin{pmatrix} 1 & pN \\ 0 & 1 \end{pmatrix}  [induction N]", "pN", "p"),
}  # fmt: skip


@pytest.mark.parametrize("name", SIDES)
def test_an_equation_is_read_again_and_a_slip_is_noticed(name):
    left, right, old, new = SIDES[name]
    records, theorems = derived(f"eq-it: {left}\n  = {right.replace('  [', '  --  [')}")
    confirmed(records, theorems)
    (record,) = records
    assert old in record["latex"]
    with pytest.raises(Unread):
        confirmed(records, theorems, latex=record["latex"].replace(old, new, 1))


def test_a_bound_and_its_direction():
    records, theorems = derived(r"eq-it: |x + y| \le |x| + |y|  -- [triangle]")
    confirmed(records, theorems)
    for old, new in ((r"\le ", "= "), ("x + y", "x - y")):
        with pytest.raises(Unread):
            confirmed(records, theorems, latex=records[0]["latex"].replace(old, new, 1))


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
    records, theorems = derived(
        f"{TURN}\neq-it: R_x^\\top R_x\n  = R_0  -- turned back\n  = {unit}  -- not at all"
    )
    confirmed(records, theorems)
    latex = records[1]["latex"]
    for slip in (latex.replace("0 &", "1 &"), latex.replace(" & ", " "), latex.replace(" &= R", " = R")):
        with pytest.raises(Unread):
            confirmed(records, theorems, latex=slip)


def test_a_name_that_is_declared_and_defined_is_printed_as_it_is_used():
    records, theorems = derived("f(x) := \\cos(p x)\neq-it: f(x) + f(-x)\n  = 2 f(x)  -- the cosine is even")
    confirmed(records, theorems)
    for meant, reason in [
        ([r"f(x) := \cos(2 p x)"], "f is printed as"), ([r"f(y) := \cos(p x)"], "printed with the letters"),
        ([r"f(x) := \cos(p x)", r"f(x) := \sin(p x)"], "f is defined twice"), (["f(x) + 1 := x"], "the head"),
        (["f(x) = x"], "a definition is expected"), (["g := g + 1"], "defined by itself"),
    ]:  # fmt: skip
        with pytest.raises(Unread, match=reason):
            confirmed(records[1:], theorems, meant=meant)


def test_a_hypothesis_is_printed_as_it_is_used():
    records, theorems = derived(GIVEN)
    confirmed(records, theorems)
    instead = [
        {"latex": "f(x + 2) = f(x)"},
        {"scope": "for all x ∈ ℤ and every real function f"},
        {"scope": "for all x ∈ [0, 1] and every real function f"},
        {"scope": "for all x, y ∈ ℝ and every real function f, with x <= y"},
        {"scope": records[0]["scope"] + ", with x constant"},
    ]
    for changed in instead:
        with pytest.raises(Unread, match="no hypothesis is printed"):
            confirmed(records, theorems, of="eq-shift", **changed)
    for latex in ("", "f(x)", "f(x + 1) = f(x) = f(x)"):
        with pytest.raises(Unread, match="one row is expected"):
            confirmed(records, theorems, of="eq-shift", latex=latex)


@pytest.mark.parametrize(("old", "new"), [("p ∈ ℝ₊", "p ∈ ℝ"), ("y ∈ ℝ", "y ∈ ℂ"), (", y ∈ ℝ", " ∈ ℝ")])
def test_the_values_for_which_it_holds(old, new):
    records, theorems = derived(r"eq-it: p \cos x + y = y + p \cos(-x)")
    scope = records[0]["scope"]
    assert scope == "for all p ∈ ℝ₊, x, y ∈ ℝ"
    confirmed(records, theorems, scope=f"{scope}, q ∈ ℂ")  # more letters than the equation has do no harm
    with pytest.raises(Unread, match="the scope does not say"):
        confirmed(records, theorems, scope=scope.replace(old, new))


def test_conditions_are_said():
    records, theorems = derived(r"eq-it: \frac{x^2 - 1}{x - 1} = x + 1")
    assert records[0]["scope"] == "for all x ∈ ℝ, where no denominator vanishes"
    confirmed(records, theorems)
    with pytest.raises(Unread, match="the scope does not say"):
        confirmed(records, theorems, scope="for all x ∈ ℝ")


def test_rows_that_are_left_out_are_noticed():
    records, theorems = derived("eq-it: (x + 1)^2\n  = x^2 + 2x + 1  -- first\n  = x(x + 2) + 1  -- then")
    confirmed(records, theorems)
    with pytest.raises(Unread, match="1 rows are printed, 2 are proved"):
        confirmed(records, theorems, latex="(x + 1)^2 = x^2 + 2x + 1")


def test_ranges_of_blocks_are_compared():
    row = r"eq-it: \Bigl(\bigoplus_{i=0}^N R_{i x}\Bigr) \bigoplus_{i=0}^N R_{-i x} = \bigoplus_{i=0}^N R_0"
    records, theorems = derived(f"{TURN}\n{row}")
    confirmed(records, theorems)
    head, _, tail = records[1]["latex"].rpartition("=0")
    with pytest.raises(Unread, match="two shapes"):
        confirmed(records, theorems, latex=f"{head}=1{tail}")
    with pytest.raises(Unread, match="leaves the set of i"):
        confirmed(records, theorems, latex=f"{head}=-1{tail}")


def test_a_limit_through_the_integers_says_so():
    """0 at the integers, and without a limit between them."""
    scope = "for all x ∈ ℕ₊, as x → ∞ in ℕ₊\n"
    wave = r"\sin(\pi x/2) \cos(\pi x/2)"
    records, theorems = derived(
        f"eq-error: |{wave}|\n  = 0  -- at each\n"
        f"eq-it: \\lim_{{x \\to \\infty}} {wave}\n  = 0  -- [limit eq-error to 0]",
        scope,
    )
    confirmed(records, theorems, scope="for these numbers, as x → ∞ in ℕ₊")
    with pytest.raises(Unread):
        confirmed(records, theorems, scope="for these numbers")
