r"""A text typed without backslashes, as the LaTeX that is shown and read.

    for all i, n in N, x in R and every real sequence theta
    eq-arrows: |sum(exp(I*x*theta(i)), i, 0, n - 1)|^2 <= n^2

A product is written with ``*`` or side by side, ``a/b`` is a fraction, ``theta(i)`` an entry of a sequence.
What holds a backslash, or is LaTeX as it stands, is left alone; what may be read in two ways is refused.
"""

import copy
import re
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, NoReturn

from ..latex.scopes import VARIANTS
from ..latex.tokens import BRACKETS, GREEK, NAMED, RELATIONS, SPELT, Misplaced, Unread
from ..latex.tokens import FUNCTIONS as COMMANDS
from .blocks import BESIDE, HEAD, RULE, outside, placed
from .reading import Reading
from .scope import typed

SIGNS = {"<=": r"\le", "≤": r"\le", ">=": r"\ge", "≥": r"\ge", "!=": r"\ne", "≠": r"\ne"}
RANGES = {"sum": r"\sum_{{{1}={2}}}^{{{3}}} {0}", "prod": r"\prod_{{{1}={2}}}^{{{3}}} {0}"}
RANGES |= {"max": r"\max_{{{2} \le {1} \le {3}}} {0}", "diff": r"\frac{{\partial}}{{\partial {1}}} {0}"}
RANGES |= dict.fromkeys(("int", "integral"), r"\int_{{{2}}}^{{{3}}} {4} \, d{1}")
APPLIED = {name: f"\\{name}" for name in (*COMMANDS.values(), "max", "min")}
APPLIED |= {name: rf"\operatorname{{{spelt}}}" for spelt, head in SPELT.items() for name in (spelt, head)}
AROUND = {"exp": "e^{{{}}}", "sqrt": r"\sqrt{{{}}}", "conj": r"\overline{{{}}}", "abs": r"\left|{}\right|"}
AROUND |= {"binomial": r"\binom{{{}}}{{{}}}", "delta": r"\delta_{{{} {}}}"}
INFINITE = ("oo", "infinity")
FUNCTIONS = {*APPLIED, *AROUND, *RANGES, *INFINITE}
OPEN = ("sum", "product", "range", "fraction", "power", "factorial", "exp", "conj", "binomial")
SAME = {"·": "*", "×": "*", "−": "-"}
SKIPPED = re.compile(r"\s+--(?:\s[^\n]*|$)|\s*#[^\n]*|\s+", re.M)
TOKEN = re.compile(SKIPPED.pattern + r"|[a-zA-Z]+|\d+(?:\.\d+)?|[<>!:]=|.", re.M | re.S)
VALUE = re.compile(
    r"(?<![\\\w])([a-zA-Z]\w*(?:\([^()=]*\))?)\s*=\s*|\b(?:times|rest|antiderivative|to|over)\s+"
)
LAST = re.compile(r"[,)\n]| (?:to|over) ")
LINE = re.compile(r"\n[^\n]*")
DEEPEST = 50


class Token(NamedTuple):
    """What is typed, and where; what was skipped ``before`` it: blanks, line ends, reasons."""

    text: str
    at: int
    before: str = ""


class Part(NamedTuple):
    """LaTeX, and what it is: "number", "sum", "product", "range" that goes on to the right, "closed", …"""

    latex: str
    kind: str

    def bracketed(self, *kinds: str) -> str:
        if self.kind not in kinds:
            return self.latex
        tall = re.search(r"\\(?:d?frac|sum|prod|int|max|binom)", self.latex)
        return rf"\left({self.latex}\right)" if tall else f"({self.latex})"


def latex(text: str, reading: Reading | None = None) -> str:
    """The same text in LaTeX, line for line; ``reading`` is what was declared and defined before it.

    Raises:
        Unread: naming line and column, and what to write instead.

    Example:
        >>> print(latex("for all a, b in R\\neq-x: 2*a*cos(b)/3 = sqrt(a^2)*b"))
        for all a, b ∈ ℝ
        eq-x: \\frac{2 a \\cos(b)}{3} = \\sqrt{a^2} b
    """
    known = copy.deepcopy(reading or Reading())
    heads = {*re.findall(r"(\w+)\([^()]*\)\s*:=", "\n".join([text, *known.meant]))}
    try:
        return "\n".join(_part(part, known, heads) for part in re.split(r"\n(?=\S)", text))
    except Misplaced as reason:
        raise placed(reason, text) from None


