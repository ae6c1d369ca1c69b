"""What the test suites of other libraries expect, this one gives: one case a row, and how many there are.

Expected values that were published stand in ``published_cases.py``. The others are what the libraries answer
that ``tests/peers.txt`` installs beside the environment; where they are not installed, as where the library
alone is tested, these cases are skipped.
"""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from installed_cases import INSTALLED, REFUSED
from published_cases import LLAMA_31, PUBLISHED, SUMMED, tune

PEERS = Path(sys.prefix) / "peers"
#: What the page of promises says.
CASES, LIBRARIES = 51, 6


def names(rows):
    return [f"{library}: {case}" for library, case, *_ in rows]


def apart(ours, theirs, relative, absolute):
    """By how much of what is allowed the farthest number is off: at most 1 is right."""
    theirs, ours = torch.as_tensor(theirs, dtype=torch.float64), ours.double()
    assert ours.shape == theirs.shape
    allowed = relative * theirs.abs() + torch.as_tensor(absolute, dtype=torch.float64)
    return float(((ours - theirs).abs() / allowed.clamp_min(1e-300)).max())


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Of the installed libraries, from a process of their own."""
    if not PEERS.is_dir():
        pytest.skip("the other libraries are not installed: make installs tests/peers.txt")
    file = tmp_path_factory.mktemp("peers") / "answers.pt"
    program = Path(__file__).with_name("their_answers.py")
    command = [sys.executable, str(program), str(PEERS), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return torch.load(file)


@pytest.mark.parametrize(("library", "case", "both", "relative", "absolute"), PUBLISHED, ids=names(PUBLISHED))
def test_a_published_value_is_ours(library, case, both, relative, absolute):
    assert apart(*both(), relative, absolute) <= 1


@pytest.mark.parametrize(("library", "case", "ours", "allowed"), INSTALLED, ids=names(INSTALLED))
def test_an_installed_library_s_answer_is_ours(library, case, ours, allowed, answers):
    got, of_all = ours(), answers[library]
    assert apart(got, of_all[case], 0, allowed) <= 1
    others = [other for name, other in of_all.items() if name != case and other.shape == got.shape]
    assert all(apart(got, other, 0, allowed) > 100 for other in others)  # no case stands for another


@pytest.mark.parametrize(("library", "case", "call", "message"), REFUSED, ids=names(REFUSED))
def test_what_another_library_writes_is_refused_by_name(library, case, call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_our_angles_are_finer_than_torchtune_s():
    """Its published sum is that of float32 angles; ours is off by far more than summing makes."""
    total = tune(torch.arange(2048), torch.float64, **LLAMA_31)[1]
    assert abs(float(total) + 83.1523) > 30 * SUMMED


def test_as_many_cases_as_the_page_says():
    rows = [*PUBLISHED, *INSTALLED, *REFUSED]
    assert len(set(names(rows))) == len(rows) == CASES
    assert len({library for library, *_ in rows}) == LIBRARIES
