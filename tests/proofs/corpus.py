"""Statements of the field: each true one beside the plausible slips that make it false.

``TRUE`` holds (name, left, right); ``FALSE`` holds (name, left, wrong right). The slips are the ones people
make: signs, missing conjugates and transposes, ranges off by one, doubled or inverted exponents, a claim that
holds only for real numbers, only in one plane, or only for one value.
"""

from sympy import (
    Abs,
    Ci,
    I,
    Integral,
    Matrix,
    Max,
    Min,
    Rational,
    Si,
    Sum,
    conjugate,
    cos,
    cosh,
    cot,
    erf,
    exp,
    eye,
    im,
    log,
    pi,
    re,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    zeros,
)  # fmt: skip

from posenc_lib.proofs import *

m, n, k = integers("m n k")
a, b, c, t, x, y, s, u, v = reals("a b c t x y s u v")
i, j, N = naturals("i j N")
d = counts("d")
B, r, R = positives("B r R")
z, q, K = complexes("z q K")
theta, omega = real_sequence("theta"), real_sequence("omega")
h, S = complex_sequence("h"), complex_sequence("S")
phi, F = real_function("phi"), complex_function("F")
rho = positive_function("rho")

TRUE: list[tuple] = []
FALSE: list[tuple] = []


def add(name, left, right, *wrong):
    TRUE.append((name, left, right))
    FALSE.extend((f"{name}, slip {number}", left, slip) for number, slip in enumerate(wrong, 1))


