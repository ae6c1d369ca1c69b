"""The wrong versions that pages show, evaluated: read from what is printed, computed by mpmath."""

import re
from fractions import Fraction

import mpmath

from posenc_proofs.kernel.terms import FUNCTIONS, Term, at, num, var
from posenc_proofs.latex.definitions import definitions, head, one_row, rows
from posenc_proofs.latex.expressions import read
from posenc_proofs.latex.names import Definition, Names, plain_name
from posenc_proofs.latex.statements import claims_of, entries
from posenc_proofs.latex.tokens import GREEK, Hand, Unread

VARIANTS = str.maketrans("ϕϵϑϱ", "φεθρ")  # of letters, as a page may draw them


def pretty_name(name):
    """theta_1 as θ_1, phi(0) as φ(0), x^star as x⋆."""
    word = re.match(r"[A-Za-z]*", name)[0]
    return f"{GREEK.get(word, word)}{name[len(word) :]}".replace("^star", "⋆").translate(VARIANTS)


HOLDS = {"=": lambda gap: abs(gap) < 1e-20, "<": lambda gap: gap.real < 0, ">": lambda gap: gap.real > 0}
HOLDS |= {"<=": lambda gap: not HOLDS[">"](gap), ">=": lambda gap: not HOLDS["<"](gap)}


def unmarked(latex):
    r"""Without ``\wrong{…}`` and with what is inside; without what only leaves room."""
    while (start := latex.find(r"\wrong{")) >= 0:
        depth, end = 1, start + len(r"\wrong{")
        while depth:
            depth += {"{": 1, "}": -1}.get(latex[end], 0)
            end += 1
        inner = latex[start + len(r"\wrong{") : end - 1]
        inner = "" if inner.startswith(r"\phantom") else inner.removeprefix("{}")
        latex = f"{latex[:start]} {inner} {latex[end:]}"
    return latex


def number(text):
    """The value of "-1", "π/2", "1/2 + 1i"."""
    if "π" in text:
        top, _, bottom = text.partition("/")
        return mpmath.pi * int(top.replace("π", "") or 1) / int(bottom or 1)
    if text.endswith("i"):
        real, sign, imaginary = text[:-1].split(" ")
        return mpmath.mpc(number(real), number(imaginary) * (-1 if sign == "-" else 1))
    value = Fraction(text)
    return mpmath.mpf(value.numerator) / value.denominator


def shown(value):
    """An argument as a point names it."""
    assert abs(mpmath.im(value)) < 1e-20
    fraction = Fraction(str(mpmath.nstr(mpmath.re(value), 20))).limit_denominator(1000)
    if abs(mpmath.re(value) - mpmath.mpf(fraction.numerator) / fraction.denominator) < 1e-15:
        return str(fraction)
    raise Unread(f"the argument {value}")


def printed(name):
    """A name of the kernel as a point has it: W^Q."""
    return pretty_name(plain_name(name)).replace("__", "^")


def power(a, b):
    return mpmath.exp(b * mpmath.log(a)) if a else mpmath.mpf(0) ** mpmath.re(b)


