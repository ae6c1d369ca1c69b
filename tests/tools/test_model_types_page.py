"""The page of model types shows every line of the stored record, and nothing that Markdown would swallow."""

import re

from tools.reference import model_types

HALF = "64, half, base 1e4"
RECORD = {
    "transformers": "9.9",
    "types": {
        "abel": {"verdict": "equal", "config": "default", "layers seen": "all", "use_in": "yes", "layers": [
            {"count": 5, "kind": "sliding_attention", "spec": HALF, "temperature": None},
            {"count": 1, "kind": "full_attention", "spec": None, "temperature": "another"},
        ]},
        "airy": {"verdict": "equal", "config": "default", "layers seen": "all", "use_in": "no rotary module",
                 "layers": [{"count": 1, "kind": None, "spec": HALF, "temperature": None}]},
        "bessel": {"verdict": "refused", "why": "config has a_key = [1], which *bears* on positions"},
        "cauchy": {"verdict": "as its text part", "text": "abel"},
        "dini": {"verdict": "no rotation"},
        "euler": {"verdict": "no default config"},
    },
}  # fmt: skip


def test_a_record_becomes_a_page():
    text = model_types.as_markdown(RECORD)
    assert "With transformers 9.9: **2 types are read and equal**, and 1 more" in text
    row = (
        r"* - `abel`"
        + "\n  - 5 sliding\\_attention; 1 full\\_attention\n  - 64, half, base 1e4; –; temperature another"
    )
    assert row in text
    assert (
        "For 1 of these types a model was made, with its rotary modules alone filled, and `use_in` took it."
        in text
    )
    assert "\n- no rotary module of the model's own, so nothing to swap: `airy`\n" in text
    assert "not known" not in text
    assert "* - `bessel`\n  - config has a\\_key = \\[1\\], which \\*bears\\* on positions" in text
    assert "`cauchy` → `abel`." in text and "`dini`." in text and "`euler`." in text


def test_every_type_of_the_stored_record_is_on_the_page_once():
    data = model_types.load()
    text = model_types.as_markdown(data)
    rows = re.findall(r"^\* - `([^`]+)`$", text, flags=re.M)
    alone = [name for name, one in data["types"].items() if one["verdict"] in ("equal", "refused")]
    assert sorted(rows) == sorted(alone)
    assert all(f"`{name}`" in text for name in data["types"])
    answers = {one.get("use_in", "yes") for one in data["types"].values()}
    assert answers == {"yes", *model_types.NOT_USED}  # each has its words
    assert not [one for one in data["types"].values() if one["verdict"].startswith("wrong")]