def _part(part: str, known: Reading, heads: set[str]) -> str:
    if re.match(r"[Ff]or\s", part):
        scope = typed(part)
        with suppress(Unread):  # it is read again, and answered there
            known.declare(" ".join(map(str.strip, SKIPPED.sub(" ", scope).split("\n"))))
        return scope
    if part.startswith("words "):
        return part
    start = HEAD.match(part).end()  # type: ignore[union-attr]
    end = re.search(rf"\n[ \t]*{BESIDE.pattern}|\Z", part).start()  # type: ignore[union-attr]
    out = part[:start] + _Plain(part, (start, end), known, heads).all()
    for line in LINE.finditer(part, end):
        at = line[0].strip().startswith("at:")
        out += _values(part, line.span(), known, heads) if at else line[0]
    return out


def _values(text: str, span: tuple[int, int], known: Reading, heads: set[str]) -> str:
    """A rule, or a place, with its values in LaTeX."""
    place, end = span
    out = ""
    while found := VALUE.search(text, place, end):
        value = text[found.end() : end]
        length = next((k for k in outside(value) if LAST.match(value, k)), len(value))
        for first, last in [found.span(1)] * bool(found[1]) + [(found.end(), found.end() + length)]:
            out += text[place:first] + _Plain(text, (first, last), known, heads).all()
            place = last
    return out + text[place:end]


