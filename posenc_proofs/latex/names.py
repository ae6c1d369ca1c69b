"""The names of theorems: which letter, sequence or function a printed one is, and what it stands for."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from ..kernel.calculus import derivative
from ..kernel.domains import lies, opened
from ..kernel.ring import canon, same
from ..kernel.terms import BINDERS, Term, bind, fun, is_matrix, mul, replaced, substitute, subterms
from ..kernel.theorem import Formula, Theorem
from .matrices import INVERSE
from .tokens import Token, refuse

# What these are is known: nothing that an author names may be called so.
TAKEN = "sin cos tan cot sec csc sinh cosh tanh coth exp log ln lg arcsin arccos arctan asin acos "
TAKEN += "atan sqrt abs arg conj Re Im re im max min sup inf lim sum prod int det tr rank sgn sign "
TAKEN += "arcosh arsinh artanh acosh asinh atanh arccot sech csch erfc sinc floor ceil gcd lcm mod "
TAKEN += "binomial Gamma Ci Si erf pi oo"
KNOWN = set(TAKEN.split())


class Definition(NamedTuple):
    """``head := body`` as it is printed: its letters, the tokens of the body; whether it is bold."""

    letters: tuple[str, ...]
    body: tuple[Token, ...]
    bold: bool = False


Defined = Mapping[str, Definition]
Spelt = Collection[str]  # some of the names


class Names:
    """The names in some theorems and their hypotheses, and what is printed of their meaning."""

    def __init__(
        self, theorems: Iterable[Theorem], defined: Defined, columns: Spelt = (), whole: Spelt = ()
    ) -> None:
        self.every = self.defined = defined  # those whose names a theorem has, too
        self.columns = columns
        self.whole = whole  # letters that go to infinity through the integers
        self.limited: Spelt = ()  # letters of which more is said than their set
        self.of_any_size = False  # whether there are matrices of any size
        self.known: dict[str, Term] = {}  # a letter, or some value of a function
        self.meanings: dict[str, Formula] = {}
        for th in theorems:
            for t in (th.left, th.right, *(side for h in th.hypotheses for side in (h.left, h.right))):
                for s in subterms(t):
                    self.of_any_size |= s.head == "word"
                    if s.head in ("var", "app"):
                        self.known[s.data[0]] = s
                        base, prime, _ = s.data[0].partition("'")
                        if prime:  # of a function that stands there with its derivatives alone
                            self.known.setdefault(base, Term("app", (base, s.data[1]), s.args))
            for h in th.hypotheses:
                if is_definition(h) and plain_name(h.left.data[0]) in defined:
                    self.meanings[h.left.data[0]] = h

    def find(self, name: str, indexed: bool = False) -> Term | None:
        """The letter or function that is printed as ``name``; None if there is none."""
        endings = ("[]", "__[]") if indexed else ("", "__")
        found = [self.known[f"{name}{end}"] for end in endings if f"{name}{end}" in self.known]
        refuse(len(found) > 1, f"two things are printed {name}")
        if found:
            require_own(name)
        return found[0] if found else None

    def is_function(self, name: str) -> bool:
        """Whether something at letters has this name."""
        known, meant = self.known.get(name), self.every.get(name)
        return bool((known and known.args) or (meant and meant.letters))

    def matrix(self, name: str) -> Term | None:
        """The matrix of any size that is printed as ``name``."""
        for known in (name, f"{name}__"):
            if known in self.known and is_matrix(self.known[known]):
                return self.known[known]
            if f"{known}{INVERSE}" in self.known:  # the theorem may need its inverse alone
                return Term("app", (known, "M"))
        return None

    def starts(self, name: str) -> bool:
        """Whether some name begins so."""
        return any(known.startswith(name) for known in (*self.known, *self.defined))

    def value(self, of: Term, args: tuple[Term, ...]) -> Term:
        """The function at ``args``; the letters that its meaning has besides are its last arguments."""
        name, domain = of.data
        own = len(self.defined[plain_name(name)].letters) if name in self.meanings else len(of.args)
        refuse(len(args) != own, f"{name} has {own} arguments, {len(args)} are printed")
        more = self.meanings[name].left.args[own:] if name in self.meanings else ()
        return Term("app", (name, domain), (*args, *more))

    def unfolded(self, t: Term) -> Term:
        """``t`` with what its names stand for."""
        return put_in(self.meanings, t)

    def same(self, a: Term, b: Term) -> bool:
        """Equal, whatever the letters are, by what the names stand for and by algebra."""
        return same(self.unfolded(a), self.unfolded(b))


def within(t: Term, f: Callable[[Term], Term]) -> Term:
    """t with f of each argument, of the body of a binder for a new letter."""
    if t.head not in BINDERS:
        return Term(t.head, t.data, tuple(map(f, t.args)), t.hint)
    x, body = opened(t)
    return bind(t.head, t.hint, f(t.args[0]), f(t.args[1]), x, f(body))


def put_in(meanings: Mapping[str, Formula | Theorem], t: Term) -> Term:
    """``t`` with what its names stand for, and with the derivatives of that."""
    if not any(name in t.text for name in meanings):
        return t
    t = within(t, partial(put_in, meanings))
    name, prime, slots = t.data[0].partition("'") if t.head in ("app", "var") else ("", "", "")
    meaning = meanings.get(name)
    if meaning is None or meaning.left.head != t.head:
        return t
    body = meaning.right
    for slot in slots if len(t.args) > 1 else "1" * len(prime + slots):  # f'12, or h''
        body = derivative(body, meaning.left.args[int(slot) - 1])
    return put_in(meanings, substitute(body, dict(zip(meaning.left.args, t.args, strict=True))))


def normal(t: Term) -> Term:
    """The kernel's normal form, where powers of what is positive are exponentials: equal for all letters."""
    return canon(replaced(t, _exponential))


def _exponential(t: Term, depth: int) -> Term | None:
    """b^e = exp(e log b) for a positive b."""
    if t.head != "pow" or depth or not lies(t.args[0], "R+"):
        return None
    return fun("exp", mul(replaced(t.args[1], _exponential), fun("log", t.args[0])))


def require_own(name: str) -> None:
    """Refuse an author's name that readers know as another's: with ln(x) := x^2, ln(2 x) = 4 ln(x)."""
    refuse(name in KNOWN, f"{name} is the name of a known function or number: give yours another")


def plain_name(name: str) -> str:
    """Without what tells a sequence, a defined letter, a name of the language apart."""
    return name.removesuffix("[]").removesuffix("__")


def is_definition(h: Formula) -> bool:
    """A name at letters, for all of them, which does not stand for something that contains it."""
    if h.left.head != "app" or h.relation != "=":
        return False
    own = h.left.args
    for_all = len(set(own)) == len(own) and set(own) <= h.universal
    return for_all and not any(s.head == "app" and s.data == h.left.data for s in subterms(h.right))