# The shift identity and its relatives
add(
    "sin of a shift",
    sin((m + k) * t),
    sin(m * t) * cos(k * t) + cos(m * t) * sin(k * t),
    sin(m * t) * cos(k * t) - cos(m * t) * sin(k * t),
)
add(
    "cos of a shift",
    cos((m + k) * t),
    cos(m * t) * cos(k * t) - sin(m * t) * sin(k * t),
    cos(m * t) * cos(k * t) + sin(m * t) * sin(k * t),
)
add(
    "sin back",
    sin((m - k) * t),
    sin(m * t) * cos(k * t) - cos(m * t) * sin(k * t),
    cos(m * t) * sin(k * t) - sin(m * t) * cos(k * t),
)
add("cos back", cos((m - k) * t), cos(m * t) * cos(k * t) + sin(m * t) * sin(k * t), cos((m - k) * t + 1))
add("unit circle", sin(m * t) ** 2 + cos(m * t) ** 2, 1, 2)
add("double angle", sin(2 * m * t), 2 * sin(m * t) * cos(m * t), sin(m * t) * cos(m * t))
add("cos double, cosines", cos(2 * a), 2 * cos(a) ** 2 - 1, 2 * cos(a) ** 2 + 1)
add("cos double, sines", cos(2 * a), 1 - 2 * sin(a) ** 2, 1 - sin(a) ** 2)
add("triple angle", sin(3 * a), 3 * sin(a) - 4 * sin(a) ** 3, 3 * sin(a) - 3 * sin(a) ** 3)
add("cos triple", cos(3 * a), 4 * cos(a) ** 3 - 3 * cos(a), 4 * cos(a) ** 3 + 3 * cos(a))
add(
    "five-fold",
    cos(5 * a),
    16 * cos(a) ** 5 - 20 * cos(a) ** 3 + 5 * cos(a),
    16 * cos(a) ** 5 - 20 * cos(a) ** 3,
)
add(
    "product of cosines",
    cos(m * t) * cos(n * t),
    (cos((m - n) * t) + cos((m + n) * t)) / 2,
    (cos((m - n) * t) - cos((m + n) * t)) / 2,
)
add(
    "product of sines",
    sin(m * t) * sin(n * t),
    (cos((m - n) * t) - cos((m + n) * t)) / 2,
    (cos((m + n) * t) - cos((m - n) * t)) / 2,
)
add(
    "sine times cosine",
    sin(m * t) * cos(n * t),
    (sin((m + n) * t) + sin((m - n) * t)) / 2,
    (sin((m + n) * t) - sin((m - n) * t)) / 2,
)
add(
    "sum of sines",
    sin(a) + sin(b),
    2 * sin((a + b) / 2) * cos((a - b) / 2),
    2 * sin((a + b) / 2) * sin((a - b) / 2),
)
add("sum of cosines", cos(a) + cos(b), 2 * cos((a + b) / 2) * cos((a - b) / 2), 2 * cos(a + b) * cos(a - b))
add(
    "difference of cosines",
    cos(a) - cos(b),
    -2 * sin((a + b) / 2) * sin((a - b) / 2),
    2 * sin((a + b) / 2) * sin((a - b) / 2),
)
add("chord", (cos(a) - cos(b)) ** 2 + (sin(a) - sin(b)) ** 2, 2 - 2 * cos(a - b), 2 - 2 * cos(a + b))
add("chord by half angle", 2 - 2 * cos(a), 4 * sin(a / 2) ** 2, 2 * sin(a / 2) ** 2)
add("half angle", 1 + cos(a), 2 * cos(a / 2) ** 2, 2 * sin(a / 2) ** 2)
add(
    "diagonal H",
    u * cos(m * t) * cos(n * t) + v * sin(m * t) * sin(n * t),
    (u + v) * cos((m - n) * t) / 2 + (u - v) * cos((m + n) * t) / 2,
    (u + v) * cos((m - n) * t) / 2 - (u - v) * cos((m + n) * t) / 2,
)
add("odd part", cos(m * t) * sin(n * t) - sin(m * t) * cos(n * t), sin((n - m) * t), sin((m - n) * t))
add("tangent", tan(a), sin(a) / cos(a), cos(a) / sin(a))
add("cotangent", cot(a) * tan(a), 1, -1)
add(
    "tangent of a sum",
    tan(a + b),
    (tan(a) + tan(b)) / (1 - tan(a) * tan(b)),
    (tan(a) + tan(b)) / (1 + tan(a) * tan(b)),
)
add(
    "tangent half angle, sine",
    sin(a),
    2 * tan(a / 2) / (1 + tan(a / 2) ** 2),
    2 * tan(a / 2) / (1 - tan(a / 2) ** 2),
)
add(
    "tangent half angle, cosine",
    cos(a),
    (1 - tan(a / 2) ** 2) / (1 + tan(a / 2) ** 2),
    (1 - tan(a / 2)) / (1 + tan(a / 2)),
)
add("phase shift by a quarter", sin(a + pi / 2), cos(a), -cos(a))
add("phase shift by a half", cos(a + pi), -cos(a), cos(a))
add("even", cos((n - m) * t), cos((m - n) * t), -cos((m - n) * t))
add("odd", sin((n - m) * t), -sin((m - n) * t), sin((m - n) * t))
add("second difference", cos((m + 1) * t) + cos((m - 1) * t), 2 * cos(t) * cos(m * t), 2 * cos(m * t))
add("sine recurrence", sin((m + 1) * t) + sin((m - 1) * t), 2 * cos(t) * sin(m * t), 2 * sin(t) * cos(m * t))
add(
    "power reduction",
    cos(a) ** 4,
    (3 + 4 * cos(2 * a) + cos(4 * a)) / 8,
    (3 + 4 * cos(2 * a) - cos(4 * a)) / 8,
)
add(
    "amplitude and phase",
    r * cos(a - b),
    r * cos(b) * cos(a) + r * sin(b) * sin(a),
    r * cos(b) * cos(a) - r * sin(b) * sin(a),
)
add("beat", cos(a) * cos(b) - sin(a) * sin(b), cos(a + b), cos(a - b))
add(
    "three cosines",
    4 * cos(a) * cos(b) * cos(c),
    cos(a + b + c) + cos(a + b - c) + cos(a - b + c) + cos(-a + b + c),
    cos(a + b + c) + cos(a + b - c) + cos(a - b + c) - cos(-a + b + c),
)
add("integral multiples of a turn", cos(2 * pi * m), 1, -1)
add("half turns", cos(pi * m) ** 2, 1, cos(pi * m))
add("no sine at half turns", sin(pi * m), 0, 1)
add("a turn changes nothing", exp(2 * pi * I * m) * exp(I * a), exp(I * a), exp(I * m * a))

