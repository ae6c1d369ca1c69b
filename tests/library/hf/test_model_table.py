"""models.json: one row a model type, in order, of words that the reader knows."""

import json
from pathlib import Path

import pytest

from posenc_lib.hf.config import models
from posenc_lib.hf.config.keys import BEARS, HINTS
from posenc_lib.hf.config.models import INSTEAD, MODELS

ROWS = json.loads(Path(models.__file__).with_suffix(".json").read_text("utf-8"))
VOCABULARY = {
    "layout": {"half", "interleaved", "rope_interleave"},
    "instead": set(INSTEAD),
    "axes": {"in blocks", "in turn", "height and width in turn, then time", "two in turn"},
    "unturned": {"full_attention"},
    "temperature": set(HINTS),
}


def test_rows_stand_in_order_and_each_once():
    pairs = json.loads(Path(models.__file__).with_suffix(".json").read_text("utf-8"), object_pairs_hook=list)
    assert [name for name, _ in pairs] == sorted(ROWS)


@pytest.mark.parametrize("field", VOCABULARY)
def test_a_field_holds_words_that_the_reader_knows_and_all_of_them(field):
    written = {row[field] for row in ROWS.values() if field in row}
    assert written <= VOCABULARY[field]
    assert written == VOCABULARY[field] or field == "temperature"


def test_a_row_says_one_thing_of_four_and_nothing_that_is_so_without_it():
    for name, row in ROWS.items():
        assert len(row.keys() & {"layout", "refused", "instead", "axial"}) <= 1, name
        assert all(value != models.ModelType._field_defaults[field] for field, value in row.items()), name
        assert len(row) == 1 or not row.keys() & {"refused", "instead", "axial"}, name


def test_keys_that_a_row_lets_be_are_those_that_would_be_refused():
    assert [key for model in MODELS.values() for key in model.harmless if not BEARS.search(key)] == []
