"""Tables of derivations: every true one is proved, every slip is refused and refuted at a point."""

import pytest
from tables import all_cases, confirm, written

from posenc_proofs.derivation.derivation import Refuted
from posenc_proofs.derivation.records import Counts
from posenc_proofs.kernel import Refused
from posenc_proofs.latex.tokens import Unread
from posenc_proofs.refutation import slips
from posenc_proofs.search import analysis
from posenc_proofs.search.proof import NotFound
from posenc_proofs.witness import opinion

CASES = all_cases()
WRONG = {
    f"{name}, {kind} {n}": (case.with_right(right), kind)
    for name, case in CASES.items()
    for kind in ("slip", "open")
    for n, right in enumerate(case.of(kind), 1)
}
STOPS = (ValueError, NotFound, Refused, NotImplementedError)


def test_there_are_many():
    assert len(CASES) > 500 and len(WRONG) > 250


@pytest.mark.parametrize("name", CASES)
def test_it_is_proved_and_read_again_or_refused_in_these_words(name, monkeypatch):
    case = CASES[name]
    if case.of("refused"):
        monkeypatch.setattr(analysis, "MOST_CELLS", 200)
    for words in case.of("refused"):
        with pytest.raises(STOPS) as error:
            written(case.text)
        assert words in str(error.value)
        return
    *_, result = written(case.text).page.values()
    for words in case.of("says"):
        assert words in result.badge()


@pytest.mark.parametrize("name", WRONG)
def test_a_slip_is_refuted_and_what_is_open_is_not_proved(name, monkeypatch):
    monkeypatch.setattr(slips, "of_rows", lambda *_: ([], Counts()))  # those of the rows before it
    monkeypatch.setattr(opinion, "of_rows", lambda _: "")
    monkeypatch.setattr(analysis, "MOST_CELLS", 200)
    text, kind = WRONG[name]
    with pytest.raises(STOPS) as error:
        written(text)
    assert isinstance(error.value, Refuted) == (kind == "slip"), error.value


FIELDS = {"print": "latex", "scope": "scope", "meant": "meant"}
OTHERWISE = {
    f"{name}, {kind} {n}": (case.text, {FIELDS[kind]: [words] if kind == "meant" else words})
    for name, case in CASES.items()
    for kind in FIELDS
    for n, words in enumerate(case.of(kind), 1)
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_shown_otherwise_is_not_what_was_proved(name):
    text, instead = OTHERWISE[name]
    D = written(text)
    with pytest.raises(Unread):
        confirm(D, **instead)