# Complex numbers
add("inner product as a real part", re((a + b * I) * conjugate(c + s * I)), a * c + b * s, a * c - b * s)
add("imaginary part of q k*", im((a + b * I) * conjugate(c + s * I)), b * c - a * s, a * s - b * c)
add(
    "q k* in full",
    (a + b * I) * (c - s * I),
    (a * c + b * s) + (b * c - a * s) * I,
    (a * c + b * s) - (b * c - a * s) * I,
)
add(
    "real part",
    re(z * conjugate(q)),
    (z * conjugate(q) + conjugate(z) * q) / 2,
    (z * conjugate(q) - conjugate(z) * q) / 2,
)
add("squared modulus", Abs(z) ** 2, z * conjugate(z), z**2)
add("modulus of a product", Abs(z * q), Abs(z) * Abs(q), z * q)
add("modulus of a quotient", Abs(z / q), Abs(z) / Abs(q), Abs(q) / Abs(z))
add("a phase has modulus one", Abs(exp(I * m * t)), 1, exp(I * m * t))
add("rotation keeps the modulus", Abs(z * exp(I * a)), Abs(z), Abs(z) * exp(a))
add("relative phase", exp(I * m * t) * conjugate(exp(I * n * t)), exp(I * (m - n) * t), exp(I * (m + n) * t))
add(
    "score",
    re(q * exp(I * m * t) * conjugate(K * exp(I * n * t))),
    re(q * conjugate(K) * exp(I * (m - n) * t)),
    re(q * conjugate(K) * exp(I * (n - m) * t)),
    re(q * K * exp(I * (m - n) * t)),
    re(q * conjugate(K) * exp(I * (m + n) * t)),
)
add(
    "score without a conjugate",
    re(q * exp(I * m * t) * K * exp(I * n * t)),
    re(q * K * exp(I * (m + n) * t)),
    re(q * conjugate(K) * exp(I * (m - n) * t)),
)
add(
    "squared modulus of a sum",
    Abs(z + q) ** 2,
    Abs(z) ** 2 + Abs(q) ** 2 + 2 * re(z * conjugate(q)),
    Abs(z) ** 2 + Abs(q) ** 2 + 2 * re(z * q),
    Abs(z) ** 2 + Abs(q) ** 2,
)
add(
    "parallelogram",
    Abs(z + q) ** 2 + Abs(z - q) ** 2,
    2 * Abs(z) ** 2 + 2 * Abs(q) ** 2,
    Abs(z) ** 2 + Abs(q) ** 2,
)
add(
    "polarisation",
    4 * re(z * conjugate(q)),
    Abs(z + q) ** 2 - Abs(z - q) ** 2,
    Abs(z + q) ** 2 + Abs(z - q) ** 2,
)
add("conjugate of a product", conjugate(z * q), conjugate(z) * conjugate(q), conjugate(z) * q)
add("conjugate of a phase", conjugate(exp(I * a)), exp(-I * a), exp(I * a))
add("conjugate twice", conjugate(conjugate(z)), z, conjugate(z))
add("a real product is its own conjugate", conjugate(a * b), a * b, -a * b)
add(
    "qk is not the inner product over the complex numbers",
    re(z * conjugate(q)) ** 2 + im(z * conjugate(q)) ** 2,
    Abs(z) ** 2 * Abs(q) ** 2,
    re(z * q) ** 2,
)
add("Euler", exp(I * a), cos(a) + I * sin(a), cos(a) - I * sin(a))
add("de Moivre", (cos(a) + I * sin(a)) ** 3, cos(3 * a) + I * sin(3 * a), cos(3 * a) + 3 * I * sin(a))
add("polar product", r * exp(I * a) * R * exp(I * b), r * R * exp(I * (a + b)), r * R * exp(I * a * b))
add(
    "polar with conjugate",
    r * exp(I * a) * conjugate(R * exp(I * b)),
    r * R * exp(I * (a - b)),
    r * R * exp(I * (a + b)),
)
add("modulus of a polar form", Abs(r * exp(I * (a + m * t))), r, r * exp(m * t))
add("without i the modulus grows", Abs(r * exp(I * a + m * t)), r * exp(m * t), r)
add(
    "xPos keeps relativity",
    r * exp(s * m) * R * exp(-s * n),
    r * R * exp(s * (m - n)),
    r * R * exp(s * (m + n)),
    r * R,
)
add("i times z turns by a quarter", re(I * z), -im(z), im(z))
add("imaginary part of i z", im(I * z), re(z), -re(z))
add("inverse of a phase", 1 / exp(I * a), conjugate(exp(I * a)), exp(I * a))
add("difference of phases", Abs(exp(I * a) - exp(I * b)) ** 2, 2 - 2 * cos(a - b), 2 + 2 * cos(a - b))
add(
    "sum of phases",
    exp(I * a) + exp(I * b),
    2 * cos((a - b) / 2) * exp(I * (a + b) / 2),
    2 * cos((a + b) / 2) * exp(I * (a - b) / 2),
)
add(
    "geometric sum of phases",
    (1 - exp(I * a)) * (1 + exp(I * a) + exp(2 * I * a)),
    1 - exp(3 * I * a),
    1 - exp(2 * I * a),
)
add(
    "Brahmagupta",
    (a**2 + b**2) * (c**2 + s**2),
    (a * c - b * s) ** 2 + (a * s + b * c) ** 2,
    (a * c + b * s) ** 2 + (a * s + b * c) ** 2,
)
add("function values at equal arguments", F(m - n) - F(-n + m), 0, F(n - m))
add("an unknown function is not linear", phi(m + n) + phi(m), phi(n + m) + phi(m), phi(m) + phi(n) + phi(m))
add("a phase that is an unknown function", Abs(exp(I * phi(m))), 1, phi(m))
add(
    "modulus and phase",
    rho(m) * exp(I * phi(m)) * conjugate(rho(n) * exp(I * phi(n))),
    rho(m) * rho(n) * exp(I * (phi(m) - phi(n))),
    rho(m) * rho(n) * exp(I * (phi(m) + phi(n))),
)