class _Plain:
    """A row, or one side, from left to right."""

    def __init__(self, text: str, span: tuple[int, int], known: Reading, heads: set[str]) -> None:
        self.text, self.known, self.heads = text, known, heads
        self.domains = known.said.domains
        self.tokens: list[Token] = []
        self.place = self.depth = self.bars = 0
        before = ""
        for found in TOKEN.finditer(text[: span[1]], span[0]):
            if SKIPPED.fullmatch(found[0]):
                before += self._skipped(found)
            else:
                self.tokens.append(Token(found[0], found.start(), before))
                before = ""
        self.tokens.append(Token("", span[1], before))  # the end

    def _skipped(self, found: re.Match[str]) -> str:
        """A reason, its rule in LaTeX."""
        rule = RULE.search(found[0]) if "--" in found[0] else None
        if rule is None:
            return found[0]
        first, last = (found.start() + place for place in rule.span(1))
        values = _values(self.text, (first, last), self.known, self.heads)
        return found[0][: rule.start(1)] + values + found[0][rule.end(1) :]

    def all(self) -> str:
        """All of it, line for line; what was skipped within a side stands behind it."""
        if not self._typed_plainly():
            return "".join(token.before + token.text for token in self.tokens)
        self.tokens = [letter for token in self.tokens for letter in self._letters(token)]
        start, out = 0, _lines(self.tokens[:1])
        while True:
            out += self.sum().latex
            sign = SIGNS.get(self.peek(), self.peek())
            out += _lines(self.tokens[start + 1 : self.place + 1]) or " " * bool(sign)
            if not sign:
                return out
            if sign not in RELATIONS:
                self.refuse(f"the sign {sign!r}")
            start, out = self.place, f"{out}{sign} "
            self.next()

    def _typed_plainly(self) -> bool:
        """Whether something stands here that LaTeX would not have, or reads in another way."""
        words = {*GREEK, *NAMED, *FUNCTIONS, *SIGNS, *SAME}
        texts = ["", *(token.text for token in self.tokens[:-1])]
        return "\\" not in texts and any(
            b in words
            or (b == "*" and a not in ("^", "{"))
            or (b == "I" and self._imaginary())
            or (a in ("^", "_") and (b == "(" or (b[0].isdigit() and len(b) > 1)))
            or (b in ("(", "[") and f"{a}[]" in self.domains)
            or (a.isalpha() and b[0].isdigit() and not token.before)
            for (a, b), token in zip(pairwise(texts), self.tokens, strict=False)
        )

    def _letters(self, token: Token) -> list[Token]:
        """A word that is known, or the letters of a product that is typed without signs."""
        word = SAME.get(token.text) or NAMED.get(token.text, token.text)
        if len(word) < 2 or not word.isalpha() or word in self.domains or word != token.text:
            return [token._replace(text=word)]
        letters = all({x, f"{x}[]"} & self.domains.keys() for x in word)
        if word in {*GREEK, *FUNCTIONS}:
            if (letters and len(word) == 2) or (letters and word in GREEK):
                self.refuse(f"{word} may be {'*'.join(word)}, or {GREEK.get(word, word.title())}", token)
            return [token]
        if not letters or any(len(known) > 2 and known in word for known in FUNCTIONS):
            self.refuse(f"{word}: a name is one letter, or a Greek one, and a product is typed a*b", token)
        return [Token(x, token.at + k, token.before * (k == 0)) for k, x in enumerate(word)]

    def _imaginary(self) -> bool:
        return not self.known.said.sizes and not any(re.fullmatch(r"I\W*", name) for name in self.domains)

    def refuse(self, reason: str, token: Token | None = None) -> NoReturn:
        raise Misplaced(reason, self.text, (token or self.tokens[self.place]).at)

    def peek(self) -> str:
        return self.tokens[self.place].text

    def next(self) -> Token:
        if not self.peek():
            self.refuse("a number, a letter or a bracket is expected")
        self.place += 1
        return self.tokens[self.place - 1]

    def take(self, sign: str) -> bool:
        """Whether the sign stands here; then it is passed."""
        here = self.peek() == sign
        self.place += here
        return here

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            self.refuse(f"{sign} is expected, not {self.peek() or 'the end'}")

    def sum(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse("an expression with fewer brackets in each other is expected")
        sign = self.next().text if self.peek() in ("+", "-") else ""
        found = self.product()
        if sign or self.peek() in ("+", "-"):
            found = Part(f"{sign}{found.bracketed('sum')}", "sum")
        while self.peek() in ("+", "-"):
            found = Part(f"{found.latex} {self.next().text} {self.product().bracketed('sum')}", "sum")
        self.depth -= 1
        return found

    def product(self) -> Part:
        factors = [self.power()]
        over = False
        while (
            (sign := self.peek()) in ("*", "/", "(")
            or sign.isalnum()
            or (sign == "|" and factors[-1].kind == "number" and not self.bars)  # 2|x|
        ):
            if sign not in ("*", "/") and (over or sign[0].isdigit()):
                self.refuse("what belongs to the fraction? Write * or brackets" if over else "* is expected")
            over = self.take("/")
            if over:
                factors = [Part(rf"\frac{{{_times(factors).latex}}}{{{self.power().latex}}}", "fraction")]
            else:
                self.take("*")
                factors.append(self.power())
        return _times(factors)

    def power(self) -> Part:
        base = self.atom()
        if self.take("!"):
            base = Part(f"{base.bracketed(*OPEN)}!", "factorial")
        if not self.take("^"):
            return base
        raised = "*" if self.take("*") else self.script()
        if self.peek() == "^":
            self.refuse("which power is raised? Write (a^b)^c or a^(b^c)")
        return Part(f"{base.bracketed(*OPEN)}^{raised}", "power")

    def script(self) -> str:
        """What stands above or below."""
        if self.take("{"):
            return _braced(_list(self._until("}")))
        if self.take("-"):
            return _braced(f"-{self.atom().bracketed('sum')}")
        letter = len(self.peek()) == 1 and self.peek().isalpha()
        inside = self.atom().latex
        if letter and self.peek()[:1].isalpha():
            self.refuse("what is above or below? Write ^(…), _{…} or *")
        return _braced(inside)

    def _until(self, closing: str) -> list[Part]:
        """What stands between commas, up to a bracket."""
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        self.expect(closing)
        return found

    def atom(self) -> Part:
        token = self.next()
        word = token.text
        if word[0].isdigit():
            return Part(word, "number")
        if word == "(":
            inside = self.sum()
            self.expect(")")
            return inside
        if word == "|":
            self.bars += 1
            inside = self.sum()
            self.expect("|")
            self.bars -= 1
            return Part(AROUND["abs"].format(inside.latex), "closed")
        if word == "?":
            self.refuse("write your formula in the place of the ?", token)
        if not word.isalpha():
            self.refuse(f"a number, a letter or a bracket is expected, not {word}", token)
        declared = {word, f"{word}[]", f"{word}()"} & self.domains.keys()
        if word in FUNCTIONS and not declared and (word not in GREEK or self.peek() == "("):
            return self._applied(token)
        return self._name(token)

    def _name(self, token: Token) -> Part:
        name = token.text
        if name in INFINITE or (name == "I" and self._imaginary()):
            return Part(r"\infty" if name in INFINITE else r"\mathrm{i}", "closed")
        own = VARIANTS.get(GREEK[name], f"\\{name}") if name in GREEK else name
        out = self.known.hand.forms.get(f"\\{name}" if name in GREEK else name, own)
        below = ""
        number = self.peek() if self.peek()[:1].isdigit() and not self.tokens[self.place].before else ""
        if number and f"{name}_{number}" not in self.domains:
            self.refuse(f"{name}{number}: a number behind a letter: write {name}_{number}, or *", token)
        if number or self.take("_"):
            below = f"_{self.script()}"
        elif self.peek() in ("(", "[") and f"{name}[]" in self.domains:
            below = f"_{_braced(_list(self._until(BRACKETS[self.next().text])))}"
        is_function = f"{name}{below}()" in self.domains
        if (is_function or name + below in self.heads) and self.take("("):
            return Part(f"{out}{below}({_list(self._until(')'))})", "closed")
        return Part(out + below, "function" if is_function else "closed")

    def _applied(self, token: Token) -> Part:
        """cos(x), cos^2(x), conj(z), sum(term, i, first, last)."""
        word = token.text
        above = ""
        if word in APPLIED and self.take("^"):
            above = f"^{self.script()}"
        if not self.take("("):
            self.refuse(f"{word} without brackets: write {word}(…)", token)
        args = self._until(")")
        latex = [arg.latex for arg in args]
        if word in RANGES and len(args) == (2 if word == "diff" else 4):
            return Part(RANGES[word].format(args[0].bracketed("sum"), *latex[1:], latex[0]), "range")
        if word in APPLIED and len(args) == 1 + (word in ("max", "min")):
            return Part(f"{APPLIED[word]}{above}" + Part(", ".join(latex), "sum").bracketed("sum"), "closed")
        if word in AROUND and len(args) == AROUND[word].count("{}"):
            return Part(AROUND[word].format(*latex), word)
        few = f"{word}(term, i, first, last)" if word in RANGES and word != "diff" else f"{word}(…)"
        self.refuse(f"{few} is expected, not {len(args)} between the brackets", token)


def _lines(tokens: list[Token]) -> str:
    """The line ends and reasons before some tokens."""
    return "".join(token.before for token in tokens if {"\n", "-", "#"} & set(token.before))


def _list(parts: list[Part]) -> str:
    return ", ".join(part.latex for part in parts)


def _braced(script: str) -> str:
    return script if len(script) == 1 else f"{{{script}}}"


def _times(factors: list[Part]) -> Part:
    """A product, side by side where that is read as one."""
    if len(factors) == 1:
        return factors[0]
    shown = [f.bracketed("sum", "range") for f in factors[:-1]] + [factors[-1].bracketed("sum")]
    out = shown[0]
    for before, this in pairwise(zip(factors, shown, strict=True)):
        number = re.search(r"(?:^|[\s(])\d[\d.]*$", before[1])
        apart = this[1][0].isdigit() or (number and this[1].startswith(r"\frac"))
        apart = apart or (before[0].kind == "function" and this[1].startswith(("(", r"\left(")))
        out += rf" \cdot {this[1]}" if apart else f" {this[1]}"
    return Part(out, "range" if factors[-1].kind == "range" else "product")
