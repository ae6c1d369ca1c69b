"""The picture of the slots: every step has something that replaces it, and each row says so in words."""

from posenc_book.figures import plugs


def test_every_step_is_changed_by_some_encoding_and_the_slots_lie_on_the_way():
    assert set(plugs.ENCODINGS.values()) == set(plugs.STEPS)
    assert set(plugs.SLOTS.values()) == {"frequencies", "q and k", "scores"}
    rows = [*plugs.SLOTS, *plugs.ENCODINGS, *plugs.OTHERS]
    assert len(rows) == len(set(rows))


def test_the_figure_says_what_it_shows():
    plot = plugs.steps()
    for name, step in (plugs.SLOTS | plugs.ENCODINGS).items():
        assert f"{name}: {step}" in plot.alt
    assert all(name in plot.alt for name in plugs.OTHERS)
    placed = [*plot.data["slots"], *plot.data["encodings"]]
    assert [plugs.STEPS[i] for i in placed] == [*plugs.SLOTS.values(), *plugs.ENCODINGS.values()]
