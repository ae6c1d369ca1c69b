"""A random term, typed in several ways, is read as itself."""

import random

import pytest

from posenc_proofs.kernel.terms import I, add, bind, fun, mul, neg, num, var
from posenc_proofs.kernel.terms import Term as T
from posenc_proofs.latex.names import normal
from posenc_proofs.text.reading import Reading

SAID = "for all x, y, φ ∈ ℝ, z ∈ ℂ, i, k, N ∈ ℕ and every complex sequence u and every real function f"
LETTERS = {
    **{name: (var(name, "R"), [name]) for name in "xy"},
    "phi": (var("phi", "R"), [r"\varphi"]),
    "z": (var("z", "C"), ["z"]),
}
BRACKETS = [("(", ")"), (r"\left(", r"\right)"), (r"\bigl(", r"\bigr)")]
I_, N = (var(name, "N") for name in "iN")


class Typing:
    """Draws terms; each with one of the ways in which an author may type it."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.style = random.Random(seed + 10**6)

    def term(self, depth):
        """A term, and a function that types it anew: as a sum, where it may stand alone."""
        return getattr(self, self.draw.choice(KINDS if depth else ["letter", "number", "entry"]))(depth)

    def factor(self, depth):
        """The same, to stand in a product."""
        t, typed = self.term(depth)
        return t, lambda: self.bracket(typed())

    def bracket(self, inside):
        left, right = self.style.choice(BRACKETS)
        return f"{left}{self.space()}{inside}{self.space()}{right}"

    def space(self):
        return self.style.choice(["", "", " ", r"\,", r"\;"])

    def letter(self, _):
        t, forms = LETTERS[self.draw.choice(sorted(LETTERS))]
        return t, lambda: self.style.choice(forms)

    def number(self, _):
        n = self.draw.randint(1, 30)
        return num(n), lambda: str(n)

    def entry(self, _):
        n = self.draw.randint(0, 9)
        if self.draw.random() < 0.5:
            return T("app", ("u[]", "C"), (I_,)), lambda: self.style.choice(["u_i", "u_{i}", "u_{ i }"])
        return T("app", ("u[]", "C"), (num(n),)), lambda: self.style.choice([f"u_{n}", f"u_{{{n}}}"])

    def sum(self, depth):
        (a, left), (b, right) = self.term(depth - 1), self.factor(depth - 1)
        if self.draw.random() < 0.5:
            return add(a, b), lambda: f"{left()} + {right()}"
        return add(a, neg(b)), lambda: f"{left()} - {right()}"

    def product(self, depth):
        (a, left), (b, right) = self.factor(depth - 1), self.factor(depth - 1)
        return mul(a, b), lambda: self.style.choice([r"{} {}", r"{} \cdot {}", r"{}\,{}"]).format(
            left(), right()
        )

    def fraction(self, depth):
        (a, above), (b, below) = self.term(depth - 1), self.term(0)

        def typed():
            ways = [r"\frac{{{}}}{{{}}}", r"\dfrac{{{}}}{{{}}}", r"\tfrac{{{}}}{{{}}}"]
            if self.style.random() < 0.3:
                return f"{self.bracket(above())}/{self.bracket(below())}"
            return self.style.choice(ways).format(above(), below())

        return mul(a, fun("inv", b)), typed

    def power(self, depth):
        (a, base), n = self.factor(depth - 1), self.draw.randint(2, 4)
        return T("^", (n,), (a,)), lambda: base() + self.style.choice([f"^{n}", f"^{{{n}}}"])

    def conjugate(self, depth):
        t, typed = self.term(depth - 1)
        ways = [lambda: rf"\overline{{{typed()}}}", lambda: f"{self.bracket(typed())}^*"]
        ways.append(lambda: f"{self.bracket(typed())}^{{\\ast}}")
        return fun("conj", t), lambda: self.style.choice(ways)()

    def modulus(self, depth):
        t, typed = self.term(depth - 1)
        bars = [(r"\lvert ", r"\rvert"), (r"\left|", r"\right|"), (r"\bigl|", r"\bigr|")]
        return fun("abs", t), lambda: typed().join(self.style.choice(bars))

    def cosine(self, depth):
        t, typed = self.term(depth - 1)
        return fun("cos", t), lambda: rf"\cos{self.bracket(typed())}"

    def cosine_of_a_letter(self, _):
        t, forms = LETTERS[self.draw.choice(sorted(LETTERS))]
        form = forms[0]
        return fun("cos", t), lambda: self.style.choice([rf"\cos {form}", rf"\cos({form})"])

    def exponential(self, depth):
        t, typed = self.term(depth - 1)
        unit = [r"\mathrm i", r"\mathrm{i}"]
        return fun("exp", mul(I, t)), lambda: f"e^{{{self.style.choice(unit)} {self.bracket(typed())}}}"

    def total(self, depth):
        t, typed = self.factor(depth - 1)
        name = "jkl"[depth - 1]  # a sum in a sum has another letter
        letter = var(name, "N")
        own = T("app", ("u[]", "C"), (letter,))

        def shown():
            limits, body = self.style.choice(["", r"\limits"]), self.style.choice(["u_%s", "u_{%s}"]) % name
            return rf"\sum{limits}_{{{name}=0}}^{{N}} {body} {typed()}"

        return bind("sum", name, num(0), N, letter, mul(own, t)), shown


KINDS = ["sum", "product", "fraction", "power", "conjugate", "modulus", "cosine", "exponential", "total"]
KINDS += ["cosine_of_a_letter", "letter", "number", "entry"]


@pytest.mark.parametrize("seed", range(120))
def test_a_term_is_read_as_itself_however_it_is_typed(seed):
    typing, reading = Typing(seed), Reading()
    reading.declare(SAID)
    t, typed = typing.term(3)
    for _ in range(4):
        latex = typed()
        assert normal(reading.term(latex)) == normal(t), latex