def value(t, point):
    """The value of a term of the kernel at a point, in fifty digits; what the point does not say is 1."""
    if t.head == "num":
        real, imaginary = (mpmath.mpf(part.numerator) / part.denominator for part in t.data)
        return mpmath.mpc(real, imaginary)
    if t.head == "var":
        return point.get(printed(t.data[0]), mpmath.mpf(1))
    if t.head in ("sum", "prod", "max"):
        low, high = (round(mpmath.re(value(end, point))) for end in t.args[:2])
        terms = [value(at(t, num(n)), point) for n in range(low, high + 1)]
        together = {"sum": mpmath.fsum, "prod": mpmath.fprod, "max": lambda v: max(map(mpmath.re, v))}
        return together[t.head](terms)
    args = [value(a, point) for a in t.args] if t.head not in ("int", "lim", "word", "T") else []
    if t.head == "app":
        left, right = "[]" if t.data[0].endswith("[]") else "()"
        name = printed(t.data[0])
        if name in point:  # what the name stands for in the model
            return point[name](*args)
        return point.get(f"{name}{left}{', '.join(map(shown, args))}{right}", mpmath.mpf(1))
    simple = {"+": lambda *a: mpmath.fsum(a), "*": lambda *a: mpmath.fprod(a), "abs": abs, "re": mpmath.re}
    simple |= {"im": mpmath.im, "conj": mpmath.conj, "inv": lambda a: 1 / a, "pi": lambda: mpmath.pi}
    simple |= {"pow": power, "^": lambda a: a ** t.data[0]}
    simple |= {
        "delta": lambda a, b: mpmath.mpf(a == b),
        "Ci": mpmath.ci,
        "Si": mpmath.si,
        "euler": lambda: mpmath.euler,
    }
    if t.head not in simple and not hasattr(mpmath, t.head):
        raise Unread(f"no value of {t.head}")
    return simple.get(t.head, getattr(mpmath, t.head, None))(*args)


def failures(record, of_derivation, theorems):
    """Of each wrong version of a result: whether it fails where it says, with the values that it says."""
    if "matri" in record["scope"]:
        raise Unread("matrices of any size")
    said = [r["latex"] for r in of_derivation if r["kind"] == "defined"]
    hand = Hand()
    defined = definitions(one_row(latex, hand) for latex in [*said, *record["meant"]])
    for wrong in record["wrong_versions"]:
        name = record["label"] if record["rows"] == 1 else f"{record['label']}.{wrong['row']}"
        names = Names([theorems[claim] for claim in claims_of(record, name)], defined)
        ((left, relation, right),) = rows(unmarked(wrong["latex"]), hand)
        sides = [entries(read(side, names)) for side in (left, right)]
        point = {name.translate(VARIANTS): number(text) for name, text in wrong["point"]}
        point |= {
            pretty_name(name): meant(d, names, point)
            for name, d in (modelled(latex, hand) for latex in wrong["model"])
        }
        place = 0
        if wrong["entry"]:
            row, column = wrong["entry"]
            columns = len(rows_of(right, names)[0])
            place = (row - 1) * columns + column - 1
        a, b = (value(names.unfolded(side[place]), point) for side in sides)
        yield wrong, relation, a, b


def modelled(latex, hand):
    """A name of the model, and what it is: K_{j, l} := 0 says all entries."""
    left, _, body = one_row(latex, hand)
    name, letters = head(left, None)
    if not all(letter.isalpha() and len(letter) == 1 for letter in letters):
        name, letters = head(left, body)
    return name, Definition(letters, tuple(body))


def spelt(name):
    """α_q as LaTeX spells it: alpha_q."""
    return next((f"{word}{name[1:]}" for word, sign in GREEK.items() if name[:1] == sign), name)


def meant(definition, names, point):
    """A name of the model as a function, or its value; what it is made of occurs in the point or nowhere."""
    for name in point:
        head, bracket, _ = spelt(name).replace("[", "(").partition("(")
        head += "__" * (head in FUNCTIONS)  # the letter δ is no function of the kernel's
        entry = "[]" if "[" in name else ""
        names.known[head + entry] = Term("app", (head + entry, "C"), (num(0),)) if bracket else var(head, "C")
    for piece in (piece.removeprefix("\\") for piece in definition.body):
        letter = (piece in GREEK and piece not in ("pi", "delta")) or (
            piece.isalpha() and len(piece) == 1 and piece not in "ei"
        )
        if letter and names.find(piece) is None and piece not in definition.letters:
            names.known[piece] = var(piece, "C")
    letters = {letter: var(letter, "C") for letter in definition.letters}
    body = names.unfolded(read(definition.body, names, letters))

    def function(*args):
        given = {pretty_name(letter): a for letter, a in zip(letters, args, strict=True)}
        return value(body, {**point, **given})

    return function if letters else function()


def rows_of(side, names):
    return read(side, names).rows
