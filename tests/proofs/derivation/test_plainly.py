"""A text typed without backslashes: what it is understood as, what is said of it, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from posenc_proofs.derivation.answers import answers
from posenc_proofs.latex.tokens import Unread
from posenc_proofs.text.blocks import blocks
from posenc_proofs.text.plainly import latex
from posenc_proofs.text.reading import Reading

BOOK = Path(__file__).parents[3] / "book"
SAID = (
    "for all a, b, c, x, theta, phi, mu1 in R, i, j, N in N, n in N+, m in Z, z, w in C "
    "and every real sequence h and every complex sequence omega and every smooth real function f\n"
)
TYPED = [  # as it is typed, as it is shown, what is said of it
    ("2*a*cos(b) = 2cos(b) a + a - a", r"2 a \cos(b) = 2 \cos(b) a + a - a", "proved"),
    ("a/2*b = b*a/(3 - 1)", r"\frac{a}{2} b = \frac{b a}{3 - 1}", "proved"),
    ("-a^2 = -(a*a)", "-a^2 = -a a", "proved"),
    ("(-a)^2 = |a|^2", r"(-a)^2 = |a|^2", "proved"),
    ("(a/2)^10 = a^10/1024", r"\left(\frac{a}{2}\right)^{10} = \frac{a^{10}}{1024}", "proved"),
    ("a - (b - c) = a - b - c", r"a - (b - c) = a - b - c", "refuted"),
    ("2*3*(1/2) = 3", r"2 \cdot 3 \cdot \frac{1}{2} = 3", "proved"),
    ("sqrt(a^2) = |a|", r"\sqrt{a^2} = \left|a\right|", "proved"),
    ("exp(I*theta) = cos(theta) + I*sin(theta)",
     r"e^{\mathrm{i} \theta} = \cos(\theta) + \mathrm{i} \sin(\theta)", "proved"),
    ("re(z*conj(w)) = re(w*conj(z))",
     r"\operatorname{Re}(z \overline{w}) = \operatorname{Re}(w \overline{z})", "proved"),
    ("|z|^2 = z^* * z", r"\left|z\right|^2 = z^* z", "proved"),
    ("sin(phi)^2 = 1 - cos^2(phi)", r"\sin(\varphi)^2 = 1 - \cos^2(\varphi)", "proved"),
    ("sin(φ·2) ≤ 2", r"\sin(\varphi \cdot 2) \le 2", "undecided"),
    ("cos(2*pi*m) = exp(2*pi*I*m)", r"\cos(2 \pi m) = e^{2 \pi \mathrm{i} m}", "proved"),
    ("mu1 + mu_1 = 2mu_1", r"\mu_1 + \mu_1 = 2 \mu_1", "proved"),
    ("h(i + 1)^2*h_i = h_i*h(1 + i)*h[i+1]", r"h_{i + 1}^2 h_i = h_i h_{1 + i} h_{i + 1}", "proved"),
    ("a(b + c) = a*b + a*c", "a (b + c) = a b + a c", "proved"),
    ("sum(h(i), i, 0, N)*2 = sum(2*h(i), i, 0, N)",
     r"\left(\sum_{i=0}^{N} h_i\right) \cdot 2 = \sum_{i=0}^{N} 2 h_i", "proved"),
    ("sum(h(i) + 1, i, 0, N) = 1 + N + sum(h(i), i, 0, N)",
     r"\sum_{i=0}^{N} (h_i + 1) = 1 + N + \sum_{i=0}^{N} h_i", "proved"),
    ("|h(i)| <= max(|h(j)|, j, 0, i)",
     r"\left|h_i\right| \le \max_{0 \le j \le i} \left|h_j\right|", "undecided"),
    ("integral(f(x), x, a, b) + int(f(x), x, b, c) = int(f(x), x, a, c)",
     r"\int_{a}^{b} f(x) \, dx + \int_{b}^{c} f(x) \, dx = \int_{a}^{c} f(x) \, dx", "proved"),
    ("diff(x*sin(x), x) = sin(x) + x*cos(x)",
     r"\frac{\partial}{\partial x} x \sin(x) = \sin(x) + x \cos(x)", "proved"),
    ("binomial(N + 1, n) = binomial(N, n) + binomial(N, n - 1)",
     r"\binom{N + 1}{n} = \binom{N}{n} + \binom{N}{n - 1}", "proved"),
    ("delta(i, j)*omega(i) = delta(i, j)*omega(j)",
     r"\delta_{i j} \omega_i = \delta_{i j} \omega_j", "proved"),
]  # fmt: skip
REFUSED = [
    ("a/b c*2 = a", "line 2, column 5: what belongs to the fraction"),
    ("1/a(b + c)*2 = a", "line 2, column 4: what belongs to the fraction"),
    ("foo*a = a", "line 2, column 1: foo: a name is one letter"),
    ("sin*a = a", r"line 2, column 1: sin without brackets: write sin\(…\)"),
    ("sum(h(i), i, 0) = a", r"line 2, column 1: sum\(term, i, first, last\) is expected, not 3"),
    ("x2*a = a", "line 2, column 1: x2: a number behind a letter"),
    ("a*-b = a", "line 2, column 3: a number, a letter or a bracket is expected, not -"),
    ("cos(a = 1", "line 2, column 7: \\) is expected, not ="),
    ("cos(a) = ?", "line 2, column 10: write your formula"),
    ("a^ij*2 = 1", "line 2, column 4: what is above or below"),
    ("(a + b)2 = pi", "line 2, column 8: \\* is expected"),
    ("2*a = b\n  = 3*'a'", "line 3, column 7: a number, a letter or a bracket is expected, not '"),
    ("(" * 60 + "2*a = b", "fewer brackets"),
]
EXERCISES = {
    "one": """for all c in R, d in N+
