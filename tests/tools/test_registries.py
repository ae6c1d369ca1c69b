"""What a failure of npm or pip means."""

from subprocess import CompletedProcess

import pytest

from tools.registries import Unreachable, load_or_say, require


@pytest.mark.parametrize(
    ("said", "raised"),
    [("npm error code ENOTFOUND", Unreachable), ("npm error code EINTEGRITY", RuntimeError)],
)
def test_only_a_missing_network_is_one(said, raised):
    with pytest.raises(raised, match=said):
        require(CompletedProcess([], 1, "", said))


def test_success_is_silent_and_a_missing_network_is_said(capsys):
    require(CompletedProcess([], 0, "", "npm warn ECONNRESET"))
    load_or_say(lambda: None, "nothing")
    assert capsys.readouterr().out == ""
    load_or_say(lambda: require(CompletedProcess([], 1, "", "EAI_AGAIN")), "no network")
    assert capsys.readouterr().out == "no network\n"
    with pytest.raises(RuntimeError, match="another digest"):
        load_or_say(lambda: require(CompletedProcess([], 1, "another digest", "")), "no network")
