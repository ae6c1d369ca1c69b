"""Matrices and stacked vectors: what acts block by block is checked on one generic block."""

import pytest
from attempts import refused, with_definition
from sympy import Integer, Matrix, Sum, conjugate, cos, eye, sin

from posenc_lib.proofs import *
from posenc_lib.proofs.values.written_out import written_out

m, n = integers("m n")
N, i, j = naturals("N i j")
d = counts("d")
t, x = reals("t x")
w, z = complexes("w z")
theta = real_sequence("theta")
F = complex_function("F")


def rotation(D):
    R = matrix_function("R", 2, 2)
    D.define(R(t), Matrix([[cos(t), -sin(t)], [sin(t), cos(t)]]), "a rotation")
    return R


def test_blocks_of_symbolic_number():
    D = Derivation("blocks")
    R = rotation(D)
    d = counts("d")
    turn = lambda position: BlockDiagonal(R(position * theta[i]), (i, 0, d - 1))  # noqa: E731
    assert D.prove("eq-blocks", turn(m).T * turn(n), eq(turn(n - m), "blockwise")).verdict
    with pytest.raises(Refuted):
        D.prove("eq-x", turn(m).T * turn(n), eq(turn(m - n), "transposed"))
    other = BlockDiagonal(R(m * theta[i]), (i, 0, d))
    with pytest.raises(ValueError, match="different"):
        D.prove("eq-y", turn(m), eq(other, "another length"))


def test_block_diagonal_matrices_act_on_stacked_vectors_block_by_block():
    """Σ_i θ_i u_i v_i and its like: the equations of a rotation's derivative, in any number of planes."""
    u, v, d = real_sequence("u"), real_sequence("v"), counts("d")
    stack = lambda *entries: Stacked(Matrix(entries), (i, 0, d - 1))  # noqa: E731
    x_, y_ = stack(u[i], v[i]), stack(v[i], u[i])
    turn = BlockDiagonal(theta[i] * Matrix([[0, -1], [1, 0]]), (i, 0, d - 1))
    shear = BlockDiagonal(Matrix([[1, theta[i]], [0, 1]]), (i, 0, d - 1))
    other_index = Stacked(Matrix([-theta[j] * v[j], theta[j] * u[j]]), (j, 0, d - 1))
    true = [
        (turn * x_, stack(-theta[i] * v[i], theta[i] * u[i])),
        (turn * x_, other_index),
        (turn.T * x_, stack(theta[i] * v[i], -theta[i] * u[i])),
        (x_ + y_, stack(u[i] + v[i], u[i] + v[i])),
        (turn * shear * x_, stack(-theta[i] * v[i], theta[i] * u[i] + theta[i] ** 2 * v[i])),
        (turn * shear, BlockDiagonal(Matrix([[0, -theta[i]], [theta[i], theta[i] ** 2]]), (i, 0, d - 1))),
        (turn + shear, BlockDiagonal(Matrix([[1, 0], [theta[i], 1]]), (i, 0, d - 1))),
        (x_.T * y_, 2 * Sum(u[i] * v[i], (i, 0, d - 1))),
        (x_.T * turn * x_, Integer(0)),
        (x_.T * turn * y_, Sum(theta[i] * (v[i] ** 2 - u[i] ** 2), (i, 0, d - 1))),
    ]
    D = Derivation("act")
    for row, (left, right) in enumerate(true):
        assert D.prove(f"eq-{row}", left, eq(right, "blockwise")).verdict
    with pytest.raises(Refuted):
        D.prove("eq-x", turn * x_, eq(x_, "not turned"))
    shifted = Stacked(Matrix([u[i], v[i]]), (i, 1, d))
    with pytest.raises(ValueError, match="blocks over different ranges"):
        D.prove("eq-y", turn * shifted, eq(x_, "moved by one"))
    with pytest.raises(ValueError, match="the two sides have different blocks"):
        D.prove("eq-z", x_, eq(turn, "a column and a matrix"))
    with pytest.raises(ValueError, match="rename one of the two"):
        D.prove("eq-w", x_, eq(Stacked(Matrix([u[j], i * v[j]]), (j, 0, d - 1)), "i in a block of j"))


def test_inner_product_of_stacked_vectors_is_a_sum():
    D = Derivation("stacked")
    u, v = real_sequence("u"), real_sequence("v")
    left = Inner(Stacked(Matrix([u[i], v[i]]), (i, 0, N - 1)), Stacked(Matrix([v[i], u[i]]), (i, 0, N - 1)))
    assert D.prove("eq-in", left, eq(2 * Sum(u[i] * v[i], (i, 0, N - 1)), "entrywise")).verdict


def test_only_what_acts_block_by_block_is_taken_block_by_block():
    v, u = vector_function("v", 2), vector_function("u", 2)
    stack = lambda t: Stacked(t, (i, 0, d - 1))  # noqa: E731
    diagonal = lambda t: BlockDiagonal(t, (i, 0, d - 1))  # noqa: E731
    prove = lambda left, right: Derivation("attack").prove("eq-x", left, eq(right, "")).verdict  # noqa: E731
    outer = stack(v(i)) * stack(u(i)).T
    assert refused(lambda: prove(outer, diagonal(v(i) * u(i).T)))
    assert refused(lambda: prove(outer * stack(v(i)), stack(v(i) * u(i).T * v(i))))
    other = BlockDiagonal(i * eye(2), (j, 0, d - 1))  # i times the unit matrix
    assert refused(lambda: prove(diagonal(i * eye(2)), other))
    assert refused(lambda: prove(diagonal(eye(2)) * other, diagonal(i * eye(2))))
    assert refused(lambda: written_out(Inner(stack(v(i)), Stacked(i * v(j), (j, 0, d - 1)))))


def test_entries_of_large_matrices_have_names_of_their_own():
    for entries in (matrix_function("A", 11, 11)(m).generic(), real_entries("A", 11, 11)):
        assert len(set(entries)) == 121


def test_a_real_inner_product_has_real_entries():
    D = with_definition(F(z), conjugate(z))
    product = lambda: Inner(Matrix([z]), Matrix([w]))  # noqa: E731
    assert refused(lambda: D.prove("eq-x", F(product()), eq(product(), "")).verdict)


def test_a_factor_beside_blocks_does_not_number_them():
    v = vector_function("v", 2)
    diagonal, stack = (lambda b: BlockDiagonal(b, (i, 0, d - 1))), (lambda b: Stacked(b, (i, 0, d - 1)))
    for left, right in (
        (i * diagonal(eye(2)), diagonal(i * eye(2))),
        (i * stack(v(i)), stack(i * v(i))),
        ((i * stack(v(i))).T * stack(v(i)), Sum(i * Inner(v(i), v(i)), (i, 0, d - 1))),
    ):
        with pytest.raises(ValueError, match="numbers the blocks and is also a letter here"):
            Derivation("attack").prove("eq-x", left, eq(right, "another i"))
    assert Derivation("d").prove("eq-y", x * stack(v(i)), eq(stack(x * v(i)), "")).verdict