# Sums with symbolic length
def over(e, low=0, high=N - 1, index=i):
    return Sum(e, (index, low, high))


add(
    "Gram of the sinusoids",
    over(sin(m * theta[i]) * sin(n * theta[i]) + cos(m * theta[i]) * cos(n * theta[i])),
    over(cos((m - n) * theta[i])),
    over(cos((m + n) * theta[i])),
    over(cos((m - n) * theta[i]), 0, N),
)
add("norm of the sinusoids", over(sin(m * theta[i]) ** 2 + cos(m * theta[i]) ** 2), N, 2 * N, N + 1)
add(
    "distance of two encodings",
    over((cos(m * theta[i]) - cos(n * theta[i])) ** 2 + (sin(m * theta[i]) - sin(n * theta[i])) ** 2),
    2 * over(1 - cos((m - n) * theta[i])),
    over(1 - cos((m - n) * theta[i])),
    2 * over(1 - cos((m + n) * theta[i])),
)
add("symmetry in the shift", over(cos(k * theta[i])), over(cos(-k * theta[i])), over(sin(-k * theta[i])))
add(
    "complex sum form",
    re(over(h[i] * exp(I * (m - n) * theta[i]))),
    over(re(h[i]) * cos((m - n) * theta[i]) - im(h[i]) * sin((m - n) * theta[i])),
    over(re(h[i]) * cos((m - n) * theta[i]) + im(h[i]) * sin((m - n) * theta[i])),
)
add("last term", over(h[i], 0, N), over(h[i]) + h[N], over(h[i]) + h[N + 1], over(h[i]) + h[N - 1])
add("first term", over(h[i], 0, N), h[0] + over(h[i], 1, N), h[1] + over(h[i], 1, N))
add("shifted index", over(h[i + 1]), over(h[i], 1, N), over(h[i], 0, N - 1), over(h[i], 1, N + 1))
add("linearity", over(a * h[i] + b * S[i]), a * over(h[i]) + b * over(S[i]), a * over(h[i]) + over(S[i]))
add("a constant summand", over(c, 0, N), c * (N + 1), c * N)
add("conjugate of a sum", conjugate(over(h[i])), over(conjugate(h[i])), over(h[i]))
add(
    "product of sums",
    over(h[i]) * over(S[i]),
    Sum(h[i] * S[j], (i, 0, N - 1), (j, 0, N - 1)),
    over(h[i] * S[i]),
)
add(
    "modulus of a sum",
    Abs(over(h[i])) ** 2,
    Sum(h[i] * conjugate(h[j]), (i, 0, N - 1), (j, 0, N - 1)),
    Sum(h[i] * h[j], (i, 0, N - 1), (j, 0, N - 1)),
    over(Abs(h[i]) ** 2),
)
add("index name", over(h[i]), over(h[j], index=j), over(h[j + 1], index=j))
add("even and odd parts", over(h[2 * i] + h[2 * i + 1]), over(h[2 * i]) + over(h[2 * i + 1]), over(h[i]))
add("empty sum", over(h[i], 0, -1), 0, h[0])
add("one term", over(h[i], 3, 3), h[3], h[2])
add("three terms", over(h[i], 0, 2), h[0] + h[1] + h[2], h[1] + h[2] + h[3])
add("a summand without index leaves", over(exp(I * a) * h[i]), exp(I * a) * over(h[i]), over(h[i]))
add("two sums make one", over(h[i]) - over(S[i]), over(h[i] - S[i]), over(S[i] - h[i]))
add(
    "common phase",
    over(exp(I * (m + k) * t) * h[i]),
    exp(I * m * t) * exp(I * k * t) * over(h[i]),
    exp(I * m * t) * over(h[i]),
)
add(
    "logits with embeddings",
    over((u + theta[i]) * (v + omega[i])),
    N * u * v + u * over(omega[i]) + v * over(theta[i]) + over(theta[i] * omega[i]),
    u * v + u * over(omega[i]) + v * over(theta[i]) + over(theta[i] * omega[i]),
)
add(
    "mean of squares",
    over((theta[i] - c) ** 2),
    over(theta[i] ** 2) - 2 * c * over(theta[i]) + N * c**2,
    over(theta[i] ** 2) - 2 * c * over(theta[i]) + c**2,
)
add("partial sums differ by a term", over(h[i], 0, j) - over(h[i], 0, j - 1), h[j], h[j + 1], h[j - 1])
add("a telescoping pair", over(h[i + 1] - h[i]) + over(h[i] - h[i + 1]), 0, h[N] - h[0])
add(
    "parts, four terms",
    h[0] * (S[1] - S[0]) + h[1] * (S[2] - S[1]),
    h[1] * S[2] - h[0] * S[0] - S[1] * (h[1] - h[0]),
    h[1] * S[2] - h[0] * S[0] + S[1] * (h[1] - h[0]),
)

