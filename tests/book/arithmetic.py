"""Sums that a text does with numbers alone, ``2^{11}=2048`` or ``\\sqrt{50}\\approx7``, done again.

A formula in a sentence is typed, so nobody checked it. Where both sides of a sign hold nothing but numbers,
both are worked out. A decimal number on the right is the left side, rounded to the digits that it shows.
"""

import math
import re

FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "cos": math.cos, "sin": math.sin, "log": math.log}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|\\([A-Za-z]+)|(.))")
_THIN = re.compile(r"\\[,;! ]|\\(?:left|right)(?![a-z])")


class NotNumbers(ValueError):
    """There are letters in it, or a form that is not read here."""


def claims(text):
    """What stands left of ``=`` or ``\\approx``, the sign, and what stands right, in inline formulas."""
    for formula in re.findall(r"(?<![$\\])\$([^$\n]+)\$(?!\$)", text):
        parts = re.split(r"(=|\\approx)", formula)
        yield from zip(parts[::2], parts[1::2], parts[2::2], strict=False)


def holds(left, sign, right):
    """Whether two sides agree, as far as the right one shows; NotNumbers where that cannot be said."""
    if sign != "=" and step(right) is None:
        raise NotNumbers("how near is near?")
    a, b = value(left), value(right)
    return abs(a - b) <= max((step(right) or 0) / 2, 1e-12 * abs(a)) * (1 + 1e-9)


def step(written):
    """One unit of the last digit of a decimal number; None of anything else."""
    plain = _THIN.sub("", written).strip().removesuffix("°")
    number = re.fullmatch(r"-?\d+(?:\.(\d+))?", plain)
    return 10.0 ** -len(number[1] or "") if number else None


def value(written):
    """What an expression of numbers is worth."""
    tokens = [t for t in _TOKEN.findall(_THIN.sub("", written).replace("°", "")) if any(t)]
    result, rest = _sum(tokens)
    if rest:
        raise NotNumbers(f"{written!r} goes on with {rest[0]}")
    return result


def _is(tokens, *words):
    return bool(tokens) and (tokens[0][1] or tokens[0][2]) in words


def _sum(tokens):
    sign = -1.0 if _is(tokens, "-", "−") else 1.0
    total, tokens = _product(tokens[1:] if sign < 0 else tokens)
    total *= sign
    while _is(tokens, "+", "-", "−"):
        sign = 1.0 if _is(tokens, "+") else -1.0
        more, tokens = _product(tokens[1:])
        total += sign * more
    return total, tokens


def _product(tokens):
    total, tokens = _power(tokens)
    while tokens and not _is(tokens, "+", "-", "−", ")", "}"):
        divided = _is(tokens, "/")
        factor, tokens = _power(tokens[1:] if _is(tokens, "/", "cdot", "times") else tokens)
        total = total / factor if divided else total * factor
    return total, tokens


def _power(tokens):
    base, tokens = _atom(tokens)
    if _is(tokens, "^"):
        exponent, tokens = _argument(tokens[1:])
        base **= exponent
    return base, tokens


def _argument(tokens):
    """What stands in braces, or one digit: ``\\frac23`` is two thirds."""
    if tokens and tokens[0][0]:
        digit, more = tokens[0][0][0], tokens[0][0][1:]
        return float(digit), [(more, "", ""), *tokens[1:]] if more else tokens[1:]
    return _atom(tokens)


def _atom(tokens):
    if not tokens:
        raise NotNumbers("it ends too early")
    (number, name, sign), rest = tokens[0], tokens[1:]
    if number:
        return float(number), rest
    if name in ("frac", "tfrac", "dfrac"):
        above, rest = _argument(rest)
        below, rest = _argument(rest)
        return above / below, rest
    if name in FUNCTIONS:
        inside, rest = _power(rest) if name != "sqrt" else _argument(rest)
        return FUNCTIONS[name](inside), rest
    if name == "pi" or (sign == "e" and _is(rest, "^")):  # a letter e is some number of the page
        return (math.pi if name else math.e), rest
    if sign in ("(", "{"):
        inside, rest = _sum(rest)
        if not _is(rest, ")" if sign == "(" else "}"):
            raise NotNumbers("a bracket is not closed")
        return inside, rest[1:]
    raise NotNumbers(f"{name or sign} is no number")
