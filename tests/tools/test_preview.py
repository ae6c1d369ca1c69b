"""The picture beside a link to the book, and the lines that name it."""

from PIL import Image

from tools.preview import draw, tags


def test_the_picture_has_the_size_that_is_asked_for_and_is_the_same_each_time(tmp_path):
    for name in ("one.png", "two.png"):
        draw(tmp_path / name, "Position encodings, step by step")
    assert Image.open(tmp_path / "one.png").size == (1200, 630)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_tags_escape_the_title_and_name_the_file():
    head = tags('Rotary & "more"', "https://example.org/book/")
    assert 'content="Rotary &amp; &quot;more&quot;"' in head
    assert 'content="https://example.org/book/_static/preview.png"' in head
