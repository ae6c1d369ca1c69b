"""The picture of the recipes: its positions are those that the library gives, and each token has one."""

from posenc_book.figures import recipes


def test_each_row_counts_its_tokens_as_the_engine_would():
    rows = recipes.rows()
    assert {len(cells) for cells in rows.values()} == {8}
    assert [int(cell) for cell in rows["left padding"] if cell] == list(range(6))
    assert rows["two texts in one row"] == [*map(str, range(5)), *map(str, range(3))]
    assert sorted(map(int, rows["two processes, zigzag"])) == list(range(8))
    kept, closed = rows["2, 3 and 4 dropped"], rows["… and closed up"]
    assert [bool(cell) for cell in kept] == [bool(cell) for cell in closed]
    assert [int(cell) for cell in closed if cell] == list(range(5))
    assert len(set(rows["an image of 2 × 4"])) == 8
