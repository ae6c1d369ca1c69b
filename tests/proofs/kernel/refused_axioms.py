"""Instances of axioms that the kernel refuses, one or more for each of their conditions.

A case is steps, or (steps, model); ``kernel_terms.claimed`` adds what they would prove.
"""

from kernel_terms import *

AXIOMS = {
    # axioms of numbers
    "x inv x = 1": [axiom("inverse", x)],
    "conj z = z": [axiom("real", z)],
    "e^(log x) = x": [axiom("logarithm", x)],
    "0^x as an exponential": [axiom("powers", x, TWO)],
    "the root of 0 as an exponential": [axiom("root_as_power", x)],
    "Ci and Si far out, before 0": [axiom("integrals_far", x)],
    "Ci and Si near 0, before 0": [axiom("integrals_near", x)],
    # axioms of ranges
    "the triangle inequality for a product": [axiom("triangle_sum", over("prod", "k", ZERO, ONE, n("1/2")))],
    "a maximum that may be of nothing": [["ring", *[over("max", "k", ONE, N, B0)] * 2]],
    "the integral's triangle inequality for a maximum": [
        axiom("triangle_integral", over("max", "k", ZERO, ONE, B0))
    ],
    "the triangle inequality backwards": [axiom("triangle_integral", integral(B0, ONE, ZERO))],
    "the triangle inequality over a pole": [axiom("triangle_integral", integral(STEP, n(-1), ONE))],
    "Cauchy and Schwarz over two ranges": [axiom("cauchy_schwarz", total(B0), total(B0, ONE))],
    "Cauchy and Schwarz for products": [
        axiom("cauchy_schwarz", over("prod", "k", ZERO, N, B0), over("prod", "k", ZERO, N, B0))
    ],
    "the maximum over two ranges": [axiom("maximum", total(ONE), total(B0, ONE))],
    "the maximum of a product": [
        axiom("maximum", over("prod", "k", ZERO, N, ONE), over("prod", "k", ZERO, N, B0))
    ],
    "the maximum with negative weights": [axiom("maximum", total(times(n(-1), B0)), total(B0))],
    "the maximum of complex values": [axiom("maximum", total(ONE), total(times(I, B0)))],
    "a linear product": [axiom("linear", "prod", ZERO, N, [[TWO, over("prod", "k", ZERO, N, B0)]])],
    "a linear combination of a sum and an integral": [
        axiom("linear", "sum", ZERO, N, [[ONE, integral(B0, ZERO, N)]])
    ],
    "a linear combination over two ranges": [axiom("linear", "sum", ZERO, N, [[ONE, total(B0, ONE)]])],
    "a linear integral over a pole": [
        axiom(
            "linear",
            "int",
            n(-1),
            ONE,
            [[ONE, integral(STEP, n(-1), ONE)], [n(-1), integral(STEP, n(-1), ONE)]],
        )
    ],
    "an integral shifted": [axiom("shift", integral(B0), n(3))],
    "a sum shifted by one half": [axiom("shift", total(B0), n("1/2"))],
    "a maximum split": [axiom("split", over("max", "k", ZERO, TWO, B0), ONE)],
    "a sum from one half split": [axiom("split", total(B0, n("1/2"), n(3)), ONE)],
    "a sum to one half split": [axiom("split", total(B0, ZERO, n("5/2")), ONE)],
    "a sum split at one half": [axiom("split", total(B0, ZERO, n(3)), n("1/2"))],
    "a sum split before its range": [axiom("split", total(B0, ZERO, n(3)), n(-2))],
    "a sum split behind its range": [axiom("split", total(B0, ZERO, n(3)), n(5))],
    "an integral of one term": [axiom("single", integral(B0, ONE, ONE))],
    "a longer sum of one term": [axiom("single", total(B0, ONE, TWO))],
    "a single term at one half": [axiom("single", total(B0, n("1/2"), n("1/2")))],
    "the maximum of one complex value": [axiom("single", over("max", "k", ONE, ONE, I))],
    "an empty integral": [axiom("empty", integral(B0, ONE, ZERO))],
    "an empty limit": [axiom("empty", over("lim", "k", ONE, ZERO, B0))],
    "a sum that is not empty": [axiom("empty", total(B0))],
    "a product of sums swapped": [
        axiom("swap", over("prod", "k", ZERO, ONE, over("sum", "j", ZERO, ONE, B0)))
    ],
    "a sum of products swapped": [
        axiom("swap", over("sum", "k", ZERO, ONE, over("prod", "j", ZERO, ONE, plus(B0, ["bv", 1]))))
    ],
    "a triangle swapped": [
        axiom("swap", over("sum", "i", ZERO, TWO, over("sum", "j", ZERO, ["bv", 0], ONE)))
    ],
    "a sum joined": [axiom("join", total(B0, ZERO, TWO), ONE)],
    "an integral from a complex end joined": [axiom("join", integral(B0, I, ONE), ZERO)],
    "an integral to a complex end joined": [axiom("join", integral(B0, ZERO, I), ZERO)],
    "an integral over a pole joined": [axiom("join", integral(STEP, n(-1), ONE), ZERO)],
    # axioms of combinatorics
    "powers of a real and a natural number": [axiom("natural_powers", ZERO, n(-1), ONE)],
    "powers of a natural and a real number": [axiom("natural_powers", ZERO, ONE, n(-1))],
    "the power of one half, as a whole one": [axiom("plain_power", x, n("1/2"))],
    "the power of a square, as the square": [axiom("plain_power", x, ["^", N, 2])],
}
