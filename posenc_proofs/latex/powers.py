"""What stands above: whole powers, roots, exponentials, conjugates, transposes."""

from collections.abc import Sequence
from fractions import Fraction

from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, PI, ZERO, I, Term, add, bind, fun, mul, neg, num, power, sub, subterms, var
from .matrices import Matrix, Product, Value, inverted, joined, times
from .tokens import Unread, refuse

LARGEST = 1000


def to_the(base: Term, k: Term) -> Term:
    """A whole power; e^k; (-1)^n, which is e^(i pi n) for a whole n; any other."""
    number = _fraction(k)
    if number is not None and number.denominator == 1:
        refuse(abs(number) > LARGEST, f"the power {number}: at most {LARGEST} is multiplied out")
        return power(base, int(number)) if number >= 0 else inverse(power(base, -int(number)))
    if number is not None and abs(number) == Fraction(1, 2):
        return fun("sqrt", base) if number > 0 else inverse(fun("sqrt", base))
    if base == fun("exp", ONE):
        return fun("exp", k)
    if base == num(-1):
        return fun("exp", mul(I, PI, k))
    return fun("pow", base, num(number) if number is not None else k)


def _fraction(k: Term) -> Fraction | None:
    """The number that is written."""
    number = canon(k) if all(s.head in ("num", "*", "inv") for s in subterms(k)) else k
    return Fraction(number.data[0]) if number.head == "num" and not number.data[1] else None


def inverse(t: Term) -> Term:
    """1/(a b) = 1/a 1/b, also at 0, where the kernel's inverse is 0."""
    if t.head == "*":
        return mul(*map(inverse, t.args))
    return power(inverse(t.args[0]), t.data[0]) if t.head == "^" else fun("inv", t)


def factorial(n: Term) -> Term:
    """1 2 ... n, for a natural number n: the kernel's empty product is 1 below."""
    refuse(not lies(n, "N"), "a factorial of what may be negative: let it be in ℕ")
    return _upward(ONE, n)


def binomial(n: Term, k: Term) -> Term:
    """(n - k + 1) ... n / k!, for an integer n."""
    refuse(not lies(n, "Z"), "a binomial of what may be no integer: let it be in ℤ")
    return mul(_upward(add(sub(n, k), ONE), n), fun("inv", factorial(k)))


def larger(of: Sequence[Term], most: bool) -> Term:
    """max(a, b) = (a + b + |a - b|)/2; or the smaller."""
    refuse(len(of) != 2, "the larger of two numbers is expected")
    a, b = of
    refuse(not (lies(a, "R") and lies(b, "R")), "the larger of two numbers that may not be real")
    gap = fun("abs", sub(a, b))
    return mul(num(Fraction(1, 2)), add(a, b, gap if most else neg(gap)))


def _upward(lo: Term, hi: Term) -> Term:
    factor = var("factor", "Z")
    return bind("prod", "factor", lo, hi, factor, factor)


def matrix_power(a: Matrix | Product, k: Term) -> Value:
    """The matrix times itself; its inverse, written out if it is two by two; or a power of 1 + z."""
    n = int(k.data[0]) if k.head == "num" and not k.data[1] and k.data[0].denominator == 1 else 0
    if isinstance(a, Product):
        if n == 0 or a.shape != (True, True):
            raise Unread("the power of a matrix is a whole number, not 0, and no column has one")
        a, n = (a, n) if n > 0 else (inverted(a), -n)
    elif n == -1 and a.shape == (2, 2) and (not a.many or a.many[0] == "diagonal"):
        (p, q), (r, s) = a.rows
        factor = inverse(canon(sub(mul(p, s), mul(q, r))))
        rows = ((mul(factor, s), neg(mul(factor, q))), (neg(mul(factor, r)), mul(factor, p)))
        return Matrix(rows, a.many)
    elif n < 1:
        return _nilpotent(a, k)
    out: Value = a
    for _ in range(n - 1):
        out = times(out, a)
    return out


def _nilpotent(a: Matrix, k: Term) -> Value:
    """(1 + z)^k by powers of z, of which one is 0."""
    size = a.shape[0]
    one = Matrix(tuple(tuple(num(int(i == j)) for j in range(size)) for i in range(size)))
    out: Value = one
    z = power_of_z = joined([a, times(num(-1), one)])
    chosen = ONE  # "k above j": k (k - 1) ... (k - j + 1) / j!
    for j in range(1, size):
        chosen = mul(chosen, sub(k, num(j - 1)), num(Fraction(1, j)))
        out, power_of_z = joined([out, times(chosen, power_of_z)]), times(power_of_z, z)
    zero = isinstance(power_of_z, Matrix) and all(canon(e) == ZERO for e in power_of_z.entries)
    refuse(not (zero and lies(k, "N")), "a power of a matrix that is not written out")
    return out
