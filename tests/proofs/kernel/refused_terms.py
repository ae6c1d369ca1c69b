"""Terms, certificates and definitions that the kernel refuses: one or more for each of its conditions.

A case is steps, or (steps, model); ``kernel_terms.claimed`` adds what they would prove.
"""

from kernel_terms import *

TERMS = {
    # terms
    "a number without an imaginary part": malformed(["num", "1"]),
    "a decimal number": malformed(n("0.5")),
    "a number of three thousand digits": [["ring", *[n("9" * 3100)] * 2]],
    "a letter called a number": malformed(v("2")),
    "a letter of no domain": malformed(v("x", "Q")),
    "a smooth letter": malformed(v("x", "S")),
    "a letter with an argument": malformed([*x, PI]),
    "a letter with a prime": malformed(v("x'")),
    "a function called cos": [["ring", f(x, "cos"), f(x, "cos")]],
    "a letter called pi": malformed(v("pi")),
    "an index called pi": [["ring", *[over("sum", "pi", ZERO, ONE, PI)] * 2]],
    "an index called as a function": [["ring", *[over("sum", "f", ZERO, ONE, f(x))] * 2]],
    "a Latin and a Cyrillic letter": two_functions("a", "\u0430", "R"),
    "a letter of full width": two_functions("f", "\uff46", "R"),
    "a letter with an exponent": malformed(v("x\u00b2")),
    "a real function beside a derivative of its name": two_functions("G", "G'", "S"),
    "defined through its derivative": ([defined(plus(f(x, "G'", "S"), ONE), name="G", domain="S")], [0]),
    "a derivative, defined": ([assume(f(x, "G'", "S"), "=", ZERO, [x])], [0]),
    "a function of no argument": ([assume(app("f", "R"), "=", ZERO)], [0]),
    "a prime of two arguments": [["ring", app("G'", "S", x, y), app("G'", "S", x, y)]],
    "a derivative in no argument": [["ring", app("G'3", "S", x, y), app("G'3", "S", x, y)]],
    "a derivative out of order": [["ring", app("G'21", "S", x, y), app("G'21", "S", x, y)]],
    "a derivative in the eleventh argument, which is one twice in the first": [
        fundamental(app("G", "S", y, *[ZERO] * 9, x))
    ],
    "a derivative of eleven arguments": malformed(app("G'11", "S", *[x] * 11)),
    "a smooth function beside one of two arguments": [
        ["ring", times(f(x, "G", "S"), app("G'1", "S", x, y)), times(app("G'1", "S", x, y), f(x, "G", "S"))]
    ],
    "a bound letter of two numbers": malformed(total(["bv", 0, 7])),
    "a bound letter counted from true": malformed(total(over("sum", "j", ZERO, ONE, ["bv", True]))),
    "a bound letter inside out": malformed(["bv", -1]),
    "a sum with two bodies": malformed([*total(B0), B0]),
    "an index called a number": malformed(over("sum", "2", ZERO, ONE, B0)),
    "a power with two exponents": malformed(["^", x, 2, 3]),
    "a power of one half": malformed(["^", x, 0.5]),
    "a negative power": malformed(["^", x, -1]),
    "exp of two arguments": malformed(["exp", x, y]),
    "a word for a term": malformed("+"),
    "a letter of the kernel's own": malformed(v("#0")),
    "a bound letter without its binder": malformed(B0),
    # replay
    "an empty word for a list": [["combine", x, x, [], [], ""]],
    "a step numbered true": [["ring", x, x], ["ring", y, y], instance(ONE, True, y)],
    "a step numbered from the end": [["ring", x, x], instance(ONE, -1)],
    "a relation of no meaning": [assume(x, ">", ZERO)],
    "a function for a binder": [["ring", m, m], ["over", "+", 0, m, "k", ZERO, ONE, []]],
    "a decimal end of a box": [["certified", ZERO, "<", ONE, [[x, "0", "1.5", []]]]],
    "induction over an application": (
        [
            defined(),
            instance(ZERO),
            instance(plus(f(ZERO, "g", "N"), ONE)),
            ["induct", f(ZERO, "g", "N"), f(f(ZERO, "g", "N")), "=", ZERO, 1, [2], ZERO],
        ],
        [0],
    ),
    "a letter of two domains": [["ring", times(x, v("x", "C")), times(v("x", "C"), x)]],
    "a function of one and two arguments": [
        ["ring", times(f(x), app("f", "R", x, y)), times(app("f", "R", x, y), f(x))]
    ],
    "a letter bound and free": [
        ["ring", over("sum", "x", ZERO, N, times(x, B0)), over("sum", "x", ZERO, N, times(B0, x))]
    ],
    "a letter bound twice": [
        ["ring", total(times(B0, total(["bv", 1]))), total(times(total(["bv", 1]), B0))]
    ],
    "an integral between complex numbers": [["ring", integral(["conj", B0], ZERO, I), integral(B0, ZERO, I)]],
    "a sum to a real number": [["ring", total(B0, ZERO, x), total(B0, ZERO, x)]],
    "a maximum of complex numbers": [
        [
            "ring",
            ["conj", over("max", "k", ZERO, ONE, times(I, B0))],
            over("max", "k", ZERO, ONE, times(I, B0)),
        ]
    ],
    # words
    "a letter for a matrix": malformed(["word", v("A", "M")]),
    "a function without arguments": malformed(app("f", "R")),
    "the transpose of two matrices": [["ring", ["word", ["T", A, B]], ["word", ["T", A, B]]]],
    "the transpose of a number": [["ring", ["word", ["T", x]], ["word", ["T", x]]]],
    "the transpose of a number's function": [["ring", ["word", ["T", f(x)]], ["word", ["T", f(x)]]]],
    "a matrix that is another for each linear function": [["ring", *[word(app("A", "M", word(B)))] * 2]],
    "a word of a number": [["ring", word(x), word(x)]],
    "matrices that commute as numbers": [["ring", times(A, B), times(B, A)]],
    "a matrix alone": [["ring", A, A]],
    "a number for a matrix": [["ring", word(A), word(A)], ["between", 0, [x], []]],
    "words that commute as numbers": [["ring", times(word(A), word(B)), times(word(B), word(A))]],
    "a transpose of a transpose": [["ring", word(["T", ["T", A]]), word(["T", ["T", A]])]],
    "words that commute, left": [["ring", minus(times(word(A), word(B)), times(word(B), word(A))), ZERO]],
    "words that commute, right": [["ring", ZERO, minus(times(word(A), word(B)), times(word(B), word(A)))]],
    "an order of matrices": [adding(word(A), "<", plus(word(A), ONE), [], ONE)],
    "a sum over a range of words": [
        assume(word(A), "<=", m),
        ["between", 0, [A], []],
        whole("sum", 1, m, word(A), ONE),
        ["ring", x, x],
    ],
    "a matrix defined by a product of words": ([define_A(times(word(B), word(B)))], [0]),
    "a matrix defined by a number": ([define_A(ONE)], [0]),
    "the other side of another product": ([assume(word(A), "=", word()), ["other_side", 0, [B], []]], [0]),
    "the other side of what is not 1": [["ring", word(A, B), word(A, B)], ["other_side", 0, [A], [B]]],
    "the identity is 0": [assume(word(), "=", ZERO)],
    # models
    "a hypothesis that is no definition": ([assume(f(x), "=", ZERO, [x])], []),
    "a hypothesis without a proof": ([assume(f(plus(x, ONE)), "=", ZERO, [x])], []),
    "a hypothesis for all values of a letter that has one": (
        [assume(N, "=", n(3)), assume(N, "=", n(3), [N]), instance(ZERO, 1, N)],
        [0],
    ),
    "a definition by an inequality": ([assume(f(x), "<=", ZERO, [x])], [0]),
    "a definition of a letter": ([assume(x, "=", ONE, [x])], [0]),
    "a definition for one argument": ([assume(f(ONE), "=", ZERO)], [0]),
    "a definition on the diagonal": ([assume(app("f", "R", x, x), "=", ZERO, [x])], [0]),
    "a definition for a constant": ([assume(f(x), "=", ZERO)], [0]),
    "a definition with another letter": ([assume(f(x), "=", y, [x, y])], [0]),
    "values in a circle": (
        [
            assume(x, "=", plus(y, ONE)),
            assume(y, "=", plus(x, ONE)),
            combine(f(ONE), plus(f(ONE), TWO), [], [[ONE, 0], [ONE, 1]]),
            assume(f(ONE), "=", plus(f(ONE), TWO)),
        ],
        [2],
    ),
    "a definition of a number": (
        [
            assume(f(ONE), "=", plus(f(ONE), ONE)),
            assume(ZERO, "=", ONE),
            combine(f(ONE), plus(f(ONE), ONE), [], [[ONE, 1]]),
            ["instantiate", 0, [], []],
        ],
        [1, 2],
    ),
    "a condition on a letter with a value": (
        [
            assume(x, "=", ZERO),
            combine(f(ONE), plus(f(ONE), x), [], [[n(-1), 0]]),
            assume(f(ONE), "=", plus(f(ONE), x)),
            assume(x, "!=", ZERO),
            combine(ZERO, ONE, [x], [[ONE, 2]], [3]),
        ],
        [0, 1],
    ),
    "a definition outside the domain": ([assume(f(x, "f", "N"), "=", n(-1), [x])], [0]),
    "two definitions of one name": (
        [
            assume(f(x), "=", ZERO, [x]),
            assume(f(x), "=", ONE, [x]),
            combine(ZERO, ONE, [], [[n(-1), 0], [ONE, 1]]),
        ],
        [0, 1],
    ),
    "definitions in a circle": (
        [
            assume(f(x), "=", plus(f(x, "g"), ONE), [x]),
            assume(f(x, "g"), "=", plus(f(x), ONE), [x]),
            combine(ZERO, ONE, [], [[n("1/2"), 0], [n("1/2"), 1]]),
        ],
        [0, 1],
    ),
}
