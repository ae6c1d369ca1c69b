"""The place where a wrong version differs is marked, and nothing else."""

import pytest

from posenc_lib.proofs.show.marked import changed_length, in_order_of, marked, marked_terms


@pytest.mark.parametrize(
    ("right", "wrong", "shown"),
    [
        (r"226 \pi", r"452 \pi", r"\wrong{452} \pi"),
        ("a + b", "a - b", r"a \wrong{-} b"),
        ("a + b", "a", r"a\wrong{\phantom{+ b}}"),
        (r"\sum_{i=0}^{n} h_{i}", r"\sum_{i=1}^{n} h_{i}", r"\sum_{i=\wrong{1}}^{n} h_{i}"),
        (r"\frac{a}{b + c}", r"\frac{a}{b - c}", r"\frac{a}{b \wrong{-} c}"),
        (r"\frac{a}{b}", "a", r"\wrong{a}"),
        ("x^{*} y", "x y", r"\wrong{x} y"),
        (r"\sin^{2}(x)", r"\cos^{2}(x)", r"\wrong{\cos}^{2}(x)"),
        (r"\operatorname{Re}\left[x\right]", r"\operatorname{Im}\left[x\right]", None),
        ("G(m,k)", "G(m + 1,k)", r"G(m\wrong{+ 1},k)"),
        (
            r"\left(\begin{matrix}a & b\\c & d\end{matrix}\right)",
            r"\left(\begin{matrix}a & c\\b & d\end{matrix}\right)",
            r"\left(\begin{matrix}a & \wrong{c}\\\wrong{b} & d\end{matrix}\right)",
        ),
    ],
)
def test_the_smallest_whole_piece_is_marked(right, wrong, shown):
    found = marked(right, wrong)
    expected = shown or r"\wrong{\operatorname{Im}}\left[x\right]"
    assert "".join(found.split()) == "".join(expected.split())
    assert marked(right, right) == right


def test_terms_are_the_same_wherever_they_stand():
    assert marked_terms(("a", "+ b"), ("b", "+ a")) == ("b", "+ a")
    assert changed_length(("a", "+ b"), ("b", "+ a")) == 0
    assert marked_terms(("- a", "+ b"), ("b", "+ a")) == ("b", r"\wrong{+} a")
    assert marked_terms(("a", "+ b"), ("a",)) == ("a", r"\wrong{\phantom{+ b}}")


def test_the_order_of_the_author_is_kept_where_it_is_known():
    assert in_order_of(("x", "- y", "+ a"), ("a", "+ x", "- y"), ("a", "- x", "- y")) == ("- x", "- y", "+ a")
    assert in_order_of(("x", "+ a"), ("a", "+ x"), ("a",)) == ("a",)
    assert in_order_of(("other",), ("a", "+ x"), ("a", "- x")) is None