# Frequency ladders and powers
add("geometric ladder", B ** (-2 * i / d) * B ** (-2 * j / d), B ** (-2 * (i + j) / d), B ** (-2 * i * j / d))
add("ratio of neighbours", B ** (-2 * (i + 1) / d) / B ** (-2 * i / d), B ** (-2 / d), B ** (2 / d))
add("doubled exponent is another base", (B**2) ** (-2 * i / d), B ** (-4 * i / d), B ** (-2 * i / d))
add("ten thousand", 10000 ** (-2 * i / d), 10 ** (-8 * i / d), 10 ** (-4 * i / d))
add("exp and log form", exp(-2 * i * log(B) / d), B ** (-2 * i / d), B ** (2 * i / d))
add("wavelength", 2 * pi / B ** (-2 * i / d), 2 * pi * B ** (2 * i / d), 2 * pi * B ** (-2 * i / d))
add("last plane", B ** (-2 * (d / 2 - 1) / d), B ** (2 / d) / B, 1 / B)
add(
    "NTK-aware base meets interpolation at head width d + 2",
    (B * R ** ((d + 2) / d)) ** (-d / (d + 2)),
    B ** (-d / (d + 2)) / R,
    B ** (-d / (d + 2)) * R,
)
add("interpolation is a smaller angle", (m / R) * t, m * (t / R), m * t * R)
add(
    "midpoint ladder",
    B ** (-(2 * i + 1) / d),
    B ** (-2 * i / d) * B ** (-1 / d),
    B ** (-2 * i / d) * B ** (1 / d),
)
add("half of the exponent", sqrt(B ** (-2 * i / d)), B ** (-i / d), B ** (-2 * i / d))
add("a thousand to a power", 1000 ** (-i), 10 ** (-3 * i), 10 ** (-2 * i))
add("product of roots", sqrt(2) * sqrt(R), sqrt(2 * R), 2 * sqrt(R))
add("norm of the encoding", sqrt(d / 2) ** 2, d / 2, d / 4)
add("scaling of logits", (q * K) / sqrt(d), q * K * d ** Rational(-1, 2), q * K / d)
add("logarithm of the ladder", log(B ** (-2 * i / d)), -2 * i * log(B) / d, 2 * i * log(B) / d)
add("log of a product", log(r * R), log(r) + log(R), log(r) * log(R))
add("log of ten thousand", log(10000), 4 * log(10), 5 * log(10))
add("change of the base", B ** (log(R) / log(B)), R, 1 / R)
add("exponents add", exp(x) * exp(y), exp(x + y), exp(x * y))
add("power of a power", (r**2) ** s, r ** (2 * s), r ** (s**2))
add("ALiBi slopes are geometric", 2 ** (-8 * (i + 1) / d) / 2 ** (-8 * i / d), 2 ** (-8 / d), 2 ** (8 / d))
add("ALiBi is relative", -r * (m - n), -r * m + r * n, -r * m - r * n)
add("xPos weights cancel", r**m * r ** (-n), r ** (m - n), r ** (m + n))


