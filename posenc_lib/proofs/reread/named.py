"""What a printed name stands for: a letter, an entry, a value of a function, a matrix."""

from __future__ import annotations

from ..kernel.terms import ONE, PI, Term, fun
from .cursor import Cursor, apart, scalar, spelling
from .matrices import Value
from .names import plain_name
from .powers import raised
from .products import IDENTITY, letter
from .tokens import Unread

EULER = fun("exp", ONE)
CONSTANTS = {"pi": PI, "gamma": fun("euler"), "e": EULER}


class Named(Cursor):
    """Names with what stands below, above and behind them."""

    def named(self, base: str, bold: bool = False) -> Value:
        """Whichever has this name; a bold one is a column."""
        label = f"{base}__{spelling(self.pieces[self.place + 1 : self.place + 4])}"
        if self.peek() == "^" and self.names.starts(label):
            self.next()
            base = f"{base}__{spelling(self.group())}"
        sub = self.group() if self.take("_") else []
        full = f"{base}_{spelling(sub)}" if sub else base
        value = self._of_any_size(base, full, sub, bold)
        if value is None:
            value = self._whole(full, bold)
        if value is None and sub:
            value = self._indexed(base, sub, bold)
        if value is None and full == "I" and self.names.of_any_size:
            value = IDENTITY
        if value is None:
            raise Unread(f"the name {full}")
        return value

    def _of_any_size(self, base: str, full: str, sub: list[str], bold: bool) -> Value | None:
        """A matrix of any size, or a column, by its name; what it depends on stands below."""
        if full in self.bound:
            return None
        alone, below = self.names.matrix(full), self.names.matrix(base) if sub else None
        found = [
            t for t, depends in ((alone, False), (below, True)) if t is not None and depends == bool(t.args)
        ]
        if len(found) > 1:
            raise Unread(f"two matrices are printed {full}")
        if not found:
            return None
        args = tuple(self.scalar(part) for part in apart(sub)) if found[0].args else ()
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
        if found is None and meaning is not None and not meaning.whole:
            if not meaning.letters:
                return self._meaning(name, [])
            if self.peek() == "(":
                return self._meaning(name, self._arguments())
        if found is None:
            return None if bold else CONSTANTS.get(name)
        if found.head == "var":
            return found
        if found.data[0].endswith("__0"):
            return self.names.value(found, ())
        exponent = self.exponent()
        if exponent is not None and exponent[0] == "-":
            raise Unread(f"{name} with a negative exponent may be its inverse")
        value = self.names.value(found, tuple(self._arguments()))
        return value if exponent is None else raised(self, value, exponent)

    def _indexed(self, base: str, sub: list[str], bold: bool) -> Value | None:
        if base == "delta" and not self.names.starts("delta"):
            other = type(self)(sub, self.names, self.bound)
            pair = scalar(other.factor()), scalar(other.factor())
            if other.peek():
                raise Unread("delta of more than two letters or numbers")
            return fun("delta", *pair)
        args = [self.scalar(part) for part in apart(sub)]
        found = None if bold else self.names.find(base, indexed=True)
        if found is not None:
            if len(sub) > 1 and all(piece.lstrip("\\").isalpha() for piece in sub):
                raise Unread(f"{base} at a product reads as an entry of two numbers")
            return self.names.value(found, tuple(args))
        return self._meaning(base, args) if base in self.names.defined else None

    def factor(self) -> Value:
        """One factor, with its power."""
        raise NotImplementedError

    def _arguments(self) -> list[Term]:
        self.expect("(")
        args = [scalar(self.sum())]
        while self.take(","):
            args.append(scalar(self.sum()))
        self.expect(")")
        return args

    def _meaning(self, name: str, args: list[Term]) -> Value:
        """What is printed as the meaning; the letters around the name do not reach into it."""
        letters, body, _ = self.names.defined[name]
        if len(letters) != len(args):
            raise Unread(f"{name} has {len(letters)} arguments, not {len(args)}")
        return type(self)([], self.names, {}).inside(body, dict(zip(letters, args, strict=True)))