eq-x: ((c - c/d)^2 + (d - 1)*(c/d)^2)/d
  = c^2*(d - 1)/d^2          -- one deviation, and d − 1 equal ones""",
    "sine": """for all m, n in Z, theta in R
eq-x: sin(m*theta)*sin(n*theta) + cos(m*theta)*cos(n*theta)
  = cos((m - n)*theta)        -- the cosine of a difference""",
    "trained": """for all m, n, delta in Z, i in N, N in N+ and every real sequence A, theta
eq-x: sum(A(i)*cos(delta*theta(i))*cos((m-n)*theta(i))
      - A(i)*sin(delta*theta(i))*sin((m-n)*theta(i)), i, 0, N-1)
  = sum(A(i)*cos((m - n + delta)*theta(i)), i, 0, N-1)      -- all planes agree at distance −δ""",
    "chord": """for all m, k in Z, theta in R
eq-x: (sin((m + k)*theta) - sin(m*theta))^2 + (cos((m + k)*theta) - cos(m*theta))^2
  = 2 - 2*cos(k*theta)          -- addition formula
  = (2*sin(k*theta/2))^2        -- half-angle formula""",
    "rec": """for all k in Z, theta in R
eq-x: cos((k + 1)*theta)
  = 2*cos(theta)*cos(k*theta) - cos((k - 1)*theta)     -- the two neighbours, added""",
    "clock": """for all n in N+, q in R, i in N
eq-x: sum(q^i, i, 0, n - 1)
  = (q^n - 1)/(q - 1)        -- one plane more  [induction n]""",
    "anyh": """for all m in Z, beta in R
eq-x: (m + 1)*cos((m + 1)*beta) + (m - 1)*cos((m - 1)*beta) - 2*cos(beta)*m*cos(m*beta)
  = -2*sin(beta)*sin(m*beta)        -- addition formulas""",
    "xl": """for all d in N+, i in N and every real sequence q, k, r, u
eq-x: sum(q(i)*k(i), i, 0, d-1) + sum(q(i)*r(i), i, 0, d-1)
    + sum(u(i)*k(i), i, 0, d-1) + sum(u(i)*r(i), i, 0, d-1)
  = sum((q(i) + u(i))*(k(i) + r(i)), i, 0, d-1)      -- two brackets""",
    "alibi": """for all r in R+, L in N+, j in N
eq-x: sum(exp(-r*j), j, 0, L-1)
  = (1 - exp(-r*L))/(1 - exp(-r))      -- one key more  [induction L]""",
    "two": """for all m, n in Z, alpha, beta in R, z, w in C
eq-x: z*exp(I*m*alpha)*conj(w*exp(I*n*beta))
  = z*conj(w)*exp(I*(m - n)*alpha)*exp(I*n*(alpha - beta))    -- sort by m − n and n""",
    "rot": """for all m, n, s in Z, theta, a, b in R, z, w in C
eq-x: exp(-I*m*theta)*(a*exp(I*n*theta)*z + b*exp(I*s*theta)*w)
  = a*exp(I*(n - m)*theta)*z + b*exp(I*(s - m)*theta)*w    -- each value by its distance""",
    "taper": """for all n, i in N
