"""What a printed name stands for: a letter, an entry, a value of a function, a matrix."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.terms import ONE, PI, Term, fun
from .cursor import Cursor, scalar
from .matrices import IDENTITY, Value, letter
from .names import plain_name
from .powers import raised
from .tokens import LETTERS, Token, Unread, spelling, split

EULER = fun("exp", ONE)
CONSTANTS = {"pi": PI, "gamma": fun("euler"), "e": EULER}


class Named(Cursor):
    """Names with what stands below, above and behind them."""

    def factor(self) -> Value:
        """One factor, with its power."""
        raise NotImplementedError

    def named(self, base: str, bold: bool = False) -> Value:
        """Whichever has this name; a bold one is a column."""
        base = self._with_label(base)
        below = self.group() if self.take("_") else []
        full = f"{base}_{spelling(below)}" if below else base
        value = self._of_any_size(base, full, below, bold)
        if value is None:
            value = self._whole(full, bold)
        if value is None and below:
            value = self._indexed(base, below, bold)
        if value is None and full == "I" and self.names.of_any_size:
            value = IDENTITY
        if value is None:
            raise Unread(
                f"the name {full} is not declared: say in the scope what it is, for all {full} ∈ ℝ, say"
            )
        return value

    def _with_label(self, base: str) -> str:
        """W^Q, where some name begins so."""
        start = self.place
        if self.peek() == "^" and self.names.starts(f"{base}__"):
            self.next()
            label = f"{base}__{spelling(self.group())}"
            if self.names.starts(label):
                return label
            self.place = start
        return base

    def _of_any_size(self, base: str, full: str, below: Sequence[Token], bold: bool) -> Value | None:
        """A matrix of any size, or a column, by its name; what it depends on stands below."""
        if full in self.bound:
            return None
        alone, depending = self.names.matrix(full), self.names.matrix(base) if below else None
        found = [t for t in (alone,) if t is not None and not t.args]
        found += [t for t in (depending,) if t is not None and t.args]
        if len(found) > 1:
            raise Unread(f"two matrices are printed {full}")
        if not found:
            return None
        args = tuple(map(self.scalar, split(below, ","))) if found[0].args else ()
        name = plain_name(found[0].data[0])
        if bold != (name in self.names.columns):
            raise Unread(f"{name} is bold if it is a column, and only then")
        return letter(Term("app", found[0].data, args), bold)

    def _whole(self, name: str, bold: bool) -> Value | None:
        """A name as it stands, with arguments if it is a function's."""
        if name in self.bound and not bold:
            return self.bound[name]
        found = None if bold else self.names.find(name)
        meaning = self.names.defined.get(name)
        if found is None and meaning is not None and (not meaning.letters or self.peek() == "("):
            return self._meaning(name, self.arguments() if meaning.letters else [])
        if found is None:
            return None if bold else CONSTANTS.get(name)
        if found.head == "var":
            return found
        exponent = self.power_of(name)
        value = self.names.value(found, tuple(self.arguments()))
        return value if exponent is None else raised(self, value, exponent)

    def _indexed(self, base: str, below: Sequence[Token], bold: bool) -> Value | None:
        if base == "delta" and not self.names.starts("delta"):
            other = type(self)(below, self.names, self.bound)
            pair = scalar(other.factor()), scalar(other.factor())
            if other.peek():
                raise Unread("delta of more than two letters or numbers")
            return fun("delta", *pair)
        args = [self.scalar(part) for part in split(below, ",")]
        found = None if bold else self.names.find(base, indexed=True)
        if found is not None:
            if len(below) > 1 and all(token.isalpha() or token in LETTERS for token in below):
                raise Unread(f"{base} at a product reads as an entry of two numbers")
            return self.names.value(found, tuple(args))
        return self._meaning(base, args) if base in self.names.defined else None

    def arguments(self) -> list[Term]:
        """What stands in brackets, between commas."""
        if self.peek() != "(":
            raise Unread(f"( is expected, not {self.peek() or 'the end'}")
        return [self.scalar(part) for part in split(self.bracket(), ",")]

    def _meaning(self, name: str, args: list[Term]) -> Value:
        """What is printed as the meaning; the letters around the name do not reach into it."""
        letters, body = self.names.defined[name]
        if len(letters) != len(args):
            raise Unread(f"{name} has {len(letters)} arguments, not {len(args)}")
        return type(self)(body, self.names, dict(zip(letters, args, strict=True))).whole()
