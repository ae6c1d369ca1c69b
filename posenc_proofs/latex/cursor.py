"""A place among the tokens of an expression, and what may stand there in any: names, with their powers."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..kernel.terms import ONE, PI, Term, fun, var
from .matrices import IDENTITY, Product, Value, transposed
from .names import Definition, Names, plain_name
from .powers import matrix_power, to_the
from .tokens import LETTERS, Token, Unread, refuse, spelling, spelt, split

Bound = Mapping[str, Term] | None  # letters with what stands for them
END = Token("")
CONSTANTS = {"pi": PI, "gamma": fun("euler"), "e": fun("exp", ONE)}


class Cursor:
    """Goes from left to right; ``bound`` are the letters of sums, integrals and definitions around it.

    ``derived`` are letters by which it is derived around it. Where the meaning of a name is read, ``outer``
    are the letters that are bound or derived by around that name: they do not reach into it.
    """

    latest = END  # the token that any of them passed last: where a reader stopped
    sum: Callable[[], Value]  # the expression that stands here, to where it ends
    product: Callable[[], Value]  # the product that stands here, to the next sign
    factor: Callable[[], Value]  # one factor, with its power
    atom: Callable[[], Value]  # and without

    def __init__(self, row: Sequence[Token], names: Names, bound: Mapping[str, Term]) -> None:
        self.tokens, self.names, self.bound, self.place = list(row), names, dict(bound), 0
        self.derived = frozenset[str]()
        self.outer: dict[str, str] = {}
        self.checks = False  # whether it is read for its letters alone, which may be declared elsewhere

    @property
    def around(self) -> frozenset[str]:
        """The letters that are bound here, or by which it is derived, or around the name that is read."""
        return self.derived.union(self.bound, self.outer)

    def peek(self) -> Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else END

    def next(self) -> Token:
        token = self.peek()
        self.place += 1
        Cursor.latest = token or Cursor.latest
        return token

    def take(self, sign: str) -> bool:
        """Whether the sign stands here; then it is passed."""
        return self.peek() == sign and bool(self.next())

    def expect(self, sign: str) -> None:
        refuse(not self.take(sign), f"{sign} is expected, not {self.peek() or 'the end'}")

    def bracket(self) -> list[Token]:
        """What stands in the bracket that opens here."""
        start = self.place + 1
        self.place = start + self.next().to
        return self.tokens[start : self.place - 1]

    def group(self) -> list[Token]:
        """The tokens between braces, or the one token that stands without."""
        refuse(len(self.peek()) > 1 and self.peek()[0].isdigit(), f"{self.peek()} without braces")
        inside = self.bracket() if self.peek() == "{" else [self.next()]
        refuse(not any(inside), "nothing stands where something is expected")
        return inside

    def exponent(self) -> list[Token] | None:
        """What stands above, if anything does."""
        return self.group() if self.take("^") else None

    def power_of(self, name: str) -> list[Token] | None:
        """What stands above the name of a function: a digit, or nothing."""
        exponent = self.exponent()
        if exponent is not None and not (len(exponent) == 1 and exponent[0].isdigit()):
            raise Unread(f"{name} with such an exponent may be its inverse, or its derivative: use brackets")
        return exponent

    def at(self, row: Sequence[Token], bound: Bound = None, derived: Iterable[str] = ()) -> "Cursor":
        """Before some tokens, with more letters bound, or derived by."""
        other = type(self)(row, self.names, {**self.bound, **(bound or {})})
        other.derived, other.outer, other.checks = self.derived.union(derived), self.outer, self.checks
        return other

    def inside(self, row: Sequence[Token], bound: Bound = None) -> Value:
        """The one expression that some tokens are, with more letters bound."""
        return self.at(row, bound).whole()

    def whole(self) -> Value:
        """The one expression that all of it is."""
        value = self.sum()
        if self.peek():
            raise Unread(f"after an expression: {self.next()}")
        return value

    def scalar(self, row: Sequence[Token], bound: Bound = None) -> Term:
        return scalar(self.inside(row, bound))

    def named(self, base: str, bold: bool = False) -> Value:
        """Whichever has this name; a bold one is a column."""
        base = self._with_label(base)
        below = self.group() if self.take("_") else []
        full = f"{base}_{spelling(below)}" if below else base
        self._require_own(full)
        one = self.names.find(full) or self.names.matrix(full) or full in self.names.defined
        if one:
            spelt(below)
        if one and not self.around.isdisjoint(map(spelling, zip(below))):
            raise Unread(f"{full} is a name, and does not depend on what runs below it")
        value = self._of_any_size(base, full, below, bold) or self._whole(full, bold)
        value = value or (self._indexed(base, below, bold) if below else None)
        if value is None and full == "I" and self.names.of_any_size:
            value = IDENTITY
        if value is None and self.checks:
            value = var(full, "N+")
        if value is None:
            remedy = f"say in the scope what it is, for all {full} ∈ ℝ, say"
            raise Unread(f"the name {full} is not declared: {remedy}")
        return value

    def _with_label(self, base: str) -> str:
        """W^Q, where some name begins so."""
        start = self.place
        if self.names.starts(f"{base}__") and self.take("^"):
            above = self.group()
            label = f"{base}__{spelling(above)}"
            if self.names.starts(label):
                spelt(above)
                if base in self.bound or not self.around.isdisjoint(map(spelling, zip(above))):
                    raise Unread(f"{label} is a name, and does not depend on what runs above it")
                return label
            self.place = start
        return base

    def _of_any_size(self, base: str, full: str, below: Sequence[Token], bold: bool) -> Value | None:
        """A matrix of any size, or a column, by its name; what it depends on stands below."""
        if full in self.bound:
            return None
        alone, depending = self.names.matrix(full), self.names.matrix(base) if below else None
        found = [t for t, depends in ((alone, False), (depending, True)) if t and bool(t.args) == depends]
        refuse(len(found) > 1, f"two matrices are printed {full}")
        if not found:
            return None
        args = tuple(map(self.scalar, split(below, ","))) if found[0].args else ()
        name = plain_name(found[0].data[0])
        if args:
            _require_one(base, below)
        self._check_meaning(name, args)
        refuse(bold != (name in self.names.columns), f"{name} is bold if it is a column, and only then")
        return Product(((ONE, (Term("app", found[0].data, args),)),), (True, not bold))

    def _whole(self, name: str, bold: bool) -> Value | None:
        """A name as it stands, with arguments if it is a function's."""
        if name in self.bound and not bold:
            if self.peek() == "(" and self.names.is_function(name):
                raise Unread(f"{name} is a letter here, and a function elsewhere: rename one")
            return self.bound[name]
        found = None if bold else self.names.find(name)
        meaning = self.names.defined.get(name)
        if found is None and meaning is not None and (not meaning.letters or self.peek() == "("):
            return self._meaning(name, self.arguments() if meaning.letters else [])
        if found is None:
            return None if bold else CONSTANTS.get(name)
        if found.head == "var":
            self._check_meaning(name)
            return found
        exponent = self.power_of(name)
        return self.raised(self._value(found, self.arguments()), exponent)

    def _indexed(self, base: str, below: Sequence[Token], bold: bool) -> Value | None:
        if base == "delta" and not self.names.starts("delta"):
            other = self.at(below)
            first = scalar(other.factor())
            apart = other.take(",")
            if not apart and below[other.place - 1][0].isdigit() and other.peek()[:1].isdigit():
                raise Unread("two numbers side by side: write a comma")
            pair = first, scalar(other.factor())
            refuse(other.peek(), "delta of more than two letters or numbers")
            return fun("delta", *pair)
        args = [self.scalar(part) for part in split(below, ",")]
        found = None if bold else self.names.find(base, indexed=True)
        if found is not None:
            if len(below) > 1 and all(token.isalpha() or token in LETTERS for token in below):
                raise Unread(f"{base} at a product reads as an entry of two numbers")
            self._require_own(base)
            return self._value(found, args)
        return self._meaning(base, args) if base in self.names.defined else None

    def arguments(self) -> list[Term]:
        """What stands in brackets, between commas."""
        refuse(self.peek() != "(", f"( is expected, not {self.peek() or 'the end'}")
        return [self.scalar(part) for part in split(self.bracket(), ",")]

    def _value(self, of: Term, args: Sequence[Term]) -> Term:
        self._check_meaning(plain_name(of.data[0]), args)
        return self.names.value(of, tuple(args))

    def _require_own(self, name: str) -> None:
        """Refuse a letter of the meaning that is read, if around its name another of that name is bound."""
        if name in self.outer and name not in self.bound:
            of = self.outer[name]
            raise Unread(f"{name} stands free in what {of} is, and is bound around it: rename one")

    def _check_meaning(self, name: str, args: Sequence[Term] = ()) -> None:
        """Read what a name is defined as that stays a name, for the letters in it.

        Of the entries of a sequence there may be a vector, too, which is another name.
        """
        meant, bold = self.names.every.get(name), name in self.names.columns
        own = meant is not None and len(meant.letters) == len(args) and meant.bold == bold
        if meant and own and self.around:
            self._read(name, meant, args, checks=True)

    def _meaning(self, name: str, args: Sequence[Term]) -> Value:
        """What a name stands for that is read as its meaning."""
        meant = self.names.defined[name]
        refuse(len(meant.letters) != len(args), f"{name} has {len(meant.letters)} arguments, not {len(args)}")
        return self._read(name, meant, args)

    def _read(self, name: str, meant: Definition, args: Sequence[Term], checks: bool = False) -> Value:
        """What is printed as the meaning; the letters around the name do not reach into it."""
        other = type(self)(meant.body, self.names, dict(zip(meant.letters, args, strict=True)))
        other.derived, other.checks = self.derived, self.checks or checks
        other.outer = {**self.outer, **dict.fromkeys({*self.bound, *self.derived}, name)}
        return other.whole()

    def raised(self, value: Value, exponent: Sequence[Token] | None) -> Value:
        """A value with what stands above it, if anything does."""
        if exponent is None:
            return value
        if exponent == [r"\top"]:
            return transposed(value)
        if exponent == ["*"] and isinstance(value, Term):
            return fun("conj", value)
        if exponent == ["T"] and self.names.find("T") is None and "T" not in self.bound:
            raise Unread("^{T} may be a power: write ^\\top")
        if exponent[:1] == ["("] and exponent[2:] == [")"] and exponent[1].isdigit():
            raise Unread("a number in brackets above a name may count something: write no brackets")
        k = self.scalar(exponent)
        return to_the(value, k) if isinstance(value, Term) else matrix_power(value, k)


def _require_one(base: str, below: Sequence[Token]) -> None:
    """Refuse m n below a name: it reads as two numbers; so does 12."""
    if (len(below) > 1 and all(map(str.isalpha, below))) or (len(below[0]) > 1 and below[0].isdigit()):
        raise Unread(f"{base} at {' '.join(below)} reads as an entry of two numbers")


def scalar(value: Value) -> Term:
    if not isinstance(value, Term):
        raise Unread("a matrix where a number is expected")
    return value