# Matrices
def rot(angle):
    return Matrix([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])


J = Matrix([[0, -1], [1, 0]])
M2, V2, W2 = Matrix([[a, b], [c, s]]), Matrix([u, v]), Matrix([x, y])
D2 = Matrix([[1, 0], [0, -1]])
add("rotations compose", rot(a) * rot(b), rot(a + b), rot(a - b), rot(a * b))
add("transpose is inverse", rot(a).T, rot(-a), rot(a))
add("orthogonal", rot(m * t).T * rot(m * t), eye(2), rot(m * t))
add("relative rotation", rot(m * t).T * rot(n * t), rot((n - m) * t), rot((m - n) * t), rot((m + n) * t))
add("determinant", rot(a).det(), 1, -1)
add("rotation keeps lengths", (rot(a) * V2).dot(rot(a) * V2), u**2 + v**2, u**2 - v**2)
add("rotation keeps inner products", (rot(a) * V2).dot(rot(a) * W2), u * x + v * y, u * y + v * x)
add(
    "score in one plane",
    (rot(m * t) * V2).dot(rot(n * t) * W2),
    (u * x + v * y) * cos((m - n) * t) + (u * y - v * x) * sin((m - n) * t),
    (u * x + v * y) * cos((m - n) * t) - (u * y - v * x) * sin((m - n) * t),
)
add("J squared", J * J, -eye(2), eye(2))
add("rotation through J", cos(a) * eye(2) + sin(a) * J, rot(a), rot(-a))
add("J is a quarter turn", rot(pi / 2), J, -J)
add("rotations commute", rot(a) * rot(b) - rot(b) * rot(a), zeros(2), J)
add("a reflection does not commute", D2 * rot(a), rot(-a) * D2, rot(a) * D2)
add("a reflection reverses", D2 * rot(a) * D2, rot(-a), rot(a))
add("reflection squared", (D2 * rot(a)) ** 2, eye(2), rot(2 * a))
add("transpose of a product", (M2 * rot(a)).T, rot(-a) * M2.T, M2.T * rot(-a))
add(
    "commutes with all rotations",
    (a * eye(2) + b * J) * rot(t) - rot(t) * (a * eye(2) + b * J),
    zeros(2),
    eye(2),
)
add(
    "a general matrix does not commute",
    M2 * rot(t) - rot(t) * M2,
    sin(t) * Matrix([[b + c, s - a], [s - a, -b - c]]),
    zeros(2),
)
add("inverse of a rotation", rot(a).inv() * rot(a), eye(2), 2 * eye(2))
add("row convention", (V2.T * rot(a).T).T, rot(a) * V2, rot(-a) * V2)
add("mismatched angles", Matrix([[cos(a), -sin(a)], [sin(b), cos(b)]]).det(), cos(a - b), 1, cos(a + b))
add(
    "shear keeps the shift identity only",
    Matrix([[1, k], [0, 1]]) * Matrix([m, 1]),
    Matrix([m + k, 1]),
    Matrix([m * k, 1]),
)
add(
    "ALiBi as a unipotent power",
    Matrix([[1, c], [0, 1]]) ** 3,
    Matrix([[1, 3 * c], [0, 1]]),
    Matrix([[1, c**3], [0, 1]]),
)
add("trace of a rotation", rot(a).trace(), 2 * cos(a), 2 * sin(a))
add("Cayley–Hamilton", rot(a) ** 2 - 2 * cos(a) * rot(a) + eye(2), zeros(2), eye(2))
add("outer product", (V2 * W2.T).trace(), u * x + v * y, u * y + v * x)
add(
    "quadratic form",
    (V2.T * M2 * W2)[0],
    a * u * x + b * u * y + c * v * x + s * v * y,
    a * u * x + c * u * y + b * v * x + s * v * y,
)

