"""The licences are those that are named everywhere, in their own words."""

import hashlib
import re

import pytest
import tomllib
import yaml

from tools.notebooks import ROOT

#: Digest of the words below the copyright line.
BSD_3_CLAUSE = "70435d703f5e4bdca9a1fa6b9291501b0dd850d2ad5457b491ce936217b1e063"
PROJECTS = [".", *(p.parent.relative_to(ROOT) for p in ROOT.glob("distributions/*/pyproject.toml"))]


def test_the_code_s_licence_has_all_its_words():
    head, _, words = (ROOT / "LICENSE").read_text().partition("\n\nRedistribution")
    assert re.fullmatch(r"BSD 3-Clause License\n\nCopyright \(c\) 20\d\d, The posenc authors", head)
    plain = " ".join(f"Redistribution{words}".split())
    assert hashlib.sha256(plain.encode()).hexdigest() == BSD_3_CLAUSE


@pytest.mark.parametrize("folder", PROJECTS, ids=str)
def test_every_distribution_names_it(folder):
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert project["license"] == citation["license"] == "BSD-3-Clause"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_code_and_text_have_their_own_licence_wherever_they_are_named(name):
    text = (ROOT / name).read_text()
    assert "[BSD-3-Clause](LICENSE)" in text and "[CC BY 4.0](LICENSE-text)" in text
    assert "https://creativecommons.org/licenses/by/4.0/" in (ROOT / "LICENSE-text").read_text()


def test_each_licence_is_for_what_it_was_chosen():
    """Both names stand in both texts; which is of the code, and which of the text, must not change places."""
    for name in ("README.md", "CONTRIBUTING.md"):
        text = " ".join((ROOT / name).read_text().split())
        assert re.search(r"Code(?: is under|:) \[BSD-3-Clause\]\(LICENSE\)", text), name
        assert re.search(r"[Tt]ext and figures(?: under|:) \[CC BY 4\.0\]\(LICENSE-text\)", text), name


#: Digests of the licences of others, and of ours for text: whatever is added would change what is allowed.
WORDS = {
    "LICENSE-text": "b766f6960555884c",
    "assets/fonts/LICENSE": "9f4231f20e5de82d",
    "assets/katex/LICENSE": "d65e665f6e7ea311",
}


@pytest.mark.parametrize("name", WORDS)
def test_the_words_of_a_licence_are_as_they_were_read(name):
    plain = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    assert hashlib.sha256(plain.encode()).hexdigest()[:16] == WORDS[name]


@pytest.mark.parametrize("folder", ["fonts", "katex"])
def test_what_others_made_has_their_licence_beside_it(folder):
    licence = (ROOT / "assets" / folder / "LICENSE").read_text()
    assert {"fonts": "SIL OPEN FONT LICENSE Version 1.1", "katex": "MIT License"}[folder] in licence