eq-x: sum(n - i, i, 0, n-1)
  = n*(n + 1)/2                    -- a triangular number  [induction n]""",
    "half": """for all i in N, x in Z and every real sequence theta
eq-x: 1 - cos(x*theta(i))
  = 2*sin(x*theta(i)/2)^2          -- half-angle formula""",
    "better": """for all n in N+, i in N and every complex sequence h, S
eq-x: sum(h(i)*(S(i+1) - S(i)), i, 0, n-1)
  = h(n-1)*S(n) - h(0)*S(0) - sum(S(i+1)*(h(i+1) - h(i)), i, 0, n-2)  -- inside the range  [induction n]""",
    "lagrange": """for all i in N and every real sequence f, g
eq-x: (f(0)*g(0) + f(1)*g(1))^2 + (f(0)*g(1) - f(1)*g(0))^2
  = (f(0)^2 + f(1)^2)*(g(0)^2 + g(1)^2)     -- the mixed terms cancel""",
    "direct": """for all i in N and every complex sequence h, S
eq-x: h(0)*S(1) + sum(h(i)*(S(i+1) - S(i)), i, 1, 3)
  = S(1)*(h(0) - h(1)) + S(2)*(h(1) - h(2)) + S(3)*(h(2) - h(3)) + S(4)*h(3)   -- collect each S""",
    "try2": """for all i, N in N and every complex sequence h, g
eq-each: |h(i) + g(i)|
  <= |h(i)| + |g(i)|                   -- triangle inequality  [triangle]
eq-all: sum(|h(i) + g(i)|, i, 0, N)
  <= sum(|h(i)| + |g(i)|, i, 0, N)     -- for every index      [termwise eq-each]""",
    "odd": """for all i, N in N
eq-odd: sum(2*i - 1, i, 1, N)
  = N^2     -- your reason [induction N]""",
    "var": """for all d in N+, j, k in N and every real sequence w
eq-variance: sum((w(j) - sum(w(k), k, 0, d - 1)/d)^2, j, 0, d - 1)/d
  = sum(w(j)^2, j, 0, d - 1)/d - (sum(w(k), k, 0, d - 1)/d)^2""",
}


@pytest.mark.parametrize(("typed", "shown", "kind"), TYPED)
def test_what_is_typed_is_shown_as_it_is_understood(typed, shown, kind):
    *_, answer = answers(SAID + typed)
    asked = re.sub(r"\\overset\{\?\}\{(.*?)\}", r"\1", answer.latex)
    assert (asked, answer.kind) == (shown, kind), answer.said


@pytest.mark.parametrize(("typed", "reason"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(typed, reason):
    with pytest.raises(Unread, match=reason):
        latex(SAID + typed)


def test_what_is_a_word_and_a_product_is_refused():
    with pytest.raises(Unread, match=r"column 3: mu may be m\*u, or μ"):
        latex("for all m, u in R\n2*mu = 2*m*u")


def test_lines_reasons_rules_and_places_stay_where_they_are():
    text = SAID + (
        "eq-a: 2*a\n    + b       -- first\n  <= h(i) + b  -- why  [follows eq-b (theta = 2*a), times exp(x)]"
        "\n  source: from 2 to theta\nrefute eq-c: a = 2*b\n  at: a = theta/2, h(0) = 3*2"
    )
    assert latex(text).split("\n")[1:] == [
        r"eq-a: 2 a + b", "           -- first",
        r"  \le h_i + b  -- why  [follows eq-b (\theta = 2 a), times e^{x}]",
        "  source: from 2 to theta", "refute eq-c: a = 2 b", r"  at: a = \frac{\theta}{2}, h_0 = 3 \cdot 2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", EXERCISES)
def test_exercises_are_proved_as_they_are_typed(name):
    assert {answer.kind for answer in answers(EXERCISES[name])} == {"proved"}


def test_latex_is_never_rewritten():
    seen = 0
    for page in BOOK.glob("*/*.ipynb"):
        readings = {}
        for cell in json.loads(page.read_text())["cells"]:
            head = re.match(r"%%derive (\S+-\S+)\n", source := "".join(cell["source"]))
            if head is None:
                continue
            reading, text = readings.setdefault(head[1], Reading()), source[head.end() :]
            assert latex(text, reading) == text
            seen += 1
            for block in blocks(text):
                if isinstance(block, str):
                    reading.declare(block)
    assert seen