# Rational functions, softmax, hyperbolic functions
add(
    "softmax ignores a shift",
    exp(x + c) / (exp(x + c) + exp(y + c)),
    exp(x) / (exp(x) + exp(y)),
    exp(x + c) / (exp(x) + exp(y)),
)
add("softmax sums to one", exp(x) / (exp(x) + exp(y)) + exp(y) / (exp(x) + exp(y)), 1, 2)
add("sigmoid", exp(x) / (1 + exp(x)), 1 / (1 + exp(-x)), 1 / (1 + exp(x)))
add("sigmoid and tanh", (1 + tanh(x / 2)) / 2, 1 / (1 + exp(-x)), 1 / (1 + exp(-2 * x)))
add("hyperbolic circle", cosh(x) ** 2 - sinh(x) ** 2, 1, -1)
add(
    "hyperbolic sum",
    cosh(x + y),
    cosh(x) * cosh(y) + sinh(x) * sinh(y),
    cosh(x) * cosh(y) - sinh(x) * sinh(y),
)
add("imaginary angle", cos(I * x), cosh(x), -cosh(x))
add("partial fractions", 1 / (x * (x + 1)), 1 / x - 1 / (x + 1), 1 / x + 1 / (x + 1))
add("difference of squares", (x**2 - y**2) / (x - y), x + y, x - y)
add(
    "three softmax weights",
    (u * exp(x) + v * exp(y)) / (exp(x) + exp(y)),
    u + (v - u) * exp(y) / (exp(x) + exp(y)),
    v + (v - u) * exp(y) / (exp(x) + exp(y)),
)
add(
    "symmetry of attention",
    exp(x * y) / (exp(x * y) + exp(x * x)),
    1 / (1 + exp(x * x - x * y)),
    1 / (1 + exp(x * y - x * x)),
)
add("linear attention is associative", (u * x) * y + (u * s) * v, u * (x * y + s * v), u * (x * s + y * v))
add("binomial", (x + y) ** 3, x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3, x**3 + y**3)
add(
    "Lagrange in the plane",
    (u**2 + v**2) * (x**2 + y**2) - (u * x + v * y) ** 2,
    (u * y - v * x) ** 2,
    (u * x - v * y) ** 2,
)
add("clipped bias", (Abs(x) + x) / 2 + (Abs(x) - x) / 2, Abs(x), x)
add("absolute value squared", Abs(m - n) ** 2, (m - n) ** 2, (m + n) ** 2)

# Clipping and other maxima
add("larger and smaller", Max(x, y) + Min(x, y), x + y, x - y)
add("a maximum moves with a shift", Max(x + t, y + t), Max(x, y) + t, Max(x, y))
add("a maximum under a sign", Max(-x, -y), -Min(x, y), -Max(x, y), Min(x, y))
add("modulus as a maximum", Max(x, -x), Abs(x), x)
add("clipped from one side", Min(x, r) + Max(x - r, 0), x, r)

# Named vectors and matrices, whatever their entries
vec, pos, H2 = vector_function("v", 2), vector_function("p", 2), matrix_function("H", 2, 2)
add(
    "bilinear in a sum",
    Inner(vec(m), vec(n) + pos(k)),
    Inner(vec(m), vec(n)) + Inner(vec(m), pos(k)),
    Inner(vec(m), vec(n)) + Inner(vec(n), pos(k)),
)
add(
    "a transpose changes sides",
    Inner(H2(m) * vec(n), pos(k)),
    Inner(vec(n), H2(m).T * pos(k)),
    Inner(vec(n), H2(m) * pos(k)),
)
add("transpose of a named product", (H2(m) * H2(n)).T, H2(n).T * H2(m).T, H2(m).T * H2(n).T)

# Exponents with symbolic denominators
add("exponents over one denominator", B ** (d / (d + 2)) * B ** (2 / (d + 2)), B, B**2, B ** (2 / (d + 2)))
add(
    "the last frequency after NTK",
    (B * R ** (d / (d - 2))) ** (-(d - 2) / d),
    B ** (-(d - 2) / d) / R,
    B ** (-(d - 2) / d) / R**2,
)

# Integrals and special functions
add(
    "constants leave an integral",
    Integral(r * cos(x * t), (t, 0, 1)),
    r * Integral(cos(x * t), (t, 0, 1)),
    r**2 * Integral(cos(x * t), (t, 0, 1)),
)
add(
    "an integral of a complex exponential",
    Integral(exp(I * x * t), (t, 0, 1)),
    Integral(cos(x * t), (t, 0, 1)) + I * Integral(sin(x * t), (t, 0, 1)),
    Integral(cos(x * t), (t, 0, 1)) - I * Integral(sin(x * t), (t, 0, 1)),
)
add(
    "an integral of a sum",
    Integral(exp(-r * t) + t, (t, 0, 1)),
    Integral(exp(-r * t), (t, 0, 1)) + Integral(t, (t, 0, 1)),
    Integral(exp(-r * t), (t, 0, 1)) * Integral(t, (t, 0, 1)),
)
add("the integral of a constant", Integral(x, (t, 0, y)), x * y, x)
add(
    "real part of the kernel's integral",
    re(Integral(exp(I * x * B**-t), (t, 0, 1))),
    Integral(cos(x * B**-t), (t, 0, 1)),
    Integral(sin(x * B**-t), (t, 0, 1)),
)
add("sine integral of a product", Si(r * R / R), Si(r), Si(R))
add("cosine integral of a power", Ci(r * exp(-log(R))), Ci(r / R), Ci(r * R), Ci(r) / R)
add("error function is odd", erf(x - y) + erf(y - x), 0 * x, 2 * erf(x - y))

# Bounds: (name, rule, left, right), left <= right; the slips are a little too tight, or lack an ingredient
TRUE_BOUNDS: list[tuple] = []
FALSE_BOUNDS: list[tuple] = []


def bound(name, rule, left, right, *tight):
    TRUE_BOUNDS.append((name, rule, left, right))
    FALSE_BOUNDS.extend((f"{name}, slip {number}", rule, left, slip) for number, slip in enumerate(tight, 1))


hs, steps = Sum(Abs(h[i]), (i, 0, N)), Abs(h[i + 1] - h[i])
bound(
    "modulus of a sum", triangle, Abs(Sum(h[i], (i, 0, N))), hs, hs / 2, Sum(Abs(h[i]), (i, 1, N)), Abs(h[0])
)
bound(
    "modulus of a score",
    triangle,
    Abs(Sum(h[i] * exp(I * x * theta[i]), (i, 0, N))),
    hs,
    hs * Rational(9, 10),
)
bound(
    "two terms",
    triangle,
    Abs(z + q),
    Abs(z) + Abs(q),
    Abs(z),
    Abs(z) - Abs(q),
    sqrt(Abs(z) ** 2 + Abs(q) ** 2),
)
bound("a factor in front", triangle, Abs(r * Sum(h[i], (i, 0, N))), r * hs, hs, r * hs / 2)
bound("a real integral", triangle, Abs(Integral(cos(x * t), (t, 0, r))), Integral(Abs(cos(x * t)), (t, 0, r)))
bound(
    "largest step taken out",
    maximum,
    Sum(steps * Abs(S[i + 1]), (i, 0, N)),
    MaxOver(steps, (i, 0, N)) * Sum(Abs(S[i + 1]), (i, 0, N)),
    MaxOver(steps, (i, 0, N)) * Sum(Abs(S[i + 1]), (i, 0, N)) / 2,
    Abs(h[1] - h[0]) * Sum(Abs(S[i + 1]), (i, 0, N)),
)
bound(
    "Cauchy and Schwarz",
    cauchy_schwarz,
    Abs(Sum(h[i] * S[i], (i, 0, N))) ** 2,
    Sum(Abs(h[i]) ** 2, (i, 0, N)) * Sum(Abs(S[i]) ** 2, (i, 0, N)),
    Sum(Abs(h[i]) ** 2, (i, 0, N)) * Sum(Abs(S[i]) ** 2, (i, 0, N)) / 4,
    Sum(Abs(h[i]), (i, 0, N)) * Sum(Abs(S[i]), (i, 0, N)) / 9,
)
bound(
    "parabola below the cosine",
    certified((x, Rational(1, 10), 3)),
    1 - x**2 / 2,
    cos(x),
    cos(x) - Rational(1, 50),
    x**2 / 2 - cos(x),
)
bound(
    "sine below its argument",
    certified((x, Rational(1, 10), 5)),
    sin(x),
    x,
    x * Rational(99, 100),
    x - x**3 / 6,
)
bound(
    "exponential above its tangent",
    certified((x, Rational(1, 10), 5)),
    1 + x,
    exp(x),
    exp(x) - Rational(1, 100),
    1 + x**2 / 2,
)
bound("cosine integral below 1/x", certified((r, 1, 30)), Ci(r), 1 / r, 1 / r**2, Rational(1, 3) / r)
bound(
    "sine integral below 1.852",
    certified((r, Rational(1, 10), 30)),
    Si(r),
    Rational(1852, 1000),
    Rational(1851, 1000),
)
bound(
    "cosine integral above its first terms",
    certified((r, Rational(1, 10), 2)),
    log(r) + Rational(577, 1000) - r**2 / 4,
    Ci(r),
    Ci(r) - Rational(1, 100),
    log(r) + Rational(577, 1000) - r**2 / 3,
)
bound("error function below one", certified((r, 0, 4)), erf(r), Rational(1), Rational(99, 100))
